"""Which cells show their print and nothing else, told without the net.

A cell is empty beyond doubt if no pixel of its inside is darker or brighter than every pixel of the print around the
same place. So print that was cut a pixel aside, or printed softer, does not look like ink, while the thinnest pencil
stroke, on white or on a printed picture, does.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.types import ImageU8

_BORDER_SHARE = 0.19
"""What is left out on each side of a cell cut with its margin: the margin and the box's border, where no mark is made
that does not reach inside."""

_FRINGE_PX = 2
"""Pixels at the edge of what is compared that blur and neighbourhood do not see in full."""

_EVEN = np.full((1, 3), 1 / 3, np.float32)
"""Weights of blue, green and red: even, since green and yellow ink are paler in weights made for eyes."""

_GAIN_STEP = 4
_LIT_SHARE = 0.6
"""Percentile of photo / print among every fourth pixel that is taken as the light: ink covers less than 40 % of the
inside; where a box is filled, its paper is then brighter than the light allows, which is no bare cell either."""

_DARKEST_PRINT = 32
"""Print darker than this (of 255) is taken as this: dividing by less multiplies noise."""

_SATURATED = 245.0
"""Paper as bright as this is overexposed: ink is washed out there, and so is noise."""

_DEPTH, _DEPTH_SATURATED = 0.045, 0.022
"""Darkness beyond the print's, as a share of the paper's brightness, below which a cell is bare. The faintest of 4,838
numbers and marks on development photos, pencil and hard photos among them, has 0.095, in overexposed places 0.055; of
the empty cells nine in ten of normal photos and eight in ten of hard ones stay below."""

_NEIGHBOURS = np.ones((3, 3), np.uint8)


def bare(images: ImageU8, blanks: ImageU8) -> NDArray[np.bool_]:
    """Which cells show nothing but their print.

    Args:
        images: photographed cells, uint8 (N, S, S, 3), BGR, cut with a fifth of their box as margin.
        blanks: the same cells of the blank sheet, same shape.

    Returns:
        bool (N,).
    """
    if not len(images):
        return np.zeros(0, np.bool_)
    photo, printed = _inside(images), _inside(blanks)
    gain = _gain(photo, printed)
    # The cells lie in one tall picture: what mixes at their seams is cut off with the fringe.
    soft_print = cv2.GaussianBlur(_stacked(printed), (3, 3), 0)
    darkest = _without_fringe(cv2.erode(soft_print, _NEIGHBOURS), photo.shape)
    lightest = _without_fringe(cv2.dilate(soft_print, _NEIGHBOURS), photo.shape)
    seen = _without_fringe(cv2.GaussianBlur(_stacked(photo), (3, 3), 0), photo.shape) * (255 / gain)[:, None, None]
    depth = np.maximum((darkest - seen).max(axis=(1, 2)), (seen - lightest).max(axis=(1, 2))) / 255
    return np.asarray(depth < np.where(gain > _SATURATED, _DEPTH_SATURATED, _DEPTH), dtype=np.bool_)


def _inside(images: ImageU8) -> ImageU8:
    """The insides as grey pictures, uint8 (N, s, s)."""
    first = round(images.shape[1] * _BORDER_SHARE) - _FRINGE_PX
    part = np.ascontiguousarray(images[:, first:-first, first:-first])
    grey = cv2.transform(part.reshape(-1, part.shape[2], 3), _EVEN)
    return np.asarray(grey.reshape(part.shape[:3]), dtype=np.uint8)


def _gain(photo: ImageU8, printed: ImageU8) -> NDArray[np.float32]:
    """Brightness of each cell's paper, float32 (N,), grey levels."""
    some = (slice(None), slice(_GAIN_STEP // 2, None, _GAIN_STEP), slice(_GAIN_STEP // 2, None, _GAIN_STEP))
    levels = (photo[some] * (np.float32(255) / np.maximum(printed[some], _DARKEST_PRINT))).reshape(len(photo), -1)
    middle = int(levels.shape[1] * _LIT_SHARE)
    levels.partition(middle, axis=1)
    return np.maximum(levels[:, middle], np.float32(4.0))


def _stacked(cells: ImageU8) -> ImageU8:
    return cells.reshape(-1, cells.shape[2])


def _without_fringe(stacked: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    return stacked.reshape(shape)[:, _FRINGE_PX:-_FRINGE_PX, _FRINGE_PX:-_FRINGE_PX]
