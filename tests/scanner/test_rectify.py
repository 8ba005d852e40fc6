"""Flattening: a page photographed by a known homography comes back as the page."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from layouts import SheetLayout, load_layout
from scanner.geometry import resolution
from scanner.photo import load_photo
from scanner.rectify import Blank, Canvas, load_blank, reading_canvas, rectify
from scanner.types import ImageU8, Photo, Points, SheetOutline
from tests.scanner.pictures import photographed, view

SIZE_WH = (1500, 2000)
VIEWS = {
    "upright": view(SIZE_WH, 8),
    "turned": view(SIZE_WH, 7, turn_deg=140),
    "slanted": view(SIZE_WH, 6, turn_deg=10, tilt=0.2),
    "coarse": view(SIZE_WH, 4, turn_deg=-90),
    "fine": view((2400, 3200), 12.5, turn_deg=3),
}
SIDES = st.integers(10, 600)
POINTS = st.floats(-50, 250)


def outline(homography: Points) -> SheetOutline:
    return SheetOutline(homography, np.zeros((4, 2)), "tags", 1.0)


@given(POINTS, POINTS, st.floats(0.5, 20), POINTS, POINTS)
def test_page_to_canvas_and_back(left: float, top: float, scale: float, x: float, y: float) -> None:
    canvas = Canvas((left, top), scale, (100, 100))
    pixel = canvas.page_to_canvas @ [x, y, 1]
    # A pixel's centre is a whole number, so the picture begins half a pixel before 0.
    assert (pixel[:2] + 0.5) / scale + (left, top) == pytest.approx([x, y], abs=1e-6)


@given(st.integers(5, 300), st.integers(5, 300))
def test_half_the_scale_covers_the_same_paper(half_width: int, half_height: int) -> None:
    canvas = Canvas((3.0, 4.0), 5.0, (2 * half_width, 2 * half_height))
    half = canvas.at_scale(2.5)
    assert half.size_wh == (half_width, half_height)
    ends = [c.page_to_canvas @ [3 + 2 * half_width / 5, 4 + 2 * half_height / 5, 1] for c in (canvas, half)]
    assert ends[0][:2] == pytest.approx(np.array(canvas.size_wh) - 0.5)
    assert ends[1][:2] == pytest.approx(np.array(half.size_wh) - 0.5)


@pytest.mark.parametrize("px_per_mm", [2.5, 5.0, 7.3])
def test_the_canvas_holds_every_cell_with_its_margin(layout: SheetLayout, px_per_mm: float) -> None:
    canvas = reading_canvas(layout, px_per_mm)
    for box in layout.read_cells:
        for share_x, share_y in ((-0.2, -0.2), (1.2, 1.2)):
            point_mm = (box.x_mm + share_x * box.w_mm, box.y_mm + share_y * box.h_mm, 1)
            x, y, _ = canvas.page_to_canvas @ point_mm
            assert 0 <= x < canvas.size_wh[0]
            assert 0 <= y < canvas.size_wh[1]


@pytest.mark.parametrize("name", VIEWS)
def test_a_photographed_page_comes_back_as_the_page(
    page: ImageU8, layout: SheetLayout, blank: Blank, name: str
) -> None:
    size_wh = (2400, 3200) if name == "fine" else SIZE_WH
    photo = load_photo(photographed(page, VIEWS[name], size_wh))
    flat = rectify(photo, outline(shrunk(photo, VIEWS[name])), layout)
    assert flat.canvas == blank.canvas
    assert flat.image.shape == blank.image.shape
    assert np.abs(flat.image.astype(int) - blank.image).mean() < (8 if name == "coarse" else 5)
    # A side without odd factors: padded to an odd one, the correlation is half a pixel off.
    parts = [image[:512, :512] for image in (flat.image, blank.image)]
    greys = [cv2.cvtColor(part, cv2.COLOR_BGR2GRAY).astype(np.float32) for part in parts]
    shift_px, _ = cv2.phaseCorrelate(*greys)
    assert np.hypot(*shift_px) < 0.1


def shrunk(photo: Photo, homography: Points) -> Points:
    """The homography to the decoded picture from that to the full one."""
    shift = (photo.scale - 1) / 2
    return np.array([[photo.scale, 0, shift], [0, photo.scale, shift], [0, 0, 1]]) @ homography


def test_a_wrong_homography_is_told_from_the_right_one(page: ImageU8, layout: SheetLayout, blank: Blank) -> None:
    photo = load_photo(photographed(page, VIEWS["upright"], SIZE_WH))
    shifted = np.array([[1, 0, 12], [0, 1, 0], [0, 0, 1.0]]) @ VIEWS["upright"]
    flat = rectify(photo, outline(shifted), layout)
    assert np.abs(flat.image.astype(int) - blank.image).mean() > 15


@pytest.mark.parametrize("scale", [3.0, 8.0])
def test_resolution_of_a_plain_scaling_is_its_scale(layout: SheetLayout, scale: float) -> None:
    assert resolution(view(SIZE_WH, scale, turn_deg=33), layout) == pytest.approx(scale)


def test_resolution_is_the_local_scale_where_it_is_least(layout: SheetLayout) -> None:
    homography = view(SIZE_WH, 6, turn_deg=20, tilt=0.25)
    step = 1e-4
    scales = []
    for box in layout.read_cells:
        x, y = np.mean(box.corners_mm, axis=0)
        points = np.array([[[x, y], [x + step, y], [x, y + step]]])
        origin, right, down = cv2.perspectiveTransform(points, homography)[0]
        scales.append(np.sqrt(abs(np.linalg.det(np.array([right - origin, down - origin])))) / step)
    assert resolution(homography, layout) == pytest.approx(min(scales), rel=1e-3)


def test_resolution_is_that_of_the_full_photo(page: ImageU8, layout: SheetLayout) -> None:
    image = photographed(page, view((3400, 3600), 16), (3400, 3600))
    photo = load_photo(image)
    assert photo.scale == 0.5
    flat = rectify(photo, outline(shrunk(photo, view((3400, 3600), 16))), layout)
    assert flat.px_per_mm == pytest.approx(16)


def test_the_blank_is_made_once() -> None:
    assert load_blank(load_layout()) is load_blank(load_layout())
