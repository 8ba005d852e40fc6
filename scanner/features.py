"""Finding a sheet that shows no tags: covered, torn off, out of focus, or never printed.

The eight columns are what one sees of a sheet from afar: coloured stripes with symbols on their heads. Points of the
blank sheet (SIFT: Lowe, IJCV 2004) are matched to the photo at a few hundred pixels, in the colours from yellow to blue
first, which neither light nor handwriting changes much and which stay when the photo is out of focus; then in grey, for
copies. A homography is fitted to the matches (MAGSAC++: Barath et al., CVPR 2020). As chance makes fits too, a find
counts only if the page under it looks like the blank sheet all over; whether every cell lies right is proven later.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from layouts import LayoutError, SheetLayout
from scanner.blanks import blank_page_at
from scanner.geometry import page_corners, seen_from_front
from scanner.types import ImageU8, Points, SheetOutline

_RATIO = 0.85
"""A match counts if its descriptor is this much nearer than the second best (Lowe): the columns look alike, and what
tells one from the next drops out with a stricter one."""

_REPROJECTION_PX = 4.0
"""How far a match may be off: bent paper moves the print by a few millimetres, and the bend is measured later."""

_MIN_MATCHES = 12
"""Least matches of a fit worth looking at: sheets have 20 or more, pictures without one gave at most 5."""

_MAX_SHEETS = 8

_LONE_SHARE = 0.2
"""Least share of the picture that a sheet found at first glance covers: beside a smaller one there is room for others,
which show at a closer look."""

_PROOF_PX_PER_MM = 1.0
"""Scale at which the page under a find is compared with the blank: columns and symbols show, handwriting hardly."""

_PROOF_SOFT_MM, _PROOF_LOCAL_MM = 2.0, 12.0
"""Both are blurred by the first, so that a photo out of focus compares too; the mean over the second is taken off, so
that light does not count."""

_EVERYWHERE: Any = None
"""No mask, for the detector; OpenCV's stubs know no None."""


@dataclass(frozen=True, slots=True)
class _Look:
    """One way of looking at the photo.

    Attributes:
        plane: `colour` or `grey`.
        long_side_px: size of the picture.
        points: how many points to look for in it.
        least_likeness: correlation with the blank from which a find counts.
    """

    plane: str
    long_side_px: int
    points: int
    least_likeness: float


_GLANCES = (_Look("colour", 250, 500, 0.6), _Look("grey", 250, 500, 0.4))
_CLOSER_LOOKS = (_Look("colour", 500, 2000, 0.6), _Look("grey", 500, 2000, 0.4))
"""A glance takes 30 ms, a closer look 120. In colour the first glance finds every single sheet of 80 development
photos, out of focus or not: their likeness is 0.62 or more, in grey 0.43. Pictures of other things have 0.2 at most."""


@dataclass(frozen=True, slots=True, eq=False)
class PointSet:
    """Points (N, 2) float32 with their descriptors (N, 128) float32."""

    points: NDArray[np.float32]
    descriptors: NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A homography (3, 3) from page millimetres to pixels of the searched picture, and how many matches agree."""

    homography: Points
    matches: int


@dataclass(frozen=True, slots=True, eq=False)
class _View:
    """What one look shows of a photo: its plane, the points in it, and (3, 3) from its pixels to the photo's."""

    plane: ImageU8
    points: PointSet
    to_photo: Points


class Views:
    """A photo as each look shows it, worked out once however many layouts are held against it.

    Args:
        image: uint8 (h, w, 3), BGR, the photo.
        free: uint8 (h, w), where to look for points, if not everywhere: 0 where not.
    """

    def __init__(self, image: ImageU8, free: ImageU8 | None = None) -> None:
        self._image, self._free = image, free
        self._views: dict[_Look, _View] = {}

    def at(self, look: _Look) -> _View:
        """What that look shows."""
        if look not in self._views:
            self._views[look] = _view(self._image, look, self._free)
        return self._views[look]


def find_by_print(image: ImageU8, layout: SheetLayout) -> tuple[SheetOutline, ...]:
    """Where sheets lie, by the points of their print; each has still to be verified by its grid.

    Args:
        image: uint8 (h, w, 3), BGR, the photo.
        layout: the sheet.

    Returns:
        At most eight outlines, scored by their likeness to the blank; none if the layout has no picture.
    """
    views = Views(image)
    try:
        glances = ((look.plane, _seen_in(views, layout, look)) for look in _GLANCES)
        plane, seen = next(((plane, found) for plane, found in glances if found), ("", []))
        if len(seen) == 1 and _share_of(seen[0], image) >= _LONE_SHARE:
            return tuple(seen)
        finds: list[list[SheetOutline]] = [seen]
        finds += (_seen_in(views, layout, look) for look in _CLOSER_LOOKS if plane in ("", look.plane))
        return tuple(max(finds, key=lambda sheets: sum(1 for _ in sheets)))
    except LayoutError:
        return ()


