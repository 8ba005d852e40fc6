"""Work shared out among processes."""

import os

import pytest

from commands.pool import mapped


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_the_order_of_the_work(jobs):
    assert list(mapped(abs, range(-9, 0), jobs)) == list(range(9, 0, -1))


def test_one_job_stays_in_this_process():
    assert list(mapped(lambda _: os.getpid(), range(2), 1)) == [os.getpid()] * 2


def test_no_process_is_started_for_nothing():
    assert list(mapped(abs, [], 8)) == []
