"""What the reader states about a cell, turned into what is found in such cells."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.curves import fitted
from layouts import load_layout
from report.certainty import total_confidence
from report.curves import CURVES, SUREST, group_of, p_filled
from scanner.doubt import doubtful
from scanner.types import CellReading, LocatedReading
from scoring import RuleSet, parse_sheet
from tests.readings import reading_of

BOXES = {box.key: box for box in load_layout().read_cells}
WASHED_OUT = "read as empty, but the print is washed out there, and so may ink be"
SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def cell(key: str, p: float) -> LocatedReading:
    """A cell that holds anything with that probability."""
    something, nothing = (5, None) if BOXES[key].kind == "number" else (True, False)
    ranked = sorted([(something, p), (nothing, 1 - p)], key=lambda entry: -entry[1])
    return LocatedReading(BOXES[key], CellReading(*ranked[0], tuple(ranked)), SQUARE)


REASONS = st.sampled_from([None, WASHED_OUT, "hidden"])
KEYS = st.sampled_from(["red/1", "dice/1", "red/double", "blue/bridge"])


@given(KEYS, REASONS, st.floats(1e-6, 0.49), st.floats(0.51, 1 - 1e-6))
def test_more_ink_is_never_less_likely_to_be_there(key: str, reason: str | None, low: float, high: float) -> None:
    lower, half, higher = (p_filled(cell(key, p), reason) for p in (low / 2, low, high))
    assert SUREST <= lower <= half <= 1 - SUREST
    assert SUREST <= higher <= 1 - SUREST
    assert p_filled(cell(key, (1 + high) / 2), reason) >= higher


def test_a_person_is_believed() -> None:
    assert p_filled(cell("red/1", 1.0), "hidden") == 1
    assert p_filled(cell("red/1", 0.0), "hidden") == 0


def test_every_cell_has_a_curve_and_every_curve_a_cell() -> None:
    groups = {
        group_of(cell(key, p), reason) for key in BOXES for p in (0.1, 0.9) for reason in (None, "hidden", WASHED_OUT)
    }
    assert groups == set(CURVES)


def test_an_empty_space_under_glare_is_told_by_the_reason_that_doubt_gives() -> None:
    empty = cell("red/1", 0.01)
    ((_, reason),) = doubtful([empty], [empty.reading], np.ones(1), np.array([0.3]))
    assert group_of(empty, reason) == "washed out"
    assert p_filled(empty, reason) > 0.01 > p_filled(empty, None)


def test_a_sheet_with_nothing_unclear_is_nearly_certain_and_glare_takes_that_away() -> None:
    bare, reason = (
        ((None, 0.99904), (5, 0.00096)),
        WASHED_OUT,
    )
    sheet, keys = parse_sheet("dice 1"), [key for key, box in BOXES.items() if box.kind == "number"]
    reading = reading_of(sheet, dict.fromkeys(keys, bare))
    plain, washed_out = (
        type(reading)(**{name: getattr(reading, name) for name in reading.__slots__} | {"review": review})
        for review in ((), tuple((found, reason) for found in reading.cells if found.box.key in keys))
    )
    rules = RuleSet.default()
    assert total_confidence(plain, rules) == pytest.approx(1, abs=len(keys) * 2 * SUREST)
    assert total_confidence(washed_out, rules) < 0.9


@pytest.mark.parametrize(("slope", "offset"), [(1.0, 0.0), (1.4, -1.2), (0.5, 2.0)])
def test_the_fit_finds_the_curve_that_chance_followed(slope: float, offset: float) -> None:
    rng = np.random.default_rng(1)
    said = 1 / (1 + np.exp(-rng.normal(0, 3, 40_000)))
    there = rng.random(len(said)) < 1 / (1 + np.exp(-slope * np.log(said / (1 - said)) - offset))
    assert fitted(said, there) == pytest.approx((slope, offset), abs=0.06)


def test_what_was_never_seen_is_not_taken_as_impossible() -> None:
    slope, offset = fitted(np.array([0.01] * 50 + [0.99] * 50), np.array([False] * 50 + [True] * 50))
    for p, found in ((0.01, 1 / 52), (0.99, 51 / 52)):
        logit = np.log(p / (1 - p))
        assert 1 / (1 + np.exp(-slope * logit - offset)) == pytest.approx(found, abs=1e-6)
