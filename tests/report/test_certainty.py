from dataclasses import replace
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from layouts import load_layout
from report.certainty import doubtful_range, total_confidence
from report.curves import stated
from scoring import RuleSet, parse_sheet, score
from tests.readings import reading_of

RULES = RuleSet.default()


def confidence(line, doubts, rules=RULES):
    """By the probabilities as they are given here."""
    return total_confidence(reading_of(parse_sheet(line), doubts), rules, lambda cell, _: stated(cell))


def test_a_number_read_as_another_leaves_the_total_right():
    assert confidence("red 1", {"red/2": ((7, 0.5), (1, 0.3), ("?", 0.1), (None, 0.1))}) == pytest.approx(0.9)


def test_an_empty_space_has_to_be_empty():
    assert confidence("red 1", {"red/2": ((None, 0.6), (1, 0.4))}) == pytest.approx(0.6)


def test_marks_have_to_be_as_read_and_columns_multiply():
    doubts = {
        "dice/1": ((True, 0.9), (False, 0.1)),
        "artifacts/bridge": ((False, 0.8), (True, 0.2)),
        "red/double": ((True, 0.7), (False, 0.3)),
    }
    assert confidence("red 1 2", doubts) == pytest.approx(0.9 * 0.8 * 0.7)


def test_what_earns_nothing_costs_no_confidence():
    lone = {"red/double": ((True, 0.5), (False, 0.5))}
    assert confidence("dice 1", lone) == pytest.approx(1)
    assert confidence("dice 1", lone, replace(RULES, lone_double_points=-100)) == pytest.approx(0.5)


def test_two_faults_of_one_column_may_cancel_out():
    # Filled and empty, or empty and filled: one number either way.
    doubts = {"red/1": ((1, 0.9), (None, 0.1)), "red/2": ((None, 0.8), (1, 0.2))}
    assert confidence("dice 1", doubts) == pytest.approx(0.9 * 0.8 + 0.1 * 0.2)


KEYS = [box.key for box in load_layout().read_cells]


@given(st.dictionaries(st.sampled_from(KEYS), st.floats(0.5, 1), max_size=8))
def test_it_is_a_probability_and_no_lower_than_that_of_every_cell_being_right(doubts):
    marks = {box.key: box.kind != "number" for box in load_layout().read_cells}
    alternatives = {
        key: ((False, p), (True, 1 - p)) if marks[key] else ((None, p), (5, 1 - p)) for key, p in doubts.items()
    }
    assert prod(doubts.values()) - 1e-9 <= confidence("red -", alternatives) <= 1


def spread(line, doubts):
    reading = reading_of(parse_sheet(line), doubts)
    return doubtful_range(reading.sheet, [cell for cell, _ in reading.review], RULES)


def test_without_doubt_the_range_is_the_total():
    total = score(parse_sheet("red 1 2 3 | dice 5 b")).total
    assert spread("red 1 2 3 | dice 5 b", {}) == (total, total)


def test_range_covers_every_combination():
    # Red holds 3 or 4 numbers (-10 or 5), doubled or not; dice 4 or 5 marks (10 or 20).
    doubts = {
        "red/4": ((4, 0.8), (None, 0.2)),
        "red/double": ((False, 0.6), (True, 0.4)),
        "dice/5": ((True, 0.7), (False, 0.3)),
    }
    assert spread("red 1 2 3 4 | dice 5", doubts) == (-20 + 10, 10 + 20)


def test_the_runner_up_counts_however_unlikely_but_no_other_does():
    # A cell that cannot be seen: the net is sure, the scan is not.
    assert spread("red 1", {"red/2": ((None, 0.999), (4, 0.001))}) == (-20, -15)
    assert spread("red 1 2", {"red/2": ((2, 0.97), (3, 0.02), (None, 0.01))}) == (-15, -15)
