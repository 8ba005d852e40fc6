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

F32 = NDArray[np.float32]

BORDER_SHARE = 0.19
"""What is left out on each side of a cell cut with its margin: the margin and the box's border, where no mark is made
that does not reach inside."""

_FRINGE_PX = 2
"""Pixels at the edge of what is compared that blur and neighbourhood do not see in full."""

_EVEN = np.full((1, 3), 1 / 3, np.float32)
"""Weights of blue, green and red: even, since green and yellow ink are paler in weights made for eyes."""

_STEP_INSIDE, _LIT_INSIDE = 4, 0.6
"""Every so many pixels of the inside give a share of light, photo / print, and this percentile of them is taken as the
light there: figures cover less than 40 % of the inside."""

_STEP_ALL, _LIT_ALL = 6, 0.72
"""The same for the cell with its border and margin, of which a filled box covers half. Higher percentiles meet the
bright fringes of misplaced print."""

_FILLED_EVENLY = 0.85
"""An inside that is darker than the whole cell by this factor is filled with ink, however evenly. Of bare cells a
thousandth of those on normal photos and one in a hundred on hard ones are darker, in shadows."""

_DARKEST_PRINT = 32
"""Print darker than this (of 255) is taken as this: dividing by less multiplies noise."""

_SATURATED = 245.0
"""Paper as bright as this is overexposed: ink is washed out there, and so is noise."""

_DEPTH, _DEPTH_SATURATED = 0.045, 0.022
"""Darkness beyond the print's, as a share of the paper's brightness, below which a cell is bare. The faintest of 4,838
numbers and marks on development photos, pencil and hard photos among them, has 0.095, in overexposed places 0.055; of
the empty cells nine in ten of normal photos and eight in ten of hard ones stay below."""

_EDGE_SHARE, _DEPTH_AROUND = 0.06, 0.07
"""Small boxes and circles are also claimed by a line around them. For those the cell is compared with its margin, up to
this share of its side, where only darker pixels count; twice as dark as this were the palest of 11 circles that leave
the inside untouched, drawn with pens and pencils in training photos."""

_NEIGHBOURS = np.ones((3, 3), np.uint8)


def bare(images: ImageU8, blanks: ImageU8, encircled: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
    """Which cells show nothing but their print.

    Args:
        images: photographed cells, uint8 (N, S, S, 3), BGR, cut with a fifth of their box as margin.
        blanks: the same cells of the blank sheet, same shape.
        encircled: bool (N,), cells where ink around the box counts too; None for no cell.

    Returns:
        bool (N,).
    """
    if not len(images):
        return np.zeros(0, np.bool_)
    around = _light_of_all(images, blanks)
    light, darker, brighter = _beyond_print(images, blanks, BORDER_SHARE)
    limit = np.where(light > _SATURATED, _DEPTH_SATURATED, _DEPTH)
    empty = (np.maximum(darker, brighter) < limit) & (light > _FILLED_EVENLY * around)
    wide = np.flatnonzero(empty & encircled) if encircled is not None else np.zeros(0, np.intp)
    if len(wide):
        _, darker, _ = _beyond_print(images[wide], blanks[wide], _EDGE_SHARE, around[wide])
        empty[wide] = darker < _DEPTH_AROUND
    return np.asarray(empty, dtype=np.bool_)


def _beyond_print(images: ImageU8, blanks: ImageU8, border: float, light: F32 | None = None) -> tuple[F32, F32, F32]:
    """Within a border: the light in grey levels, and by how much cells are darker and brighter than print allows.

    All float32 (N,); the last two as shares of the paper's brightness.
    """
    first = round(images.shape[1] * border) - _FRINGE_PX
    photo, printed = (_grey(cells[:, first:-first, first:-first]) for cells in (images, blanks))
    if light is None:
        light = _light(photo, printed, _STEP_INSIDE, _LIT_INSIDE)
    # The cells lie in one tall picture: what mixes at their seams is cut off with the fringe.
    soft_print = cv2.GaussianBlur(_stacked(printed), (3, 3), 0)
    darkest = _without_fringe(cv2.erode(soft_print, _NEIGHBOURS), photo.shape)
    lightest = _without_fringe(cv2.dilate(soft_print, _NEIGHBOURS), photo.shape)
    seen = _without_fringe(cv2.GaussianBlur(_stacked(photo), (3, 3), 0), photo.shape) * (255 / light)[:, None, None]
    return light, (darkest - seen).max(axis=(1, 2)) / 255, (seen - lightest).max(axis=(1, 2)) / 255


def _light_of_all(images: ImageU8, blanks: ImageU8) -> F32:
    """The light from a few pixels of the whole cell, float32 (N,)."""
    coarse = slice(_STEP_ALL // 2, None, _STEP_ALL)
    return _light(_grey(images[:, coarse, coarse]), _grey(blanks[:, coarse, coarse]), 1, _LIT_ALL)


def _grey(images: ImageU8) -> ImageU8:
    part = np.ascontiguousarray(images)
    grey = cv2.transform(part.reshape(-1, part.shape[2], 3), _EVEN)
    return np.asarray(grey.reshape(part.shape[:3]), dtype=np.uint8)


def _light(photo: ImageU8, printed: ImageU8, step: int, share: float) -> F32:
    """Brightness of each cell's paper, float32 (N,), grey levels: a percentile over every so many pixels."""
    some = (slice(None), slice(step // 2, None, step), slice(step // 2, None, step))
    levels = (photo[some] * (np.float32(255) / np.maximum(printed[some], _DARKEST_PRINT))).reshape(len(photo), -1)
    middle = int(levels.shape[1] * share)
    levels.partition(middle, axis=1)
    return np.maximum(levels[:, middle], np.float32(4.0))


def _stacked(cells: ImageU8) -> ImageU8:
    return cells.reshape(-1, cells.shape[2])


def _without_fringe(stacked: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    return stacked.reshape(shape)[:, _FRINGE_PX:-_FRINGE_PX, _FRINGE_PX:-_FRINGE_PX]
