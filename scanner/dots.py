"""Marks that are hardly more than a dot: a pen put down by accident, or the way somebody marks.

What tells the two apart is the sheet: whoever marks with dots does so everywhere.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.bare import BORDER_SHARE
from scanner.cells import CELL_PX
from scanner.types import ImageU8, Points

_BORDER_PX = round(CELL_PX * BORDER_SHARE)

_PAPER_SHARE, _INK_DEPTH = 0.9, 0.12
"""Percentile of the brightness that is paper, and how much darker than the print around it ink is, of that."""

_STEP = 2
"""Every second pixel both ways is enough to find the paper."""

_SMALL, _OF_USUAL = 0.4, 0.5
"""A dot spans less than this share of the cell's inside, and of what the sheet's marks usually span. A pen's dot of a
millimetre and a half in a bridge box spans 0.3; crosses, ticks and circles span 0.5 to 1."""

_ENOUGH = 4
"""Fewer marks on a sheet say nothing about how its player marks."""

_NEIGHBOURS = np.ones((3, 3), np.uint8)


def stray_dots(images: ImageU8, blanks: ImageU8, marked: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which marked cells (N,) hold a dot only, on a sheet whose other marks are larger.

    Args:
        images: photographed cells, uint8 (N, CELL_PX, CELL_PX, 3).
        blanks: the same cells of the blank sheet, same shape.
        marked: (N,), which of them are read as marked.
    """
    found = np.zeros(len(images), np.bool_)
    which = np.flatnonzero(marked)
    if len(which) >= _ENOUGH:
        spans = _spans(images[which], blanks[which])
        found[which] = (spans > 0) & (spans < min(_SMALL, _OF_USUAL * float(np.median(spans))))
    return found


def _spans(images: ImageU8, blanks: ImageU8) -> Points:
    """How far the ink in each cell (N,) reaches, as a share of its inside, in the direction of its longer side."""
    inside = (slice(None), slice(_BORDER_PX, -_BORDER_PX), slice(_BORDER_PX, -_BORDER_PX))
    seen = _darkest(images)[inside]
    # Print a pixel aside is no ink: the darkest neighbour counts. All cells lie in one tall picture for that.
    stacked = _darkest(blanks).reshape(-1, CELL_PX)
    printed = cv2.erode(stacked, _NEIGHBOURS).reshape(-1, CELL_PX, CELL_PX)[inside]
    some = seen[:, ::_STEP, ::_STEP].reshape(len(seen), -1)
    bright = int(some.shape[1] * _PAPER_SHARE)
    paper = np.partition(some, bright, axis=1)[:, bright].astype(np.float32)
    ink: NDArray[np.bool_] = seen < paper[:, None, None] * (printed * np.float32(1 / 255) - np.float32(_INK_DEPTH))
    across, along = (_reach(np.asarray(ink.any(axis=axis))) for axis in (1, 2))
    return np.asarray(np.maximum(across, along) / ink.shape[1], dtype=np.float64)


def _darkest(images: ImageU8) -> ImageU8:
    """The darkest channel of cells (N, S, S, 3), uint8 (N, S, S)."""
    return np.minimum(np.minimum(images[..., 0], images[..., 1]), images[..., 2])


def _reach(inked: NDArray[np.bool_]) -> Points:
    """From the first to the last inked pixel of each line (N, P), both counted; 0 where there is none."""
    first, last = inked.argmax(axis=1), inked.shape[1] - inked[:, ::-1].argmax(axis=1)
    return np.asarray(np.where(inked.any(axis=1), last - first, 0), dtype=np.float64)
