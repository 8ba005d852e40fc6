"""The regular rhythm of spaces: closed shapes of one size that stand in rows and columns, seen at any angle.

From a shape with neighbours of its size on both sides in two directions a lattice grows, each step predicted by the
last ones, so that perspective and bent paper do no harm. The homography through the largest one makes a frame in which
columns and rows are straight and a step is 1; what the lattice missed (it does not cross the bridges) is then plain.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibrate.shapes import F64, Shapes

_ALIKE = 1.35
"""Neighbours differ in side by less than this factor: perspective makes 5 % a step, another kind of box 40 %."""

_ASTRAY = 0.22
"""A neighbour is this share of a step from where it is predicted at most."""

_FARTHEST = 2.4
"""Steps are this many sides of a shape at most."""

_LEAST_MEMBERS = 12
"""Fewer shapes in a lattice are chance: tiles and text make 6 or 8 that fit by accident."""

_MORE = 1.1
"""Longer steps have to reach more shapes by this factor."""

_NEAREST = 10
"""How many neighbours of a shape may be its next ones."""

Index = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """Shapes with whole coordinates.

    Attributes:
        members: index of a shape by its place (i, j).
        homography: (3, 3), from places to pixels.
    """

    members: dict[Index, int]
    homography: F64


def find_lattices(shapes: Shapes) -> list[Lattice]:
    """Lattices of shapes, those with most members first, none within another."""
    left = set(range(len(shapes.sides_px)))
    found: list[Lattice] = []
    for seed in _inner_first(shapes):
        if seed not in left:
            continue
        best: dict[Index, int] = {}
        for first, second in _bases(seed, shapes):
            grown = _grown(seed, first, second, shapes)
            # The shortest steps come first; longer ones that reach no more are diagonals.
            if len(grown) > _MORE * len(best):
                best = grown
        lattice = _lattice(best, shapes) if len(best) >= _LEAST_MEMBERS else None
        if lattice is not None:
            found.append(lattice)
            left -= set(lattice.members.values())
    return sorted(found, key=lambda lattice: -len(lattice.members))


def _alike(shapes: Shapes, i: int) -> NDArray[np.bool_]:
    ratio = shapes.sides_px / shapes.sides_px[i]
    return np.asarray((ratio < _ALIKE) & (ratio > 1 / _ALIKE), dtype=np.bool_)


def _inner_first(shapes: Shapes) -> list[int]:
    """Shapes with many alike ones around them first: those inside a block of spaces."""
    counts = []
    for i in range(len(shapes.sides_px)):
        near = np.linalg.norm(shapes.centres_px - shapes.centres_px[i], axis=1) < 2.2 * shapes.sides_px[i]
        counts.append(int((near & _alike(shapes, i)).sum()))
    return [i for i in sorted(range(len(counts)), key=lambda i: -counts[i]) if counts[i] >= 5]


def _bases(seed: int, shapes: Shapes) -> Iterator[tuple[F64, F64]]:
    """Pairs of steps from a shape to neighbours that have a counterpart on the other side."""
    offsets = shapes.centres_px - shapes.centres_px[seed]
    lengths = np.linalg.norm(offsets, axis=1)
    near = np.flatnonzero(_alike(shapes, seed) & (lengths > 0.6 * shapes.sides_px[seed]))
    near = near[np.argsort(lengths[near])][:_NEAREST]
    near = near[lengths[near] < _FARTHEST * shapes.sides_px[seed]]
    steps: list[F64] = []
    for i in near:
        opposite = np.linalg.norm(offsets[near] + offsets[i], axis=1)
        if opposite.min() < _ASTRAY * lengths[i]:
            step = (offsets[i] - offsets[near[int(opposite.argmin())]]) / 2
            if not any(min(np.linalg.norm(step - s), np.linalg.norm(step + s)) < 0.2 * lengths[i] for s in steps):
                steps.append(step)
    for first, second in combinations(steps, 2):
        sine = abs(float(first[0] * second[1] - first[1] * second[0])) / np.linalg.norm(first) / np.linalg.norm(second)
        if sine > 0.7:
            yield first, second


def _grown(seed: int, first: F64, second: F64, shapes: Shapes) -> dict[Index, int]:
    """Places of all shapes that a lattice reaches from one of them."""
    members: dict[Index, int] = {(0, 0): seed}
    steps: dict[Index, tuple[F64, F64]] = {(0, 0): (first, second)}
    taken = {seed}
    queue: list[Index] = [(0, 0)]
    while queue:
        place = queue.pop(0)
        here, (a, b) = members[place], steps[place]
        for (di, dj), step in (((1, 0), a), ((-1, 0), -a), ((0, 1), b), ((0, -1), -b)):
            target = place[0] + di, place[1] + dj
            if target in members:
                continue
            miss = np.linalg.norm(shapes.centres_px - (shapes.centres_px[here] + step), axis=1)
            miss[~_alike(shapes, here)] = np.inf
            near = int(miss.argmin())
            if miss[near] > _ASTRAY * np.linalg.norm(step) or near in taken:
                continue
            moved = (shapes.centres_px[near] - shapes.centres_px[here]) * (di + dj)
            members[target] = near
            taken.add(near)
            steps[target] = ((a + moved) / 2, b) if di else (a, (b + moved) / 2)
            queue.append(target)
    return members


def _lattice(members: dict[Index, int], shapes: Shapes) -> Lattice | None:
    places = np.array(list(members), np.float64)
    if min(np.ptp(places, axis=0)) < 1:
        return None
    centres = shapes.centres_px[list(members.values())]
    side = float(np.median(shapes.sides_px[list(members.values())]))
    homography, agreeing = cv2.findHomography(places, centres, cv2.RANSAC, 0.3 * side)
    if homography is None or int(agreeing.sum()) < _LEAST_MEMBERS:
        return None
    kept = {place: i for (place, i), fits in zip(members.items(), agreeing.ravel(), strict=True) if fits}
    return Lattice(kept, np.asarray(homography, dtype=np.float64))