def find_each_by_print(views: Views, layouts: Sequence[SheetLayout]) -> Iterator[tuple[tuple[SheetOutline, ...], ...]]:
    """The same for several layouts, look by look, so that none is looked at closely where a glance shows another.

    Args:
        views: the photo.
        layouts: the sheets it may hold.

    Yields:
        For each layout its outlines by a glance at colours, then by one at grey, then by closer looks.
    """
    for look in _GLANCES:
        yield tuple(_tried(views, layout, (look,)) for layout in layouts)
    yield tuple(_tried(views, layout, _CLOSER_LOOKS) for layout in layouts)


def find_beside(image: ImageU8, free: ImageU8, layouts: Sequence[SheetLayout]) -> tuple[tuple[SheetOutline, ...], ...]:
    """What else lies in a photo in which sheets were found, by a closer look at the colours of the rest.

    Args:
        image: uint8 (h, w, 3), BGR, the photo.
        free: uint8 (h, w), 0 where those sheets lie.
        layouts: the sheets that may lie beside them.

    Returns:
        For each layout its outlines.
    """
    views = Views(image, free)
    return tuple(_tried(views, layout, _CLOSER_LOOKS[:1]) for layout in layouts)


def _tried(views: Views, layout: SheetLayout, looks: Sequence[_Look]) -> tuple[SheetOutline, ...]:
    """The most sheets that one of some looks shows; none if the layout has no picture."""
    try:
        return tuple(max((_seen_in(views, layout, look) for look in looks), key=lambda sheets: sum(1 for _ in sheets)))
    except LayoutError:
        return ()


def _share_of(outline: SheetOutline, image: ImageU8) -> float:
    area_px = cv2.contourArea(outline.corners_px.astype(np.float32))
    return float(area_px / (image.shape[0] * image.shape[1]))


