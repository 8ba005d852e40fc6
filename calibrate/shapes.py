"""Closed shapes of a picture: whatever an edge runs around, in any colour, on any ground.

Spaces of score sheets are boxes, hexagons or circles, white or coloured, with or without a line around them. What they
have in common is that an edge closes around them. So edges are found in brightness and in both colours, and what they
enclose are the candidates; several strengths of edges are tried, since no single one suits faint print and bold art.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.types import ImageU8

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

_EDGE_LEVELS = (5.0, 8.0, 13.0, 21.0, 34.0)
"""Strengths of edges, in grey levels a pixel: from pastel on cream to black on white, each 1.6 times the last."""

_COLOUR_WEIGHT = 1.7
"""Differences of Lab's a and b are smaller than those of L for edges that look as strong."""

_SMALLEST, _LARGEST = 1 / 6000, 1 / 60
"""Share of the picture that a space covers: 1 / 250 where the sheet fills it, a tenth of it from three times as far."""

_SOLID = 0.86
"""Least share of its convex hull that a shape fills: round boxes 0.97, hexagons 0.98, leaking ones less."""

_LONGEST = 2.6
"""Longest side over shortest, seen aslant: twice as long as high makes no space to write into."""

_SAME_PLACE, _SAME_SIZE = 0.12, 0.12
"""Shapes whose middles differ by less than this share of their side, and their sizes by less, are one shape."""


@dataclass(frozen=True, slots=True, eq=False)
class Shapes:
    """Closed shapes of a picture.

    Attributes:
        centres_px: (N, 2), middles of their boxes.
        sides_px: (N,), square roots of their areas.
        contours_px: for each an (M, 2) float array, its outline.
    """

    centres_px: F64
    sides_px: F64
    contours_px: tuple[F64, ...]


def closed_shapes(edges: F32) -> Shapes:
    """Every closed shape about as large as a space may be.

    Args:
        edges: float32 (h, w), how strong an edge runs through each pixel, at one to two thousand pixels a side.
    """
    area_px = float(edges.size)
    found: list[tuple[F64, float, F64]] = []
    for level in _EDGE_LEVELS:
        for thicken in (0, 1):
            found += _enclosed(edges > level, thicken, area_px)
    return _apart(found)


def edge_strength(image: ImageU8) -> F32:
    """How strong an edge runs through each pixel, float32 (h, w), the strongest of brightness and colours."""
    calm = cv2.medianBlur(image, 3)
    lab = cv2.cvtColor(calm, cv2.COLOR_BGR2Lab).astype(np.float32)
    lab[..., 1:] *= _COLOUR_WEIGHT
    strongest = np.zeros(image.shape[:2], np.float32)
    for channel in range(3):
        plane = np.ascontiguousarray(lab[..., channel])
        across, along = cv2.Scharr(plane, cv2.CV_32F, 1, 0) / 32, cv2.Scharr(plane, cv2.CV_32F, 0, 1) / 32
        strongest = np.maximum(strongest, cv2.magnitude(across, along))
    return strongest


def _enclosed(edges: NDArray[np.bool_], thicken: int, area_px: float) -> list[tuple[F64, float, F64]]:
    mask = edges.astype(np.uint8)
    if thicken:
        mask = np.asarray(cv2.dilate(mask, np.ones((3, 3), np.uint8)), dtype=np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(1 - mask, connectivity=4, ltype=cv2.CV_32S)
    grown = 1.5 + thicken
    shapes = []
    box_area = stats[:, cv2.CC_STAT_WIDTH].astype(np.float64) * stats[:, cv2.CC_STAT_HEIGHT]
    fitting = (box_area > _SMALLEST * area_px) & (box_area < 3 * _LARGEST * area_px)
    fitting &= stats[:, cv2.CC_STAT_AREA] > 0.25 * box_area
    for label in np.flatnonzero(fitting):
        if label:
            x, y, w, h = (int(value) for value in stats[label, :4])
            piece = (labels[y : y + h, x : x + w] == label).astype(np.uint8)
            shape = _shape(piece, (x, y), grown, area_px)
            if shape is not None:
                shapes.append(shape)
    return shapes


def _shape(
    piece: NDArray[np.uint8], corner: tuple[int, int], grown: float, area_px: float
) -> tuple[F64, float, F64] | None:
    contours, _ = cv2.findContours(piece, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = max(contours, key=cv2.contourArea)
    area = cv2.contourArea(outline)
    if not _SMALLEST * area_px < area < _LARGEST * area_px:
        return None
    hull = cv2.convexHull(outline)
    (_, sides, _) = cv2.minAreaRect(hull)
    if area < _SOLID * cv2.contourArea(hull) or max(sides) > _LONGEST * min(sides):
        return None
    points = hull.reshape(-1, 2).astype(np.float64) + corner
    centre = _middle(points)
    side = float(np.sqrt(area))
    # An edge has a width, and the shape ends where it begins.
    points = centre + (points - centre) * (1 + 2 * grown / max(side, 1.0))
    return centre, side + 2 * grown, points


def _middle(points: F64) -> F64:
    moments = cv2.moments(points.astype(np.float32).reshape(-1, 1, 2))
    if moments["m00"] <= 0:
        return np.asarray(points.mean(axis=0), dtype=np.float64)
    return np.array([moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]])


def _apart(found: list[tuple[F64, float, F64]]) -> Shapes:
    """Each shape once, though several strengths of edges show it; the middle one of them."""
    groups: list[list[int]] = []
    buckets: dict[tuple[int, int], list[int]] = {}
    step = 12.0
    for i in sorted(range(len(found)), key=lambda i: found[i][1]):
        centre, side, _ = found[i]
        cell = (int(centre[0] // step), int(centre[1] // step))
        near = (g for dx in (-1, 0, 1) for dy in (-1, 0, 1) for g in buckets.get((cell[0] + dx, cell[1] + dy), ()))
        home = next(
            (
                g
                for g in near
                if np.hypot(*(found[groups[g][0]][0] - centre)) < min(_SAME_PLACE * side, step)
                and side < (1 + _SAME_SIZE) * found[groups[g][0]][1]
            ),
            None,
        )
        if home is None:
            groups.append([i])
            buckets.setdefault(cell, []).append(len(groups) - 1)
        else:
            groups[home].append(i)
    kept = [group[len(group) // 2] for group in groups]
    return Shapes(
        np.array([found[i][0] for i in kept], np.float64).reshape(-1, 2),
        np.array([found[i][1] for i in kept], np.float64),
        tuple(found[i][2] for i in kept),
    )
