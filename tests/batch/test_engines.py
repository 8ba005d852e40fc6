"""Engines: every item comes out once, and one that kills its process costs itself alone."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator

import pytest

from batch.engines import EngineError, Lost
from batch.engines.local import LocalEngine
from batch.inputs import find_inputs
from batch.stack import Stack, work_through
from batch.work import Work
from scanner.options import ScanOptions
from scoring import RuleSet
from tests.batch.conftest import record_of
from tests.batch.tasks import Bomb, dangerous, failing, slow, square


def told(results):
    """Squares, and items that were lost with their codes."""
    return sorted((one.item, one.code) if isinstance(one, Lost) else (one[0], "") for one in results)


@pytest.mark.parametrize("jobs", [1, 3])
def test_every_item_comes_out_once_from_as_many_other_processes(jobs):
    results = list(LocalEngine(jobs).map(square, iter(range(9))))
    assert told(results) == [(n * n, "") for n in range(9)]
    processes = {process for _, process in results}
    assert os.getpid() not in processes
    assert 1 <= len(processes) <= jobs
    assert not multiprocessing.active_children()


def test_no_process_is_started_for_nothing():
    assert list(LocalEngine(8).map(square, [])) == []


def test_items_are_taken_as_they_are_needed():
    taken = []

    def items() -> Iterator[int]:
        for item in range(100):
            taken.append(item)
            yield item

    results = LocalEngine(2).map(square, items())
    for done, _ in enumerate(results, 1):
        assert len(taken) <= done + 2


def test_a_process_that_dies_costs_the_item_in_its_hands():
    results = list(LocalEngine(2).map(dangerous, range(8)))
    squares = [(n * n, "") for n in range(8) if n not in (2, 4)]
    assert told(results) == sorted([*squares, (2, "crashed"), (4, "crashed")])
    details = {one.item: one.detail for one in results if isinstance(one, Lost)}
    assert "code 7" in details[2]
    assert "SIGKILL" in details[4]


def test_an_item_without_a_sign_of_life_is_given_up():
    results = list(LocalEngine(2, patience_s=0.7).map(slow, range(4)))
    assert told(results) == [(0, ""), (1, "took-too-long"), (4, ""), (9, "")]


def test_what_a_task_raises_is_raised_here():
    with pytest.raises(ValueError, match=r"no \d"):
        list(LocalEngine(2).map(failing, range(4)))
    assert not multiprocessing.active_children()


def test_processes_that_never_start_are_an_error_of_the_engine():
    with pytest.raises(EngineError, match="do not start"):
        list(LocalEngine(1).map(Bomb(), range(4)))


def test_closing_ends_all_processes():
    results = LocalEngine(2).map(slow, [0, 1, 1])
    next(results)
    results.close()  # type: ignore[attr-defined]
    assert not multiprocessing.active_children()


@pytest.mark.filterwarnings("default")
def test_dask_gives_the_same(small_photos, tmp_path):
    pytest.importorskip("distributed")
    from batch.engines.dask import DaskEngine

    items = find_inputs([str(small_photos / f"IMG_{n}.jpg") for n in (1, 2, 3, 99)], tmp_path).items
    for name, engine in (("local", LocalEngine(2)), ("dask", DaskEngine(2))):
        (tmp_path / name).mkdir()
        stack = Stack(tmp_path / name, items, Work(("expedition-a5",), RuleSet.default(), ScanOptions()))
        assert len(list(work_through(stack, engine))) == 4
    assert record_of(tmp_path / "dask") == record_of(tmp_path / "local")
    for picture in (tmp_path / "local").glob("*/*.jpg"):
        assert (tmp_path / "dask" / picture.relative_to(tmp_path / "local")).read_bytes() == picture.read_bytes()


@pytest.mark.filterwarnings("default")
def test_dask_loses_only_what_kills_its_workers():
    pytest.importorskip("distributed")
    from batch.engines.dask import DaskEngine

    results = list(DaskEngine(2).map(dangerous, range(20)))
    squares = [(n * n, "") for n in range(20) if n not in (2, 4)]
    assert told(results) == sorted([*squares, (2, "crashed"), (4, "crashed")])
