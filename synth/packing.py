"""Sheets on a table, close together and at any angle, none over another."""

from __future__ import annotations

from math import cos, hypot, sin

import numpy as np

from synth.scenes import Lie

_GAP_MM = 6.0  # people leave a finger's breadth
_STEP_MM = 6.0
_ROUNDS = 60
_TRIES = 24

Place = tuple[float, float, float]
"""Middle x, y in millimetres and angle in radians."""


def pack(count: int, page_mm: tuple[float, float], aspect: float, rng: np.random.Generator) -> tuple[Lie, ...]:
    """So many sheets at any angle each, pushed together until they touch but for a gap.

    Args:
        count: how many, at most 12.
        page_mm: their size.
        aspect: width by height of the region that they shall fill.
        rng: source of chance.

    Returns:
        Their lies in reading order of the places they started from; the densest of a few tries.
    """
    tries = [_packed(count, page_mm, aspect, rng) for _ in range(_TRIES)]
    best = min(tries, key=lambda places: _extent(places, page_mm, aspect))
    return tuple(Lie(float(np.degrees(angle)), (x, y)) for x, y, angle in best)


def overlap(first: Place, second: Place, size_mm: tuple[float, float]) -> bool:
    """Whether two rectangles of that size share a point: no axis of either separates them (Gottschalk 1996)."""
    dx, dy = second[0] - first[0], second[1] - first[1]
    half_w, half_h = size_mm[0] / 2, size_mm[1] / 2
    c, s = abs(cos(second[2] - first[2])), abs(sin(second[2] - first[2]))
    reach = half_w + half_w * c + half_h * s, half_h + half_w * s + half_h * c
    for angle in (first[2], second[2]):
        along = dx * cos(angle) + dy * sin(angle), dy * cos(angle) - dx * sin(angle)
        if abs(along[0]) > reach[0] or abs(along[1]) > reach[1]:
            return False
    return True


def _packed(count: int, page_mm: tuple[float, float], aspect: float, rng: np.random.Generator) -> list[Place]:
    """Starts on a wide grid and moves each sheet towards the middle as long as it hits no other."""
    columns = max(1, round((count * aspect) ** 0.5 + float(rng.uniform(-0.3, 0.3))))
    rows = -(-count // columns)
    pitch = hypot(*page_mm) + _GAP_MM
    places = []
    for k in range(count):
        row, column = divmod(k, columns)
        in_row = min(columns, count - row * columns)
        at = ((column - (in_row - 1) / 2) * pitch, (row - (rows - 1) / 2) * pitch)
        places.append((*at, float(rng.uniform(0, 2 * np.pi))))
    size = (page_mm[0] + _GAP_MM, page_mm[1] + _GAP_MM)
    for step in np.linspace(_STEP_MM * 3, 1.0, _ROUNDS):
        for k in sorted(range(count), key=lambda k: _reach(places[k], aspect)):
            places[k] = _moved(places, k, size, aspect, float(step))
    return places


def _reach(place: Place, aspect: float) -> float:
    return hypot(place[0] / aspect, place[1])


def _moved(places: list[Place], k: int, size: tuple[float, float], aspect: float, step: float) -> Place:
    """The k-th sheet a step nearer to the middle: straight, or sliding along either axis, or where it is."""
    x, y, angle = places[k]
    reach = max(_reach(places[k], aspect), 1e-6)
    to_x, to_y = -x / aspect / reach, -y / reach
    ways = ((to_x, to_y), (np.sign(to_x), 0.0), (0.0, np.sign(to_y)), (-to_y, to_x), (to_y, -to_x))
    for way_x, way_y in ways:
        there = (x + step * float(way_x), y + step * float(way_y), angle)
        nearer = _reach(there, aspect) < reach - 0.05 * step
        if nearer and not any(overlap(there, other, size) for n, other in enumerate(places) if n != k):
            return there
    return places[k]


def _extent(places: list[Place], page_mm: tuple[float, float], aspect: float) -> float:
    """Height of the region of that aspect which holds all sheets."""
    x, y = [], []
    for at_x, at_y, angle in places:
        c, s = abs(cos(angle)), abs(sin(angle))
        half_w, half_h = (page_mm[0] * c + page_mm[1] * s) / 2, (page_mm[0] * s + page_mm[1] * c) / 2
        x += [at_x - half_w, at_x + half_w]
        y += [at_y - half_h, at_y + half_h]
    return max((max(x) - min(x)) / aspect, max(y) - min(y))
