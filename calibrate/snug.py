"""Boxes moved to the middle of the border that is printed around them.

A closed shape ends where the edge around it begins, a little inside of the border. How far the border lies from there
is the same for all boxes of a kind, so it is measured over all of them at once: the profile of edges across each side,
averaged, rises where the border begins and falls where it ends.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibrate.fields import Field
from calibrate.shapes import F64, edge_strength
from scanner.rectify import Canvas
from scanner.types import ImageU8

Box = tuple[float, float, float, float]
F32 = NDArray[np.float32]

_REACH_MM = 1.5
"""How far a border's far edge may lie from where the shape ends."""

_WIDEST_MM = 1.05
"""How wide a border is at most, its edges' own width of 0.3 mm included. What is wider is a band of colour that a box
lies on, and the box ends where the band begins."""

_BACK_MM = 0.4
"""How far inside of it its near edge may lie."""

_MIDDLE = 0.25
"""Share of a side's length, around its middle, along which its edge is level enough, in circles too."""

_RISES = 0.5
"""Share of a profile's peak that is still part of the border."""

_LEAST_MEMBERS = 3
"""Fewer boxes give no profile worth following."""

_WEAK = 3.0
"""Mean strength in grey levels below which a border is noise."""


def snug_boxes(image: ImageU8, canvas: Canvas, boxes: Sequence[tuple[Field, Box]]) -> tuple[tuple[Field, Box], ...]:
    """The boxes with each side in the middle of its border, boxes of one kind and size all by the same.

    Args:
        image: the flattened blank sheet, uint8 (h, w, 3), BGR.
        canvas: its scale.
        boxes: fields with their boxes on the page, x, y, width and height in millimetres.
    """
    edges = edge_strength(image)
    return _moved(edges, canvas.px_per_mm, boxes)


def _moved(edges: F32, px_per_mm: float, boxes: Sequence[tuple[Field, Box]]) -> tuple[tuple[Field, Box], ...]:
    groups: dict[tuple[str, float, float], list[int]] = defaultdict(list)
    for i, (one, box) in enumerate(boxes):
        groups[one.kind, round(box[2], 3), round(box[3], 3)].append(i)
    moved = list(boxes)
    for members in groups.values():
        seen = [boxes[i][1] for i in members if boxes[i][0].seen]
        if len(seen) < _LEAST_MEMBERS:
            continue
        left, top, right, bottom = (_outwards_mm(edges, px_per_mm, seen, side) for side in range(4))
        for i in members:
            one, (x, y, w, h) = boxes[i]
            moved[i] = one, (x - left, y - top, w + left + right, h + top + bottom)
    return tuple(moved)


def _outwards_mm(edges: F32, px_per_mm: float, boxes: Sequence[Box], side: int) -> float:
    """How far outwards the middle of the border lies on one side, left, top, right or bottom."""
    steps_mm = np.arange(-_BACK_MM, _REACH_MM, 0.5 / px_per_mm)
    profiles = np.stack([_profile(edges, px_per_mm, box, side, steps_mm) for box in boxes])
    profile = np.median(profiles, axis=0)
    if profile.max() < _WEAK:
        return 0.0
    strong = steps_mm[profile >= _RISES * profile.max()]
    return float((strong[0] + strong[strong <= strong[0] + _WIDEST_MM].max()) / 2)


def _profile(edges: F32, px_per_mm: float, box: Box, side: int, steps_mm: F64) -> F64:
    """Strength of edges at each distance outwards, averaged along the middle of a side."""
    x, y, w, h = box
    sign, level = (-1 if side < 2 else 1), side % 2 == 1
    across = ((y, y + h) if level else (x, x + w))[side // 2] + sign * steps_mm
    first, length = (x, w) if level else (y, h)
    along = first + length * (0.5 + _MIDDLE * np.linspace(-0.5, 0.5, 15))
    columns, rows = (along[None], across[:, None]) if level else (across[:, None], along[None])
    height, width = edges.shape
    at_x = np.clip(np.round(columns * px_per_mm - 0.5).astype(int), 0, width - 1)
    at_y = np.clip(np.round(rows * px_per_mm - 0.5).astype(int), 0, height - 1)
    return np.asarray(edges[at_y, at_x].mean(axis=1), dtype=np.float64)
