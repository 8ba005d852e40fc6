"""A sheet's handwriting as a short text: the same for a photo stored anew, another one for every other sheet.

A hash of the whole photo would not do: blank forms from one pad, laid on one scanner, look alike to it whatever is
written on them. So only what differs from the blank print is looked at, cell by cell.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from batch.pictures import PX_PER_MM
from layouts import CellBox, SheetLayout
from scanner.blanks import blank_page_at
from scanner.types import ImageU8

SIDE = 8
"""Each cell becomes 8 x 8 fields, 64 bits: a stroke is about one field wide."""

_INSET = 0.08
"""Share of a cell's side left out all around: its printed rim moves by a pixel when a photo is stored anew."""


def fingerprint(flat: ImageU8, layout: SheetLayout) -> str:
    """The ink in every cell that is read, 64 bits each in the order of the layout, as hexadecimal digits.

    A bit is set where a field is darker, against the blank print, than the cell is on the whole.

    Args:
        flat: the sheet as `flat_sheet` gives it.
        layout: which sheet it is.
    """
    seen, printed = (_shades(page, layout.read_cells) for page in (flat, blank_page_at(layout, PX_PER_MM)))
    shades = seen / np.maximum(printed, 1)
    bits = shades < shades.mean(axis=(1, 2), keepdims=True)
    return np.packbits(bits.reshape(len(bits), -1), axis=1).tobytes().hex()


def differing(one: str, other: str, cells: NDArray[np.bool_]) -> float:
    """The share of bits that differ between two fingerprints, in some of the cells; 1 where they cannot be compared.

    Args:
        one: a fingerprint.
        other: another one.
        cells: (N,), which cells of the layout to look at.
    """
    if len(one) != len(other) or len(one) != len(cells) * SIDE * SIDE // 4 or not cells.any():
        return 1.0
    bits = [
        np.unpackbits(np.frombuffer(bytes.fromhex(text), np.uint8)).reshape(len(cells), -1) for text in (one, other)
    ]
    return float((bits[0][cells] != bits[1][cells]).mean())


def _shades(flat: ImageU8, boxes: tuple[CellBox, ...]) -> NDArray[np.float64]:
    """(N, SIDE, SIDE), how bright each field of each cell is on the whole, 0 to 255."""
    grey = cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY)
    fields = []
    for box in boxes:
        x, y = box.x_mm + _INSET * box.w_mm, box.y_mm + _INSET * box.h_mm
        right, bottom = box.x_mm + (1 - _INSET) * box.w_mm, box.y_mm + (1 - _INSET) * box.h_mm
        left, top, right, bottom = (round(side * PX_PER_MM) for side in (x, y, right, bottom))
        fields.append(cv2.resize(grey[top:bottom, left:right], (SIDE, SIDE), interpolation=cv2.INTER_AREA))
    return np.asarray(fields, dtype=np.float64)
