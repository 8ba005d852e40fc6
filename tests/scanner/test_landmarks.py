"""Points of the print lead back over distances that are beyond the flow, and say nothing where there are none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from layouts import SheetLayout
from scanner.geometry import cell_corners_mm
from scanner.landmarks import bend_by_points
from scanner.rectify import Blank, RectifiedSheet
from scanner.types import ImageU8, Points
from scanner.warp import measure_bend
from tests.scanner.test_warp import Field, bulge, displaced, sine


def fold(slope: float, at_mm: float) -> Field:
    """Beyond a line across the page everything is moved along it, the more the further."""

    def shifts(points_mm: Points) -> Points:
        moved = np.zeros_like(points_mm)
        moved[..., 1] = slope * np.maximum(points_mm[..., 0] - at_mm, 0)
        return moved

    return shifts


def off_mm(blank: Blank, layout: SheetLayout, field: Field, then_flow: bool = False) -> float:
    sheet = displaced(blank, field)
    bend = bend_by_points(sheet, blank, 2.0)
    assert bend is not None
    if then_flow:
        bend = measure_bend(sheet, blank, start=bend)
    points = cell_corners_mm(layout).reshape(-1, 2)
    return float(np.percentile(np.linalg.norm(bend.at_mm(points) - field(points), axis=1), 95))


@pytest.mark.parametrize(
    "field",
    [sine(2.0, 260, along=1, across=1), sine(9.0, 300, along=0, across=1), bulge(4.0)],
    ids=["stretched", "swaying by 9 mm", "bulge"],
)
def test_a_smooth_bend_is_found(blank: Blank, layout: SheetLayout, field: Field) -> None:
    assert off_mm(blank, layout, field) < 0.8


@pytest.mark.parametrize("slope", [0.2, -0.18])
def test_behind_a_fold_the_right_lines_are_found(blank: Blank, layout: SheetLayout, slope: float) -> None:
    """The flow alone loses its way, for the print is moved by most of a space; from the points it arrives."""
    field = fold(slope, 70.0)
    sheet, points = displaced(blank, field), cell_corners_mm(layout).reshape(-1, 2)
    alone = np.linalg.norm(measure_bend(sheet, blank).at_mm(points) - field(points), axis=1)
    assert np.percentile(alone, 95) > 3
    assert off_mm(blank, layout, field, then_flow=True) < 0.5


def test_half_the_print_hidden_by_its_own_copy_one_space_further(blank: Blank, layout: SheetLayout) -> None:
    """Points that look like others, one space on, are not believed: flat paper stays flat."""
    image = blank.image.copy()
    step_px = round(13.2 * blank.canvas.px_per_mm)
    height, width = image.shape[:2]
    part = image[height // 2 : height - 2 * step_px, : width // 3].copy()
    image[height // 2 + step_px : height - step_px, : width // 3] = part
    bend = bend_by_points(RectifiedSheet(image, blank.canvas, np.eye(3), 5.0), blank, 2.0)
    assert bend is not None
    right = cell_corners_mm(layout).reshape(-1, 2)
    right = right[right[:, 0] > 80]
    assert np.linalg.norm(bend.at_mm(right), axis=1).max() < 0.5


@pytest.mark.parametrize("name", ["paper", "noise", "blurred"])
def test_without_points_there_is_no_bend(blank: Blank, name: str) -> None:
    pictures: dict[str, ImageU8] = {
        "paper": np.full_like(blank.image, 220),
        "noise": np.random.default_rng(1).integers(0, 255, blank.image.shape, dtype=np.uint8),
        "blurred": np.asarray(cv2.GaussianBlur(blank.image, (0, 0), 40), np.uint8),
    }
    assert bend_by_points(RectifiedSheet(pictures[name], blank.canvas, np.eye(3), 5.0), blank, 2.0) is None
