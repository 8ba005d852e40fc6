"""Cells cut where they are, and their print compared."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from layouts import SheetLayout
from scanner.cells import (
    CELL_PX,
    MARGIN,
    blank_cells,
    covered_by_ink,
    crossed,
    cut_cells,
    draw_cells,
    print_scores,
    print_shifts_px,
)
from scanner.options import DEFAULT_OPTIONS
from scanner.photo import load_photo
from scanner.rectify import Blank, RectifiedSheet
from scanner.types import Cells, ImageU8, Photo, Points, Source
from scanner.warp import Bend
from tests.scanner.pictures import view


def constant_bend(blank: Blank, dx_mm: float = 0.0, dy_mm: float = 0.0) -> Bend:
    canvas = blank.canvas.at_scale(2.5)
    offset_px = np.full((canvas.size_wh[1], canvas.size_wh[0], 2), (dx_mm * 2.5, dy_mm * 2.5), np.float32)
    return Bend(offset_px, canvas)


def photo_of_size(scale: float = 1.0) -> Photo:
    return Photo(np.zeros((300, 400, 3), np.uint8), scale, Source("x", 1, "", 400, 300))


def cut(
    blank: Blank,
    layout: SheetLayout,
    bend: Bend,
    image: ImageU8 | None = None,
    homography: Points | None = None,
    scale: float = 1.0,
) -> Cells:
    flat = RectifiedSheet(
        blank.image if image is None else image, blank.canvas, np.eye(3) if homography is None else homography, 5.0
    )
    return cut_cells(photo_of_size(scale), flat, bend, blank, layout)


def test_cells_of_the_blank_sheet_are_the_blank_cells(blank: Blank, layout: SheetLayout) -> None:
    cells = cut(blank, layout, constant_bend(blank))
    assert cells.boxes == layout.read_cells
    assert cells.images.shape == cells.blanks.shape == (len(cells.boxes), CELL_PX, CELL_PX, 3)
    assert np.array_equal(cells.images, cells.blanks)
    assert cells.print_scores == pytest.approx(1.0, abs=1e-5)


def test_a_cell_is_its_part_of_the_page_with_a_margin(blank: Blank, layout: SheetLayout, page: ImageU8) -> None:
    cells = cut(blank, layout, constant_bend(blank))
    scale = page.shape[1] / layout.page_mm[0]
    for box, cell in zip(cells.boxes, cells.images, strict=True):
        x0, x1 = box.x_mm - MARGIN * box.w_mm, box.x_mm + (1 + MARGIN) * box.w_mm
        y0, y1 = box.y_mm - MARGIN * box.h_mm, box.y_mm + (1 + MARGIN) * box.h_mm
        part = page[round(y0 * scale) : round(y1 * scale), round(x0 * scale) : round(x1 * scale)]
        expected = cv2.resize(part, (CELL_PX, CELL_PX), interpolation=cv2.INTER_AREA)
        assert np.corrcoef(expected.ravel(), cell.ravel())[0, 1] > 0.9


@pytest.mark.parametrize(("dx_mm", "dy_mm"), [(1.25, 0), (0, -0.75), (-2.0, 1.5)])
def test_a_known_bend_is_followed(blank: Blank, layout: SheetLayout, dx_mm: float, dy_mm: float) -> None:
    moved = np.roll(
        blank.image, tuple(round(side_mm * blank.canvas.px_per_mm) for side_mm in (dy_mm, dx_mm)), axis=(0, 1)
    )
    cells = cut(blank, layout, constant_bend(blank, dx_mm, dy_mm), moved)
    assert cells.print_scores.min() > 0.99
    assert np.abs(cells.images.astype(int) - cells.blanks).mean() < 1


@pytest.mark.parametrize(("dx_mm", "dy_mm"), [(1, 0), (-1, 0), (0, 1), (0, -1)])
def test_print_seen_a_millimetre_off_does_not_agree(
    blank: Blank, layout: SheetLayout, dx_mm: float, dy_mm: float
) -> None:
    scores = cut(blank, layout, constant_bend(blank, dx_mm, dy_mm)).print_scores
    assert (scores >= DEFAULT_OPTIONS.good_cell_score).mean() < DEFAULT_OPTIONS.min_grid_score


def test_one_millimetre_off_both_ways_agrees_nowhere(blank: Blank, layout: SheetLayout) -> None:
    scores = cut(blank, layout, constant_bend(blank, 1, 1)).print_scores
    assert np.median(np.abs(scores)) < 0.3


@pytest.mark.parametrize(("gain", "offset"), [(0.4, 0), (0.5, 60), (1.0, -20)])
def test_brightness_and_contrast_do_not_matter(blank: Blank, layout: SheetLayout, gain: float, offset: float) -> None:
    cells = cut(blank, layout, constant_bend(blank))
    seen = np.clip(cells.blanks * gain + offset, 0, 255).astype(np.uint8)
    assert print_scores(seen, cells.blanks).min() > 0.98


def test_the_negative_disagrees_and_plain_paper_says_nothing(blank: Blank, layout: SheetLayout) -> None:
    blanks = cut(blank, layout, constant_bend(blank)).blanks
    assert print_scores(255 - blanks, blanks).max() < -0.98
    assert np.array_equal(print_scores(np.full_like(blanks, 230), blanks), np.zeros(len(blanks)))


def test_ink_inside_does_not_matter(blank: Blank, layout: SheetLayout) -> None:
    blanks = cut(blank, layout, constant_bend(blank)).blanks
    inked = blanks.copy()
    inked[:, 18:30, 18:30] = (90, 40, 20)
    assert print_scores(inked, blanks) == pytest.approx(1.0, abs=1e-5)


def corners_of(box_corners_mm: object, homography: Points) -> NDArray[np.float64]:
    return np.asarray(cv2.perspectiveTransform(np.array([box_corners_mm], np.float64), homography)[0])


def test_corners_are_in_pixels_of_the_full_photo(blank: Blank, layout: SheetLayout) -> None:
    homography = view((400, 300), 4, turn_deg=30, tilt=0.1)
    shift = (0.25 - 1) / 2
    decoded = np.array([[0.25, 0, shift], [0, 0.25, shift], [0, 0, 1]]) @ homography
    cells = cut(blank, layout, constant_bend(blank), homography=decoded, scale=0.25)
    for box, corners in zip(cells.boxes, cells.corners_px, strict=True):
        assert corners == pytest.approx(corners_of(box.corners_mm, homography), abs=1e-6)


def test_the_drawing_holds_every_cell_above_its_blank(blank: Blank, layout: SheetLayout) -> None:
    cells = cut(blank, layout, constant_bend(blank))
    drawn = draw_cells(cells.images, cells.blanks, per_row=10)
    rows = -(-len(cells.boxes) // 10)
    assert drawn.shape == (rows * 2 * CELL_PX * 2, 10 * CELL_PX * 2, 3)
    assert load_photo(np.ascontiguousarray(drawn)).image is not None


def inked(blanks: ImageU8, share: float) -> ImageU8:
    """Cells with that share of their box blackened from the left."""
    images = blanks.copy()
    left, right = round(CELL_PX * MARGIN / (1 + 2 * MARGIN)), round(CELL_PX * (1 + MARGIN) / (1 + 2 * MARGIN))
    images[:, left:right, left : left + round(share * (right - left))] = 20
    return images


@pytest.mark.parametrize("light", [1.0, 0.4])
def test_only_filled_cells_are_covered(blank: Blank, layout: SheetLayout, light: float) -> None:
    blanks = cut(blank, layout, constant_bend(blank)).blanks
    for share, covered in ((0.0, False), (0.2, False), (0.6, True), (0.9, True)):
        image = (inked(blanks, share) * light).astype(np.uint8)
        assert (covered_by_ink(image, blanks) == covered).all(), share


def cells_with(scores: list[float], covered: list[bool]) -> Cells:
    count = len(scores)
    images = np.zeros((count, CELL_PX, CELL_PX, 3), np.uint8)
    return Cells((), images, images, np.zeros((count, 4, 2)), np.array(scores), np.array(covered))


def test_covered_cells_say_nothing_about_the_grid() -> None:
    assert cells_with([0.9, 0.9, 0.9, 0.0], [False, False, False, True]).hit_share(0.5) == 1
    assert cells_with([0.9, 0.9, 0.9, 0.0], [False] * 4).hit_share(0.5) == 0.75


def test_where_most_is_dark_the_dark_counts_as_missed() -> None:
    assert cells_with([0.9, 0.0, 0.0, 0.0], [False, True, True, True]).hit_share(0.5) == 0.25


def test_a_line_leaves_a_cell_on_both_ends_and_a_figure_does_not(blank: Blank, layout: SheetLayout) -> None:
    cells = cut(blank, layout, constant_bend(blank))
    images = cells.images.copy()
    images[4, :, 22:25] = 40  # a stroke from end to end
    images[2, 22:25, :] = 40  # the same across
    images[3, 8:48, 22:25] = 40  # a long 1 that overflows below
    upright, level = crossed(images, cells.blanks)
    assert (np.flatnonzero(upright).tolist(), np.flatnonzero(level).tolist()) == ([4], [2])


@pytest.mark.parametrize("shift_mm", [0.4, -0.4])
def test_print_a_little_out_of_place_is_no_line(blank: Blank, layout: SheetLayout, shift_mm: float) -> None:
    cells = cut(blank, layout, constant_bend(blank, shift_mm, shift_mm))
    assert not np.any(crossed(cells.images, cells.blanks))


@pytest.mark.parametrize("moved_px", [(0, 0), (2, -1), (-3, 4)])
def test_print_that_lies_elsewhere_tells_where(blank: Blank, layout: SheetLayout, moved_px: tuple[int, int]) -> None:
    blanks = blank_cells(blank, layout)
    images = np.roll(blanks, moved_px[::-1], axis=(1, 2))
    assert np.array_equal(print_shifts_px(images, blanks), np.tile(moved_px, (len(blanks), 1)))


def test_shadow_and_ink_move_no_print(blank: Blank, layout: SheetLayout) -> None:
    blanks = blank_cells(blank, layout)
    images = blanks.copy()
    images[:, :20] //= 3
    images[:, 15:33, 23:26] = 40
    assert np.abs(print_shifts_px(images, blanks)).max() <= 1
