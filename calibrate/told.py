"""The grid of spaces between corners that somebody has pointed out.

The outer corners of the block leave three things open: how much of a step a space takes, across and down, and how wide
the gap for the bridges is. Edges tell: summed over all columns or rows, they stand where spaces begin and end.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from calibrate.columns import ABOVE_BRIDGE, COLUMNS, ROWS
from calibrate.frame import Framed, in_frame
from calibrate.grid import Grid
from calibrate.shapes import F32, F64, Shapes

_PX_PER_STEP = 48
"""Scale at which edges are summed."""

_SHARES = np.arange(0.62, 1.001, 0.01)
"""Shares of a step that a space may take, from small circles to boxes that touch."""

_GAPS = np.arange(0.0, 1.31, 0.02)
"""Gaps for the bridges, in steps beyond the usual one."""

_STRONG = 12.0
"""Strength from which an edge counts in full, so that bold art does not outweigh all spaces."""

_WIDTHS, _HEIGHTS = (0.06, 0.135), (0.05, 0.112)
"""Width and height of a space as shares of the block: 1 / 8 and 1 / 9 where they touch, half of it for small discs."""

_ENOUGH_OF_SIZE, _SAME_SIZE = 20, 0.1
"""So many shapes of one size, give or take this (logarithm), are spaces."""

_SAME_BLOCK = 0.4
"""How far, in spaces, corners found and told may lie apart: people point at borders, or beside them."""

_ENOUGH = 3
"""So many shapes in a column or row say where it is."""

_HIT, _SIZE_OFF = 0.14, 0.2
"""A shape is a space if its middle is this share of a step aside at most, and its sides differ by this share."""


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """Spaces along one direction of a block of length 1: their middles, their size and what edges say for them."""

    middles: F64
    size: float
    value: float


def grid_between(edges: F32, shapes: Shapes, corners_px: F64) -> Grid:
    """The grid of a block of eight columns of nine spaces.

    Args:
        edges: float32 (h, w), how strong an edge runs through each pixel of the picture.
        shapes: its closed shapes.
        corners_px: (4, 2), the outer corners of the block of spaces, clockwise from its top left.
    """
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    to_px = cv2.getPerspectiveTransform(unit, corners_px.astype(np.float32)).astype(np.float64)
    inside = in_frame(shapes, to_px, np.arange(len(shapes.sides_px))).boxes
    size = _usual_size(inside)
    if size is None:
        across, down = _profiles(edges, to_px)
        columns, rows = _fit(across, COLUMNS, np.zeros(1)), _fit(down, ROWS, _GAPS)
    else:
        columns = _of_size(inside[size[2], 0], size[0], COLUMNS, np.zeros(1))
        rows = _of_size(inside[size[2], 1], size[1], ROWS, _GAPS)
    step = np.array([np.median(np.diff(columns.middles)), np.median(np.diff(rows.middles))])
    x, y = columns.middles / step[0], np.broadcast_to(rows.middles / step[1], (COLUMNS, ROWS)).copy()
    like = columns.size / float(step[0]), rows.size / float(step[1])
    loose = in_frame(shapes, to_px @ np.diag([*step, 1.0]), np.arange(len(shapes.sides_px)))
    frame = Framed(loose.homography, loose.boxes, loose.filled, like)
    found = _found(frame, x, y)
    return Grid(frame, _levelled(frame, found, x, 0), _levelled(frame, found.T, y[0], 1) + 0 * y, found, 1.0, 1.0)


def lies_between(grid: Grid, corners_px: F64) -> bool:
    """Whether a grid's outer corners are those told, give or take less than half a space.

    Args:
        grid: a grid found without being told.
        corners_px: (4, 2), clockwise from the block's top left.
    """
    half = np.array(grid.frame.like) / 2
    left, right, top, bottom = grid.x[0], grid.x[-1], grid.y[:, 0].min(), grid.y[:, -1].max()
    ends = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    outwards = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    at_px = cv2.perspectiveTransform((ends + outwards)[None], grid.frame.homography)[0]
    sides_px = np.linalg.norm(corners_px[[1, 3]] - corners_px[0], axis=1)
    space_px = float((sides_px / [COLUMNS, ROWS]).min())
    return bool(np.linalg.norm(at_px - corners_px, axis=1).max() < _SAME_BLOCK * space_px)


def _usual_size(boxes: F64) -> tuple[float, float, NDArray[np.intp]] | None:
    """Width and height, in blocks, that most shapes within the block have, and which those are; None where few do."""
    x, y, w, h = boxes.T
    with np.errstate(invalid="ignore"):
        inside = (x > 0) & (x < 1) & (y > 0) & (y < 1)
        fitting = inside & (w > _WIDTHS[0]) & (w < _WIDTHS[1]) & (h > _HEIGHTS[0]) & (h < _HEIGHTS[1])
    which = np.flatnonzero(fitting)
    if len(which) < _ENOUGH_OF_SIZE:
        return None
    alike = (np.abs(np.log(w[which][:, None] / w[which])) < _SAME_SIZE) & (
        np.abs(np.log(h[which][:, None] / h[which])) < _SAME_SIZE
    )
    members = which[alike[int(alike.sum(axis=1).argmax())]]
    if len(members) < _ENOUGH_OF_SIZE:
        return None
    return float(np.median(w[members])), float(np.median(h[members])), members


def _of_size(places: F64, size: float, count: int, gaps: F64) -> _Fit:
    """Spaces of a size from end to end of the block, with the gap that puts most shapes on them."""
    best: _Fit | None = None
    for gap in gaps:
        step = (1 - size) / (count - 1 + gap)
        middles = size / 2 + step * (np.arange(count) + gap * (np.arange(count) >= ABOVE_BRIDGE))
        off = np.abs(places[:, None] - middles[None]).min(axis=1) / step
        value = -float(np.minimum(off, _HIT).mean())
        if best is None or value > best.value:
            best = _Fit(middles, size, value)
    assert best is not None
    return best


def _levelled(frame: Framed, found: NDArray[np.intp], places: F64, axis: int) -> F64:
    """Each column or row where the shapes found in it have their middle, which they know better than edges all over."""
    known = [line[line >= 0] for line in found]
    return np.array(
        [
            np.median(frame.boxes[line, axis]) if len(line) >= _ENOUGH else place
            for line, place in zip(known, places, strict=True)
        ]
    )


def _profiles(edges: F32, to_px: F64) -> tuple[F64, F64]:
    """How much of an edge there is at each place across and down the block, summed over the other direction."""
    width, height = COLUMNS * _PX_PER_STEP, ROWS * _PX_PER_STEP
    to_flat = np.diag([width, height, 1.0]) @ np.linalg.inv(to_px)
    flat = cv2.warpPerspective(np.minimum(edges, _STRONG), to_flat, (width, height), flags=cv2.INTER_LINEAR)
    smooth = cv2.GaussianBlur(flat, (0, 0), 1.0)
    return np.asarray(smooth.mean(axis=0), np.float64), np.asarray(smooth.mean(axis=1), np.float64)


def _fit(profile: F64, count: int, gaps: F64) -> _Fit:
    """The likeliest size and gap: edges of all spaces stand where the profile is high, and between them it is low."""
    best: _Fit | None = None
    calm = profile - np.median(profile)
    for share, gap in product(_SHARES, gaps):
        step = 1.0 / (count - 1 + share + gap)
        middles = step * (share / 2 + np.arange(count) + gap * (np.arange(count) >= ABOVE_BRIDGE))
        ends = np.concatenate([middles - share * step / 2, middles + share * step / 2])
        # The outermost ones are the corners themselves, whatever the share.
        at = np.clip(np.round(np.sort(ends)[1:-1] * len(calm) - 0.5).astype(int), 0, len(calm) - 1)
        value = float(calm[at].mean())
        if best is None or value > best.value:
            best = _Fit(middles, share * step, value)
    assert best is not None
    return best


def _found(frame: Framed, x: F64, y: F64) -> NDArray[np.intp]:
    """Index of the shape in each space, -1 where none closes."""
    found = np.full((COLUMNS, ROWS), -1, np.intp)
    boxes = frame.boxes
    with np.errstate(invalid="ignore"):
        sized = (np.abs(boxes[:, 2] / frame.like[0] - 1) < _SIZE_OFF) & (
            np.abs(boxes[:, 3] / frame.like[1] - 1) < _SIZE_OFF
        )
    which = np.flatnonzero(sized)
    for column, row in product(range(COLUMNS), range(ROWS)):
        aside = np.hypot(boxes[which, 0] - x[column], boxes[which, 1] - y[column, row])
        if len(aside) and aside.min() < _HIT:
            found[column, row] = which[int(aside.argmin())]
    return found