def _view(image: ImageU8, look: _Look, free: ImageU8 | None) -> _View:
    factor = max(1, max(image.shape) // look.long_side_px)
    size_wh = (image.shape[1] // factor, image.shape[0] // factor)
    whole = image[: size_wh[1] * factor, : size_wh[0] * factor]
    small = np.asarray(cv2.resize(whole, size_wh, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    plane = _plane(small, look.plane)
    to_photo = np.array([[factor, 0, (factor - 1) / 2], [0, factor, (factor - 1) / 2], [0, 0, 1]], np.float64)
    mask: Any = _EVERYWHERE if free is None else cv2.resize(free, size_wh, interpolation=cv2.INTER_NEAREST)
    return _View(plane, _points(plane, look.points, mask), to_photo)


def _seen_in(views: Views, layout: SheetLayout, look: _Look) -> list[SheetOutline]:
    """The sheets that one look shows."""
    view = views.at(look)
    plane = view.plane
    outlines = []
    for fit in _fits(view.points, layout, look):
        likeness = _likeness(plane, fit.homography, layout, look.plane)
        if likeness >= look.least_likeness and likeness > _best_aside(plane, fit.homography, layout, look.plane):
            homography = view.to_photo @ fit.homography
            outlines.append(SheetOutline(homography, page_corners(homography, layout), "print", likeness))
    return outlines


def _plane(image: ImageU8, name: str) -> ImageU8:
    """Grey, or the colours from blue to yellow around 128, strengthened (CIE Lab's b)."""
    if name == "grey":
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    colour = cv2.cvtColor(image, cv2.COLOR_BGR2Lab)[..., 2].astype(np.float32)
    return np.asarray(np.clip((colour - 128) * 2.5 + 128, 0, 255), dtype=np.uint8)


def _fits(points: PointSet, layout: SheetLayout, look: _Look) -> list[Fit]:
    """Every homography that enough matches agree on, those with most first; each takes away the matches on its page."""
    page_mm, photo_px = _matched(_blank_points(layout, look), points)
    fits: list[Fit] = []
    for _ in range(_MAX_SHEETS):
        fit = _fit(page_mm, photo_px)
        if fit is None:
            break
        if seen_from_front(fit.homography, layout):
            fits.append(fit)
        quad = page_corners(fit.homography, layout).astype(np.float32)
        outside = np.array([cv2.pointPolygonTest(quad, (float(x), float(y)), False) < 0 for x, y in photo_px])
        if outside.all():
            break
        page_mm, photo_px = page_mm[outside], photo_px[outside]
    return fits


@cache
def _sift(count: int) -> cv2.SIFT:
    # A softened picture has little contrast; long edges are what columns are made of.
    return cv2.SIFT.create(nfeatures=count, contrastThreshold=0.01, edgeThreshold=20)


def _points(plane: ImageU8, count: int, mask: ImageU8 = _EVERYWHERE) -> PointSet:
    found, descriptors = _sift(count).detectAndCompute(plane, mask)
    if descriptors is None:
        return PointSet(np.empty((0, 2), np.float32), np.empty((0, 128), np.float32))
    points = np.array([point.pt for point in found], np.float32)
    return PointSet(points, np.asarray(descriptors, dtype=np.float32))


@lru_cache(maxsize=128)
def _blank(layout: SheetLayout, px_per_mm: float, plane: str) -> ImageU8:
    """A plane of the blank sheet's picture at that scale.

    Raises:
        LayoutError: the layout has no picture, or it cannot be decoded.
    """
    return _plane(blank_page_at(layout, px_per_mm), plane)


@lru_cache(maxsize=128)
def _blank_points(layout: SheetLayout, look: _Look) -> PointSet:
    """Points of the blank sheet, in page millimetres, at about the scale of a sheet that fills most of the photo."""
    blank = _blank(layout, 0.75 * look.long_side_px / max(layout.page_mm), look.plane)
    found = _points(blank, look.points)
    scale = np.array([blank.shape[1], blank.shape[0]], np.float32) / np.array(layout.page_mm, np.float32)
    return PointSet(np.asarray((found.points + 0.5) / scale, dtype=np.float32), found.descriptors)


def _matched(blank: PointSet, photo: PointSet) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Points (M, 2) of the page in millimetres and, row by row, what looks like them in the photo, in pixels."""
    if min(len(blank.points), len(photo.points)) < 2:
        return np.empty((0, 2), np.float32), np.empty((0, 2), np.float32)
    # As a product of matrices, this takes a quarter of the time that OpenCV's matcher does, with the same result:
    # descriptors are whole numbers, and so are the squares of their distances, which float32 holds exactly.
    there, here = photo.descriptors, blank.descriptors
    apart = (there * there).sum(axis=1)[:, None] + (here * here).sum(axis=1) - 2 * there @ here.T
    rows, nearest = np.arange(len(there)), apart.argmin(axis=1)
    least = np.sqrt(apart[rows, nearest])
    apart[rows, nearest] = np.inf
    good = least < _RATIO * np.sqrt(apart.min(axis=1))
    return blank.points[nearest[good]], photo.points[good]


def _fit(page_mm: NDArray[np.float32], photo_px: NDArray[np.float32]) -> Fit | None:
    """The homography that most matches agree on, if enough do."""
    if len(page_mm) < _MIN_MATCHES:
        return None
    homography, agreeing = cv2.findHomography(page_mm, photo_px, cv2.USAC_MAGSAC, _REPROJECTION_PX)
    if homography is None or int(agreeing.sum()) < _MIN_MATCHES:
        return None
    return Fit(np.asarray(homography, dtype=np.float64), int(agreeing.sum()))


def _best_aside(plane: ImageU8, homography: Points, layout: SheetLayout, name: str) -> float:
    """The best likeness one column or one space aside: they look alike, and a find that is one off fits all others."""
    cell = layout.read_cells[0]
    others = {(round(box.x_mm - cell.x_mm, 1), round(box.y_mm - cell.y_mm, 1)) for box in layout.read_cells}
    pitch_x = min((abs(x) for x, _ in others if abs(x) >= cell.w_mm), default=cell.w_mm)
    pitch_y = min((abs(y) for x, y in others if x == 0 and abs(y) >= cell.h_mm), default=cell.h_mm)
    steps = ((pitch_x, 0.0), (-pitch_x, 0.0), (0.0, pitch_y), (0.0, -pitch_y))
    shifts = (np.array([[1, 0, x], [0, 1, y], [0, 0, 1]], np.float64) for x, y in steps)
    return max(_likeness(plane, homography @ shift, layout, name) for shift in shifts)


def _likeness(plane: ImageU8, homography: Points, layout: SheetLayout, name: str) -> float:
    """Correlation, -1 to 1, of the page under a homography with the blank sheet, light and sharpness aside."""
    blank = _blank(layout, _PROOF_PX_PER_MM, name)
    to_page = np.array([[_PROOF_PX_PER_MM, 0, -0.5], [0, _PROOF_PX_PER_MM, -0.5], [0, 0, 1]], np.float64)
    try:
        flattening = to_page @ np.linalg.inv(homography)
    except np.linalg.LinAlgError:
        return -1.0
    seen = cv2.warpPerspective(plane, flattening, (blank.shape[1], blank.shape[0]), borderMode=cv2.BORDER_REPLICATE)
    first, second = _local(np.asarray(seen, dtype=np.uint8)), _local(blank)
    return float((first * second).sum() / np.sqrt((first * first).sum() * (second * second).sum() + 1e-6))


def _local(plane: ImageU8) -> NDArray[np.float32]:
    soft = cv2.GaussianBlur(plane.astype(np.float32), (0, 0), _PROOF_SOFT_MM * _PROOF_PX_PER_MM)
    return np.asarray(soft - cv2.GaussianBlur(soft, (0, 0), _PROOF_LOCAL_MM * _PROOF_PX_PER_MM), dtype=np.float32)
