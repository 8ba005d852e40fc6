"""Boxes of spaces, double circles and bridges in the straight frame, each with whether it was seen or only reckoned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibrate.columns import ABOVE_BRIDGE, COLUMNS, ROWS
from calibrate.frame import clusters
from calibrate.grid import Grid
from calibrate.shapes import F64
from calibrate.straight import Straightener

_ALIKE = 0.1
"""Columns whose spaces differ in size by less than this share are printed alike; the rest is chance."""

_BARE = 0.8
"""Shapes smaller than this share of the usual space are things printed without a box; people mark beside them too."""

_ASIDE = 0.22
"""A circle or a bridge stands below or above its column's spaces, this share of a step aside at most."""

_LEAST_ALIKE = 3
"""So many columns have to show a circle, or a bridge, at one height before it is one."""


@dataclass(frozen=True, slots=True)
class Field:
    """One cell: column and row counted from 0, left and top; for circles and bridges the row is None."""

    kind: str
    column: int
    row: int | None
    x: float
    y: float
    w: float
    h: float
    seen: bool


def fields_of(grid: Grid, straight: Straightener) -> tuple[Field, ...]:
    """Every field of a sheet that reading needs, in the straight frame.

    Bridges and circles that no shape shows are left out, but for bridges where the spaces leave room for them.
    """
    boxes = straight_boxes(grid, straight)
    return (*_spaces(grid, boxes), *_bridges(grid, boxes), *_circles(grid, boxes))


def straight_boxes(grid: Grid, straight: Straightener) -> F64:
    """The frame's boxes (N, 4) with the paper's bend taken out."""
    boxes = grid.frame.boxes.copy()
    known = np.isfinite(boxes[:, 0])
    boxes[known, :2] = straight.unbent(boxes[known, :2])
    return boxes


def _spaces(grid: Grid, boxes: F64) -> Iterator[Field]:
    sizes = np.array([_size(grid, boxes, column) for column in range(COLUMNS)])
    known = sizes[np.isfinite(sizes).all(axis=1)]
    usual = np.median(known, axis=0) if len(known) else np.full(2, np.nan)
    step = np.array([np.median(np.diff(grid.x)), np.median(np.diff(grid.y, axis=1))])
    usual = np.where(np.isfinite(usual), usual, np.minimum(grid.frame.like, step))
    for column in range(COLUMNS):
        size = sizes[column] if np.isfinite(sizes[column]).all() else usual
        is_bare = (size < _BARE * usual).any()
        size = usual if is_bare else np.where(np.abs(size / usual - 1) < _ALIKE, usual, size)
        for row in range(ROWS):
            x, y = grid.x[column] - size[0] / 2, grid.y[column, row] - size[1] / 2
            yield Field("space", column, row, x, y, size[0], size[1], bool(grid.found[column, row] >= 0))


def _size(grid: Grid, boxes: F64, column: int) -> F64:
    found = grid.found[column]
    seen = boxes[found[found >= 0], 2:]
    return np.median(seen, axis=0) if len(seen) >= 2 else np.full(2, np.nan)


def _bridges(grid: Grid, boxes: F64) -> Iterator[Field]:
    """Boxes between the sixth and the seventh space, all as the middle one where they are alike."""
    low = grid.y[:, ABOVE_BRIDGE - 1] + grid.frame.like[1] / 2
    high = grid.y[:, ABOVE_BRIDGE] - grid.frame.like[1] / 2
    between = [_near(boxes, grid.x[c], low[c] - 0.05, high[c] + 0.05, (0.25, 1.1), (0.15, 1.3)) for c in range(COLUMNS)]
    yield from _row_of(grid, boxes, "bridge", between, range(COLUMNS))
    unseen = sum(len(found) > 0 for found in between) < _LEAST_ALIKE
    if unseen and float(np.median(high - low)) > 0.3 * grid.frame.like[1]:
        for c in range(COLUMNS):
            w, h = 0.8 * grid.frame.like[0], float(0.85 * (high[c] - low[c]))
            yield Field("bridge", c, None, grid.x[c] - w / 2, float(low[c] + high[c] - h) / 2, w, h, False)


def _circles(grid: Grid, boxes: F64) -> Iterator[Field]:
    """Circles below the columns, or above if there are none below: the first row of shapes smaller than a space.

    One is reckoned for every column; those of artifacts and dice, which have none, are left out once it is known which
    columns they are.
    """
    every, small = range(COLUMNS), (0.25, 1.02)
    for sign, base in ((1, grid.y.max(axis=1)), (-1, grid.y.min(axis=1))):
        ends = [sorted((base[c] + sign * 0.5, base[c] + sign * 2.6)) for c in every]
        near = [_near(boxes, grid.x[c], ends[c][0], ends[c][1], small, small) for c in every]
        rounds = [found[(grid.frame.filled[found] < 0.87) & _square(boxes[found])] for found in near]
        for candidates in (rounds, near) if sign > 0 else (rounds,):
            heights = [boxes[found, 1] - base[c] for c, found in zip(every, candidates, strict=True)]
            level = _common_level(heights, sign)
            if level is not None:
                at = [f[np.abs(h - level) < 0.2] for f, h in zip(candidates, heights, strict=True)]
                yield from _row_of(grid, boxes, "double", at, every)
                return


def _square(boxes: F64) -> NDArray[np.bool_]:
    return np.asarray(np.abs(np.log(boxes[:, 2] / boxes[:, 3])) < 0.5, dtype=np.bool_)


def _common_level(heights: list[F64], sign: int) -> float | None:
    """The height nearest to the spaces at which enough columns have something."""
    owner = np.concatenate([np.full(len(h), c) for c, h in enumerate(heights)])
    values = np.concatenate(heights)
    levels = [group for group in clusters(values, 0.12) if len(set(owner[group].tolist())) >= _LEAST_ALIKE]
    return min((float(np.median(values[group])) for group in levels), key=lambda v: sign * v, default=None)


def _near(
    boxes: F64, x: float, top: float, bottom: float, wide: tuple[float, float], high: tuple[float, float]
) -> NDArray[np.intp]:
    cx, cy, w, h = boxes.T
    with np.errstate(invalid="ignore"):
        fits = (np.abs(cx - x) < _ASIDE) & (cy > top) & (cy < bottom)
        fits &= (w > wide[0] * 0.8) & (w < wide[1]) & (h > high[0] * 0.8) & (h < high[1])
    return np.flatnonzero(fits)


def _row_of(grid: Grid, boxes: F64, kind: str, found: list[NDArray[np.intp]], columns: range) -> Iterator[Field]:
    """A field for each column at one distance from its lowest space; of several shapes the largest counts."""
    largest = {c: int(f[np.argmax(boxes[f, 2] * boxes[f, 3])]) for c, f in zip(columns, found, strict=True) if len(f)}
    if len(largest) < _LEAST_ALIKE:
        return
    w, h = np.median(boxes[list(largest.values()), 2:], axis=0)
    below = float(np.median([boxes[i, 1] - grid.y[c, -1] for c, i in largest.items()]))
    aside = float(np.median([boxes[i, 0] - grid.x[c] for c, i in largest.items()]))
    for c in columns:
        x, y = grid.x[c] + aside, grid.y[c, -1] + below
        yield Field(kind, c, None, float(x - w / 2), float(y - h / 2), float(w), float(h), c in largest)
