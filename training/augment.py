"""Variety at no cost: every time a cell is shown, it is shown a little differently."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
Rng = np.random.Generator

_DISTORTED = 0.6
"""Share of cells that are distorted. The rest stay as sharp as they are: each distortion samples them once more."""

_LINEAR, _SHIFT_PX = 0.045, 0.8
"""Standard deviations of the distortion: entries of the 2 x 2 matrix, pixels of the net's 48. Much less than writers
differ, so that no figure turns into another, but enough that none is seen twice alike."""


def distorted(images: U8, blanks: U8, rng: Rng) -> tuple[U8, U8]:
    """Cells turned, sheared, stretched and moved a little, each together with its print.

    Args:
        images: uint8 (N, S, S, 3), as photographed.
        blanks: uint8 (N, S, S, 3), as printed.
        rng: source of chance.
    """
    count, side = images.shape[:2]
    centre = np.full(2, (side - 1) / 2)
    matrices = np.eye(2) + rng.normal(0, _LINEAR, (count, 2, 2))
    shifts = rng.normal(0, _SHIFT_PX, (count, 2))
    out = images.copy(), blanks.copy()
    for i in np.flatnonzero(rng.random(count) < _DISTORTED):
        matrix = np.column_stack([matrices[i], centre - matrices[i] @ centre + shifts[i]])
        for cells in out:
            cells[i] = cv2.warpAffine(cells[i], matrix, (side, side), borderMode=cv2.BORDER_REPLICATE)
    return out


def jittered(planes: F32, rng: Rng) -> F32:
    """Planes (N, 4, S, S), changed: brightness misjudged by a few percent, all cells moved by a pixel."""
    error = rng.normal(0, 0.025, (len(planes), 1, 1)).astype(np.float32)
    planes[:, 0] += (1 - planes[:, 0]) * error
    down, right = rng.integers(-1, 2, 2)
    return np.ascontiguousarray(np.roll(planes, (int(down), int(right)), (2, 3)))
