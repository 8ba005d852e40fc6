"""Writes numbers, marks, corrections, scrawls and clutter as ink on the 144-pixel canvas of a printed cell.

Digits come from every source and every way of drawing it; the two digits of a ten always from the same one.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from synth.hands import Hand, hand_for
from synth.marks import MARKS, blot_strokes, mark_strokes, strike_strokes
from training.ink import TrainingPen, stroke_cover
from training.printed import BOX_PX, CANVAS_PX
from training.shapes import SHAPES, shape
from training.sources import GLYPH_PX, OUTLINE_STEP, SKELETON_STEP, Bitmaps, Sources

U8 = NDArray[np.uint8]
Rng = np.random.Generator

HANDS = {"train": (0, 4000), "calibrate": (4000, 4400), "evaluate": (4400, 4800)}
"""Which procedural hands of the namespace `train` write the cells of each part."""

SHARES = {
    "mnist": 0.2, "semeion": 0.1, "mfeat": 0.04, "photo_cells": 0.05, "pendigits": 0.1, "hands": 0.41, "shapes": 0.1,
}  # fmt: skip
"""How often each source is written with, where it has the digits of the text."""

STRUCK = ("cross", "slash", "backslash", "plus")
"""Marks that strike something out; every other mark claims it. Matters where a pad's bridges are circled or struck."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where and how a text stands: centre and height in canvas pixels, lean and turn in radians or shares."""

    x_px: float
    y_px: float
    height_px: float
    max_width_px: float
    aspect: float
    slant: float
    turn: float

    @property
    def matrix(self) -> NDArray[np.float64]:
        """(2, 2): from text units (digit height 1, y down, text centre at 0) to canvas pixels."""
        c, s = np.cos(self.turn), np.sin(self.turn)
        lean = np.array([[self.aspect, -self.slant], [0, 1]])
        return self.height_px * np.array([[c, -s], [s, c]]) @ lean


def usual_place(rng: Rng, shrink: float = 1.0) -> Place:
    """Where numbers are usually written: within the box, now and then over its border."""
    overflowing = rng.random() < 0.15
    share = rng.uniform(0.85, 1.3) if overflowing else 0.34 + 0.62 * rng.beta(1.7, 2.1)
    spread = 0.2 if overflowing else 0.3 * max(0.2, 1 - share)
    x, y = CANVAS_PX / 2 + BOX_PX * rng.normal(0, spread, 2)
    return Place(
        x_px=x,
        y_px=y,
        height_px=share * BOX_PX * shrink,
        max_width_px=BOX_PX * rng.uniform(0.75, 1.25 if overflowing else 1.0),
        aspect=float(np.exp(rng.normal(0, 0.17))),
        slant=rng.normal(0, 0.14),
        turn=rng.normal(0, 0.07),
    )


