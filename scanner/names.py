"""The player's name, read by Tesseract from its field; no name rather than a wrong one."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from layouts import CellBox, SheetLayout
from scanner.rectify import RectifiedSheet
from scanner.tesseract import call_tesseract
from scanner.types import ImageU8, Photo
from scanner.warp import NO_MAP, Bend, bent_corners_px

_PX_PER_MM = 8.0
"""Scale at which the field is cut: letters of 5 mm are 40 pixels high, what Tesseract likes."""

_INSET_MM = 1.0
"""How far inside its printed frame the field is cut: beyond the frame's line and what the bend leaves it off."""

_PAPER_MM = 5.0
"""Side of the square in which the brightest is taken as paper: wider than any stroke."""

_LEAST_DARKNESS = 0.25
"""Ink is darker than its paper by this share at least, faint pencil by 0.35; noise and shadows stay below 0.17."""

_LINE_PX, _BORDER_PX = 40, 20
"""Height of the line of writing as Tesseract gets it, and the white around it."""

_LEAST_CONFIDENCE = 95.0
"""Percent from which Tesseract is believed. On 140 synthetic photos with 83 names it was so sure of 16, and right in
all of them; the surest wrong one had 93 (San for Sam)."""


def read_name(photo: Photo, sheet: RectifiedSheet, bend: Bend, layout: SheetLayout) -> str | None:
    """The name in the player's field of a sheet.

    Args:
        photo: the photo.
        sheet: where the sheet lies in it.
        bend: the bend of its paper, which goes on beyond the cells as at their edge.
        layout: the sheet.

    Returns:
        One or more words of letters; None where there is no field, nothing in it, or it is not read for certain.

    Raises:
        TesseractFailed: it is not installed, or does not run.
    """
    box = next((cell for cell in layout.cells if cell.kind == "player"), None)
    line = None if box is None else line_of_ink(_field(photo, sheet, bend, box))
    if line is None:
        return None
    found = call_tesseract(lambda pytesseract: pytesseract.image_to_data(line, config="--psm 7", output_type="dict"))
    words = [(str(text).strip(), float(sure)) for text, sure in zip(found["text"], found["conf"], strict=True)]
    return _name(tuple((text, sure) for text, sure in words if text))


def _name(words: tuple[tuple[str, float], ...]) -> str | None:
    """The words as a name, if each is sure and of letters alone, as names are."""
    certain = all(sure >= _LEAST_CONFIDENCE and text.isalpha() and text[1:] == text[1:].lower() for text, sure in words)
    name = " ".join(text for text, _ in words)
    return name if certain and len(name) > 1 and name[0].isupper() else None


def _field(photo: Photo, sheet: RectifiedSheet, bend: Bend, box: CellBox) -> ImageU8:
    """The inside of the field, flattened: uint8 (h, w, 3), BGR."""
    steps_mm = [
        np.arange(start + _INSET_MM, start + side - _INSET_MM, 1 / _PX_PER_MM)
        for start, side in ((box.x_mm, box.w_mm), (box.y_mm, box.h_mm))
    ]
    x_mm, y_mm = np.meshgrid(*steps_mm)
    # Row by row: OpenCV looks up no more than 32,767 points at once.
    rows = [bent_corners_px(row_mm, sheet, bend) for row_mm in np.dstack([x_mm, y_mm])]
    where_px = np.asarray(rows, dtype=np.float32)
    field = cv2.remap(photo.image, where_px, NO_MAP, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(field, dtype=np.uint8)


def line_of_ink(field: ImageU8) -> ImageU8 | None:
    """The writing in a field, black on white and cut at its ink: uint8 (h, w); None where there is none.

    Args:
        field: uint8 (h, w, 3), BGR, plain paper at `_PX_PER_MM`.
    """
    darkest = field.min(axis=2).astype(np.float32)
    ink = np.clip(1 - darkest / np.maximum(_paper(darkest), 8.0), 0, 1)
    blackest = float(np.partition(ink.ravel(), -60)[-60])
    if blackest < _LEAST_DARKNESS:
        return None
    ink = np.minimum(ink / blackest, 1)
    x, y, width, height = cv2.boundingRect((ink > 0.5).astype(np.uint8))
    size_wh = max(2, round(width * _LINE_PX / height)), _LINE_PX
    line = cv2.resize(ink[y : y + height, x : x + width], size_wh, interpolation=cv2.INTER_AREA)
    return np.pad(255 * (1 - line), _BORDER_PX, constant_values=255).astype(np.uint8)


def _paper(darkest: NDArray[np.float32]) -> NDArray[np.float32]:
    """How bright the paper is at each pixel of a plane (h, w), ink or not."""
    side = round(_PAPER_MM * _PX_PER_MM) | 1
    closed = cv2.morphologyEx(cv2.GaussianBlur(darkest, (0, 0), 1.5), cv2.MORPH_CLOSE, np.ones((side, side), np.uint8))
    return np.asarray(cv2.GaussianBlur(closed, (0, 0), 12), dtype=np.float32)
