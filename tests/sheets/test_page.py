"""The drawn sheet, rendered and measured against its layout."""

import io
import sys
from dataclasses import replace
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pypdfium2
import pytest

from layouts import COLUMNS, EXPEDITIONS, CellBox, LayoutError, blank_picture, load_layout
from sheets import PictureError, draw_pdf, render_png
from sheets.colour import luminance
from sheets.symbols import SYMBOLS
from sheets.tags import BITS

LAYOUT = load_layout("expedition-a5")
PX_PER_MM = 12.0
CELLS = {cell.key: cell for cell in LAYOUT.cells}
SPACES = [cell for cell in LAYOUT.cells if cell.kind in ("number", "mark")]
# What each height of a column is worth (rules of the game, table of points).
EXPEDITION_POINTS = (-20, -15, -10, 5, 10, 15, 30, 35, 50)
TRACK_POINTS = (-40, -30, -20, 10, 20, 30, 60, 70)


@pytest.fixture(scope="module")
def png() -> bytes:
    return render_png(LAYOUT, PX_PER_MM)


@pytest.fixture(scope="module")
def page(png: bytes) -> npt.NDArray[np.uint8]:
    """The rendered sheet, grey, at 12 px/mm."""
    return np.asarray(cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_GRAYSCALE), dtype=np.uint8)


def cut(page: npt.NDArray[np.uint8], cell: CellBox, margin: float) -> npt.NDArray[np.uint8]:
    """The cell's box, wider by a share of its size on every side (narrower if negative)."""
    dx, dy = margin * cell.w_mm, margin * cell.h_mm
    x0, x1 = (round(x * PX_PER_MM) for x in (cell.x_mm - dx, cell.x_mm + cell.w_mm + dx))
    y0, y1 = (round(y * PX_PER_MM) for y in (cell.y_mm - dy, cell.y_mm + cell.h_mm + dy))
    return page[y0:y1, x0:x1]


def test_size_in_pixels(page: npt.NDArray[np.uint8]) -> None:
    assert page.shape == (2520, 1776)


def test_the_picture_in_the_package_is_the_sheet_that_is_printed(png: bytes) -> None:
    stored = cv2.imdecode(np.frombuffer(blank_picture(LAYOUT), np.uint8), cv2.IMREAD_COLOR)
    fresh = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    difference = np.abs(stored.astype(int) - fresh.astype(int))
    # Renderers of other versions smooth edges a little differently; anything moved or recoloured shows.
    assert difference.mean() < 0.5
    assert np.mean(difference.max(axis=2) > 60) < 0.002


def test_the_picture_in_the_package_is_light(png: bytes) -> None:
    assert len(blank_picture(LAYOUT)) < 1_000_000
    assert png.startswith(b"\x89PNG")


@pytest.mark.parametrize("key", [cell.key for cell in SPACES if cell.kind == "number" and not cell.special])
def test_plain_spaces_are_white_inside(page: npt.NDArray[np.uint8], key: str) -> None:
    assert cut(page, CELLS[key], -0.1).min() == 255


@pytest.mark.parametrize("key", [cell.key for cell in SPACES if cell.special or cell.kind == "mark"])
def test_what_is_printed_in_a_space_is_light_and_leaves_room(page: npt.NDArray[np.uint8], key: str) -> None:
    inside = cut(page, CELLS[key], -0.05)
    assert inside.min() > 190
    assert 0.05 < np.mean(inside < 250) < 0.35


@pytest.mark.parametrize("key", [f"{column}/double" for column in EXPEDITIONS])
def test_the_double_circle_is_a_ring_around_a_very_light_word(page: npt.NDArray[np.uint8], key: str) -> None:
    inside = cut(page, CELLS[key], -0.25)
    assert inside.min() > 210
    assert np.mean(inside < 250) > 0.05
    assert cut(page, CELLS[key], 0.05).min() < 210


@pytest.mark.parametrize("key", [f"{column}/bridge" for column in COLUMNS] + ["player", "total/written"])
def test_boxes_are_empty_inside(page: npt.NDArray[np.uint8], key: str) -> None:
    assert cut(page, CELLS[key], -0.08).min() == 255


@pytest.mark.parametrize("key", [cell.key for cell in LAYOUT.cells if cell.kind in ("number", "mark", "bridge")])
def test_borders_are_where_the_layout_says(page: npt.NDArray[np.uint8], key: str) -> None:
    cell = CELLS[key]
    middle_x, middle_y = cell.x_mm + cell.w_mm / 2, cell.y_mm + cell.h_mm / 2
    row = page[round(middle_y * PX_PER_MM)].astype(int)
    column = page[:, round(middle_x * PX_PER_MM)].astype(int)
    reach = round(0.4 * PX_PER_MM)
    for line, edge_mm in (
        (row, cell.x_mm),
        (row, cell.x_mm + cell.w_mm),
        (column, cell.y_mm),
        (column, cell.y_mm + cell.h_mm),
    ):
        at = round(edge_mm * PX_PER_MM)
        window = line[at - reach : at + reach]
        steps = np.abs(np.diff(window))
        # The step from paper to print lies within the window: half a line of 0.3 mm off at most.
        assert steps.max() > 30
        assert abs(int(np.argmax(steps)) - reach + 1) <= round(0.25 * PX_PER_MM)


def test_the_tags_are_those_of_opencv() -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for (_, number), rows in BITS.items():
        marker = cv2.aruco.generateImageMarker(dictionary, number, 6)[1:5, 1:5]
        assert tuple("".join("1" if bit else "0" for bit in row) for row in marker) == rows


