"""A first guess of the paper's bend from points of the print that look like no others.

Dense flow follows lines, and a sheet has the same lines every 13 millimetres: behind a sharp fold it may lock onto the
wrong ones. Points of the blank sheet (SIFT: Lowe, IJCV 2004) are found again in the flattened photo within a space or
so of where they should be; those that move with their neighbours are believed, and the paper between moves with them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.rectify import Blank, Canvas, RectifiedSheet
from scanner.types import ImageU8
from scanner.warp import Bend

F32 = NDArray[np.float32]
Trend = Callable[[F32], F32]

_PX_PER_MM = 1.5
"""Scale at which points are looked for: symbols are some eight pixels wide."""

_POINTS = 900

_REACH_MM = 14.0
"""How far from its place a point is looked for: folds of 25 degrees move the print by 10 mm."""

_RATIO = 0.8
"""A match counts if its descriptor is this much nearer than the second best within reach (Lowe), and than any other
place on the blank sheet within twice that reach: the corners of cells repeat, and where the right one is hidden, the
next one looks as good."""

_SAME_MM = 1.0
"""Points nearer than this are one place, seen at two scales."""

_NEIGHBOURS, _LONELY_MM = 6, 2.0
"""A match is believed if it moved like the middle one of its nearest neighbours, but for this much."""

_SMOOTH_MM, _ASTRAY_MM = 1.0, 3.5
"""Paper bends smoothly but for a fold or two: offsets are a cubic function of the place, give or take the first. What
is further off than the second has found the next cell, 13 mm away, and its neighbours with it."""

_NEAR_MM = 6.0
"""Deviation of the mean by which the paper between points moves off the trend: half a space."""

_SPREAD_PX_PER_MM = 0.5
"""Scale at which that mean is made: a sixth of its width a pixel."""

_LEAST_MATCHES = 20
"""Fewer say nothing about a whole page."""

_EVERYWHERE: Any = None
"""No mask, for the detector; OpenCV's stubs know no None."""


def bend_by_points(sheet: RectifiedSheet, blank: Blank, px_per_mm: float) -> Bend | None:
    """A rough bend of the sheet, on a canvas of that scale; None where too few points are found again.

    Args:
        sheet: the flattened photo.
        blank: the blank sheet on the same canvas.
        px_per_mm: scale of the bend's canvas.
    """
    places_mm, descriptors, unlike = _blank_points(blank)
    found_mm, found = _points(_small(sheet.image, sheet.canvas), sheet.canvas.at_scale(_PX_PER_MM))
    if min(len(places_mm), len(found_mm)) < _LEAST_MATCHES:
        return None
    first, second = _matches(places_mm, descriptors, unlike, found_mm, found)
    if len(first) < _LEAST_MATCHES:
        return None
    places_mm, offsets_mm = places_mm[first], found_mm[second] - places_mm[first]
    trend = _trend(places_mm, offsets_mm)
    rest_mm = offsets_mm - trend(places_mm)
    believed = _moves_with_neighbours(places_mm, offsets_mm) & (np.linalg.norm(rest_mm, axis=1) <= _ASTRAY_MM)
    if believed.sum() < _LEAST_MATCHES:
        return None
    return _spread(places_mm[believed], rest_mm[believed], trend, blank.canvas.at_scale(px_per_mm))


