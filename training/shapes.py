"""Digits that people confuse, drawn by rule: 1 and 7 by the fall of their first stroke, 4 and 9 by their bend and bar.

Data sets and procedural hands hold typical forms; here every form between them is as likely, up to where a reader
would have to guess: a 1 whose flag falls by 28 degrees or more, a 7 whose bar falls by 14 or less.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Rng = np.random.Generator
Points = NDArray[np.float64]

_TREMOR = 0.012
"""Standard deviation of control points, in digit heights."""

_FLAG_DEG, _BAR_DEG = (28, 72), (-12, 14)
"""How steeply the flag of a 1 and the bar of a 7 fall to the left."""


def shape(digit: str, rng: Rng) -> list[Points]:
    """Strokes (N, 2) of a digit of `SHAPES`: about one high, y down."""
    return [line + rng.normal(0, _TREMOR, line.shape) for line in SHAPES[digit](rng)]


def _line(*points: tuple[float, float]) -> Points:
    return np.array(points, np.float64)


def _bowed(start: Points, end: Points, bow: float) -> Points:
    """A line of five points, bent to one side by a share of its length."""
    t = np.linspace(0, 1, 5)[:, None]
    side = np.array([end[1] - start[1], start[0] - end[0]])
    return start + (end - start) * t + side * bow * 4 * t * (1 - t)


def _falling(length: float, degrees: float) -> Points:
    angle = np.radians(degrees)
    return np.array([-length * np.cos(angle), length * np.sin(angle)])


def _one(rng: Rng) -> list[Points]:
    foot = np.array([rng.uniform(-0.3, 0.12), 1.0])
    stem = _bowed(np.zeros(2), foot, rng.normal(0, 0.025))
    strokes = [stem]
    if rng.random() < 0.8:
        steep = rng.uniform(*_FLAG_DEG)
        flag = _falling(rng.uniform(0.15, 0.62 if steep > 38 else 0.45), steep)
        start = _bowed(flag, np.zeros(2), rng.normal(0, 0.06))
        strokes = [np.concatenate([start, stem[1:]])] if rng.random() < 0.8 else [start, stem]
    if rng.random() < 0.15:
        half = rng.uniform(0.12, 0.3)
        strokes.append(_line((foot[0] - half, 1.0), (foot[0] + half, 1.0 + rng.normal(0, 0.03))))
    return strokes


def _seven(rng: Rng) -> list[Points]:
    start = _falling(rng.uniform(0.36, 0.72), rng.uniform(*_BAR_DEG))
    bar = _bowed(start, np.zeros(2), rng.normal(0, 0.07))
    foot = np.array([rng.uniform(-0.55, 0.0), 1.0])
    stem = _bowed(np.zeros(2), foot, rng.normal(0.02, 0.05))
    if rng.random() < 0.2:
        bar = np.concatenate([start[None] + _line((rng.uniform(-0.03, 0.04), rng.uniform(0.06, 0.2))), bar])
    strokes = [np.concatenate([bar, stem[1:]])]
    if rng.random() < 0.35:
        middle = stem[2] + rng.normal(0, [0.03, 0.05])
        half = np.array([rng.uniform(0.1, 0.26), rng.normal(-0.02, 0.03)])
        strokes.append(np.stack([middle - half, middle + half]))
    return strokes


def _nine(rng: Rng) -> list[Points]:
    half = np.array([rng.uniform(0.15, 0.31), rng.uniform(0.16, 0.29)])
    # From the upper right anticlockwise; an early start closes the bowl, a late one leaves it open at the top.
    turn = np.radians(np.linspace(rng.uniform(-85, 5), -350 + rng.uniform(-15, 25), 11))
    bowl = np.column_stack([half[0] * np.cos(turn), half[1] + half[1] * np.sin(turn)])
    top = np.array([half[0] * rng.uniform(0.95, 1.15), rng.uniform(-0.03, 0.75) * half[1]])
    foot = np.array([top[0] - rng.uniform(-0.05, 0.24), 1.0])
    tail = _bowed(top, foot, rng.normal(-0.03, 0.04))
    if rng.random() < 0.25:
        tail = np.concatenate([tail, foot[None] - _line((rng.uniform(0.08, 0.2), rng.uniform(-0.02, 0.08)))])
    return [np.concatenate([bowl, tail])] if rng.random() < 0.85 else [bowl, tail]


def _four(rng: Rng) -> list[Points]:
    stem_x, low = rng.uniform(0.32, 0.5), rng.uniform(0.5, 0.7)
    lean = rng.uniform(-0.05, 0.15)
    right = stem_x + rng.uniform(0.07, 0.28)
    closed = rng.random() < 0.35
    top = np.array([stem_x, 0.0]) if closed else np.array([rng.uniform(0.03, 0.25), rng.uniform(-0.03, 0.1)])
    corner = np.array([rng.uniform(-0.06, 0.06), low])
    left = _bowed(top, corner, rng.normal(0, 0.04))
    angle = np.concatenate([left, _line((right, low + rng.normal(-0.02, 0.03)))])
    start = np.array([stem_x, rng.uniform(-0.02, 0.06) if closed else rng.uniform(-0.05, 0.4)])
    return [angle, _bowed(start, np.array([stem_x - lean, 1.0]), rng.normal(0, 0.02))]


def _zero(rng: Rng) -> list[Points]:
    turn = np.radians(rng.uniform(-130, -40) - np.linspace(0, rng.uniform(335, 395), 14))
    return [np.column_stack([rng.uniform(0.2, 0.42) * np.cos(turn), 0.5 + 0.5 * np.sin(turn)])]


SHAPES: dict[str, Callable[[Rng], list[Points]]] = {"0": _zero, "1": _one, "4": _four, "7": _seven, "9": _nine}
