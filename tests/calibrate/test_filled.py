"""Filled sheets: what most of them show is the blank, and ink is not in it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibrate import CalibrationError, Wishes, pad_from, see_sheet
from tests.calibrate.drawn import PAGE_MM, PX_PER_MM, Drawn, box_mm, page, photographed


def _inked(seed, full_rows):
    """A sheet with a stroke in every space of the lowest rows, and in every other one of the rest."""
    rng = np.random.default_rng(seed)
    strokes = []
    for column in range(8):
        for row in range(9):
            if row >= 9 - full_rows or rng.random() < 0.3:
                x0, y0, x1, y1 = (v * PX_PER_MM for v in box_mm(column, row))
                points = rng.uniform((x0 + 12, y0 + 12), (x1 - 12, y1 - 12), (5, 2))
                strokes.append(points.astype(np.int32))
    return Drawn(strokes=tuple(strokes))


@pytest.fixture(scope="module")
def pads():
    turns = [(0, 0.0), (6, 0.05), (-8, 0.04), (3, 0.06), (12, 0.02), (-4, 0.05)]
    blank = see_sheet(photographed(page(), 4, 0.04)[0], "blank", None, PAGE_MM[0] / PAGE_MM[1])
    filled = [
        see_sheet(photographed(page(_inked(seed, 2)), *turn, seed)[0], f"filled {seed}", None, PAGE_MM[0] / PAGE_MM[1])
        for seed, turn in enumerate(turns)
    ]
    wishes = Wishes("drawn", PAGE_MM)
    return pad_from([blank], wishes), pad_from(filled, wishes), filled


def test_six_filled_sheets_give_the_same_boxes_as_a_blank_one(pads):
    blank, filled, _ = pads
    for cell in blank.layout.cells:
        other = filled.layout.cell(cell.key)
        assert np.abs(np.array(cell.corners_mm) - np.array(other.corners_mm)).max() < 0.5


def test_ink_is_not_in_the_blank_of_six_filled_sheets(pads):
    _, filled, _ = pads
    ink = []
    for column in range(8):
        for row in range(9):
            x0, y0, x1, y1 = (round(v * filled.px_per_mm) for v in box_mm(column, row))
            inner = filled.picture[y0 + 12 : y1 - 12, x0 + 12 : x1 - 12]
            # Pens are blue and dark, icons paler; nothing printed has less than this.
            ink.append((cv2.cvtColor(inner, cv2.COLOR_BGR2GRAY) < 70).mean())
    assert np.mean(ink) < 0.001
    assert max(ink) < 0.02


def test_fewer_than_five_filled_sheets_are_refused(pads):
    for sheets in (pads[2][:1], pads[2][:4]):
        with pytest.raises(
            CalibrationError, match=r"does not look blank: what is in .* is in no other space"
        ) as refusal:
            pad_from(sheets, Wishes("drawn", PAGE_MM))
        assert "5 or more filled ones" in refusal.value.remedy


def test_who_says_that_they_are_blank_is_believed_and_told_where_they_differ(pads):
    pad = pad_from(pads[2][:2], Wishes("drawn", PAGE_MM, is_blank=True))
    assert any("as if they were filled" in note for note in pad.notes)


def test_photos_of_two_pads_are_refused(pads):
    other = 255 - page()
    sheet = see_sheet(photographed(other, 5, 0.03)[0], "other.jpg", None, PAGE_MM[0] / PAGE_MM[1])
    with pytest.raises(CalibrationError, match=r"shows another pad than"):
        pad_from([pads[2][0], sheet], Wishes("drawn", PAGE_MM))


def test_looks_are_those_that_were_drawn(pads):
    for pad in pads[:2]:
        drawn = Drawn()
        names = ("red", "orange", "yellow", "green", "blue", "purple")
        arrows, rings = ({f"{names[c]}/{9 - r}" for c, r in places} for places in (drawn.arrows, drawn.rings))
        # Where ink was on all six sheets, two spaces may look alike by what is left of it.
        assert [set(keys) for look, keys in pad.looks if not look.plain][:2] == [arrows, rings]
