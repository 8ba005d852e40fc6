"""Finding a sheet that shows no tags: covered, torn off, out of focus, or never printed.

Points of the blank sheet (ORB, Rublee et al., ICCV 2011) are matched to the photo and a homography is fitted to the
matches (MAGSAC++, Barath et al., CVPR 2020). A fit proves nothing by itself, for cells look alike and chance makes
fits of a dozen points: what is found here counts only if the printed grid is then seen where it says.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from layouts import LayoutError, SheetLayout, blank_picture
from scanner.geometry import page_corners, seen_from_front
from scanner.options import DEFAULT_OPTIONS, ScanOptions
from scanner.types import ImageU8, Points, SheetOutline

_BLANK_PX_PER_MM = 3.0
"""Scale of the blank sheet whose points are matched: about that of a sheet in the searched photo."""

_BLANK_POINTS, _PHOTO_POINTS = 3000, 5000
"""How many points to look for: a cluttered table takes its share of those in the photo."""

_RATIO = 0.8
"""A match counts if its descriptor is this much nearer than the second best (Lowe, IJCV 2004): the corners of
cells, which all look alike, drop out, and symbols, figures and title stay."""

_REPROJECTION_PX = 4.0
"""How far a match may be off: bent paper moves the print by up to 2 mm or so, and the bend is measured later."""

_MIN_MATCHES = 15
"""Least matches of a fit worth looking at; chance gives up to a dozen."""

_LESSER_SHEET = 0.4
"""Least share of the best fit's matches that another sheet of the photo has to have: real ones are alike, with 60 or
more, and chance makes fits of 15 to 35."""

_MAX_SHEETS = 8

_EVERYWHERE: Any = None
"""No mask, for the detector; OpenCV's stubs know no None."""


@dataclass(frozen=True, slots=True, eq=False)
class PointSet:
    """Points (N, 2) float32 with their descriptors (N, 32) uint8."""

    points: NDArray[np.float32]
    descriptors: NDArray[np.uint8]

    def without(self, gone: NDArray[np.bool_]) -> PointSet:
        """The points that are not marked (N,) as gone."""
        return PointSet(self.points[~gone], self.descriptors[~gone])


def find_by_print(
    grey: ImageU8, layout: SheetLayout, options: ScanOptions = DEFAULT_OPTIONS
) -> tuple[SheetOutline, ...]:
    """Where sheets may lie, by the points of their print; each has to be verified by its grid.

    Args:
        grey: uint8 (h, w), the photo.
        layout: the sheet.
        options: the size at which to search.

    Returns:
        At most eight outlines, those with most matches first; none if the layout has no picture.
    """
    try:
        blank = _blank_points(layout)
    except LayoutError:
        return ()
    factor = max(1, max(grey.shape) // options.tag_search_long_side_px)
    small = cv2.resize(grey, None, fx=1 / factor, fy=1 / factor, interpolation=cv2.INTER_AREA)
    left = _points(np.asarray(small, dtype=np.uint8), _PHOTO_POINTS)
    outlines: list[SheetOutline] = []
    while len(outlines) < _MAX_SHEETS:
        fitted = _fit(blank, left)
        if fitted is None:
            break
        homography, matches = fitted
        quad = page_corners(homography, layout).astype(np.float32)
        if seen_from_front(homography, layout):
            to_photo = np.array([[factor, 0, (factor - 1) / 2], [0, factor, (factor - 1) / 2], [0, 0, 1]], np.float64)
            whole = to_photo @ homography
            score = min(1.0, matches / 100)
            outlines.append(SheetOutline(whole, page_corners(whole, layout), "print", score))
        inside = np.array([cv2.pointPolygonTest(quad, (float(x), float(y)), False) >= 0 for x, y in left.points])
        if not inside.any():
            break
        left = left.without(inside)
    return tuple(outline for outline in outlines if outline.score >= _LESSER_SHEET * outlines[0].score)


@cache
def _orb(count: int) -> cv2.ORB:
    return cv2.ORB.create(nfeatures=count, fastThreshold=10)


def _points(grey: ImageU8, count: int) -> PointSet:
    found, descriptors = _orb(count).detectAndCompute(grey, _EVERYWHERE)
    if descriptors is None:
        return PointSet(np.empty((0, 2), np.float32), np.empty((0, 32), np.uint8))
    points = np.array([point.pt for point in found], np.float32)
    return PointSet(points, np.asarray(descriptors, dtype=np.uint8))


@lru_cache(maxsize=16)
def _blank_points(layout: SheetLayout) -> PointSet:
    """Points of the blank sheet, in page millimetres."""
    picture = cv2.imdecode(np.frombuffer(blank_picture(layout), np.uint8), cv2.IMREAD_GRAYSCALE)
    if picture is None:
        raise LayoutError(f"{layout.name}: the picture of the blank sheet is damaged")
    width_mm, height_mm = layout.page_mm
    size_wh = round(width_mm * _BLANK_PX_PER_MM), round(height_mm * _BLANK_PX_PER_MM)
    small = np.asarray(cv2.resize(picture, size_wh, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    found = _points(small, _BLANK_POINTS)
    points_mm = (found.points + 0.5) / np.array([size_wh[0] / width_mm, size_wh[1] / height_mm], np.float32)
    return PointSet(points_mm.astype(np.float32), found.descriptors)


def _fit(blank: PointSet, photo: PointSet) -> tuple[Points, int] | None:
    """The homography, millimetres to pixels, that most matches agree on, and how many do."""
    if len(photo.points) < _MIN_MATCHES:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(photo.descriptors, blank.descriptors, k=2)
    good = [best for best, second in pairs if best.distance < _RATIO * second.distance]
    if len(good) < _MIN_MATCHES:
        return None
    page_mm = np.array([blank.points[match.trainIdx] for match in good])
    photo_px = np.array([photo.points[match.queryIdx] for match in good])
    homography, agreeing = cv2.findHomography(page_mm, photo_px, cv2.USAC_MAGSAC, _REPROJECTION_PX)
    if homography is None or int(agreeing.sum()) < _MIN_MATCHES:
        return None
    return np.asarray(homography, dtype=np.float64), int(agreeing.sum())
