"""The eight columns of a sheet among those that closed shapes make, with those added that show in other ways.

A column of artifacts may be a row of vases without boxes; they need not close, but all nine look the same. And a column
in a faint colour may not show at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibrate.frame import Framed, clusters
from calibrate.shapes import F32, F64

COLUMNS, ROWS, ABOVE_BRIDGE = 8, 9, 3
"""Columns, spaces of each, and how many of those lie above the bridge."""

HIT = 0.16
"""A shape belongs to a space if their middles are this share of a step apart at most."""

_APART = 0.55
"""Two columns are farther apart than this share of a step: their spaces do not overlap."""

_BESIDE = 2.2
"""A column of another form stands up to so many steps beside the others: there may be a gap, or points between."""

_TWICE_OFF = 0.12
"""Two columns stand two steps apart, give or take this share of a step, where one between them does not show."""

_PATCH_PX, _PATCH_STEPS = 24, 0.8
"""Size at which places are compared, and their side."""

_SAME = 0.45
"""Least middle correlation of the nine places of a column of printed things: vases and dice have 0.6 to 0.9, a column
of points beside the spaces 0.3, texture 0.1."""

_EMPTY = 0.5
"""Deviation of edges below which nothing is printed there."""

_STRONGEST = 30.0
"""Strength of edges above which they count no more."""


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """A column of spaces.

    Attributes:
        x: its middle in the frame.
        members: indices of its shapes.
        phase: how much lower than the rows its spaces stand.
    """

    x: float
    members: NDArray[np.intp]
    phase: float


def eight_columns(edges: F32, frame: Framed, columns: Sequence[Column], rows: F64) -> list[Column]:
    """The columns from left to right; fewer than eight where no more can be made out.

    Args:
        edges: float32 (h, w), how strong an edge runs through each pixel of the picture.
        frame: the frame of its shapes.
        columns: groups of shapes above each other.
        rows: (9,), middles of the rows.
    """
    known = []
    for column in columns:
        heights = frame.boxes[column.members, 1][:, None]
        on = np.abs(heights - column.phase - rows[None]).min(axis=1) < HIT
        if on.sum() >= 2:
            members = column.members[on]
            known.append(Column(float(np.median(frame.boxes[members, 0])), members, column.phase))
    if len(known) > COLUMNS:
        runs = [known[i : i + COLUMNS] for i in range(len(known) - COLUMNS + 1)]
        known = max(runs, key=lambda run: sum(len(column.members) for column in run))
    if 3 <= len(known) < COLUMNS:
        known = _with_others(known, _other_shapes(frame, known, rows))
    if 3 <= len(known) < COLUMNS:
        known = _with_faint(known)
    if 3 <= len(known) < COLUMNS:
        known = _with_others(known, _repeating(edges, frame, known, rows))
    return known


def _step(known: Sequence[Column]) -> float:
    return float(np.median(np.diff([column.x for column in known])))


def _other_shapes(frame: Framed, known: Sequence[Column], rows: F64) -> list[Column]:
    """Columns of smaller shapes, those with most first."""
    step = _step(known)
    x, y, w, h = frame.boxes.T
    with np.errstate(invalid="ignore"):
        smaller = (w < 1.15 * frame.like[0]) & (h < 1.15 * frame.like[1]) & (w > 0.2 * frame.like[0])
        on_row = np.abs(y[:, None] - rows[None]).min(axis=1) < 1.5 * HIT
        aside = np.abs(x[:, None] - np.array([column.x for column in known])[None]).min(axis=1) > _APART * step
    free = np.flatnonzero(smaller & on_row & aside & np.isfinite(x))
    others = []
    for group in clusters(x[free], 0.15):
        members = free[group]
        levels = np.abs(y[members][:, None] - rows[None]).argmin(axis=1)
        if len(set(levels.tolist())) >= 4:
            others.append(Column(float(np.median(x[members])), members, 0.0))
    return sorted(others, key=lambda column: -len(column.members))


def _with_others(known: Sequence[Column], others: Sequence[Column]) -> list[Column]:
    """The columns with those of others that stand between or beside them, as long as there are too few."""
    step = _step(known)
    found = sorted(known, key=lambda column: column.x)
    for other in others:
        beside = min(abs(other.x - found[0].x), abs(other.x - found[-1].x))
        inside = found[0].x < other.x < found[-1].x
        is_free = min(abs(other.x - column.x) for column in found) > _APART * step
        if len(found) < COLUMNS and is_free and (inside or beside < _BESIDE * step):
            found = sorted([*found, other], key=lambda column: column.x)
    return found


def _with_faint(known: Sequence[Column]) -> list[Column]:
    """Columns of which nothing shows, as yellow in a grey photo, where two others stand twice a step apart."""
    step = _step(known)
    filled = [known[0]]
    for column in known[1:]:
        before = filled[-1]
        if abs((column.x - before.x) / step - 2) < _TWICE_OFF:
            middle = replace(before, x=(before.x + column.x) / 2, members=np.empty(0, np.intp))
            filled.append(middle)
        filled.append(column)
    return filled


def _repeating(edges: F32, frame: Framed, known: Sequence[Column], rows: F64) -> list[Column]:
    """Places beside the columns where all nine rows show the same thing, those that do most first."""
    step = _step(known)
    ends = known[0].x - _BESIDE * step, known[-1].x + _BESIDE * step
    scale = _PATCH_PX / _PATCH_STEPS
    left, top = ends[0] - _PATCH_STEPS, rows[0] - _PATCH_STEPS
    size = round((ends[1] + _PATCH_STEPS - left) * scale), round((rows[-1] + _PATCH_STEPS - top) * scale)
    to_strip = np.array([[scale, 0, -left * scale - 0.5], [0, scale, -top * scale - 0.5], [0, 0, 1]], np.float64)
    strong = np.minimum(edges, np.float32(_STRONGEST))
    flat = np.asarray(cv2.warpPerspective(strong, to_strip @ np.linalg.inv(frame.homography), size), dtype=np.float32)
    places = np.arange(ends[0], ends[1], 1 / scale)
    apart = max(_APART * step, frame.like[0])
    aside = np.abs(places[:, None] - np.array([column.x for column in known])[None]).min(axis=1) > apart
    places = places[aside]
    seen = [_sameness(flat, (x - left) * scale, (rows - top) * scale) for x in places]
    # Points beside the columns are alike too, but thin.
    scores = np.array([same * strength if same > _SAME else 0.0 for same, strength in seen])
    found = []
    while len(scores) and scores.max() > 0:
        best = float(places[scores.argmax()])
        found.append(Column(best, np.empty(0, np.intp), 0.0))
        scores[np.abs(places - best) < apart] = 0
    return found


def _sameness(flat: F32, x_px: float, rows_px: F64) -> tuple[float, float]:
    """How alike nine places are, 0 to 1, and how strong their print is.

    It is the middle correlation of each with the others' mean, more for what is central.

    Lines that run down the page are the same in every row, so they are taken out.
    """
    size = (_PATCH_PX, _PATCH_PX)
    patches = np.stack([cv2.getRectSubPix(flat, size, (x_px, float(y))) for y in rows_px]).astype(np.float64)
    patches -= patches.mean(axis=1, keepdims=True)
    aside = (np.arange(_PATCH_PX) - (_PATCH_PX - 1) / 2) / (_PATCH_PX / 3)
    power = float((patches**2).sum())
    patches *= np.exp(-0.5 * aside**2)
    central = float((patches**2).sum()) / max(power, 1e-6)
    flattened = patches.reshape(len(rows_px), -1)
    if flattened.std() < _EMPTY:
        return 0.0, 0.0
    others = flattened.sum(axis=0)[None] - flattened
    lengths = np.linalg.norm(flattened, axis=1) * np.linalg.norm(others, axis=1)
    same = float(np.median((flattened * others).sum(axis=1) / np.maximum(lengths, 1e-6)))
    return same * float(np.sqrt(central)), float(flattened.std())
