"""What is measured on a photo, and which photos are refused for it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from layouts import SheetLayout
from scanner import PoorPhoto, ScanOptions, SheetNotFound, SheetReading, scan_photo
from scanner.cells import print_scores
from scanner.options import DEFAULT_OPTIONS
from scanner.quality import (
    measure_quality,
    require_readable,
    require_trusted,
    require_whole,
)
from scanner.rectify import Blank, RectifiedSheet
from scanner.types import Cells, ImageU8, Photo, Source
from tests.scanner.pictures import GoodPhoto, grown, values
from tests.scanner.test_cells import constant_bend, cut


def flat_of(image: ImageU8, blank: Blank, px_per_mm: float = 8.0) -> RectifiedSheet:
    return RectifiedSheet(image, blank.canvas, np.eye(3), px_per_mm)


def test_a_photo_more_blurred_than_the_limit_is_refused(plain: GoodPhoto, plain_reading: SheetReading) -> None:
    assert plain_reading.quality.sharpness > 0.8
    image = np.asarray(cv2.GaussianBlur(plain.image, (0, 0), 1.2 * plain_reading.quality.px_per_mm), np.uint8)
    with pytest.raises(PoorPhoto) as caught:
        scan_photo(image)
    assert caught.value.code == "blurred"
    assert "at most 0.50" in caught.value.message
    assert len(scan_photo(image, options=ScanOptions(max_blur_mm=2.0))) == 1


def test_softer_photos_measure_less_sharp(plain: GoodPhoto, plain_reading: SheetReading) -> None:
    sharpness = [plain_reading.quality.sharpness]
    for sigma_mm in (0.25, 0.45):
        sigma_px = sigma_mm * plain_reading.quality.px_per_mm
        (reading,) = scan_photo(np.asarray(cv2.GaussianBlur(plain.image, (0, 0), sigma_px), np.uint8))
        sharpness.append(reading.quality.sharpness)
    assert sharpness == sorted(sharpness, reverse=True)


def shrunk(plain: GoodPhoto, reading: SheetReading, px_per_mm: float) -> ImageU8:
    factor = px_per_mm / reading.quality.px_per_mm
    return np.asarray(cv2.resize(plain.image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)


def test_a_photo_with_too_few_pixels_is_refused(plain: GoodPhoto, plain_reading: SheetReading) -> None:
    with pytest.raises(PoorPhoto) as caught:
        scan_photo(shrunk(plain, plain_reading, 2.0))
    assert caught.value.code == "too-small"
    assert "2.0 px/mm" in caught.value.message
    (reading,) = scan_photo(shrunk(plain, plain_reading, 2.5))
    assert reading.quality.px_per_mm == pytest.approx(2.5, rel=0.02)


def test_paper_over_a_third_of_the_cells_is_no_sheet(
    plain: GoodPhoto, plain_reading: SheetReading, layout: SheetLayout
) -> None:
    tops = sorted({box.y_mm for box in layout.read_cells if box.kind == "number"})
    low = layout.read_cells[0].x_mm
    third = [[low, tops[0]], [140, tops[0]], [140, tops[4]], [low, tops[4]]]
    with pytest.raises(SheetNotFound) as caught:
        scan_photo(plain.painted([third]))
    assert caught.value.code == "no-sheet"
    assert plain_reading.quality.warnings == ()


@pytest.mark.parametrize("key", ["blue/5", "red/1", "dice/3"])
def test_paper_over_one_cell_puts_it_in_review_and_changes_no_other(
    plain: GoodPhoto, plain_reading: SheetReading, layout: SheetLayout, key: str
) -> None:
    (reading,) = scan_photo(plain.painted([grown(layout.cell(key).corners_mm, 2.5)]))
    reasons = {cell.box.key: reason for cell, reason in reading.review}
    assert "cannot be seen" in reasons[key]
    assert key not in {cell.box.key for cell, _ in plain_reading.review}
    others = values(reading)
    before = values(plain_reading)
    assert {k: v for k, v in others.items() if k != key} == {k: v for k, v in before.items() if k != key}
    assert any("hidden" in warning for warning in reading.quality.warnings)


def cells_with(layout: SheetLayout, scores: np.ndarray, grey: int = 200) -> Cells:
    boxes = layout.read_cells
    images = np.full((len(boxes), 48, 48, 3), grey, np.uint8)
    corners_px = np.array([box.corners_mm for box in boxes]) * 8
    return Cells(boxes, images, images, corners_px, scores, np.zeros(len(boxes), np.bool_))


def agreeing(layout: SheetLayout, bad: int) -> np.ndarray:
    """Print scores of which so many are bad."""
    count = len(layout.read_cells)
    return np.where(np.arange(count) < bad, 0.0, 0.9)


def test_the_grid_has_to_agree_in_four_cells_of_five(layout: SheetLayout) -> None:
    count = len(layout.read_cells)
    enough = int(count * (1 - DEFAULT_OPTIONS.min_grid_score))
    require_trusted(cells_with(layout, agreeing(layout, enough)), 0.2)
    with pytest.raises(SheetNotFound, match="printed grid"):
        require_trusted(cells_with(layout, agreeing(layout, enough + 1)), 0.2)


def test_a_grid_that_has_slipped_off_the_lowest_rows_is_refused(blank: Blank, layout: SheetLayout) -> None:
    cells = cut(blank, layout, constant_bend(blank))
    slipped = [i for i, box in enumerate(cells.boxes) if box.space in (1, 2)]
    images = cells.images.copy()
    images[slipped] = np.roll(images[slipped], (3, 3), axis=(1, 2))
    moved = replace(cells, images=images, print_scores=print_scores(images, cells.blanks))
    lenient = ScanOptions(min_grid_score=0.5)
    require_trusted(cells, 0.2, lenient)
    with pytest.raises(SheetNotFound, match="slipped off part of the sheet"):
        require_trusted(moved, 0.2, lenient)


def test_icons_without_an_outline_say_nothing_about_the_grid(blank: Blank, layout: SheetLayout) -> None:
    cells = cut(blank, layout, constant_bend(blank))
    free = np.array([box.kind == "mark" for box in cells.boxes])
    scores = np.where(free, 0.0, 0.9)
    plain = cells.blanks.copy()
    plain[free] = 255
    require_trusted(replace(cells, blanks=plain, print_scores=scores), 0.2)
    elsewhere = cells.images.copy()
    elsewhere[free] = np.roll(elsewhere[free], (11, 11), axis=(1, 2))
    with pytest.raises(SheetNotFound, match="printed grid"):
        require_trusted(replace(cells, images=elsewhere, print_scores=scores), 0.2)


def test_ink_over_the_borders_says_nothing_about_the_grid(blank: Blank, layout: SheetLayout) -> None:
    cells = cut(blank, layout, constant_bend(blank))
    images = cells.images.copy()
    images[::2, 18:23] = 20  # a stroke from side to side
    scores = np.where(np.arange(len(images)) % 2 == 0, 0.0, 0.9)
    require_trusted(replace(cells, images=images, print_scores=scores), 0.2)


def test_blur_is_named_before_the_grid_that_it_hides(layout: SheetLayout) -> None:
    hidden = cells_with(layout, agreeing(layout, 80))
    with pytest.raises(PoorPhoto, match="soft") as caught:
        require_trusted(hidden, 0.51)
    assert caught.value.code == "blurred"
    require_trusted(cells_with(layout, agreeing(layout, 0)), 0.49)


def test_nothing_printed_is_blurred_only_where_a_soft_page_looks_like_the_sheet(layout: SheetLayout) -> None:
    nothing = cells_with(layout, agreeing(layout, 80))
    with pytest.raises(SheetNotFound):
        require_trusted(nothing, float("inf"))
    with pytest.raises(PoorPhoto, match="more than a millimetre"):
        require_trusted(nothing, float("inf"), out_of_focus=True)


def test_resolution_is_refused_below_what_an_option_says(blank: Blank) -> None:
    with pytest.raises(PoorPhoto, match=r"2\.1 px/mm, 2\.2"):
        require_readable(flat_of(blank.image, blank, 2.1))
    require_readable(flat_of(blank.image, blank, 2.2))
    require_readable(flat_of(blank.image, blank, 2.1), ScanOptions(min_px_per_mm=2.0))


def test_glare_counts_only_where_it_hides_print(layout: SheetLayout, blank: Blank) -> None:
    sheet = flat_of(blank.image, blank)
    bright = cells_with(layout, agreeing(layout, 0), grey=255)
    assert measure_quality(sheet, bright, 0.1).glare == 0
    hidden = measure_quality(sheet, cells_with(layout, agreeing(layout, 3), grey=255), 0.1)
    assert hidden.glare == 1
    assert hidden.warnings == ("3 cells are hidden by glare, shadow or something lying on them",)


def test_soft_photos_get_a_warning_before_they_are_refused(layout: SheetLayout, blank: Blank) -> None:
    cells = cells_with(layout, agreeing(layout, 0))
    assert measure_quality(flat_of(blank.image, blank), cells, 0.3).warnings == ()
    (warning,) = measure_quality(flat_of(blank.image, blank), cells, 0.4).warnings
    assert "0.40 mm" in warning


@pytest.mark.parametrize(("edge", "slack_px"), [(0, -1), (0, 1), (1, -1), (1, 1)])
def test_a_cell_outside_the_picture_is_cut_off(layout: SheetLayout, blank: Blank, edge: int, slack_px: int) -> None:
    """A millimetre, 8 pixels here, may be outside."""
    cells = cells_with(layout, agreeing(layout, 0))
    end = cells.corners_px[..., edge].max() - 8 + slack_px
    size = [1200, 1700]
    size[edge] = int(np.ceil(end))
    photo = Photo(np.zeros((9, 9, 3), np.uint8), 1.0, Source("x", 1, "", *size))
    if slack_px >= 0:
        require_whole(photo, flat_of(blank.image, blank), cells)
    else:
        with pytest.raises(SheetNotFound) as caught:
            require_whole(photo, flat_of(blank.image, blank), cells)
        assert caught.value.code == "sheet-cut-off"


def test_a_chance_find_that_leaves_the_picture_is_no_sheet(layout: SheetLayout, blank: Blank) -> None:
    photo = Photo(np.zeros((9, 9, 3), np.uint8), 1.0, Source("x", 1, "", 500, 1700))
    with pytest.raises(SheetNotFound) as caught:
        require_whole(photo, flat_of(blank.image, blank), cells_with(layout, np.zeros(len(layout.read_cells))))
    assert caught.value.code == "no-sheet"
