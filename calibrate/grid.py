"""Eight columns of nine spaces among shapes in a frame: which are they, which way up, and how sure is that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from calibrate.columns import ABOVE_BRIDGE, COLUMNS, HIT, ROWS, Column, eight_columns
from calibrate.frame import Framed, clusters, framed, turned
from calibrate.lattice import Lattice
from calibrate.shapes import F32, F64, Shapes

_WIDEST_GAP = 1.6
"""The gap for the bridges between the sixth and the seventh space is less than this beyond the usual step."""

_STEP_OFF = 0.15
"""A step is 1 in the frame, give or take what perspective is left."""

_EMPTY_ROW, _EMPTY_COLUMN = 0.15, 0.08
"""What a row or a column costs of the score of which no space shows. A faint colour may hide a column; of a row, eight
colours would have to be faint."""

_STAGGERED = 0.1
"""Columns that stand lower than others by less than this share of a step are level."""

_GAP_SHOWS = 0.12
"""A gap wider than this is there on purpose."""

_UPRIGHT = 0.2
"""What the way people hold a phone is worth: less than a gap or circles on the right side."""

_LATTICES = 8
"""So many lattices are tried, the largest first: a checked cloth around a sheet makes several larger ones."""

_GOES_ON = 0.02
"""What each shape of a space's size costs of the score that goes on with a column or a row beyond the block, up to half
a block: checked cloths and tiles do, sheets have at most a row of heads and one of totals."""

_SKIPPED = 0.03
"""What such a shape costs besides that stands within the block, between two rows: no row of spaces is left out."""


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Where the spaces are.

    Attributes:
        frame: the frame that they are straight in.
        x: (8,), middles of the columns, left to right.
        y: (8, 9), middles of each column's spaces, from the top down.
        found: (8, 9), index of the shape seen there, -1 where none closes.
        evidence: how much speaks for it, 0 to about 1.5.
        score: the same with a preference for sheets that stand upright, to choose among four turns.
    """

    frame: Framed
    x: F64
    y: F64
    found: NDArray[np.intp]
    evidence: float
    score: float

    @property
    def seen_share(self) -> float:
        """Share of the 72 spaces that show as closed shapes."""
        return float((self.found >= 0).mean())


def find_grid(edges: F32, shapes: Shapes, lattices: Sequence[Lattice]) -> Grid | None:
    """The likeliest grid of spaces, or None where no lattice can be one.

    Args:
        edges: float32 (h, w), how strong an edge runs through each pixel of the picture.
        shapes: its closed shapes.
        lattices: their lattices, the largest first.
    """
    grids = [grid for lattice in lattices[:_LATTICES] for grid in _readings(edges, shapes, framed(shapes, lattice))]
    return max(grids, key=lambda grid: grid.score, default=None)


def _readings(edges: F32, shapes: Shapes, frame: Framed) -> Iterator[Grid]:
    """The grids that a frame may hold, whichever of its four sides is up."""
    for quarters in range(4):
        grid = grid_in(edges, turned(frame, shapes, quarters) if quarters else frame)
        if grid is not None:
            yield grid


def grid_in(edges: F32, frame: Framed) -> Grid | None:
    """The best grid of a frame as it stands."""
    which = np.flatnonzero(frame.alike)
    columns = [which[group] for group in clusters(frame.boxes[which, 0]) if len(group) >= 2]
    if len(columns) < 3:
        return None
    heights = [frame.boxes[column, 1] for column in columns]
    phases = _phases(heights)
    rows = _rows(np.concatenate([column - phase for column, phase in zip(heights, phases, strict=True)]))
    if rows is None:
        return None
    found = [Column(0.0, *pair) for pair in zip(columns, phases.tolist(), strict=True)]
    eight = eight_columns(edges, frame, found, rows)
    return _grid(frame, eight, rows) if len(eight) == COLUMNS else None


def _phases(columns: Sequence[F64]) -> F64:
    """By how much each column stands lower than the fullest: nothing, or half a step where they are staggered."""
    first = max(columns, key=len)
    phases = []
    for column in columns:
        offsets = (column[:, None] - first[None]).ravel()
        near = offsets[np.abs(offsets) <= 0.6]
        phases.append(float(np.median(near)) if len(near) else 0.0)
    found = np.array(phases)
    found[np.abs(found) < _STAGGERED] = 0.0
    return found


