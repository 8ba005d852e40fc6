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

_QUICK, _THOROUGH = (1500, 2000), (3000, 5000)
"""How many points to look for, in the blank sheet and in the photo. The few take 40 ms and give 40 to 200 matches on
single sheets without tags; the many take 200 ms, for cluttered tables and several sheets, which share the points."""

_QUICK_MATCHES = 30
"""Matches from which a quick find of one sheet is taken."""

_LONE_SHARE = 0.2
"""Least share of the picture that a sheet found quickly covers: beside a smaller one there is room for others."""

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
    factor = max(1, max(grey.shape) // options.tag_search_long_side_px)
    small = np.asarray(
        cv2.resize(grey, None, fx=1 / factor, fy=1 / factor, interpolation=cv2.INTER_AREA), dtype=np.uint8
    )
    try:
        quick = _find(small, layout, *_QUICK)
        lone = len(quick) == 1 and quick[0].matches >= _QUICK_MATCHES
        if not (lone and quick[0].area_px(layout) >= _LONE_SHARE * small.size):
            quick = _find(small, layout, *_THOROUGH)
    except LayoutError:
        return ()
    to_photo = np.array([[factor, 0, (factor - 1) / 2], [0, factor, (factor - 1) / 2], [0, 0, 1]], np.float64)
    return tuple(fit.outline(to_photo, layout) for fit in quick)


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A homography (3, 3) from page millimetres to pixels of the searched picture, and how many matches agree."""

    homography: Points
    matches: int

    def area_px(self, layout: SheetLayout) -> float:
        """Area of the page, in square pixels of the searched picture."""
        return float(cv2.contourArea(page_corners(self.homography, layout).astype(np.float32)))

    def outline(self, to_photo: Points, layout: SheetLayout) -> SheetOutline:
        """The same as an outline in another picture; `to_photo` (3, 3) leads there."""
        whole = to_photo @ self.homography
        return SheetOutline(whole, page_corners(whole, layout), "print", min(1.0, self.matches / 100))


def _find(small: ImageU8, layout: SheetLayout, blank_count: int, photo_count: int) -> list[Fit]:
    """Every sheet that the matches of so many points show, the most certain first."""
    blank, photo = _blank_points(layout, blank_count), _points(small, photo_count)
    page_mm, photo_px = _matched(blank, photo)
    fits: list[Fit] = []
    while len(fits) < _MAX_SHEETS:
        fit = _fit(page_mm, photo_px)
        if fit is None or (fits and fit.matches < _LESSER_SHEET * fits[0].matches):
            break
        quad = page_corners(fit.homography, layout).astype(np.float32)
        if seen_from_front(fit.homography, layout):
            fits.append(fit)
        outside = np.array([cv2.pointPolygonTest(quad, (float(x), float(y)), False) < 0 for x, y in photo_px])
        if outside.all():
            break
        page_mm, photo_px = page_mm[outside], photo_px[outside]
    return fits


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
def _blank_points(layout: SheetLayout, count: int) -> PointSet:
    """Points of the blank sheet, in page millimetres."""
    picture = cv2.imdecode(np.frombuffer(blank_picture(layout), np.uint8), cv2.IMREAD_GRAYSCALE)
    if picture is None:
        raise LayoutError(f"{layout.name}: the picture of the blank sheet is damaged")
    width_mm, height_mm = layout.page_mm
    size_wh = round(width_mm * _BLANK_PX_PER_MM), round(height_mm * _BLANK_PX_PER_MM)
    small = np.asarray(cv2.resize(picture, size_wh, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    found = _points(small, count)
    points_mm = (found.points + 0.5) / np.array([size_wh[0] / width_mm, size_wh[1] / height_mm], np.float32)
    return PointSet(points_mm.astype(np.float32), found.descriptors)


def _matched(blank: PointSet, photo: PointSet) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Points (M, 2) of the page in millimetres and, row by row, what looks like them in the photo, in pixels."""
    if not (len(blank.points) and len(photo.points)):
        return np.empty((0, 2), np.float32), np.empty((0, 2), np.float32)
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(photo.descriptors, blank.descriptors, k=2)
    good = [pair[0] for pair in pairs if len(pair) == 2 and pair[0].distance < _RATIO * pair[1].distance]
    return blank.points[[match.trainIdx for match in good]], photo.points[[match.queryIdx for match in good]]


def _fit(page_mm: NDArray[np.float32], photo_px: NDArray[np.float32]) -> Fit | None:
    """The homography that most matches agree on, if enough do."""
    if len(page_mm) < _MIN_MATCHES:
        return None
    homography, agreeing = cv2.findHomography(page_mm, photo_px, cv2.USAC_MAGSAC, _REPROJECTION_PX)
    if homography is None or int(agreeing.sum()) < _MIN_MATCHES:
        return None
    return Fit(np.asarray(homography, dtype=np.float64), int(agreeing.sum()))
