"""A die in space: its visible faces, rounded, with their pips."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from synth.lens import Lens

ImageU8 = NDArray[np.uint8]
Points = NDArray[np.float64]

_ROUND = 0.2  # radius of its corners by half a side
_PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
_FACES = ((0, 0, 1), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0))


def die_outline(lens: Lens, at_mm: tuple[float, float], turn_rad: float, side_mm: float) -> Points:
    """Pixels (N, 2) around a die that stands on the table."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float64)
    pixels = lens.project(_placed(corners, at_mm, turn_rad, side_mm)).astype(np.float32)
    return np.asarray(cv2.convexHull(pixels)[:, 0], dtype=np.float64)


def paint_die(
    photo: ImageU8, lens: Lens, at_mm: tuple[float, float], turn_rad: float, side_mm: float, rng: np.random.Generator
) -> None:
    """Draws a die into the photo, in place."""
    colours = (
        (40, 40, 190),
        (225, 228, 230),
        (60, 150, 60),
        (180, 90, 40),
        (40, 190, 225),
        (45, 45, 48),
        (120, 50, 110),
    )
    colour = np.array(colours[int(rng.integers(len(colours)))], dtype=np.float64)
    dark = colour.sum() < 420
    lamp = float(rng.uniform(0, 2 * np.pi))
    numbers = rng.permutation(6) + 1
    faces = [face for face in _FACES if _seen(lens, face, at_mm, turn_rad, side_mm)]
    rims = [lens.project(_placed(_face(face, _rim()), at_mm, turn_rad, side_mm)) for face in faces]
    hull = cv2.convexHull(np.concatenate(rims).astype(np.float32))[:, 0]
    _fill(photo, np.asarray(hull, dtype=np.float64), colour * 0.78)
    for face, rim, number in zip(faces, rims, numbers, strict=False):
        turned = np.arctan2(face[1], face[0]) + turn_rad
        light = 1.0 if face[2] else 0.66 + 0.18 * float(np.cos(turned - lamp))
        _fill(photo, rim, np.minimum(colour * light + 12 * face[2], 252))
        pip = np.array([236.0, 238, 238]) if dark else np.array([34.0, 34, 36])
        for x, y in _PIPS[int(number)]:
            spot = _face(face, _circle(0.17) + np.array([x, y]) * 0.52)
            _fill(photo, lens.project(_placed(spot, at_mm, turn_rad, side_mm)), pip * light)


def _placed(unit: Points, at_mm: tuple[float, float], turn_rad: float, side_mm: float) -> Points:
    """Points of the cube from -1 to 1 as millimetres in space, the cube standing on the table."""
    c, s = np.cos(turn_rad), np.sin(turn_rad)
    half = side_mm / 2
    x, y = unit[:, 0] * half, unit[:, 1] * half
    return np.column_stack([c * x - s * y + at_mm[0], s * x + c * y + at_mm[1], (unit[:, 2] + 1) * half])


def _face(face: tuple[int, int, int], plane: Points) -> Points:
    """Points (N, 2) of a face's own plane as points (N, 3) of the cube."""
    out = np.empty((len(plane), 3))
    axis = int(np.argmax(np.abs(face)))
    others = [k for k in range(3) if k != axis]
    out[:, axis] = face[axis]
    out[:, others] = plane
    return out


def _rim() -> Points:
    corners = [(1 - _ROUND, 1 - _ROUND, 0), (_ROUND - 1, 1 - _ROUND, 90), (_ROUND - 1, _ROUND - 1, 180),
               (1 - _ROUND, _ROUND - 1, 270)]  # fmt: skip
    arcs = [np.radians(np.linspace(start, start + 90, 7)) for _, _, start in corners]
    return np.concatenate([np.column_stack([x + _ROUND * np.cos(arc), y + _ROUND * np.sin(arc)])
                           for (x, y, _), arc in zip(corners, arcs, strict=True)])  # fmt: skip


def _circle(radius: float) -> Points:
    around = np.linspace(0, 2 * np.pi, 20, endpoint=False)
    return radius * np.column_stack([np.cos(around), np.sin(around)])


def _seen(lens: Lens, face: tuple[int, int, int], at_mm: tuple[float, float], turn_rad: float, side_mm: float) -> bool:
    """Whether the camera is on the outer side of a face."""
    square = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])
    corners = _placed(_face(face, square), at_mm, turn_rad, side_mm)
    middle = corners.mean(axis=0)
    outwards = middle - np.array([at_mm[0], at_mm[1], side_mm / 2])
    return bool((lens.position_mm() - middle) @ outwards > 0)


def _fill(photo: ImageU8, outline: Points, colour: Points) -> None:
    tone = tuple(float(v) for v in colour)
    cv2.fillPoly(photo, [np.rint(outline * 16).astype(np.int32)], tone, cv2.LINE_AA, 4)
