"""Which readings go to review, and the reason that people read."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from layouts import load_layout
from scanner import ScanOptions
from scanner.doubt import doubtful, lines_through, shown
from scanner.types import CellReading, LocatedReading, Value

BOXES = load_layout().read_cells
SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def cell(index: int, best: Value, sure: float, other: Value) -> LocatedReading:
    reading = CellReading(best, sure, ((best, sure), (other, 1 - sure)))
    return LocatedReading(BOXES[index], reading, SQUARE)


def doubts(
    cells: Sequence[LocatedReading],
    scores: Sequence[float],
    options: ScanOptions | None = None,
    contrasts: Sequence[float] | None = None,
) -> list[str]:
    """The reasons for doubt, where the ink by itself says what was read."""
    ink = [located.reading for located in cells]
    shown_by = np.ones(len(cells)) if contrasts is None else np.array(contrasts)
    found = doubtful(cells, ink, np.array(scores), shown_by, options=options or ScanOptions())
    return [reason for _, reason in found]


def test_sure_and_visible_is_not_doubted() -> None:
    assert doubts([cell(0, 7, 0.9, 1), cell(1, None, 0.99, 1)], [0.25, 0.9]) == []


def test_below_the_confidence_wanted_both_readings_are_named() -> None:
    unsure = cell(3, 7, 0.61, 1)
    ((found, reason),) = doubtful([unsure], [unsure.reading], np.array([0.9]), np.ones(1))
    assert found.box == BOXES[3]
    assert reason == "read as 7 with 61%, could be 1 with 39%"


def test_hidden_print_is_the_reason_whatever_the_reader_says() -> None:
    reasons = doubts([cell(0, 7, 1.0, 1), cell(1, 7, 0.5, 1)], [0.24, -0.3])
    assert len(reasons) == 2
    assert all("cannot be seen" in reason for reason in reasons)


def test_an_empty_cell_has_to_show_more_of_its_print() -> None:
    seen = [cell(0, 7, 1.0, 1), cell(1, None, 1.0, 7), cell(2, None, 1.0, 7)]
    assert doubts(seen, [0.4, 0.7, 0.4]) == ["read as empty, but part of the printed cell cannot be seen"]


def test_an_empty_cell_whose_print_is_washed_out_may_have_lost_its_ink() -> None:
    seen = [cell(0, 7, 1.0, 1), cell(1, None, 1.0, 7), cell(2, False, 1.0, True), cell(3, None, 1.0, 7)]
    reasons = doubts(seen, [0.9] * 4, contrasts=[0.3, 0.59, 0.3, 0.61])
    assert [reason.split(",")[0] for reason in reasons] == ["read as empty", "read as unmarked"]
    assert all("washed out" in reason for reason in reasons)


@pytest.mark.parametrize(
    ("numbers", "sure", "asked"),
    [
        ((2, 5), 0.95, 0),
        ((5, 2), 0.95, 2),
        ((5, 2), 0.999, 0),
        ((5, None, 2), 0.95, 2),
        ((3, 3, 7), 0.95, 0),
        ((1, 5, 2, 6), 0.95, 2),
    ],
)
def test_numbers_that_break_the_order_have_to_be_surer(
    numbers: tuple[int | None, ...], sure: float, asked: int
) -> None:
    """Empty spaces are passed over, as the rules do."""
    spaces = [box for box in BOXES if box.column == "red" and box.kind == "number"]
    cells = []
    for box, number in zip(spaces, numbers, strict=False):
        reading = CellReading(number, sure, ((number, sure), (9 if number != 9 else 8, 1 - sure)))
        cells.append(LocatedReading(box, reading, SQUARE))
    reasons = doubts(cells, [0.9] * len(cells))
    assert len(reasons) == asked
    assert all(reason.endswith("breaks the order") for reason in reasons)


def test_a_reading_that_the_rules_overruled_is_always_shown() -> None:
    ((_, reason),) = doubtful([cell(0, 8, 0.999, 3)], [cell(0, 3, 0.55, 8).reading], np.array([0.9]), np.ones(1))
    assert reason == "the ink alone looks like 3 (55%), the numbers around it make 8 likelier"


@given(st.lists(st.tuples(st.floats(0.5, 1), st.floats(-1, 1)), max_size=20), st.floats(0, 1), st.floats(-1, 1))
def test_exactly_the_unsure_and_the_hidden_in_the_order_of_the_cells(
    facts: Sequence[tuple[float, float]], confidence: float, print_score: float
) -> None:
    options = ScanOptions(review_confidence=confidence, min_cell_score=print_score)
    cells = [cell(i, 3, sure, 8) for i, (sure, _) in enumerate(facts)]
    ink = [located.reading for located in cells]
    scores = np.array([score for _, score in facts])
    found = [located.box for located, _ in doubtful(cells, ink, scores, np.ones(len(cells)), options=options)]
    expected = [BOXES[i] for i, (sure, score) in enumerate(facts) if sure < confidence or score < print_score]
    assert found == expected


@pytest.mark.parametrize(
    ("value", "words"),
    [(None, "empty"), ("?", "no number"), (True, "marked"), (False, "unmarked"), (1, "1"), (10, "10")],
)
def test_values_in_words(value: Value, words: str) -> None:
    assert shown(value) == words


@pytest.mark.parametrize(
    ("crossed", "lined"),
    [
        ([f"dice/{space}" for space in range(1, 10)], 9),
        ([f"red/{space}" for space in range(3, 8)], 5),
        ([f"red/{space}" for space in range(3, 7)], 0),
        (["red/1", "red/2", "red/3", "red/5", "red/6", "red/7"], 0),
        ([f"{column}/4" for column in ("red", "orange", "yellow", "green", "blue")], 0),
    ],
    ids=["whole column", "five", "four", "broken", "side by side"],
)
def test_a_line_through_a_column_is_one_thing(crossed: Sequence[str], lined: int) -> None:
    upright = np.array([box.key in crossed for box in BOXES])
    nowhere = np.zeros(len(BOXES), np.bool_)
    found = lines_through(BOXES, upright, nowhere)
    assert len(found) == lined
    assert found <= set(crossed)
    sideways = [f"{column}/4" for column in ("red", "orange", "yellow", "green", "blue")]
    assert len(lines_through(BOXES, nowhere, np.array([box.key in sideways for box in BOXES]))) == 5


def test_cells_on_a_line_are_shown_however_sure() -> None:
    cells = [cell(0, 1, 1.0, 7), cell(1, 1, 1.0, 7)]
    ink = [located.reading for located in cells]
    found = doubtful(cells, ink, np.ones(2), np.ones(2), frozenset({BOXES[1].key}))
    assert [located.box for located, _ in found] == [BOXES[1]]
    assert "one line" in found[0][1]


def test_cells_whose_print_lies_elsewhere_are_shown_however_sure() -> None:
    cells = [cell(0, 1, 1.0, 7), cell(1, 1, 1.0, 7)]
    ink = [located.reading for located in cells]
    found = doubtful(cells, ink, np.ones(2), np.ones(2), displaced=frozenset({BOXES[0].key}))
    assert [located.box for located, _ in found] == [BOXES[0]]
    assert "elsewhere" in found[0][1]
