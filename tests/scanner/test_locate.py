"""Finding sheets: whichever way they lie, whichever tags show, and none where there is none."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from layouts import SheetLayout, load_layout
from scanner import RefusedSheet, SheetNotFound, SheetReading, scan_photo, scan_sheets
from scanner.locate import find_sheets
from scanner.photo import load_photo
from scanner.tags import TagSighting, group_tags
from scanner.types import ImageU8, Points, SheetOutline
from synth import make_one
from tests.scanner.pictures import GoodPhoto, cell_errors_mm, grown, photographed, truth_of, view

LAYOUT = load_layout()
TAGS = LAYOUT.fiducials
SIZE_WH = (1500, 2000)


def find(image: ImageU8) -> tuple[SheetOutline, ...]:
    return find_sheets(load_photo(image), LAYOUT).outlines


def refused(image: ImageU8) -> str:
    with pytest.raises(SheetNotFound) as caught:
        scan_photo(image)
    return caught.value.code


@pytest.mark.parametrize(
    "homography",
    [
        view(SIZE_WH, 8),
        view(SIZE_WH, 5, turn_deg=37),
        view(SIZE_WH, 8, turn_deg=180, tilt=0.1),
        view(SIZE_WH, 5, turn_deg=-70, tilt=0.2),
        view(SIZE_WH, 3, turn_deg=15),
    ],
)
def test_the_page_is_found_where_it_was_put(page: ImageU8, homography: Points) -> None:
    (outline,) = find(photographed(page, homography, SIZE_WH))
    page_mm = np.array([[[0, 0], [148, 0], [148, 210], [0, 210]]], np.float64)
    expected_px = cv2.perspectiveTransform(page_mm, homography)[0]
    assert (outline.method, outline.score) == ("tags", 1.0)
    assert np.abs(outline.corners_px - expected_px).max() < 1.0
    assert np.abs(cv2.perspectiveTransform(page_mm, outline.homography)[0] - outline.corners_px).max() < 1e-6


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_turning_the_photo_turns_the_corners_along(
    plain: GoodPhoto, plain_reading: SheetReading, quarters: int
) -> None:
    (reading,) = scan_photo(np.rot90(plain.image, quarters))
    height, width = plain.image.shape[:2]
    for cell, turned in zip(plain_reading.cells, reading.cells, strict=True):
        points = np.array(cell.corners_px)
        w, h = width, height
        for _ in range(quarters):
            points, w, h = np.column_stack([points[:, 1], w - 1 - points[:, 0]]), h, w
        assert np.abs(np.array(turned.corners_px) - points).max() < 1.5
    assert reading.sheet == plain_reading.sheet


def test_cells_of_a_good_photo_are_where_they_are(plain: GoodPhoto, plain_reading: SheetReading) -> None:
    assert cell_errors_mm(plain_reading, plain.corners_px).max() < 0.3


@pytest.mark.parametrize(
    "hidden", [*itertools.combinations(range(4), 1), *itertools.combinations(range(4), 2)], ids=str
)
def test_one_or_two_tags_may_be_hidden(plain: GoodPhoto, plain_reading: SheetReading, hidden: tuple[int, ...]) -> None:
    image = plain.painted(grown(TAGS[tag].corners_mm, 1.5) for tag in hidden)
    (outline,) = find(image)
    assert (outline.method, outline.score) == ("tags", (4 - len(hidden)) / 4)
    (reading,) = scan_photo(image)
    assert cell_errors_mm(reading, plain.corners_px).max() < 0.3
    assert reading.sheet == plain_reading.sheet


@pytest.mark.parametrize("shown", [0, 1])
def test_without_tags_the_print_is_enough(plain: GoodPhoto, plain_reading: SheetReading, shown: int) -> None:
    image = plain.painted(grown(tag.corners_mm, 1.5) for tag in TAGS[shown:])
    assert [outline.method for outline in find(image)] == ["print"]
    (reading,) = scan_photo(image)
    assert cell_errors_mm(reading, plain.corners_px).max() < 0.3
    assert reading.sheet == plain_reading.sheet


@pytest.mark.parametrize("flip", [0, 1], ids=["upside down", "sideways"])
@pytest.mark.parametrize("tags", [True, False])
def test_a_mirrored_photo_is_read_and_said_to_be(
    plain: GoodPhoto, plain_reading: SheetReading, flip: int, tags: bool
) -> None:
    image = plain.image if tags else plain.painted(grown(tag.corners_mm, 1.5) for tag in TAGS)
    (reading,) = scan_photo(np.asarray(cv2.flip(image, flip), np.uint8))
    assert reading.sheet == plain_reading.sheet
    assert any("mirror" in warning for warning in reading.quality.warnings)
    assert not any("mirror" in warning for warning in plain_reading.quality.warnings)
    here, there = (np.array([cell.corners_px for cell in r.cells]) for r in (reading, plain_reading))
    axis = 1 - flip
    there[..., axis] = plain.image.shape[1 - axis] - 1 - there[..., axis]
    assert np.abs(here - there).max() < 3


@pytest.mark.parametrize("name", ["paper", "noise", "stripes"])
def test_no_sheet_in_other_pictures(name: str) -> None:
    image = np.full((900, 1200, 3), 225, np.uint8)
    if name == "noise":
        image = np.random.default_rng(0).integers(0, 255, image.shape, dtype=np.uint8)
    elif name == "stripes":
        image[:, (np.arange(1200) // 40) % 2 == 0] = 60
        image[(np.arange(900) // 50) % 2 == 0] //= 2
    assert refused(image) == "no-sheet"


def test_tags_alone_make_no_sheet(page: ImageU8) -> None:
    scale = page.shape[1] / 148
    tags_only = np.full_like(page, 245)
    for tag in TAGS:
        (left, top), (right, bottom) = (grown(tag.corners_mm, 1.0)[[0, 2]] * scale).round().astype(int).tolist()
        tags_only[top:bottom, left:right] = page[top:bottom, left:right]
    image = photographed(tags_only, view(SIZE_WH, 8), SIZE_WH)
    assert len(find(image)) == 1
    assert refused(image) == "no-sheet"
    assert len(scan_photo(photographed(page, view(SIZE_WH, 8), SIZE_WH))) == 1


def cut(plain: GoodPhoto, side: str, inside_mm: float) -> ImageU8:
    """The photo without what lies beyond a line so far inside the outermost cell edge on that side."""
    corners = np.concatenate(list(plain.corners_px.values()))
    shift = inside_mm * np.sqrt(abs(np.linalg.det(plain.homography)))
    left, top = np.ceil(corners.min(axis=0) + shift).astype(int)
    right, bottom = np.floor(corners.max(axis=0) - shift).astype(int)
    cuts = {
        "left": np.s_[:, left:],
        "right": np.s_[:, :right],
        "top": np.s_[top:],
        "bottom": np.s_[:bottom],
    }
    return np.ascontiguousarray(plain.image[cuts[side]])


@pytest.mark.parametrize("side", ["left", "right", "top", "bottom"])
def test_a_photo_that_ends_inside_the_cells_is_refused(
    plain: GoodPhoto, plain_reading: SheetReading, side: str
) -> None:
    assert refused(cut(plain, side, 9.0)) == "sheet-cut-off"
    assert refused(cut(plain, side, 4.0)) == "sheet-cut-off"
    (reading,) = scan_photo(cut(plain, side, -1.0))
    # The fields of the totals lie below the cells, and are not needed.
    assert replace(reading.sheet, written={}) == replace(plain_reading.sheet, written={})
    assert reading.sheet.written.items() <= plain_reading.sheet.written.items()


def test_a_sheet_cut_off_beside_a_whole_one_is_named(plain: GoodPhoto, plain_reading: SheetReading) -> None:
    width = plain.image.shape[1]
    reading, refused = scan_sheets(np.hstack([plain.image, plain.image[:, : width // 2]]))
    assert isinstance(reading, SheetReading)
    assert reading.sheet == plain_reading.sheet
    assert isinstance(refused, RefusedSheet)
    assert (refused.error.code, refused.index) == ("sheet-cut-off", 2)


def tiled(image: ImageU8, rows: int, columns: int) -> ImageU8:
    return np.tile(cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), (rows, columns, 1))


def test_sheets_come_in_reading_order(plain: GoodPhoto) -> None:
    outlines = find(tiled(plain.image, 2, 3))
    height, width = (side / 2 for side in plain.image.shape[:2])
    places = [(outline.corners_px.mean(axis=0) // (width, height)).tolist() for outline in outlines]
    assert places == [[0, 0], [1, 0], [2, 0], [0, 1], [1, 1], [2, 1]]


def test_several_sheets_on_a_table_are_each_read_where_they_lie() -> None:
    made = make_one(5, 1, only="several", size=(2016, 1512), namespace="sample")
    readings = scan_photo(made.jpeg)
    assert [reading.index for reading in readings] == [1, 2, 3, 4]
    for reading, truth in zip(readings, made.truths, strict=True):
        assert np.percentile(cell_errors_mm(reading, truth_of(truth)), 95) < 0.4


def sightings(homography: Points, layout: SheetLayout, shown: Sequence[int]) -> list[TagSighting]:
    return [
        TagSighting(tag, cv2.perspectiveTransform(np.array([tag.corners_mm]), homography)[0])
        for tag in layout.fiducials
        if tag.id in shown
    ]


VIEWS = st.builds(view, st.just((0, 0)), st.floats(3, 12), turn_deg=st.floats(-180, 180), tilt=st.floats(-0.25, 0.25))
# One tag of each of two sheets can lie just as two of one sheet would: that only the printed grid can tell.
SHOWN = st.sets(st.sampled_from([tag.id for tag in TAGS]), min_size=2).map(sorted)


@given(VIEWS)
def test_the_four_tags_of_a_sheet_make_one_group(homography: Points) -> None:
    (group,) = group_tags(sightings(homography, LAYOUT, [0, 1, 2, 3]), LAYOUT)
    assert sorted(sighting.fiducial.id for sighting in group) == [0, 1, 2, 3]


def test_a_single_tag_is_no_group() -> None:
    assert group_tags(sightings(view((0, 0), 8), LAYOUT, [2]), LAYOUT) == ()
    assert group_tags([], LAYOUT) == ()


@settings(max_examples=300)
@given(
    SHOWN,
    SHOWN,
    st.floats(-20, 20),
    st.sampled_from([0, 90, 180, 270]),
    st.floats(-15, 15),
    st.floats(0, 360),
    st.floats(1.0, 1.4),
)
def test_tags_of_two_sheets_are_never_joined(
    shown: list[int], others: list[int], turn: float, quarter: float, askew: float, towards: float, gap: float
) -> None:
    """Two pages that do not touch: their centres are farther apart than the diagonal of a page."""
    first = view((0, 0), 8, turn_deg=turn)
    distance_px = 8 * np.hypot(148, 210) * gap
    beside = distance_px * np.array([np.cos(np.radians(towards)), np.sin(np.radians(towards))])
    second = np.array([[1, 0, beside[0]], [0, 1, beside[1]], [0, 0, 1]]) @ view((0, 0), 8, turn + quarter + askew)
    mine, theirs = sightings(first, LAYOUT, shown), sightings(second, LAYOUT, others)
    for group in group_tags([*mine, *theirs], LAYOUT):
        owners = {any(sighting is own for own in mine) for sighting in group}
        assert len(owners) == 1
