"""Pens of the training data, and ink as a layer of light let through.

A layer is a uint8 picture (144, 144, 3) like a printed cell's, 255 where there is no ink: paper times layer is the
written paper. These pens vary more than any real set: the net must read what no pen of ours has written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from training.printed import CANVAS_PX

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
Rng = np.random.Generator
Polylines = Sequence[NDArray[np.floating]]

_TILE_PX = 512


@dataclass(frozen=True, slots=True)
class TrainingPen:
    """A writing tool: `width_mm`, light let through per channel (BGR), how densely it covers, how grainy it is."""

    width_mm: float
    colour_bgr: tuple[float, float, float]
    density: float
    grain: float


def draw_pen(rng: Rng) -> TrainingPen:
    """A pen: biro, gel, felt or pencil, of any likely colour."""
    kind = rng.choice(["biro", "gel", "felt", "pencil", "faint"], p=[0.42, 0.15, 0.16, 0.23, 0.04])
    if kind in ("pencil", "faint"):
        grey = rng.uniform(0.2, 0.5)
        tint = rng.normal(0, 0.02, 2)
        density = rng.uniform(0.25, 0.6) if kind == "faint" else rng.uniform(0.55, 0.95)
        colour = (float(grey + tint[0]), float(grey), float(grey + tint[1]))
        return TrainingPen(rng.uniform(0.3, 0.9), colour, density, rng.uniform(0.2, 0.9))
    width = {"biro": rng.uniform(0.25, 0.55), "gel": rng.uniform(0.35, 0.7), "felt": rng.uniform(0.65, 1.6)}[str(kind)]
    density = rng.uniform(0.6, 1.0) if kind == "biro" else rng.uniform(0.82, 1.0)
    return TrainingPen(width, _ink_colour(rng), density, rng.uniform(0, 0.3))


def _ink_colour(rng: Rng) -> tuple[float, float, float]:
    bases = np.array(
        [
            *[(0.6, 0.28, 0.16), (0.72, 0.42, 0.25), (0.15, 0.13, 0.13), (0.25, 0.2, 0.2), (0.25, 0.18, 0.8)],
            *[(0.3, 0.5, 0.15), (0.6, 0.2, 0.5), (0.7, 0.6, 0.2), (0.2, 0.5, 0.9)],
        ]
    )
    base = bases[rng.choice(len(bases), p=[0.24, 0.12, 0.22, 0.1, 0.12, 0.09, 0.04, 0.04, 0.03])]
    b, g, r = np.clip(base * rng.uniform(0.75, 1.2) + rng.normal(0, 0.04, 3), 0.03, 0.95)
    return float(b), float(g), float(r)


def empty_layer() -> U8:
    """No ink."""
    return np.full((CANVAS_PX, CANVAS_PX, 3), 255, np.uint8)


def add_ink(layer: U8, cover: U8, pen: TrainingPen, rng: Rng) -> None:
    """Lays a cover (uint8 (144, 144), 255 = fully inked) onto a layer, in place."""
    left, top, width, height = cv2.boundingRect(cover)
    if not width:
        return
    part = (slice(top, top + height), slice(left, left + width))
    strength = cover[part].astype(np.float32) * (pen.density / 255)
    if pen.grain > 0.05:
        strength *= 1 - pen.grain * np.clip(
            0.35 + 0.45 * grain_patch(rng, (height, width), int(rng.integers(1, 3))), 0, 0.9
        )
    if rng.random() < 0.4:
        slow = rng.uniform(1 - rng.uniform(0, 0.5), 1.0, (4, 4)).astype(np.float32)
        strength *= cv2.resize(slow, (width, height), interpolation=cv2.INTER_LINEAR)
    through = 1 - strength[..., None] * (1 - np.array(pen.colour_bgr, np.float32))
    layer[part] = (layer[part] * through).astype(np.uint8)


def stroke_cover(polylines: Polylines, width_px: float, rng: Rng, pressure: float = 0.25) -> U8:
    """Polylines in canvas pixels drawn with a round pen whose width follows a slowly changing pressure."""
    cover = np.zeros((CANVAS_PX, CANVAS_PX), np.uint8)
    for line in polylines:
        points = np.round(np.asarray(line) * 16).astype(np.int32)
        pieces = max(1, min(4, len(points) // 6)) if pressure > 0 else 1
        bounds = np.linspace(0, len(points) - 1, pieces + 1).astype(int)
        for start, end in pairwise(bounds):
            # Whole pixels only: rounded by chance, so that widths between them are drawn on average.
            width = max(1, int(width_px * (1 + pressure * rng.normal(0, 0.5)) + rng.random()))
            cv2.polylines(cover, [points[start : end + 1]], False, 255, width, cv2.LINE_AA, 4)
    return cover


@cache
def _grain_tile() -> F32:
    noise = np.random.default_rng(5).normal(0, 1, (_TILE_PX, _TILE_PX)).astype(np.float32)
    soft = cv2.GaussianBlur(noise, (0, 0), 0.9)
    return (soft / soft.std()).astype(np.float32)


def grain_patch(rng: Rng, shape: tuple[int, int], size: int = 1) -> F32:
    """Paper grain, float32 of that shape, mean 0, deviation 1; `size` 1 is fine, 2 coarse."""
    height, width = (side // size + 1 for side in shape)
    y, x = int(rng.integers(0, _TILE_PX - height)), int(rng.integers(0, _TILE_PX - width))
    patch = _grain_tile()[y : y + height, x : x + width]
    if size == 1:
        return patch[: shape[0], : shape[1]]
    return cv2.resize(patch, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR)
