"""Cells that are never shown twice: figures from a bank laid over empty cells, and the sources' own pictures.

Shards are slow to draw and shown again and again. These cells are made while the net learns, in a twentieth of the time
that it takes to learn from them: thousands of covers, each bent anew, times thousands of empty cells with all that
camera and pipeline did to them. What lies in the space next to it is there too, as it comes over the border.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.reader import CELL_PX
from training.ink import draw_pen
from training.labels import EMPTY, SCRAWL, VALUE_SHARES
from training.printed import BOX_PX, CANVAS_PX
from training.scribe import Place, Scribe, usual_place

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
I64 = NDArray[np.int64]
Rng = np.random.Generator

_SEEN_PX = round(BOX_PX * 1.4)
"""Side of what a cell shows of the canvas: its box and a fifth of it on each side."""

_OVERFLOWS = 0.1
"""Share of covers that come over from the next space and leave this one empty."""

_DEEPEST = 0.36
"""How far such ink reaches into the box, in box sides: less than the smallest figure that is meant for it."""

_PENS, _FIELDS = 4000, 600
"""How many pens and smooth distortions are drawn once, to be chosen from."""

_BEND_PX, _LINEAR, _SHIFT_PX = 0.55, 0.1, 1.8
"""Standard deviations of distortions, in pixels of the net's 48, and of the entries of a cover's 2 x 2 matrix."""

_BARE_LINEAR, _BARE_SHIFT_PX = 0.05, 0.8
"""The same for bare pictures, which have been moved before."""

_SHARP, _BLUR_PX = 0.35, (0.25, 0.85)
"""Share of covers that stay sharp, and the blur of the others."""


@dataclass(frozen=True, slots=True, eq=False)
class Bank:
    """Covers of numbers, as wide as a cell is seen.

    Attributes:
        covers: uint8 (N, 48, 48), 255 = fully inked.
        labels: int64 (N,), labels of the number head.
    """

    covers: U8
    labels: I64


def draw_bank(scribe: Scribe, count: int, rng: Rng) -> Bank:
    """Covers of numbers in all hands and sources, and of such that come over from the next space.

    Args:
        scribe: writes them.
        count: how many.
        rng: source of chance.
    """
    covers, labels = np.empty((count, CELL_PX, CELL_PX), np.uint8), np.empty(count, np.int64)
    for i in range(count):
        overflows = rng.random() < _OVERFLOWS
        value = int(rng.choice(11, p=VALUE_SHARES))
        width = BOX_PX * draw_pen(rng).width_mm / rng.uniform(9, 15)
        cover = _overflow(scribe, value or 10, width, rng) if overflows else _number(scribe, value, width, rng)
        first = (CANVAS_PX - _SEEN_PX) // 2
        seen = cover[first : first + _SEEN_PX, first : first + _SEEN_PX]
        covers[i] = cv2.resize(seen, (CELL_PX, CELL_PX), interpolation=cv2.INTER_AREA)
        labels[i] = EMPTY if overflows else value or SCRAWL
    return Bank(covers, labels)


def _number(scribe: Scribe, value: int, width: float, rng: Rng) -> U8:
    return scribe.text(str(value), usual_place(rng), width, rng)


def _overflow(scribe: Scribe, value: int, width: float, rng: Rng) -> U8:
    """A number of the next space, moved so that its end lies within this box; whole strokes, not cut at the border."""
    place = usual_place(rng)
    height = BOX_PX * rng.uniform(0.8, 1.5)
    side = np.array([(0, -1), (0, -1), (0, 1), (0, 1), (-1, 0), (1, 0)])[int(rng.integers(6))]
    sideways = rng.normal(0, 0.12, 2) * BOX_PX * (side == 0)
    middle = CANVAS_PX / 2 + side * BOX_PX * rng.uniform(0.9, 1.15) + sideways
    cover = scribe.text(
        str(value), Place(*middle, height, BOX_PX * 1.1, place.aspect, place.slant, place.turn), width, rng
    )
    return _shallow(cover, side, BOX_PX * _DEEPEST * np.sqrt(rng.random()))


def _shallow(cover: U8, side: NDArray[np.int64], reach_px: float) -> U8:
    """The cover, moved outwards until it reaches no further into the box than that."""
    inked = np.flatnonzero((cover > 60).any(axis=1 if side[1] else 0))
    if not len(inked):
        return cover
    low, high = (CANVAS_PX - BOX_PX) / 2, (CANVAS_PX + BOX_PX) / 2
    inwards = side.sum() < 0
    excess = inked[-1] - low - reach_px if inwards else high - reach_px - inked[0]
    shift = side * max(float(excess), 0.0)
    return np.asarray(cv2.warpAffine(cover, np.column_stack([np.eye(2), shift]), (CANVAS_PX, CANVAS_PX)), np.uint8)


class Overwriter:
    """Writes the numbers of a bank into empty cells.

    Args:
        bank: the numbers.
        rng: source of chance.
    """

    def __init__(self, bank: Bank, rng: Rng) -> None:
        self._bank = bank
        self._rng = rng
        pens = [draw_pen(rng) for _ in range(_PENS)]
        self._taken = 1 - np.array([pen.colour_bgr for pen in pens], np.float32)
        self._density = np.array([pen.density for pen in pens], np.float32)
        self._grain = np.array([pen.grain for pen in pens], np.float32)
        self.bends = bends(rng)

    def written(self, images: U8, index: I64) -> tuple[U8, I64]:
        """Empty cells with ink.

        Args:
            images: uint8 (N, 48, 48, 3), BGR, empty cells as photographed.
            index: (N,), which covers of the bank.

        Returns:
            The cells, written in, and the labels of the number head.
        """
        rng, count = self._rng, len(index)
        pen = rng.integers(_PENS, size=count)
        strength = self._moved(self._bank.covers[index]) * (self._density[pen] / 255)[:, None, None]
        rough = rng.random((count, CELL_PX // 2, CELL_PX // 2), np.float32).repeat(2, 1).repeat(2, 2)
        strength *= 1 - (0.8 * self._grain[pen])[:, None, None] * rough
        through = 1 - strength[..., None] * self._taken[pen][:, None, None]
        return (images * through).astype(np.uint8), self._bank.labels[index]

    def _moved(self, covers: U8) -> U8:
        """The covers turned, stretched, bent, and blurred as by a lens."""
        rng = self._rng
        out = np.empty_like(covers)
        sharp = rng.random(len(covers)) < _SHARP
        for i, cover in enumerate(covers):
            moved = bent(cover, self.bends[int(rng.integers(_FIELDS))], _LINEAR, _SHIFT_PX, rng, 0)
            out[i] = moved if sharp[i] else cv2.GaussianBlur(moved, (0, 0), rng.uniform(*_BLUR_PX))
        return out


def bends(rng: Rng) -> F32:
    """Smooth distortions, float32 (`_FIELDS`, 2, 48, 48), in pixels."""
    coarse = rng.normal(0, _BEND_PX, (_FIELDS, 2, 5, 5)).astype(np.float32)
    fields = [[cv2.resize(part, (CELL_PX, CELL_PX), interpolation=cv2.INTER_CUBIC) for part in pair] for pair in coarse]
    return np.array(fields, np.float32)


_ROWS, _COLUMNS = np.mgrid[0:CELL_PX, 0:CELL_PX].astype(np.float32)


def bent(image: U8, field: F32, linear: float, shift_px: float, rng: Rng, ground: int) -> U8:
    """A picture of the net's size distorted by a field and by chance, with a ground beyond its edges."""
    a, b, c, d = np.eye(2).ravel() + rng.normal(0, linear, 4)
    x, y = rng.normal(0, shift_px, 2) + (CELL_PX - 1) / 2
    right, down = _COLUMNS - np.float32((CELL_PX - 1) / 2), _ROWS - np.float32((CELL_PX - 1) / 2)
    map_x = np.float32(a) * right + np.float32(b) * down + np.float32(x) + field[0]
    map_y = np.float32(c) * right + np.float32(d) * down + np.float32(y) + field[1]
    return np.asarray(cv2.remap(image, map_x, map_y, cv2.INTER_LINEAR, borderValue=(ground,) * 3), np.uint8)


def freely_bent(image: U8, fields: F32, rng: Rng) -> U8:
    """A bare picture of the net's size, every second one distorted; its upper edge is the ground beyond its edges."""
    if rng.random() < 0.5:
        return image
    field = fields[int(rng.integers(len(fields)))]
    return bent(image, field, _BARE_LINEAR, _BARE_SHIFT_PX, rng, int(np.median(image[0])))
