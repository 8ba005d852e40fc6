"""Marks in a box, as people make them: strokes over the unit square, the box being (0, 0) to (1, 1)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from synth.curves import bounds, spline, wobble
from synth.hands import Hand

Points = NDArray[np.float64]
Strokes = list[Points]
_ANOTHER_MARK = 0.04  # how often a player marks otherwise than usual


def _path(points: list[tuple[float, float]], corner: int | None = None) -> Points:
    corners = np.zeros(len(points), dtype=np.bool_)
    if corner is not None:
        corners[corner] = True
    return spline(np.array(points, dtype=np.float64), corners)


def _bow(rng: np.random.Generator) -> float:
    return float(rng.normal(0, 0.05))


def _cross(rng: np.random.Generator) -> Strokes:
    lean = rng.normal(0, 0.06)
    first = _path([(0.2, 0.2), (0.5 + _bow(rng), 0.5 + _bow(rng)), (0.8 + lean, 0.8)])
    second = _path([(0.8, 0.2), (0.5 + _bow(rng), 0.5 + _bow(rng)), (0.2 - lean, 0.8)])
    return [second, first] if rng.random() < 0.5 else [first, second]


def _tick(rng: np.random.Generator) -> Strokes:
    knee = (0.4 + rng.normal(0, 0.05), 0.78 + rng.normal(0, 0.05))
    tip = (0.88 + rng.normal(0, 0.08), 0.14 + rng.normal(0, 0.08))
    start = (0.18 + rng.normal(0, 0.05), 0.5 + rng.normal(0, 0.07))
    middle = (0.6 + _bow(rng), 0.45 + _bow(rng))
    return [_path([start, (0.3, 0.62), knee, middle, tip], 2 if rng.random() < 0.7 else None)]


def _slash(rng: np.random.Generator) -> Strokes:
    steep = rng.uniform(0.12, 0.38)
    return [_path([(1 - steep, 0.12), (0.5 + _bow(rng), 0.5 + _bow(rng)), (steep, 0.88)])]


def _backslash(rng: np.random.Generator) -> Strokes:
    return [stroke * [-1, 1] + [1, 0] for stroke in _slash(rng)]


def _scribble(rng: np.random.Generator) -> Strokes:
    turns = int(rng.integers(6, 13))
    x = np.linspace(0.16, 0.84, turns) + rng.normal(0, 0.04, turns)
    y = np.where(np.arange(turns) % 2, 0.2, 0.8) + rng.normal(0, 0.06, turns)
    return [spline(np.column_stack([x, y]), np.zeros(turns, dtype=np.bool_), 0.3)]


def _filled(rng: np.random.Generator) -> Strokes:
    lines = int(rng.integers(14, 22))
    y = np.linspace(0.2, 0.8, lines)
    x = np.where(np.arange(lines) % 2, 0.2, 0.8) + rng.normal(0, 0.03, lines)
    hatch = np.column_stack([x, y + rng.normal(0, 0.015, lines)])
    return [*_circle(rng), spline(hatch, np.zeros(lines, dtype=np.bool_), 0.4)]


def _circle(rng: np.random.Generator) -> Strokes:
    turn = np.linspace(0, 2 * np.pi * rng.uniform(0.95, 1.12), 24) + rng.uniform(0, 2 * np.pi)
    radius = 0.36 + 0.035 * np.sin(turn * rng.uniform(0.8, 1.6)) + np.linspace(0, rng.normal(0, 0.04), 24)
    tall = radius * rng.uniform(0.85, 1.1)
    return [np.column_stack([0.5 + radius * np.cos(turn), 0.5 - tall * np.sin(turn)])]


def _dot(rng: np.random.Generator) -> Strokes:
    turn = np.linspace(0, 5 * np.pi, 30)
    radius = np.linspace(0.13, 0.02, 30) * rng.uniform(0.8, 1.3)
    return [np.column_stack([0.5 + radius * np.cos(turn), 0.5 + radius * np.sin(turn)])]


def _plus(rng: np.random.Generator) -> Strokes:
    upright = _path([(0.5 + _bow(rng), 0.15), (0.5, 0.5), (0.5 + _bow(rng), 0.85)])
    level = _path([(0.15, 0.5 + _bow(rng)), (0.5, 0.5), (0.85, 0.5 + _bow(rng))])
    return [upright, level]


MARKS: dict[str, Callable[[np.random.Generator], Strokes]] = {
    "cross": _cross,
    "tick": _tick,
    "slash": _slash,
    "backslash": _backslash,
    "scribble": _scribble,
    "filled": _filled,
    "circle": _circle,
    "dot": _dot,
    "plus": _plus,
}


def mark_strokes(hand: Hand, rng: np.random.Generator, style: str | None = None) -> Strokes:
    """A mark by this hand over the unit square.

    Args:
        hand: the writer, who mostly keeps to one kind of mark.
        rng: source of the chance of this instance.
        style: a key of `MARKS`, or None for the hand's habit.

    Returns:
        Polylines (N, 2) float64; they may leave the square.
    """
    if style is None:
        style = hand.mark if rng.random() > _ANOTHER_MARK else str(rng.choice(["cross", "tick", "slash"]))
    own = np.random.default_rng([hand.seed, len(style)])
    size = float(np.clip(own.normal(0.92, 0.15) * np.exp(rng.normal(0, 0.09)), 0.55, 1.35))
    loose = 0.02 + 0.05 * hand.carelessness
    turn = float(own.normal(0, 0.08) + rng.normal(0, 0.09))
    c, s = np.cos(turn), np.sin(turn)
    place = 0.5 + own.normal(0, 0.04, 2) + rng.normal(0, 0.5 * loose + 0.02, 2)
    matrix = np.array([[c, -s], [s, c]]) * size
    return [wobble(stroke - 0.5, 0.3 * loose, 0.4, rng) @ matrix.T + place for stroke in MARKS[style](rng)]


def strike_strokes(box: tuple[float, float, float, float], hand: Hand, rng: np.random.Generator) -> Strokes:
    """Strokes that strike out what stands in a box.

    Args:
        box: x0, y0, x1, y1 in any unit.
        hand: the writer.
        rng: source of chance; a line, two lines, a cross or a scribble.

    Returns:
        Polylines in the unit of the box.
    """
    x0, y0, x1, y1 = box
    habit = np.random.default_rng([hand.seed, 77]).choice(4, p=[0.35, 0.2, 0.2, 0.25])
    makers = (_strike_line, _strike_twice, _cross, _scribble)
    strokes = makers[int(habit)](rng)
    size = np.array([x1 - x0, y1 - y0])
    low = np.array([x0, y0]) - 0.12 * size
    return [wobble(stroke, 0.02, 0.5, rng) * size * 1.24 + low for stroke in strokes]


def _strike_line(rng: np.random.Generator) -> Strokes:
    rise = rng.normal(0.25, 0.2)
    return [_path([(0.0, 0.5 + rise), (0.5, 0.5 + _bow(rng)), (1.0, 0.5 - rise)])]


def _strike_twice(rng: np.random.Generator) -> Strokes:
    return [_strike_line(rng)[0] + np.array([0, shift]) for shift in (-0.1, 0.12)]


def blot_strokes(rng: np.random.Generator) -> Strokes:
    """Ink that is no number: a tangle or a scrawl over the unit square."""
    if rng.random() < 0.5:
        n = int(rng.integers(9, 16))
        return [spline(rng.uniform(0.14, 0.86, (n, 2)), np.zeros(n, dtype=np.bool_))]
    tangle = _scribble(rng) + [stroke[:, ::-1] for stroke in _scribble(rng)]
    x0, y0, x1, y1 = bounds(tangle)
    return [(stroke - [x0, y0]) / [x1 - x0, y1 - y0] * 0.72 + 0.14 for stroke in tangle]
