"""The numbers read by Tesseract instead of the net, for comparison: all of a sheet's on one page, in one call.

Tesseract reads lines of print. So the print is taken out of every space with ink, what is left is set to one height,
nine to a line; the two figures of a 10 get a place each. Where a figure was read says which space it is from.

Only the numbers are Tesseract's. Whether a space is filled, and every mark, circle and bridge, is read by the net,
which knows what the cell looks like empty: Tesseract would have to be told by a threshold of ours. Both readers
therefore give the same points; they differ in the numbers, and in the violations.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.cells import CELL_PX, MARGIN
from scanner.errors import TesseractFailed
from scanner.nets import NUMBER_VALUES
from scanner.reader import normalise
from scanner.reader import read_cells as read_by_net
from scanner.types import CellReading, Cells, ImageU8, Value

F32 = NDArray[np.float32]
_Result = TypeVar("_Result")

_INSTALL = "install it (apt-get install tesseract-ocr, or see tesseract-ocr.github.io), or read without it"

_CONTENT = slice(round(CELL_PX * MARGIN / (1 + 2 * MARGIN)) - 1, round(CELL_PX * (1 + MARGIN) / (1 + 2 * MARGIN)) + 1)
"""The cell without its margin: ink of neighbours and what is left of printed borders would be read as figures."""

_COLOUR_WEIGHT = 0.8
"""How much ink that only differs in hue from the print counts: red on red is as readable as pencil then."""

_LEAST_DARKNESS = 0.12
"""Ink is stretched to black, but nothing fainter than this: noise would become ink."""

_ZOOM = 3
"""Figures are some 15 pixels high in a cell; three times that, their strokes are joined smoothly."""

_SPECK_SHARE = 0.15
"""Pieces of ink smaller than this share of the largest are dust, or what is left of the print."""

_TALL_SHARE = 0.55
"""A piece of ink at least so high, as a share of the whole, is a figure by itself: two of them make a 10."""

_GLYPH_PX, _PITCH_PX, _LEAD_PX, _PER_LINE = 36, 60, 70, 9
"""Height of figures, and their distances on the page. Tesseract wants some 30 pixels; wider apart, or with lines closer
together, it leaves more of them out (on 12 synthetic sheets 30 % more at twice the distance)."""

_NUMBERS_CONFIG = "--psm 6 -c hocr_char_boxes=1 -c tessedit_char_whitelist=0123456789"
"""One block of text, the place and confidence of each figure. The TSV output has those of words only, and takes a whole
line of figures for one."""

_FIGURE = re.compile(r"x_bboxes (\d+) (\d+) (\d+) (\d+); x_conf ([\d.]+)['\"]>(\d)<")

_STATED = (0.0, 0.3, 0.9, 0.96, 1.0)
_FOUND = (0.4, 0.7, 0.75, 0.88, 0.98)
"""How often a number was right, by Tesseract's confidence in it: on 20 synthetic sheets, 523 numbers."""

_UNREAD = 0.5
"""Probability that ink in which Tesseract saw no number from 1 to 10 is none. It leaves one number in five unread, so
that a person has to look in any case."""


@dataclass(frozen=True, slots=True, eq=False)
class _Sheet:
    """A page of figures: uint8 (h, w), black on white, and for each place on it the space it is from."""

    page: ImageU8
    owners: tuple[int, ...]


def read_cells(cells: Cells, bridge_marks: str = "tick") -> tuple[CellReading, ...]:
    """Reads every cell of a sheet, the numbers in it by Tesseract.

    Args:
        cells: N cells with the same cells of the blank sheet.
        bridge_marks: as for `scanner.reader.read_cells`.

    Returns:
        N readings in the order of the cells. Empty spaces are as likely as the net says; the rest of the probability
        is shared out by Tesseract's confidence, with the same floor for all other values.

    Raises:
        TesseractFailed: it is not installed, or does not run.
    """
    readings = list(read_by_net(cells, bridge_marks))
    numbers = (i for i, box in enumerate(cells.boxes) if box.kind == "number")
    inked = [i for i in numbers if readings[i].value is not None]
    texts = _texts(_ink(cells, inked)) if inked else []
    for i, (text, confidence) in zip(inked, texts, strict=True):
        empty = dict(readings[i].alternatives)[None]
        readings[i] = _reading(text, confidence, empty)
    return tuple(readings)


def require_tesseract() -> None:
    """Makes sure that Tesseract can be called.

    Raises:
        TesseractFailed: it is not installed.
    """
    call_tesseract(lambda pytesseract: pytesseract.get_tesseract_version())


def call_tesseract(call: Callable[[Any], _Result]) -> _Result:
    """What a function of pytesseract returns; the package is imported here, and only here, since that takes long.

    Raises:
        TesseractFailed: it is not installed, or does not run.
    """
    try:
        import pytesseract
    except ImportError as error:
        raise TesseractFailed("tesseract", f"pytesseract is missing ({error})", "pip install pytesseract") from error
    # Its threads are slower than one when the page is small. What the user has set stays.
    os.environ.setdefault("OMP_THREAD_LIMIT", "1")
    try:
        return call(pytesseract)
    except pytesseract.TesseractNotFoundError as error:
        raise TesseractFailed("tesseract", "the program tesseract is not installed", _INSTALL) from error
    except (pytesseract.TesseractError, SystemExit) as error:
        cause = " ".join(str(error).split())[:200]
        raise TesseractFailed("tesseract", f"tesseract fails ({cause})", _INSTALL) from error


