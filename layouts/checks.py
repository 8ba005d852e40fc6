"""What a layout file must hold before anything draws or reads by it; each refusal names the place."""

from __future__ import annotations

import math
import re
from collections import Counter

from layouts.model import (
    COLUMNS,
    EXPEDITIONS,
    KINDS,
    SPACES,
    SPECIALS,
    CellBox,
    Fiducial,
    LayoutError,
    SheetLayout,
)

BRIDGE_MARKS = ("tick", "circle")
_TOTALS = (*COLUMNS, "bridges", "total")
# The columns in which a cell of each kind may stand.
_COLUMNS_OF: dict[str, tuple[str | None, ...]] = {
    "number": EXPEDITIONS,
    "mark": ("artifacts", "dice"),
    "double": EXPEDITIONS,
    "bridge": COLUMNS,
    "written": _TOTALS,
    "player": (None,),
}
# Those that OpenCV knows by name.
_DICTIONARY = re.compile(
    "DICT_((4X4|5X5|6X6|7X7)_(50|100|250|1000)|ARUCO_ORIGINAL|APRILTAG_(16h5|25h9|36h10|36h11)|ARUCO_MIP_36h12)"
)
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
# Sides of a page that make sense on a table; beyond them somebody mixed up units.
_PAGE_MM = (50.0, 1000.0)


def check_layout(layout: SheetLayout, where: str) -> None:
    """Refuses a layout that cannot be drawn and read.

    Raises:
        LayoutError: naming `where` and the place in the file.
    """
    for name, side in zip(("width", "height"), layout.page_mm, strict=True):
        if not _PAGE_MM[0] <= side <= _PAGE_MM[1]:
            low, high = _PAGE_MM
            raise LayoutError(f"{where}: page.{name}: {side:g} mm, expected {low:g} to {high:g}")
    if layout.bridge_marks not in BRIDGE_MARKS:
        raise LayoutError(f"{where}: bridge_marks: {layout.bridge_marks!r}, expected one of {BRIDGE_MARKS}")
    for number, cell in enumerate(layout.cells):
        _check_cell(cell, layout.page_mm, f"{where}: cells[{number}]")
    _check_counts(layout, where)
    for number, tag in enumerate(layout.fiducials):
        _check_tag(tag, layout.page_mm, f"{where}: fiducials[{number}]")
    if len({(tag.dictionary, tag.id) for tag in layout.fiducials}) < len(layout.fiducials):
        raise LayoutError(f"{where}: fiducials: the same tag twice; each corner needs its own")
    for column, colour in layout.colours.items():
        if not isinstance(colour, str) or not _COLOUR.fullmatch(colour):
            raise LayoutError(f"{where}: colours.{column}: {colour!r}, expected #rrggbb")


def _check_cell(cell: CellBox, page_mm: tuple[float, float], place: str) -> None:
    if cell.kind not in KINDS:
        raise LayoutError(f"{place}: kind: {cell.kind!r}, expected one of {KINDS}")
    columns = _COLUMNS_OF[cell.kind]
    if cell.column not in columns:
        raise LayoutError(f"{place}: column: {cell.column!r}, expected one of {columns} for a {cell.kind}")
    _check_space(cell, place)
    if cell.special is not None and (cell.kind != "number" or cell.special not in SPECIALS):
        raise LayoutError(f"{place}: special: {cell.special!r}, expected one of {SPECIALS}, in a number space")
    _check_inside((cell.x_mm, cell.y_mm, cell.w_mm, cell.h_mm), page_mm, f"{place} ({cell.key})")


def _check_space(cell: CellBox, place: str) -> None:
    if cell.kind not in ("number", "mark"):
        if cell.space is not None:
            raise LayoutError(f"{place}: space: {cell.space!r}, expected null for a {cell.kind}")
        return
    if type(cell.space) is not int or not 1 <= cell.space <= SPACES:
        raise LayoutError(f"{place}: space: {cell.space!r}, expected 1 (bottom) to {SPACES} (top)")


def _check_inside(box: tuple[float, float, float, float], page_mm: tuple[float, float], place: str) -> None:
    x, y, w, h = box
    if not all(math.isfinite(value) for value in box) or w <= 0 or h <= 0:
        raise LayoutError(f"{place}: x, y, w, h: {box}, expected a box with a width and a height")
    if x < 0 or y < 0 or x + w > page_mm[0] or y + h > page_mm[1]:
        raise LayoutError(f"{place}: x, y, w, h: {box} reaches over the page of {page_mm[0]:g} x {page_mm[1]:g} mm")


def _check_counts(layout: SheetLayout, where: str) -> None:
    counts = Counter(cell.key for cell in layout.cells)
    twice = [key for key, count in counts.items() if count > 1]
    if twice:
        raise LayoutError(f"{where}: cells: {twice[0]} is there {counts[twice[0]]} times, expected once")
    for column in COLUMNS:
        for space in range(1, SPACES + 1):
            if f"{column}/{space}" not in counts:
                raise LayoutError(f"{where}: cells: {column}/{space} is missing")


def _check_tag(tag: Fiducial, page_mm: tuple[float, float], place: str) -> None:
    if not _DICTIONARY.fullmatch(tag.dictionary):
        raise LayoutError(f"{place}: dictionary: {tag.dictionary!r}, expected a name like DICT_4X4_50")
    _check_inside((tag.x_mm, tag.y_mm, tag.size_mm, tag.size_mm), page_mm, place)