class Scribe:
    """Writes with the digits of one part of the sources.

    Args:
        sources: where digits come from.
        part: whose procedural hands to write with, a key of `HANDS`.
    """

    def __init__(self, sources: Sources, part: str = "train") -> None:
        self._bitmaps = {bitmaps.name: bitmaps for bitmaps in sources.bitmaps}
        self._by_digit = {
            name: [np.flatnonzero(bitmaps.labels == digit) for digit in range(10)]
            for name, bitmaps in self._bitmaps.items()
        }
        self._strokes = sources.strokes
        self._strokes_by_digit = [np.flatnonzero(sources.strokes.labels == digit) for digit in range(10)]
        self._hand_range = HANDS[part]
        self._hands: dict[int, Hand] = {}

    def hand(self, rng: Rng) -> Hand:
        """One of the procedural hands."""
        number = int(rng.integers(*self._hand_range))
        if number not in self._hands:
            self._hands[number] = hand_for("train", number)
        return self._hands[number]

    def text(self, text: str, place: Place, pen_px: float, rng: Rng, source: str | None = None) -> U8:
        """The cover of a text of digits, uint8 (144, 144)."""
        name = source or self._source_for(text, rng)
        if name in self._bitmaps:
            return self._from_bitmaps(self._bitmaps[name], text, place, pen_px, rng)
        if name == "pendigits":
            lines = self._from_pendigits(text, rng)
        elif name == "shapes":
            lines = _from_shapes(text, rng)
        else:
            lines = [np.asarray(line) for line in self.hand(rng).strokes(text, rng)]
        return stroke_cover(_placed(lines, place), pen_px, rng)

    def _source_for(self, text: str, rng: Rng) -> str:
        while True:
            name = str(rng.choice(list(SHARES), p=list(SHARES.values())))
            if name == "hands" or (name == "shapes" and all(digit in SHAPES for digit in text)):
                return name
            by_digit = self._strokes_by_digit if name == "pendigits" else self._by_digit.get(name)
            if by_digit is not None and all(len(by_digit[int(digit)]) for digit in text):
                return name

    def _from_bitmaps(self, bitmaps: Bitmaps, text: str, place: Place, pen_px: float, rng: Rng) -> U8:
        chosen = [int(rng.choice(self._by_digit[bitmaps.name][int(digit)])) for digit in text]
        boxes = bitmaps.boxes[chosen]
        heights = np.exp(rng.normal(0, 0.06, len(text)))
        if len(text) > 1 and rng.random() < 0.3:
            heights[1:] *= rng.uniform(0.6, 1.0)
        scales = heights / np.maximum(boxes[:, 3] - boxes[:, 1], 0.45 * (boxes[:, 2] - boxes[:, 0]))
        widths = (boxes[:, 2] - boxes[:, 0]) * scales
        starts = np.concatenate([[0], np.cumsum(widths[:-1] + _gaps(len(text), rng))])
        total = starts[-1] + widths[-1]
        matrix = place.matrix * min(1.0, place.max_width_px / (place.height_px * max(total * place.aspect, 1e-3)))
        redrawn = rng.random() < 0.5
        thicker = rng.uniform(-1.6, 2.2)
        cover = np.zeros((CANVAS_PX, CANVAS_PX), np.uint8)
        for index, box, scale, start in zip(chosen, boxes, scales, starts, strict=True):
            linear = matrix * scale
            lift = rng.normal(0, 0.04)
            corner = matrix @ np.array([start - total / 2, (1 - (box[3] - box[1]) * scale) - 0.5 + lift])
            shift = np.array([place.x_px, place.y_px]) + corner - linear @ box[:2]
            px = float(np.sqrt(abs(np.linalg.det(linear))))
            levels = np.arange(256, dtype=np.float32)
            if redrawn:
                ink = 0.5 + pen_px / 2 - (255 - levels) / SKELETON_STEP * px
            else:
                ink = 0.5 + (levels - 128) / OUTLINE_STEP * px + thicker * px * GLYPH_PX / 70
            table = np.clip(255 * ink, 0, 255).astype(np.uint8)
            field = (bitmaps.skeleton if redrawn else bitmaps.outline)[index]
            drawn = cv2.warpAffine(
                field, np.column_stack([linear, shift]), (CANVAS_PX, CANVAS_PX), flags=cv2.INTER_LINEAR
            )
            np.maximum(cover, cv2.LUT(drawn, table), out=cover)
        return cover

    def _from_pendigits(self, text: str, rng: Rng) -> list[NDArray[np.float64]]:
        lines, x = [], 0.0
        smooth = rng.random() < 0.65
        for digit, gap in zip(text, [0.0, *_gaps(len(text), rng)], strict=True):
            points = self._strokes.points[int(rng.choice(self._strokes_by_digit[int(digit)]))]
            # The tablet stretched digits to a square: mostly back to a natural width.
            narrow = rng.uniform(0.3, 1.0) if digit == "1" else rng.uniform(0.5, 1.05)
            line = points * [narrow, 1.0]
            lines.append((smoothed(line) if smooth else line) + np.array([x + gap, 0]))
            x += gap + max(float(np.ptp(line[:, 0])), 0.02)
        return lines

    def mark(self, style: str, rng: Rng) -> list[NDArray[np.float64]]:
        """Strokes of a mark, in canvas pixels."""
        strokes = mark_strokes(self.hand(rng), rng, style)
        size = BOX_PX * float(np.exp(rng.normal(0, 0.14)))
        shift = CANVAS_PX / 2 - size / 2 + rng.normal(0, 0.05 * BOX_PX, 2)
        if style == "dot":
            size *= rng.uniform(0.7, 1.3)
            shift = CANVAS_PX / 2 - size / 2 + rng.normal(0, 0.08 * BOX_PX, 2)
        return [stroke * size + shift for stroke in strokes]

    def strike(self, box_px: tuple[float, float, float, float], rng: Rng) -> list[NDArray[np.float64]]:
        """Strokes that strike out a box in canvas pixels."""
        return list(strike_strokes(box_px, self.hand(rng), rng))

    def blot(self, rng: Rng) -> list[NDArray[np.float64]]:
        """Strokes of a tangle, in canvas pixels."""
        size = BOX_PX * rng.uniform(0.5, 1.1)
        return [line * size + CANVAS_PX / 2 - size / 2 + rng.normal(0, 4, 2) for line in blot_strokes(rng)]


