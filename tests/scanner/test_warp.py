"""The bend of the paper: displacements put into the blank sheet are measured back."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from layouts import SheetLayout
from scanner.geometry import cell_corners_mm
from scanner.locate import find_sheets
from scanner.photo import load_photo
from scanner.rectify import Blank, RectifiedSheet, load_blank, rectify
from scanner.types import ImageU8, Points
from scanner.warp import Bend, bent_corners_px, draw_bend, measure_bend, normalised
from synth import make_one
from tests.scanner.pictures import truth_of

Field = Callable[[Points], Points]


def sine(amplitude_mm: float, wave_mm: float, along: int, across: int) -> Field:
    """Points shift along one axis by a sine over another."""

    def shifts(points_mm: Points) -> Points:
        moved = np.zeros_like(points_mm)
        moved[..., along] = amplitude_mm * np.sin(2 * np.pi * points_mm[..., across] / wave_mm)
        return moved

    return shifts


def bulge(amplitude_mm: float) -> Field:
    """Points move away from the page's middle, most at a quarter of the way to its edge."""

    def shifts(points_mm: Points) -> Points:
        away = (points_mm - (74, 95)) / 50
        return amplitude_mm * away * np.exp(0.5 - 0.5 * (away**2).sum(axis=-1, keepdims=True))

    return shifts


def displaced(blank: Blank, field: Field) -> RectifiedSheet:
    """The blank with the print of point p at p + field(p)."""
    height, width = blank.image.shape[:2]
    pixels = np.dstack(np.meshgrid(np.arange(width), np.arange(height))).astype(np.float64)
    to_canvas = blank.canvas.page_to_canvas
    seen_mm = (pixels - to_canvas[:2, 2]) / blank.canvas.px_per_mm
    from_mm = seen_mm
    for _ in range(20):  # p = seen - field(p), by iteration
        from_mm = seen_mm - field(from_mm)
    maps = (from_mm * blank.canvas.px_per_mm + to_canvas[:2, 2]).astype(np.float32)
    image = cv2.remap(blank.image, maps[..., 0], maps[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return RectifiedSheet(np.asarray(image, np.uint8), blank.canvas, np.eye(3), 5.0)


def errors_mm(sheet: RectifiedSheet, blank: Blank, layout: SheetLayout, field: Field) -> NDArray[np.float64]:
    points = cell_corners_mm(layout).reshape(-1, 2)
    return np.linalg.norm(measure_bend(sheet, blank).at_mm(points) - field(points), axis=1)


@pytest.mark.parametrize(
    "field",
    [
        sine(2.0, 260, along=1, across=1),
        sine(2.0, 200, along=0, across=1),
        sine(-2.0, 200, along=1, across=0),
        sine(1.0, 120, along=1, across=1),
        bulge(1.5),
    ],
    ids=["stretched", "swaying", "swaying down", "short wave", "bulge"],
)
def test_a_smooth_displacement_is_measured(blank: Blank, layout: SheetLayout, field: Field) -> None:
    sheet = displaced(blank, field)
    found = errors_mm(sheet, blank, layout, field)
    assert np.percentile(found, 95) < 0.2
    assert np.percentile(np.linalg.norm(field(cell_corners_mm(layout)), axis=-1), 95) > 0.9  # there was one


@pytest.mark.parametrize("light", [1.0, 0.45])
def test_flat_paper_has_no_bend_in_any_light(blank: Blank, layout: SheetLayout, light: float) -> None:
    shade = np.linspace(light, 1, blank.image.shape[1])[None, :, None]
    flat = RectifiedSheet((blank.image * shade).astype(np.uint8), blank.canvas, np.eye(3), 5.0)
    assert errors_mm(flat, blank, layout, np.zeros_like).max() < 0.05


def test_light_does_not_move_the_print(blank: Blank, layout: SheetLayout) -> None:
    field = sine(1.5, 200, along=0, across=1)
    sheet = displaced(blank, field)
    shade = np.where(np.arange(sheet.image.shape[1]) > 330, 0.5, 0.95)[None, :, None]
    shaded = RectifiedSheet((sheet.image * shade).astype(np.uint8), sheet.canvas, np.eye(3), 5.0)
    assert np.percentile(errors_mm(shaded, blank, layout, field), 95) < 0.25


@pytest.mark.parametrize("i", [1, 2, 3])
def test_on_curled_paper_the_bend_brings_the_cells_nearer(layout: SheetLayout, blank: Blank, i: int) -> None:
    made = make_one(8, i, only="curl", size=(2016, 1512), namespace="sample")
    photo = load_photo(made.jpeg)
    search = find_sheets(photo, layout)
    photo, (outline,) = search.photo, search.outlines
    flat = rectify(photo, outline, layout)
    true_px = np.array([truth_of(made.truths[0])[box.key] for box in layout.read_cells]).reshape(-1, 2)
    points = cell_corners_mm(layout).reshape(-1, 2)
    bent_px = bent_corners_px(points, flat, measure_bend(flat, blank))
    flat_px = cv2.perspectiveTransform(points[None], flat.homography)[0]
    with_bend, without = (
        np.percentile(np.linalg.norm(photo.in_full_px(found) - true_px, axis=1) / flat.px_per_mm, 95)
        for found in (bent_px, flat_px)
    )
    assert without > 0.8
    assert with_bend < 0.5 * without


def test_offsets_between_pixels_are_interpolated(blank: Blank) -> None:
    canvas = blank.canvas.at_scale(2.5)
    height, width = canvas.size_wh[1], canvas.size_wh[0]
    ramp = np.dstack([np.tile(np.arange(width), (height, 1)), np.full((height, width), 5)]).astype(np.float32)
    offsets = Bend(ramp, canvas).at_mm(np.array([[50.0, 60.0], [50.1, 60.0], [80.0, 130.0]]))
    left_px = canvas.page_to_canvas[0, 2]
    assert offsets[:, 0] == pytest.approx((np.array([50, 50.1, 80]) * 2.5 + left_px) / 2.5, abs=0.02)
    assert offsets[:, 1] == pytest.approx(2.0)


def test_normalised_pictures_do_not_know_the_light(blank: Blank) -> None:
    grey = cv2.cvtColor(blank.image, cv2.COLOR_BGR2GRAY)
    dim = (grey * 0.5 + 40).astype(np.uint8)
    difference = np.abs(normalised(grey, 5.0).astype(int) - normalised(dim, 5.0))
    assert np.abs(grey.astype(int) - dim).mean() > 20
    assert difference.mean() < 8


def test_drawing_the_bend_leaves_the_sheet_alone(blank: Blank) -> None:
    sheet = displaced(blank, sine(2.0, 200, along=0, across=1))
    before = sheet.image.copy()
    drawn: ImageU8 = draw_bend(sheet, measure_bend(sheet, blank))
    assert drawn.shape == sheet.image.shape
    assert np.array_equal(sheet.image, before)
    assert (drawn != before).any()


def test_the_measurement_repeats(layout: SheetLayout) -> None:
    blank = load_blank(layout)
    sheet = displaced(blank, bulge(1.0))
    first, second = measure_bend(sheet, blank), measure_bend(sheet, blank)
    assert np.array_equal(first.offset_px, second.offset_px)
