"""Smooth noise, and squares of it blended between colours: what table tops, cloth and skin are made of."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

ImageU8 = NDArray[np.uint8]
Field = NDArray[np.float32]
Colour = tuple[float, float, float]

TABLE_PX = 1280
TABLE_MM = 400.0  # the tile is mirrored beyond


def noise(rng: np.random.Generator, cells_wh: tuple[int, int], side: int = TABLE_PX) -> Field:
    """Smooth noise with so many cells across and down, about -1 to 1, float32 (side, side)."""
    small = rng.uniform(-1, 1, (cells_wh[1], cells_wh[0])).astype(np.float32)
    return np.asarray(cv2.resize(small, (side, side), interpolation=cv2.INTER_CUBIC), dtype=np.float32)


def fractal(rng: np.random.Generator, cells_wh: tuple[int, int], octaves: int, side: int = TABLE_PX) -> Field:
    """Noise with finer noise on it, so many times."""
    total = np.zeros((side, side), dtype=np.float32)
    for k in range(octaves):
        total += noise(rng, (cells_wh[0] << k, cells_wh[1] << k), side) * np.float32(0.55**k)
    return total


def blend(share: Field, first: Colour, second: Colour) -> NDArray[np.float32]:
    """From the first colour where the share is 0 to the second where it is 1, float32 (H, W, 3)."""
    weight = np.clip(share, 0, 1)[..., None]
    a, b = np.array(first, dtype=np.float32), np.array(second, dtype=np.float32)
    return np.asarray(a + weight * (b - a), dtype=np.float32)


def to_image(colour: NDArray[np.float32]) -> ImageU8:
    """As uint8, clipped."""
    return np.asarray(np.clip(colour, 0, 255), dtype=np.uint8)


def grid_mm(side: int = TABLE_PX) -> tuple[Field, Field]:
    """Millimetres across and down of a table top's pixels."""
    y, x = np.mgrid[0:side, 0:side].astype(np.float32)
    return x / np.float32(side / TABLE_MM), y / np.float32(side / TABLE_MM)
