"""A column that shows another's print, or its own one space further, is no column of this sheet."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from layouts import SheetLayout
from scanner import SheetNotFound
from scanner.identity import require_own_columns
from scanner.options import DEFAULT_OPTIONS
from scanner.rectify import Blank, load_blank
from scanner.types import ImageU8
from tests.pads import known
from tests.scanner.test_cells import constant_bend, cut

PITCH_X_MM, PITCH_Y_MM = 15.2, 13.2


def check(image: ImageU8, blank: Blank, layout: SheetLayout) -> None:
    require_own_columns(cut(blank, layout, constant_bend(blank), image), blank, layout)


def refusal(image: ImageU8, blank: Blank, layout: SheetLayout) -> str:
    with pytest.raises(SheetNotFound) as caught:
        check(image, blank, layout)
    assert caught.value.code == "no-sheet"
    return caught.value.message


def columns(blank: Blank, layout: SheetLayout) -> dict[str, slice]:
    """Where each column stands on the canvas, from left to right in pixels."""
    to_canvas = blank.canvas.page_to_canvas
    found = {}
    for box in layout.read_cells:
        left_px = to_canvas[0, 0] * (box.x_mm - 1) + to_canvas[0, 2]
        found.setdefault(str(box.column), slice(round(left_px), round(left_px + 15 * blank.canvas.px_per_mm)))
    return found


def inked(image: ImageU8) -> ImageU8:
    """Every space written on."""
    drawn = image.copy()
    for y in range(20, drawn.shape[0], 26):
        for x in range(15, drawn.shape[1], 30):
            cv2.circle(drawn, (x, y), 9, (60, 40, 30), 2)
    return drawn


@pytest.mark.parametrize(
    "change",
    [
        lambda image: image,
        inked,
        lambda image: (image * np.array([0.6, 0.8, 1.0])).astype(np.uint8),
        lambda image: (image * np.linspace(0.3, 1, image.shape[0])[:, None, None]).astype(np.uint8),
        lambda image: np.repeat(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)[..., None], 3, axis=2),
    ],
    ids=["as printed", "written on", "lamp light", "half in shade", "grey copy"],
)
def test_its_own_print_is_believed(blank: Blank, layout: SheetLayout, change: Callable[[ImageU8], ImageU8]) -> None:
    check(np.ascontiguousarray(change(blank.image)), blank, layout)


@pytest.mark.parametrize("column", ["red", "green", "purple"])
@pytest.mark.parametrize("up", [1, -1])
def test_a_column_moved_by_a_space_is_named(blank: Blank, layout: SheetLayout, column: str, up: int) -> None:
    where = columns(blank, layout)[column]
    moved = inked(blank.image)
    moved[:, where] = np.roll(moved[:, where], round(-up * PITCH_Y_MM * blank.canvas.px_per_mm), axis=0)
    message = refusal(moved, blank, layout)
    assert f"where the {column} column should be" in message
    assert "itself a space further" in message


def test_columns_in_the_opposite_order_are_refused(blank: Blank, layout: SheetLayout) -> None:
    places = list(columns(blank, layout).values())[:6]
    reversed_order = inked(blank.image)
    for here, there in zip(places, places[::-1], strict=True):
        reversed_order[:, here] = inked(blank.image)[:, there]
    assert "should be, the print looks like" in refusal(reversed_order, blank, layout)


def test_a_sheet_read_one_column_aside_is_refused(blank: Blank, layout: SheetLayout) -> None:
    aside = np.roll(blank.image, round(PITCH_X_MM * blank.canvas.px_per_mm), axis=1)
    assert "should be, the print looks like" in refusal(aside, blank, layout)


@pytest.fixture(scope="module")
def dark_pad() -> tuple[Blank, SheetLayout]:
    """A pad whose columns differ in shade alone: prints of neighbours correlate nearly as well as a column's own."""
    layout = known("rings")
    return load_blank(layout, DEFAULT_OPTIONS.grid_px_per_mm), layout


def test_a_dark_pads_own_print_is_believed(dark_pad: tuple[Blank, SheetLayout]) -> None:
    blank, layout = dark_pad
    check(inked(blank.image), blank, layout)


@pytest.mark.parametrize("aside", [1, -1])
def test_a_dark_pad_read_one_column_aside_is_refused(dark_pad: tuple[Blank, SheetLayout], aside: int) -> None:
    blank, layout = dark_pad
    assert "should be, the print looks like" in refusal(
        one_aside(inked(blank.image), blank, layout, aside), blank, layout
    )


@pytest.mark.parametrize("aside", [1, -1])
def test_on_a_grey_copy_all_columns_together_tell_that_they_are_their_neighbours(
    dark_pad: tuple[Blank, SheetLayout], aside: int
) -> None:
    blank, layout = dark_pad
    grey = np.repeat(cv2.cvtColor(inked(blank.image), cv2.COLOR_BGR2GRAY)[..., None], 3, axis=2)
    check(grey, blank, layout)
    message = refusal(one_aside(grey, blank, layout, aside), blank, layout)
    assert (
        message
        == f"where each column should be, the print looks like the one to its {'left' if aside > 0 else 'right'}"
    )


def one_aside(image: ImageU8, blank: Blank, layout: SheetLayout, aside: int) -> ImageU8:
    pitch_mm = layout.cell("green/1").x_mm - layout.cell("red/1").x_mm
    return np.roll(image, round(aside * pitch_mm * blank.canvas.px_per_mm), axis=1)