def _small(image: ImageU8, canvas: Canvas) -> ImageU8:
    small = cv2.resize(image, canvas.at_scale(_PX_PER_MM).size_wh, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


@cache
def _sift() -> cv2.SIFT:
    return cv2.SIFT.create(nfeatures=_POINTS, contrastThreshold=0.01, edgeThreshold=20)


@lru_cache(maxsize=16)
def _blank_points(blank: Blank) -> tuple[F32, F32, F32]:
    """Places and descriptors of the blank's points, and how far (N,) the most similar one elsewhere is, squared."""
    places_mm, descriptors = _points(_small(blank.image, blank.canvas), blank.canvas.at_scale(_PX_PER_MM))
    distance = _apart(places_mm, places_mm)
    elsewhere = (distance > _SAME_MM**2) & (distance < (2 * _REACH_MM) ** 2)
    unlike = np.where(elsewhere, _apart(descriptors, descriptors), np.inf).min(axis=1, initial=np.inf)
    # Those that look like others can hardly be told from them: half the points, and half the time.
    telling = unlike >= np.median(unlike)
    return places_mm[telling], descriptors[telling], unlike[telling]


def _apart(first: F32, second: F32) -> F32:
    """Squared distances (N, M) between the rows of two arrays."""
    squares = (first**2).sum(axis=1)[:, None] + (second**2).sum(axis=1)
    return np.asarray(np.maximum(squares - 2 * first @ second.T, 0), dtype=np.float32)


def _points(grey: ImageU8, canvas: Canvas) -> tuple[F32, F32]:
    """Places (N, 2) in page millimetres, and descriptors (N, 128)."""
    found, descriptors = _sift().detectAndCompute(grey, _EVERYWHERE)
    if descriptors is None:
        return np.empty((0, 2), np.float32), np.empty((0, 128), np.float32)
    to_canvas = canvas.page_to_canvas
    places_mm = (np.array([point.pt for point in found]) - to_canvas[:2, 2]) / canvas.px_per_mm
    return places_mm.astype(np.float32), np.asarray(descriptors, dtype=np.float32)


def _matches(
    places_mm: F32, descriptors: F32, unlike: F32, found_mm: F32, found: F32
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Indices of points and of what they match, each with the nearest descriptor within reach by far."""
    apart = np.where(_apart(places_mm, found_mm) > _REACH_MM**2, np.inf, _apart(descriptors, found))
    rows = np.arange(len(apart))
    nearest = apart.argmin(axis=1)
    best = apart[rows, nearest]
    # Another point at the same place, seen at another scale, is no rival.
    rivals = np.where(_apart(found_mm[nearest], found_mm) > _SAME_MM**2, apart, np.inf)
    good = np.isfinite(best) & (best < _RATIO**2 * np.minimum(rivals.min(axis=1), unlike))
    return np.flatnonzero(good), nearest[good]


def _moves_with_neighbours(places_mm: F32, offsets_mm: F32) -> NDArray[np.bool_]:
    if len(places_mm) <= _NEIGHBOURS:
        return np.zeros(len(places_mm), np.bool_)
    nearest = np.argpartition(_apart(places_mm, places_mm), _NEIGHBOURS, axis=1)[:, : _NEIGHBOURS + 1]
    middle = np.median(offsets_mm[nearest], axis=1)
    return np.asarray(np.linalg.norm(offsets_mm - middle, axis=1) <= _LONELY_MM, dtype=np.bool_)


def _trend(places_mm: F32, offsets_mm: F32) -> Trend:
    """Offsets as a cubic function of the place, fitted with less and less weight for the points that do not obey it.

    Iteratively reweighted least squares with the weights of Geman and McClure (1987).
    """
    middle_mm = places_mm.mean(axis=0)

    def terms(points_mm: F32) -> F32:
        x, y = np.moveaxis((points_mm - middle_mm) / 50.0, -1, 0)
        return np.stack([x**i * y**j for i in range(4) for j in range(4 - i)], axis=-1).astype(np.float32)

    known, weights = terms(places_mm), np.ones(len(places_mm), np.float32)
    for _ in range(10):
        fitted, *_ = np.linalg.lstsq(known * weights[:, None], offsets_mm * weights[:, None], rcond=None)
        astray_mm = np.linalg.norm(offsets_mm - known @ fitted, axis=1)
        weights = 1 / (1 + (astray_mm / _SMOOTH_MM) ** 2)
    return lambda points_mm: np.asarray(terms(points_mm) @ fitted, dtype=np.float32)


def _spread(places_mm: F32, rest_mm: F32, trend: Trend, canvas: Canvas) -> Bend:
    """The trend all over a canvas, and what points near each place add to it (a Gaussian mean)."""
    coarse = canvas.at_scale(_SPREAD_PX_PER_MM)
    width, height = coarse.size_wh
    to_coarse = coarse.page_to_canvas
    places_px = places_mm @ to_coarse[:2, :2].T + to_coarse[:2, 2]
    columns, rows = (np.clip(places_px[:, i].round().astype(int), 0, coarse.size_wh[i] - 1) for i in range(2))
    sums = np.zeros((height, width, 3), np.float32)
    np.add.at(sums, (rows, columns), np.column_stack([rest_mm, np.ones(len(places_mm))]))
    near = cv2.GaussianBlur(sums, (0, 0), _NEAR_MM * coarse.px_per_mm)
    # Where no point is near, the weights fade, and the trend alone is left.
    added_mm = near[..., :2] / (near[..., 2:] + np.float32(0.05) * near[..., 2].max())
    pixels = np.dstack(np.meshgrid(np.arange(width), np.arange(height)))
    page_mm = ((pixels - to_coarse[:2, 2]) / coarse.px_per_mm).astype(np.float32)
    offset_px = cv2.resize(
        (trend(page_mm) + added_mm) * canvas.px_per_mm, canvas.size_wh, interpolation=cv2.INTER_LINEAR
    )
    return Bend(np.asarray(offset_px, dtype=np.float32), canvas)
