"""A pad whose every place is known is found wherever it lies, whatever its spaces look like."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibrate import CalibrationError, Wishes, pad_from, see_sheet
from tests.calibrate.drawn import COLUMNS, PAGE_MM, ROWS, Drawn, corners_mm, in_photo, page, photographed

_NEAR_MM = 0.6
"""Three quarters of what a layout may be off."""


def _pad(photo, **known):
    corners_px = known.pop("corners_px", None)
    return pad_from([see_sheet(photo, "photo", corners_px, PAGE_MM[0] / PAGE_MM[1])], Wishes("drawn", PAGE_MM, **known))


def _off_mm(pad):
    """How far corners of spaces on the page are from where they were drawn."""
    truth_mm = corners_mm()
    names = ("red", "orange", "yellow", "green", "blue", "purple", "artifacts", "dice")
    found_mm = np.array([[pad.layout.cell(f"{name}/{ROWS - row}").corners_mm for row in range(ROWS)] for name in names])
    return np.abs(found_mm - truth_mm).max()


@pytest.mark.parametrize("form", ["box", "ellipse"])
@pytest.mark.parametrize(("turn_deg", "tilt"), [(0, 0.0), (7, 0.1), (-20, 0.06), (90, 0.08), (180, 0.05)])
def test_every_space_is_where_it_was_drawn(form, turn_deg, tilt):
    photo, _ = photographed(page(Drawn(form)), turn_deg, tilt)
    assert _off_mm(_pad(photo)) < _NEAR_MM


@pytest.mark.parametrize("form", ["box", "ellipse"])
def test_between_told_corners_every_space_is_where_it_was_drawn(form):
    photo, homography = photographed(page(Drawn(form)), 12, 0.1)
    truth_mm = corners_mm()
    block_mm = np.array([truth_mm[0, 0, 0], truth_mm[-1, 0, 1], truth_mm[-1, -1, 2], truth_mm[0, -1, 3]])
    assert _off_mm(_pad(photo, corners_px=in_photo(block_mm, homography))) < _NEAR_MM


def test_circles_and_bridges_are_found_where_there_are_any():
    photo, _ = photographed(page(), 3, 0.05)
    layout = pad_from([see_sheet(photo, "photo")], Wishes("drawn", PAGE_MM)).layout
    assert sum(cell.kind == "bridge" for cell in layout.cells) == COLUMNS
    assert sorted(str(cell.column) for cell in layout.cells if cell.kind == "double") == [
        "blue", "green", "orange", "purple", "red", "yellow",
    ]  # fmt: skip


def test_without_a_size_the_shape_of_the_page_is_about_right():
    photo, _ = photographed(page(), 3, 0.05)
    width, height = pad_from([see_sheet(photo, "photo")], Wishes("drawn")).layout.page_mm
    assert width / height == pytest.approx(PAGE_MM[0] / PAGE_MM[1], rel=0.06)


@pytest.mark.parametrize("what", ["noise", "stripes", "checks", "empty page"])
def test_pictures_without_a_sheet_are_refused(what):
    rng = np.random.default_rng(3)
    y, x = np.mgrid[:1000, :800]
    pictures = {
        "noise": rng.integers(0, 255, (1000, 800, 3), dtype=np.uint8),
        "stripes": np.repeat(((x // 40 % 2) * 200 + 20).astype(np.uint8)[..., None], 3, 2),
        "checks": np.repeat((((x // 50 + y // 50) % 2) * 180 + 40).astype(np.uint8)[..., None], 3, 2),
        "empty page": np.full((1000, 800, 3), 240, np.uint8),
    }
    with pytest.raises(CalibrationError) as refusal:
        see_sheet(pictures[what], "table.jpg")
    assert refusal.value.code == "no-sheet"
    assert "table.jpg" in refusal.value.message
    assert "--corners" in refusal.value.remedy


def test_a_grid_of_seven_columns_is_refused():
    picture = page()
    x = round((13.0 + 7 * 16.0 - 2) * 6)
    picture[:, x:] = (235, 244, 248)
    photo, _ = photographed(picture, 5, 0.05)
    with pytest.raises(CalibrationError):
        see_sheet(photo, "photo")


def test_told_corners_suffice_where_no_space_closes():
    page_mm = np.array([[0, 0], [PAGE_MM[0], 0], PAGE_MM, [0, PAGE_MM[1]]], np.float64)
    photo, homography = photographed(page(), 6, 0.05)
    truth_mm = corners_mm()
    block_mm = np.array([truth_mm[0, 0, 0], truth_mm[-1, 0, 1], truth_mm[-1, -1, 2], truth_mm[0, -1, 3]])
    soft = cv2.GaussianBlur(photo, (0, 0), 9)
    assert in_photo(page_mm, homography).min() > 0
    with pytest.raises(CalibrationError):
        see_sheet(soft, "photo")
    sheet = see_sheet(soft, "photo", in_photo(block_mm, homography), PAGE_MM[0] / PAGE_MM[1])
    assert sheet.grid.seen_share < 0.2
    first = min((field for field in sheet.fields if field.kind == "space"), key=lambda field: field.x + field.y)
    middle = np.array([[first.x + first.w / 2, first.y + first.h / 2]])
    expected = in_photo(truth_mm[0, 0].mean(axis=0)[None], homography)
    # Nothing but the corners says how large a space is here, so its middle is known to a few millimetres.
    assert np.linalg.norm(sheet.straight.to_px(middle) - expected) < 15
