"""The annotated photo: everything that was read, and what is doubtful or wrong in another colour and shape."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from scanner import SheetReading
from scanner.overlay import draw_overlay
from scanner.types import ImageU8
from scoring import Violation, parse_sheet
from tests.readings import reading_of
from tests.scanner.pictures import grown

SHEET = parse_sheet("red 1 3 5 | blue 2 ? 8 x2 | artifacts 2 | dice 1")
DOUBT = {"red/2": ((3, 0.6), (8, 0.4))}
BROKEN = Violation("descending", "error", "red", 2, "3 after 5", 3, ">= 5")
PAPER = 250


def photo(scale: float = 1.0) -> ImageU8:
    return np.full((round(2100 * scale), round(1480 * scale), 3), PAPER, np.uint8)


def drawn(reading: SheetReading, key: str, violations: tuple[Violation, ...] = ()) -> ImageU8:
    """The overlay around one cell."""
    overlay = draw_overlay(photo(), reading, violations)
    (left, top), _, (right, bottom), _ = reading.layout.cell(key).corners_mm
    low, high = np.array([left, top]) * 10 - 4, np.array([right, bottom]) * 10 + 4
    return overlay[int(low[1]) : int(high[1]), int(low[0]) : int(high[0])]


def ink(image: ImageU8) -> np.ndarray:
    return (image != PAPER).any(axis=2)


@pytest.mark.parametrize("scale", [1.0, 0.5, 2.0])
def test_it_is_a_copy_of_the_photo_at_its_scale(scale: float) -> None:
    image = photo(scale)
    image.setflags(write=False)
    overlay = draw_overlay(image, reading_of(SHEET))
    assert overlay.shape == image.shape
    assert overlay.dtype == np.uint8
    assert (image == PAPER).all()
    assert (overlay != PAPER).any()


def test_drawing_follows_the_scale_of_the_photo() -> None:
    full, half = (draw_overlay(photo(scale), reading_of(SHEET)) for scale in (1.0, 0.5))
    shrunk = cv2.resize(full, (half.shape[1], half.shape[0]), interpolation=cv2.INTER_AREA)
    assert np.corrcoef(ink(shrunk).ravel(), ink(half).ravel())[0, 1] > 0.6


def test_every_cell_is_outlined_and_what_was_read_is_written() -> None:
    reading = reading_of(SHEET)
    for cell in reading.cells:
        seen = ink(drawn(reading, cell.box.key))
        assert seen[2:8].any(axis=0).mean() > 0.9  # its upper edge
        filled = cell.reading.value not in (None, False)
        assert seen[seen.shape[0] // 2 : -12, seen.shape[1] // 2 : -12].any() == filled


@pytest.mark.parametrize("other", ["red 2 3 5", "red 1 10 5", "red 1 ? 5", "red 1 3 5 6"])
def test_another_reading_looks_different(other: str) -> None:
    first = draw_overlay(photo(), reading_of(parse_sheet("red 1 3 5")))
    second = draw_overlay(photo(), reading_of(parse_sheet(other)))
    assert (first != second).any()


@pytest.mark.parametrize("case", ["doubt", "violation", "both"])
def test_doubtful_and_violated_cells_differ_in_colour_and_in_shape(case: str) -> None:
    reading = reading_of(SHEET, DOUBT if case != "violation" else None)
    violations = (BROKEN,) if case != "doubt" else ()
    plain, marked = drawn(reading_of(SHEET), "red/2"), drawn(reading, "red/2", violations)
    assert (ink(plain) != ink(marked)).mean() > 0.02  # seen without any colour
    both = ink(plain) & ink(marked)
    assert (plain[both].astype(int) - marked[both] != 0).any(axis=1).mean() > 0.3


def test_a_doubt_and_a_violation_do_not_look_alike() -> None:
    doubt = drawn(reading_of(SHEET, DOUBT), "red/2")
    broken = drawn(reading_of(SHEET), "red/2", (BROKEN,))
    assert (ink(doubt) != ink(broken)).mean() > 0.02


def test_other_cells_stay_as_they_are() -> None:
    plain, marked = (
        draw_overlay(photo(), reading_of(SHEET, doubts), violations)
        for doubts, violations in ((None, ()), (DOUBT, (BROKEN,)))
    )
    changed = np.argwhere((plain != marked).any(axis=2))[:, ::-1]
    low, high = grown(reading_of(SHEET).layout.cell("red/2").corners_mm, 2.0)[[0, 2]] * 10
    assert len(changed) > 0
    assert (changed >= low).all()
    assert (changed <= high).all()


@pytest.mark.parametrize(
    ("code", "space", "key"),
    [
        ("gap", 3, "red/3"),
        ("bridge-not-reached", None, "red/bridge"),
        ("double-without-expedition", None, "red/double"),
    ],
)
def test_a_violation_marks_the_cell_it_is_about(code: str, space: int | None, key: str) -> None:
    violation = Violation(code, "error", "red", space, "", None, "")
    reading = reading_of(SHEET)
    assert (drawn(reading, key) != drawn(reading, key, (violation,))).any()


def test_a_violation_of_no_cell_changes_nothing() -> None:
    violation = Violation("written-total-wrong", "warning", None, None, "", 1, "2")
    reading = reading_of(SHEET)
    assert np.array_equal(draw_overlay(photo(), reading), draw_overlay(photo(), reading, (violation,)))


def test_the_page_is_outlined() -> None:
    seen = ink(draw_overlay(photo(), reading_of(SHEET)))
    assert seen[0].mean() > 0.95
    assert seen[:, 0].mean() > 0.95
