import pytest
from hypothesis import given
from hypothesis import strategies as st

from report.certainty import doubtful_range, total_confidence
from scanner.types import CellReading
from scoring import RuleSet, parse_sheet, score
from tests.readings import reading_of

RULES = RuleSet.default()


def cell(*alternatives):
    return CellReading(alternatives[0][0], alternatives[0][1], alternatives)


def test_a_number_read_as_another_leaves_the_total_right():
    assert total_confidence([cell((7, 0.5), (1, 0.3), ("?", 0.1), (None, 0.1))]) == pytest.approx(0.9)


def test_an_empty_space_has_to_be_empty():
    assert total_confidence([cell((None, 0.6), (1, 0.4))]) == pytest.approx(0.6)


def test_marks_have_to_be_as_read_and_cells_multiply():
    readings = [cell((True, 0.9), (False, 0.1)), cell((False, 0.8), (True, 0.2)), cell((3, 1.0))]
    assert total_confidence(readings) == pytest.approx(0.72)


@given(st.lists(st.floats(0.5, 1)), st.floats(0.5, 1))
def test_another_cell_never_makes_a_total_surer(sure, more):
    readings = [cell((True, p), (False, 1 - p)) for p in sure]
    before = total_confidence(readings)
    assert 0 <= total_confidence([*readings, cell((False, more), (True, 1 - more))]) <= before <= 1


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
