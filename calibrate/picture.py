"""What was found, drawn on the flattened sheet: spaces with their numbers, columns with names, looks as letters."""

from __future__ import annotations

import cv2
import numpy as np

from calibrate.pad import Pad
from layouts import CellBox
from scanner.types import ImageU8

_SEEN, _RECKONED = (40, 150, 0), (0, 90, 255)
"""Colours (BGR) of what closes in the photo and of what the rhythm says: green and orange."""

_FONT = cv2.FONT_HERSHEY_SIMPLEX


def draw_pad(pad: Pad) -> ImageU8:
    """The flattened sheet with everything that was found, uint8 (h, w, 3), BGR."""
    canvas = np.asarray(cv2.addWeighted(pad.picture, 0.7, np.full_like(pad.picture, 255), 0.3, 0), dtype=np.uint8)
    letters = {key: look.letter for look, keys in pad.looks if not look.plain for key in keys}
    for cell in pad.layout.cells:
        _draw_cell(canvas, cell, pad, letters.get(cell.key, ""))
    for column in pad.layout.colours:
        _draw_name(canvas, column, pad)
    return canvas


def _draw_cell(canvas: ImageU8, cell: CellBox, pad: Pad, letter: str) -> None:
    scale = pad.px_per_mm
    first, last = (
        tuple(round(value * scale) for value in corner) for corner in (cell.corners_mm[0], cell.corners_mm[2])
    )
    colour = _SEEN if cell.key in pad.seen else _RECKONED
    cv2.rectangle(canvas, first, last, colour, 2)
    size = 0.045 * scale * min(cell.h_mm, 12) / 6
    label = str(cell.space) if cell.space else {"double": "x2", "bridge": "b"}[cell.kind]
    _text(canvas, label, (first[0] + 4, last[1] - 5), size * 1.6, colour)
    mark = cell.special or letter
    if mark:
        _text(
            canvas,
            mark,
            (first[0] + 4, first[1] + round((30 if cell.special else 42) * size)),
            size * (1.1 if cell.special else 1.6),
            (180, 0, 120),
        )


def _draw_name(canvas: ImageU8, column: str, pad: Pad) -> None:
    top = pad.layout.cell(f"{column}/9")
    scale = pad.px_per_mm
    size = 0.0105 * scale * top.w_mm / 1.6
    place = round(top.x_mm * scale), max(14, round((top.y_mm - 0.8) * scale))
    _text(canvas, column, place, size, (0, 0, 0))


def _text(canvas: ImageU8, text: str, place: tuple[int, int], size: float, colour: tuple[int, int, int]) -> None:
    cv2.putText(canvas, text, place, _FONT, size, (255, 255, 255), 5, cv2.LINE_AA)
    cv2.putText(canvas, text, place, _FONT, size, colour, 2, cv2.LINE_AA)