def test_opencv_finds_the_tags_where_the_layout_says(page: npt.NDArray[np.uint8]) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(page)
    found = {int(number): corner.reshape(4, 2) for number, corner in zip(ids.ravel(), corners, strict=True)}
    assert sorted(found) == [0, 1, 2, 3]
    for tag in LAYOUT.fiducials:
        # Pixel centres lie half a pixel right of and below the edge that they are counted from.
        seen_mm = (found[tag.id] + 0.5) / PX_PER_MM
        assert np.abs(seen_mm - np.array(tag.corners_mm)).max() < 0.1


def test_the_quiet_zone_of_each_tag_is_white(page: npt.NDArray[np.uint8]) -> None:
    for tag in LAYOUT.fiducials:
        zone = page.copy()
        x0, y0, x1, y1 = (
            round(v * PX_PER_MM) for v in (tag.x_mm, tag.y_mm, tag.x_mm + tag.size_mm, tag.y_mm + tag.size_mm)
        )
        zone[y0 - 1 : y1 + 1, x0 - 1 : x1 + 1] = 255  # a renderer may snap an edge to the next pixel
        quiet = round(2 * PX_PER_MM)
        assert zone[y0 - quiet : y1 + quiet, x0 - quiet : x1 + quiet].min() == 255


@pytest.mark.parametrize("space", range(1, 10))
def test_the_ladders_tell_the_points_of_each_row(space: int) -> None:
    row, (width, height) = LAYOUT.cell(f"red/{space}"), LAYOUT.page_mm
    last = LAYOUT.cell(f"dice/{space}")
    with pypdfium2.PdfDocument(draw_pdf(LAYOUT)) as document:
        text = document[0].get_textpage()

        def words(left: float, right: float) -> list[int]:
            bottom, top = ((height - y) / 25.4 * 72 for y in (row.y_mm + row.h_mm, row.y_mm))
            found = text.get_text_bounded(left / 25.4 * 72, bottom, right / 25.4 * 72, top)
            return [int(word) for word in found.replace("–", "-").split()]

        assert words(0, row.x_mm) == [EXPEDITION_POINTS[space - 1]]
        # The ninth artifact is worth 100, the ninth die nothing.
        assert words(last.x_mm + last.w_mm, width) == [TRACK_POINTS[space - 1]] if space < 9 else [100, 0]


def test_columns_differ_in_symbol_and_neighbours_in_lightness() -> None:
    assert len({LAYOUT.symbols[column] for column in COLUMNS}) == len(COLUMNS)
    greys = [luminance(LAYOUT.colours[column]) for column in EXPEDITIONS]
    for one, other in pairwise(greys):
        # A contrast that WCAG 2.2 counts: (lighter + 0.05) / (darker + 0.05).
        assert (max(one, other) + 0.05) / (min(one, other) + 0.05) > 1.5


def test_no_two_symbols_have_the_same_shape(page: npt.NDArray[np.uint8]) -> None:
    shapes = []
    for column in COLUMNS:
        top = LAYOUT.cell(f"{column}/9")
        head = replace(top, x_mm=top.x_mm + 2.5, w_mm=8.0, y_mm=top.y_mm - 9.7, h_mm=8.0)
        shapes.append(cut(page, head, 0) < 170)
    for i, one in enumerate(shapes):
        for other in shapes[:i]:
            assert np.mean(one != other) > 0.12


def changed(**art: Any) -> Any:
    return replace(LAYOUT, art={**LAYOUT.art, **art})


@pytest.mark.parametrize(
    ("layout", "message"),
    [
        (
            replace(LAYOUT, symbols={**LAYOUT.symbols, "red": "unicorn"}),
            "no symbol 'unicorn'; known: .*volcano",
        ),
        (replace(LAYOUT, colours={}), "colours: nothing for the column 'red'"),
        (
            replace(LAYOUT, fiducials=(replace(LAYOUT.fiducials[0], id=49),)),
            "no pattern for DICT_4X4_50 49; printable tags: .*DICT_4X4_50 0",
        ),
        (
            changed(ladders=[{"side": "left", "x": 1, "w": 7, "points": [1, 2]}]),
            r"art.ladders\[0\].*expected 9",
        ),
        (changed(foreground=[{"text": "?"}]), r"art.foreground\[0\]: cannot be drawn"),
        (
            changed(background=[{"path": "M0 0", "fill": "#000000"}, {"path": "M0 0Q1 1"}]),
            r"art.background\[1\]",
        ),
        (changed(background=[{"path": "M0 0L1"}]), r"L takes numbers by 2, found 1"),
        (changed(band={"head": "tall"}), "cannot be drawn .*tall"),
    ],
)
def test_what_cannot_be_drawn_is_named(layout: Any, message: str) -> None:
    with pytest.raises(LayoutError, match=message):
        draw_pdf(layout)


def test_a_layout_without_art_is_drawn_all_the_same() -> None:
    bare = render_png(replace(LAYOUT, art={}), 4.0)
    grey = cv2.imdecode(np.frombuffer(bare, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert grey.shape == (840, 592)
    assert np.mean(grey < 128) > 0.05


def test_a_layout_may_bring_its_own_symbols() -> None:
    square = [["ink", "M-1 -1L1 -1L1 1L-1 1Z"]]
    own = replace(changed(symbols={"square": square}), symbols={**LAYOUT.symbols, "dice": "square"})
    assert "square" not in SYMBOLS
    assert draw_pdf(own) != draw_pdf(LAYOUT)


def test_without_the_renderer_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    with pytest.raises(PictureError, match=r"pip install 'rollwrite\[pdf\]'"):
        render_png(LAYOUT)


def test_the_picture_has_three_colours_a_pixel(png: bytes) -> None:
    from PIL import Image

    assert Image.open(io.BytesIO(png)).mode == "RGB"