def _ink(cells: Cells, which: Sequence[int]) -> F32:
    """What was added to the print of those cells, float32 (n, CELL_PX, CELL_PX), 0 to about 1."""
    rows = list(which)
    planes = normalise(cells.images[rows], cells.blanks[rows], np.ones(len(rows), np.bool_))
    coloured = np.abs(planes[:, 2:]).max(axis=1)
    return np.asarray(np.maximum(planes[:, 0] - planes[:, 1], _COLOUR_WEIGHT * coloured), dtype=np.float32)


def _texts(ink: F32) -> list[tuple[str, float]]:
    """Figures read in each of n cells, and the least confidence among them, 0 to 1."""
    found: list[list[tuple[str, float]]] = [[] for _ in ink]
    sheet = _contact_sheet(ink)
    if sheet.owners:
        hocr = call_tesseract(
            lambda pytesseract: pytesseract.image_to_pdf_or_hocr(sheet.page, extension="hocr", config=_NUMBERS_CONFIG)
        )
        for left, top, right, bottom, percent, figure in _FIGURE.findall(hocr.decode("utf-8")):
            place = _place_at((int(left) + int(right)) / 2, (int(top) + int(bottom)) / 2)
            if place is not None and place < len(sheet.owners):
                found[sheet.owners[place]].append((figure, float(percent) / 100))
    return [
        ("".join(figure for figure, _ in figures), min((sure for _, sure in figures), default=0.0)) for figures in found
    ]


def _contact_sheet(ink: F32) -> _Sheet:
    """All figures in n cells on one page, white between them."""
    glyphs = [(owner, glyph) for owner, cell in enumerate(ink) for glyph in _glyphs(cell)]
    lines = -(-len(glyphs) // _PER_LINE)
    page = np.full(((lines + 1) * _LEAD_PX, (_PER_LINE + 1) * _PITCH_PX), 255, np.uint8)
    for place, (_, glyph) in enumerate(glyphs):
        line, column = divmod(place, _PER_LINE)
        scale = min(_GLYPH_PX / glyph.shape[0], 0.8 * _PITCH_PX / glyph.shape[1])
        height, width = (max(2, round(side * scale)) for side in glyph.shape)
        fitted = cv2.resize(glyph, (width, height), interpolation=cv2.INTER_AREA)
        y = round(_LEAD_PX * (line + 1) - height / 2)
        x = round(_PITCH_PX * (column + 1) - width / 2)
        page[y : y + height, x : x + width] = 255 * (1 - fitted)
    return _Sheet(page, tuple(owner for owner, _ in glyphs))


def _place_at(x_px: float, y_px: float) -> int | None:
    """The place on the page at a pixel; None in its margins."""
    column, line = int(x_px / _PITCH_PX - 0.5), int(y_px / _LEAD_PX - 0.5)
    return line * _PER_LINE + column if 0 <= column < _PER_LINE else None


def _glyphs(ink: F32) -> list[F32]:
    """The figures in a cell, each float32 (h, w) from 0 to 1 and cut at its ink: two where two stand side by side."""
    inside = ink[_CONTENT, _CONTENT]
    inside = inside - np.median(inside)
    blackest = np.partition(inside.ravel(), -12)[-12]
    dark = np.clip(inside / max(float(blackest), _LEAST_DARKNESS), 0, 1).astype(np.float32)
    large = np.asarray(cv2.resize(dark, None, fx=_ZOOM, fy=_ZOOM, interpolation=cv2.INTER_CUBIC), dtype=np.float32)
    # Thin strokes a little bolder, like print.
    bold = np.clip(cv2.GaussianBlur(large, (0, 0), 1) * 1.5, 0, 1).astype(np.float32)
    count, labels, boxes, _ = cv2.connectedComponentsWithStats((bold > 0.6).astype(np.uint8))
    areas = boxes[:, cv2.CC_STAT_AREA]
    kept = [i for i in range(1, count) if areas[i] >= _SPECK_SHARE * areas[1:].max()]
    if not kept:
        return []
    whole = _cut(bold, np.isin(labels, kept))
    tall = [i for i in kept if boxes[i, cv2.CC_STAT_HEIGHT] >= _TALL_SHARE * whole.shape[0]]
    if len(tall) != 2:
        return [whole]
    tall.sort(key=lambda i: boxes[i, cv2.CC_STAT_LEFT] + boxes[i, cv2.CC_STAT_WIDTH] / 2)
    return [_cut(bold, labels == i) for i in tall]


def _cut(ink: F32, mask: NDArray[np.bool_]) -> F32:
    """The ink under a mask and around its edge, cut at the mask."""
    x, y, width, height = cv2.boundingRect(mask.astype(np.uint8))
    wider = cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8))
    return np.asarray((ink * wider)[y : y + height, x : x + width], dtype=np.float32)


def _reading(text: str, confidence: float, empty: float) -> CellReading:
    """A reading of ink in which Tesseract saw those figures, and the net an empty space with that probability."""
    known = text.isdigit() and not text.startswith("0") and int(text) in NUMBER_VALUES
    seen: Value = int(text) if known else "?"
    sure = float(np.interp(confidence, _STATED, _FOUND)) if known else _UNREAD
    floor = (1 - sure) / (len(NUMBER_VALUES) - 2)
    chances = {value: (1 - empty) * (sure if value == seen else floor) for value in NUMBER_VALUES if value is not None}
    ranked = tuple(sorted([(None, empty), *chances.items()], key=lambda item: -item[1]))
    return CellReading(ranked[0][0], ranked[0][1], ranked)