def _from_shapes(text: str, rng: Rng) -> list[NDArray[np.float64]]:
    lines, x = [], 0.0
    narrow = rng.uniform(0.75, 1.25)
    for digit, gap in zip(text, [0.0, *_gaps(len(text), rng)], strict=True):
        strokes = [smoothed(stroke) * [narrow, 1.0] for stroke in shape(digit, rng)]
        left, right = (edge(np.concatenate(strokes)[:, 0]) for edge in (np.min, np.max))
        lines += [stroke + np.array([x + gap - left, 0]) for stroke in strokes]
        x += gap + max(right - left, 0.02)
    return lines


def ink_box(cover: U8) -> tuple[float, float, float, float]:
    """Left, top, right, bottom of what is inked, in canvas pixels; the whole box if nothing is."""
    rows, columns = np.flatnonzero((cover > 60).any(1)), np.flatnonzero((cover > 60).any(0))
    if not len(rows):
        low, high = (CANVAS_PX - BOX_PX) / 2, (CANVAS_PX + BOX_PX) / 2
        return low, low, high, high
    return float(columns[0]), float(rows[0]), float(columns[-1] + 1), float(rows[-1] + 1)


def mark_styles() -> tuple[str, ...]:
    """Every way of marking."""
    return tuple(MARKS)


def pen_px(pen: TrainingPen, size_mm: float) -> float:
    """Width of a pen in canvas pixels for a box of that size."""
    return pen.width_mm * BOX_PX / size_mm


def _gaps(count: int, rng: Rng) -> NDArray[np.float64]:
    """Spaces between digits, in digit heights: touching, natural or wide."""
    style = rng.random()
    if style < 0.2:
        return rng.uniform(-0.08, 0.03, count - 1)
    return rng.uniform(0.05, 0.3, count - 1) if style < 0.85 else rng.uniform(0.3, 0.6, count - 1)


def _placed(lines: list[NDArray[np.float64]], place: Place) -> list[NDArray[np.float64]]:
    points = np.concatenate(lines)
    low, high = points.min(0), points.max(0)
    width, height = high - low
    unit = 1 / max(height, 0.45 * width)
    wide = width * unit * place.height_px * place.aspect
    matrix = place.matrix * unit * min(1.0, place.max_width_px / max(wide, 1e-3))
    return [(line - (low + high) / 2) @ matrix.T + [place.x_px, place.y_px] for line in lines]


def smoothed(points: NDArray[np.floating]) -> NDArray[np.float64]:
    """A Catmull-Rom curve through the points of a polyline (N, 2)."""
    ends = np.concatenate([[2 * points[0] - points[1]], points, [2 * points[-1] - points[-2]]])
    t = np.linspace(0, 1, 6, endpoint=False)[:, None, None]
    p0, p1, p2, p3 = ends[:-3], ends[1:-2], ends[2:-1], ends[3:]
    curve = 0.5 * (2 * p1 + (p2 - p0) * t + (2 * p0 - 5 * p1 + 4 * p2 - p3) * t**2 + (3 * p1 - p0 - 3 * p2 + p3) * t**3)
    return np.concatenate([curve.transpose(1, 0, 2).reshape(-1, 2), points[-1:]])
