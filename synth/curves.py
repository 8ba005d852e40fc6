"""Smooth pen paths: splines through control points, and what a hand's nerves and hurry do to them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]

SAMPLES = 10  # points per span between control points: 0.02-0.04 of a digit's height, finer than any pen


def spline(points: Points, corners: NDArray[np.bool_], tension: float = 0.0) -> Points:
    """A Catmull-Rom curve through the points, broken at the corners.

    Args:
        points: (N, 2) float64 control points.
        corners: (N,) bool, where the direction may jump.
        tension: 0 for the roundest curve, 1 for straight lines between the points.

    Returns:
        (M, 2) float64, passing through every control point.
    """
    breaks = [0, *[int(i) for i in np.flatnonzero(corners[1:-1]) + 1], len(points) - 1]
    pieces = [_smooth_piece(points[a : b + 1], tension) for a, b in pairwise(breaks) if b > a]
    if not pieces:
        return points.copy()
    return np.concatenate([piece if i == 0 else piece[1:] for i, piece in enumerate(pieces)])


def _smooth_piece(points: Points, tension: float) -> Points:
    if len(points) == 2:
        t = np.linspace(0, 1, SAMPLES + 1)[:, None]
        return np.asarray(points[0] * (1 - t) + points[1] * t)
    padded = np.concatenate([2 * points[:1] - points[1:2], points, 2 * points[-1:] - points[-2:-1]])
    tangents = 0.5 * (1 - tension) * (padded[2:] - padded[:-2])
    t = np.linspace(0, 1, SAMPLES, endpoint=False)[None, :, None]
    p0, p1 = points[:-1, None], points[1:, None]
    m0, m1 = tangents[:-1, None], tangents[1:, None]
    hermite = (
        (2 * t**3 - 3 * t**2 + 1) * p0 + (t**3 - 2 * t**2 + t) * m0 + (3 * t**2 - 2 * t**3) * p1 + (t**3 - t**2) * m1
    )
    return np.concatenate([hermite.reshape(-1, 2), points[-1:]])


def soften(path: Points, reach: int) -> Points:
    """The path with its corners cut, as a fast pen cuts them; both ends stay where they are.

    Args:
        path: (M, 2) float64.
        reach: how many samples to either side are averaged; 0 changes nothing.
    """
    if reach <= 0 or len(path) < 3:
        return path
    padded = np.concatenate(
        [2 * path[:1] - path[reach:0:-1], path, 2 * path[-1:] - path[-2 : -reach - 2 : -1]]
        if len(path) > reach + 1
        else [np.repeat(path[:1], reach, 0), path, np.repeat(path[-1:], reach, 0)]
    )
    sums = np.cumsum(np.concatenate([np.zeros((1, 2)), padded]), axis=0)
    width = 2 * reach + 1
    smooth = (sums[width:] - sums[:-width]) / width
    smooth[0], smooth[-1] = path[0], path[-1]
    return np.asarray(smooth)


def wobble(path: Points, amount: float, wavelength: float, rng: np.random.Generator) -> Points:
    """The path with a slow random sideways drift.

    Args:
        path: (M, 2) float64.
        amount: standard deviation of the drift, in the path's units.
        wavelength: length along the path over which the drift changes, same units.
        rng: source of chance.
    """
    if amount <= 0 or len(path) < 2:
        return path
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(path, axis=0).T))])
    knots = max(2, int(along[-1] / wavelength) + 2)
    places = np.linspace(0, max(along[-1], 1e-9), knots)
    drift = rng.normal(0, amount, (knots, 2))
    at = np.minimum(along / max(places[-1], 1e-9) * (knots - 1), knots - 1 - 1e-9)
    left = at.astype(int)
    share = (0.5 - 0.5 * np.cos(np.pi * (at - left)))[:, None]  # no kinks at the knots
    return np.asarray(path + drift[left] * (1 - share) + drift[left + 1] * share)


def extend(path: Points, length: float) -> Points:
    """The path drawn on straight past its end by `length` (cut shorter if negative, by a third at most)."""
    if len(path) < 3:
        return path
    if length < 0:
        along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(path, axis=0).T))])
        keep = int(np.searchsorted(along, max(along[-1] + length, along[-1] * 2 / 3)))
        return path[: max(3, keep + 1)]
    direction = path[-1] - path[-3]
    norm = float(np.hypot(*direction))
    if norm < 1e-9:
        return path
    return np.concatenate([path, path[-1:] + direction / norm * length])


def bounds(strokes: list[Points]) -> tuple[float, float, float, float]:
    """The box x0, y0, x1, y1 around all the strokes' points."""
    points = np.concatenate(strokes)
    (x0, y0), (x1, y1) = points.min(axis=0), points.max(axis=0)
    return float(x0), float(y0), float(x1), float(y1)
