"""The eight ways in which a picture can be stored, numbered as EXIF and TIFF do (tag 274)."""

from __future__ import annotations

import cv2
import numpy as np

from scanner.types import ImageU8

Direction = tuple[int, int]

# Where the stored picture's right and its downwards point in the upright picture: x to the right, y down.
_AXES: dict[int, tuple[Direction, Direction]] = {
    1: ((1, 0), (0, 1)),
    2: ((-1, 0), (0, 1)),
    3: ((-1, 0), (0, -1)),
    4: ((1, 0), (0, -1)),
    5: ((0, 1), (1, 0)),
    6: ((0, 1), (-1, 0)),
    7: ((0, -1), (-1, 0)),
    8: ((0, -1), (1, 0)),
}
_NUMBERS = {axes: number for number, axes in _AXES.items()}


def orientation_of(right: Direction, down: Direction) -> int:
    """Number of the orientation whose stored right and downwards point there in the upright picture.

    Raises:
        KeyError: the two are not along the sides of the picture, or not at a right angle.
    """
    return _NUMBERS[right, down]


def followed_by(first: int, second: int) -> int:
    """The orientation that turns a stored picture as both do, one after the other."""
    return orientation_of(*(_moved(axis, second) for axis in _AXES[first]))


def swaps_sides(orientation: int) -> bool:
    """Whether the upright picture's width is the stored one's height."""
    return orientation >= 5


def turned(image: ImageU8, orientation: int) -> ImageU8:
    """The upright picture (H, W, 3) of a stored one; the same array if that is upright."""
    if orientation == 1:
        return image
    if swaps_sides(orientation):
        image = np.asarray(cv2.transpose(image), dtype=np.uint8)
        orientation = {5: 1, 6: 2, 7: 3, 8: 4}[orientation]
    flips = {2: 1, 3: -1, 4: 0}
    return np.asarray(cv2.flip(image, flips[orientation]), dtype=np.uint8) if orientation in flips else image


def _moved(axis: Direction, orientation: int) -> Direction:
    (right_x, right_y), (down_x, down_y) = _AXES[orientation]
    return axis[0] * right_x + axis[1] * down_x, axis[0] * right_y + axis[1] * down_y
