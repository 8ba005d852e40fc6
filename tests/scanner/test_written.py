"""Totals that players wrote: read where they are clear, named where they are wrong, else left alone."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from layouts import SheetLayout
from scanner import SheetReading, scan_photo
from scanner.ink import FRAME_PX, PX_PER_MM, FieldPrint, field_prints, ink_of, line_of
from scanner.types import ImageU8
from scanner.written import believed
from scoring import Sheet, score, validate
from synth.hands import hand_for
from synth.ink import pen_for
from synth.pages import fill_page
from tests.scanner.pictures import GoodPhoto

LEGAL = frozenset((-20, -10, 0, 10, 20, 35))


@pytest.fixture(scope="module")
def prints(layout: SheetLayout) -> tuple[FieldPrint, ...]:
    return field_prints(layout, tuple(cell for cell in layout.cells if cell.kind == "written"))


def lit(image: ImageU8, share: float = 0.8) -> ImageU8:
    """A field in light that falls from one side to the other."""
    return np.asarray(image * np.linspace(share, share * 0.8, image.shape[1]), np.uint8)


def with_figure(image: ImageU8, text: str, x_mm: float, y_mm: float = 7.5, ink: float = 0.3) -> ImageU8:
    field = image.copy()
    at = round(x_mm * PX_PER_MM), round(y_mm * PX_PER_MM)
    cover = np.zeros_like(field)
    cv2.putText(cover, text, at, cv2.FONT_HERSHEY_SIMPLEX, 1.0, 255, 3, cv2.LINE_AA)
    return np.asarray(field * (1 - cover / 255.0 * (1 - ink)), np.uint8)


def test_an_empty_field_has_no_ink_wherever_its_frame_lies(prints: tuple[FieldPrint, ...]) -> None:
    for printed in prints:
        for x, y in ((0, 0), (5, -4), (-6, 6)):
            moved = np.roll(lit(printed.image), (y, x), (0, 1))
            ink = ink_of(moved, printed)
            assert ink is None or line_of(ink, FRAME_PX) is None


@pytest.mark.parametrize("share", [0.25, 0.5, 1.0])
def test_writing_becomes_a_line_whatever_the_light(prints: tuple[FieldPrint, ...], share: float) -> None:
    lines = []
    for shift in (0, 5):
        field = np.roll(with_figure(lit(prints[0].image, share), "35", 4), shift, 1)
        ink = ink_of(field, prints[0])
        assert ink is not None
        line = line_of(ink, FRAME_PX)
        assert line is not None
        lines.append(line)
    assert np.abs(lines[0] - lines[1]).mean() < 0.02
    assert lines[0].max() > 0.9
    assert lines[0].mean() < 0.4


@pytest.mark.parametrize("x_mm", [6.0, -1.5])
def test_a_number_that_leaves_the_field_is_not_read_in_part(prints: tuple[FieldPrint, ...], x_mm: float) -> None:
    ink = ink_of(with_figure(prints[0].image, "350", x_mm), prints[0])
    assert ink is not None
    assert line_of(ink, FRAME_PX) is None


def test_a_field_whose_frame_is_not_seen_is_not_read(prints: tuple[FieldPrint, ...]) -> None:
    strange = with_figure(np.full_like(prints[0].image, 210), "35", 4)
    assert ink_of(strange, prints[0]) is None


def test_the_clear_number_is_believed_legal_or_not() -> None:
    assert believed({35: 0.97, 85: 0.02}, LEGAL, 35) == 35
    assert believed({35: 0.97, 85: 0.02}, LEGAL, 20) == 35
    assert believed({37: 0.999, 35: 0.0002}, LEGAL, 35) == 37


def test_an_unclear_one_is_not() -> None:
    assert believed({10: 0.5, 70: 0.4}, frozenset((10, 70)), 10) is None
    assert believed({35: 0.3}, LEGAL, 35) is None
    assert believed({20: 0.0}, LEGAL, 20) is None


def test_what_the_sheet_comes_to_shields_the_player_but_is_never_read_for_that() -> None:
    likely = {10: 0.93, 20: 0.07}
    assert believed(likely, LEGAL, 10) == 10
    assert believed(likely, LEGAL, 35) == 10
    assert believed(likely, LEGAL, 20) is None
    assert believed({10: 0.999, 20: 0.0001}, LEGAL, 20) == 10


@given(st.dictionaries(st.integers(-99, 99), st.floats(0, 0.2), min_size=1, max_size=5), st.integers(-99, 99))
def test_a_right_total_is_read_by_its_ink_alone(chances: dict[int, float], right: int) -> None:
    elsewhere = believed(chances, LEGAL, 1000)
    if elsewhere == right:
        assert believed(chances, LEGAL, right) == right
    assert believed(chances, LEGAL, right) in (elsewhere, None)


def rewritten(plain: GoodPhoto, page: ImageU8, layout: SheetLayout, written: dict[str, int]) -> ImageU8:
    """The easy photo with these totals, by a steady hand, in place of its own."""
    rng = np.random.default_rng(4)
    boxes = [cell for cell in layout.cells if cell.kind == "written"]
    blank = Sheet(written=written)
    filled = fill_page(page, layout, blank, hand_for("sample", 3), pen_for(rng, "black gel"), rng).image
    image = plain.image.copy()
    scale = page.shape[1] / layout.page_mm[0]
    to_photo = plain.homography @ np.diag([1 / scale, 1 / scale, 1])
    seen = cv2.warpPerspective(filled, to_photo, (image.shape[1], image.shape[0]), flags=cv2.INTER_AREA)
    for box in boxes:
        where = np.zeros(image.shape[:2], np.uint8)
        cv2.fillConvexPoly(where, plain.to_photo(box.corners_mm).round().astype(np.int32), 1)
        image[where > 0] = (seen * 0.85)[where > 0].astype(np.uint8)
    return image


def test_totals_are_read_and_a_wrong_one_is_named(
    plain: GoodPhoto, plain_reading: SheetReading, page: ImageU8, layout: SheetLayout
) -> None:
    totals = score(plain_reading.sheet).to_dict()
    right = {key: int(totals[key]) for key in ("red", "dice", "bridges", "total")}
    wrong = {**right, "total": right["total"] + 7}
    (reading,) = scan_photo(rewritten(plain, page, layout, wrong))
    assert reading.sheet.written == wrong
    (found,) = (v for v in validate(reading.sheet) if v.code == "written-total-wrong")
    assert (found.observed, found.expected) == (wrong["total"], right["total"])
    assert replace(reading.sheet, written={}) == replace(plain_reading.sheet, written={})


def test_nothing_is_read_where_nothing_is_written(plain: GoodPhoto, page: ImageU8, layout: SheetLayout) -> None:
    (reading,) = scan_photo(rewritten(plain, page, layout, {}))
    assert reading.sheet.written == {}