def _rows(heights: F64) -> F64 | None:
    """Middles of the nine rows from the top: the run, with a gap after the third or without, most shapes lie on."""
    levels = [(float(np.median(heights[group])), len(group)) for group in clusters(heights, 0.2) if len(group) >= 2]
    if len(levels) < 5:
        return None
    steps = [b[0] - a[0] for a, b in pairwise(levels)]
    step = float(np.median([step for step in steps if abs(step - 1) < _STEP_OFF] or [1.0]))
    best: F64 | None = None
    most = -np.inf
    at, weight = np.array([level for level, _ in levels]), np.array([count for _, count in levels], np.float64)
    for start in at:
        gaps = {0.0} | {float(level - (start + ABOVE_BRIDGE * step)) for level in at}
        for gap in gaps:
            if not -0.05 < gap < _WIDEST_GAP:
                continue
            rows = start + step * np.arange(ROWS) + gap * (np.arange(ROWS) >= ABOVE_BRIDGE)
            near = np.abs(at[:, None] - rows[None])
            hits = float(weight[near.min(axis=1) < HIT].sum())
            missed = int((near.min(axis=0) >= HIT).sum())
            skipped = float(weight[(near.min(axis=1) >= HIT) & (at > rows[0]) & (at < rows[-1])].sum())
            value = hits - 4.0 * missed - skipped - 0.5 * (0.02 < gap < _GAP_SHOWS)
            if value > most:
                best, most = rows, value
    if best is None:
        return None
    for k in range(ROWS):
        miss = np.abs(at - best[k])
        if miss.min() < HIT:
            best[k] = at[miss.argmin()]
    return best


def _grid(frame: Framed, columns: Sequence[Column], rows: F64) -> Grid:
    x = np.array([column.x for column in columns])
    y = rows[None] + np.array([column.phase for column in columns])[:, None]
    found = np.full((COLUMNS, ROWS), -1, np.intp)
    for c, (middle, column) in enumerate((column.x, column.members) for column in columns):
        for k in range(ROWS):
            miss = np.abs(frame.boxes[column, 1] - y[c, k]) + np.abs(frame.boxes[column, 0] - middle)
            if len(miss) and miss.min() < 1.5 * HIT:
                found[c, k] = column[int(miss.argmin())]
    evidence = _evidence(frame, x, y, found)
    return Grid(frame, x, y, found, evidence, evidence + _UPRIGHT * _upright(frame))


def _evidence(frame: Framed, x: F64, y: F64, found: NDArray[np.intp]) -> float:
    """What speaks for a grid: spaces seen, the bridges' gap, circles below; against it, shapes that go on beyond it."""
    seen = float((found >= 0).mean())
    boxes = frame.boxes[frame.alike]
    beside = np.abs(boxes[:, 0][:, None] - x[None]).min(axis=1) < HIT
    level = np.abs(boxes[:, 1][:, None] - y.reshape(-1)[None]).min(axis=1) < HIT
    goes_on = int((beside & ~level & (np.abs(boxes[:, 1] - y.mean()) < np.ptp(y))).sum())
    goes_on += int((level & ~beside & (np.abs(boxes[:, 0] - x.mean()) < np.ptp(x))).sum())
    empty = int((found < 0).all(axis=0).sum()) * _EMPTY_ROW + int((found < 0).all(axis=1).sum()) * _EMPTY_COLUMN
    gap = float(y[0, ABOVE_BRIDGE] - y[0, ABOVE_BRIDGE - 1] - np.median(np.diff(y[0])))
    inside = beside & ~level & (boxes[:, 1] > y.min()) & (boxes[:, 1] < y.max())
    against = empty + _GOES_ON * goes_on + _SKIPPED * int(inside.sum())
    return seen - against + 0.3 * (gap > _GAP_SHOWS) + 0.25 * _circles(frame, x, y)


def _circles(frame: Framed, x: F64, y: F64) -> float:
    """Share of the columns with something round and smaller than a space below the last one, less that above."""
    bottom, top = float(y.max()), float(y.min())
    cx, cy, w, h = frame.boxes.T
    with np.errstate(invalid="ignore"):
        small = (w < 0.95 * frame.like[0]) & (h < 0.95 * frame.like[1]) & (frame.filled < 0.86) & (frame.filled > 0.7)
        below = small & (cy > bottom + 0.5) & (cy < bottom + 2.5)
        above = small & (cy < top - 0.5) & (cy > top - 2.5)
    shares = [
        float(np.mean([bool((side & (np.abs(cx - middle) < 0.2)).any()) for middle in x])) for side in (below, above)
    ]
    return shares[0] - shares[1]


def _upright(frame: Framed) -> float:
    """How far up the frame's upper side is in the picture, -1 to 1."""
    down, here = frame.homography @ np.array([0.0, 1, 0]), frame.homography @ np.array([0.0, 0, 1])
    direction = down[:2] * here[2] - here[:2] * down[2]
    return float(direction[1] / max(float(np.linalg.norm(direction)), 1e-9))
