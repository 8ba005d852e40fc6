"""Corner tags: seeing them, sorting them into sheets, and the homography through those of one sheet.

A tag tells by its id which corner of the page it is, so a sheet lying on its side or upside down is no special case.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from layouts import Fiducial, SheetLayout
from scanner.geometry import page_corners, seen_from_front
from scanner.types import ImageU8, Points, SheetOutline

_MAX_RESIDUAL_MM = 8.0
"""Tags of one sheet fit one homography within this: curl moves a corner by up to 6 mm where it is tilted away too,
another sheet's tag is 20 mm off."""

_NEAR_SHARE = 0.4
"""A sheet's other tags are looked for within this share of their distance from the place that the first tag
predicts; without perspective the prediction is up to a third off at 50 degrees of tilt."""

_SHAPE_SHARE = 0.3
"""Groups make one page only if each tag's corners lie within this share of its side from where that page would have
them around its centre. Curl of 15 degrees at 50 degrees of tilt is half of that; tags of two sheets side by side,
which a homography can stretch or shear into one page, are 0.4 and more."""

_PLAIN_TAG_PX = 16.0
"""Side of a tag in the small picture from which a search there is trusted to have seen all sheets: tags of 12 pixels,
two a module, are still read, so a sheet has to be a third farther away than the one seen to be missed."""


@dataclass(frozen=True, slots=True, eq=False)
class TagSighting:
    """A tag seen in the photo: corners (4, 2) in pixels of `Photo.image`, clockwise from the tag's own top left."""

    fiducial: Fiducial
    corners_px: Points

    @property
    def area_px(self) -> float:
        """Its area in square pixels."""
        return float(cv2.contourArea(self.corners_px.astype(np.float32)))


def see_tags(grey: ImageU8, layout: SheetLayout, factor: int = 1) -> tuple[TagSighting, ...]:
    """The layout's tags in a photo.

    Args:
        grey: uint8 (h, w), the photo.
        layout: whose tags to look for.
        factor: by how much the photo is shrunk for the search; corners are then found again in the photo itself.
    """
    # A whole factor: shrinking by area is thirty times as fast then.
    size_wh = (grey.shape[1] // factor, grey.shape[0] // factor)
    whole = grey[: size_wh[1] * factor, : size_wh[0] * factor]
    small = np.asarray(cv2.resize(whole, size_wh, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return tuple(_refined(sighting, grey) for sighting in _detect(small, layout, factor))


def may_hide_small_tags(
    sightings: Sequence[TagSighting], outlines: Sequence[SheetOutline], layout: SheetLayout, factor: int
) -> bool:
    """Whether a search in a larger picture may show tags that this one was too small for.

    Args:
        sightings: the tags seen.
        outlines: the sheets they make.
        layout: the sheet.
        factor: by how much the photo was shrunk for the search.
    """
    sides_px = [float(np.sqrt(sighting.area_px)) for sighting in sightings]
    for outline in outlines:
        for tag in layout.fiducials:
            quad = cv2.perspectiveTransform(np.array([tag.corners_mm], np.float64), outline.homography)
            sides_px.append(float(np.sqrt(cv2.contourArea(quad.astype(np.float32)))))
    return bool(sides_px) and min(sides_px) / factor < _PLAIN_TAG_PX


@cache
def _detector(dictionary: str) -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    # One threshold window of some four tag modules instead of three windows: a third of the time, same tags.
    parameters.adaptiveThreshWinSizeMin = 15
    parameters.adaptiveThreshWinSizeMax = 15
    # By how many grey levels black has to be darker than its surroundings. With OpenCV's 7 the grain of tables is
    # searched too, which takes a quarter longer; in half-page shadow no tag is lost with up to 18, a fifth with 25.
    parameters.adaptiveThreshConstant = 12
    # A tag is 8 mm of a page of 210: it can be small where several sheets share a photo.
    parameters.minMarkerPerimeterRate = 0.02
    parameters.perspectiveRemoveIgnoredMarginPerCell = 0.2
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    return cv2.aruco.ArucoDetector(known, parameters)


def _detect(grey: ImageU8, layout: SheetLayout, to_photo: int) -> tuple[TagSighting, ...]:
    by_id = {tag.id: tag for tag in layout.fiducials}
    sightings = []
    for dictionary in sorted({tag.dictionary for tag in layout.fiducials}):
        corners, ids, _ = _detector(dictionary).detectMarkers(grey)
        for quad, tag_id in zip(corners, [] if ids is None else ids.ravel(), strict=True):
            tag = by_id.get(int(tag_id))
            if tag is not None and tag.dictionary == dictionary:
                # Pixel centres: position p of a picture scaled by s is (p + 0.5) / s - 0.5 in the original.
                corners_px = (quad.reshape(4, 2).astype(np.float64) + 0.5) * to_photo - 0.5
                sightings.append(TagSighting(tag, corners_px))
    return tuple(sightings)


def _refined(sighting: TagSighting, grey: ImageU8) -> TagSighting:
    """The tag with its corners found again to a fraction of a pixel, within half a module of where they were."""
    module_px = np.sqrt(sighting.area_px) / 6
    window = int(np.clip(module_px * 0.6, 2, 9))
    corners = sighting.corners_px.astype(np.float32).reshape(-1, 1, 2)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.03)
    refined = cv2.cornerSubPix(grey, corners, (window, window), (-1, -1), stop).reshape(4, 2).astype(np.float64)
    kept = np.linalg.norm(refined - sighting.corners_px, axis=1) <= max(1.5, 0.6 * module_px)
    return TagSighting(sighting.fiducial, np.where(kept[:, None], refined, sighting.corners_px))


def group_tags(sightings: Sequence[TagSighting], layout: SheetLayout) -> tuple[tuple[TagSighting, ...], ...]:
    """Tags sorted into sheets: each sheet has each id at most once, where its other tags predict it.

    Args:
        sightings: all tags of a photo, possibly of several sheets.
        layout: the sheet they belong to.

    Returns:
        Groups of at least two tags; two fix a homography by their eight corners.
    """
    if _is_a_set(sightings, layout) and _make_one_page(sightings, layout):
        return (tuple(sightings),)
    left = sorted(sightings, key=lambda sighting: -sighting.area_px)
    groups: list[list[TagSighting]] = []
    while left:
        group = _grown(left[0], left[1:], layout)
        left = [sighting for sighting in left if all(sighting is not member for member in group)]
        _merge(group, groups, layout)
    return tuple(tuple(group) for group in groups if len(group) >= 2)


def _is_a_set(sightings: Sequence[TagSighting], layout: SheetLayout) -> bool:
    """Whether they are all of one sheet's tags, each once: the plain case, which needs no growing."""
    seen = sorted(sighting.fiducial.id for sighting in sightings)
    return len(seen) >= 2 and seen == sorted(tag.id for tag in layout.fiducials)


def _grown(seed: TagSighting, others: Sequence[TagSighting], layout: SheetLayout) -> list[TagSighting]:
    """A tag and those that fit to it, the best fitting first: each one found makes the next prediction better."""
    group = [seed]
    while True:
        ids = {member.fiducial.id for member in group}
        candidates = [other for other in others if other.fiducial.id not in ids]
        predict = _page_to_photo(group)
        if predict is None or not candidates:
            return group
        near = sorted((_miss(candidate, seed, predict), i) for i, candidate in enumerate(candidates))
        fitting = (i for miss, i in near if miss <= _NEAR_SHARE and _make_one_page([*group, candidates[i]], layout))
        best = next(fitting, None)
        if best is None:
            return group
        group.append(candidates[best])


def _page_to_photo(group: Sequence[TagSighting]) -> Points | None:
    """(3, 3), page to photo: a homography through several tags, affine through one, which is too small for more."""
    page_mm = np.concatenate([np.array(sighting.fiducial.corners_mm) for sighting in group])
    photo_px = np.concatenate([sighting.corners_px for sighting in group])
    if len(group) == 1:
        affine, _ = cv2.estimateAffine2D(page_mm, photo_px)
        return None if affine is None else np.vstack([affine, [0.0, 0.0, 1.0]])
    homography, _ = cv2.findHomography(page_mm, photo_px, 0)
    return None if homography is None else np.asarray(homography, dtype=np.float64)


def _miss(candidate: TagSighting, seed: TagSighting, predict: Points) -> float:
    """How far a tag is from its predicted place, as a share of that place's distance from the first tag."""
    page_mm = np.array([[np.mean(candidate.fiducial.corners_mm, axis=0)]], np.float64)
    predicted_px = cv2.perspectiveTransform(page_mm, predict).ravel()
    reach_px = float(np.linalg.norm(predicted_px - seed.corners_px.mean(axis=0)))
    miss_px = float(np.linalg.norm(predicted_px - candidate.corners_px.mean(axis=0)))
    return miss_px / max(reach_px, 1.0)


def _merge(group: list[TagSighting], groups: list[list[TagSighting]], layout: SheetLayout) -> None:
    """Adds a group to the one that it makes a page with, or to the list: strong tilt can tear a sheet in two."""
    ids = {member.fiducial.id for member in group}
    for other in groups:
        disjoint = ids.isdisjoint(member.fiducial.id for member in other)
        if disjoint and _make_one_page([*other, *group], layout):
            other.extend(group)
            return
    groups.append(group)


def _make_one_page(group: Sequence[TagSighting], layout: SheetLayout) -> bool:
    """Whether tags lie where those of one page would, and look there as they would."""
    outline = outline_of(group, layout)
    if outline is None:
        return False
    for sighting in group:
        expected = cv2.perspectiveTransform(np.array([sighting.fiducial.corners_mm]), outline.homography)[0]
        miss = (expected - expected.mean(axis=0)) - (sighting.corners_px - sighting.corners_px.mean(axis=0))
        if np.linalg.norm(miss, axis=1).max() > _SHAPE_SHARE * np.sqrt(sighting.area_px):
            return False
    return True


def outline_of(group: Sequence[TagSighting], layout: SheetLayout) -> SheetOutline | None:
    """The homography through a group's tags; None where they do not lie on one page."""
    page_mm = np.concatenate([np.array(sighting.fiducial.corners_mm) for sighting in group])
    photo_px = np.concatenate([sighting.corners_px for sighting in group])
    found, _ = cv2.findHomography(page_mm, photo_px, 0)
    if found is None:
        return None
    homography = np.asarray(found, dtype=np.float64)
    if not seen_from_front(homography, layout):
        return None
    inverse = np.linalg.inv(homography)
    back_mm = cv2.perspectiveTransform(photo_px.reshape(-1, 1, 2), inverse).reshape(-1, 2)
    residual_mm = float(np.linalg.norm(back_mm - page_mm, axis=1).max())
    if residual_mm > _MAX_RESIDUAL_MM:
        return None
    score = len(group) / max(1, len(layout.fiducials))
    return SheetOutline(homography, page_corners(homography, layout), "tags", score)


def draw_tags(image: ImageU8, sightings: Sequence[TagSighting]) -> ImageU8:
    """A copy of the photo with every tag outlined and numbered."""
    canvas = image.copy()
    for sighting in sightings:
        quad = sighting.corners_px.round().astype(np.int32)
        cv2.polylines(canvas, [quad], True, (0, 0, 255), 3)
        position = (int(quad[0, 0]), int(quad[0, 1]))
        cv2.putText(canvas, str(sighting.fiducial.id), position, cv2.FONT_HERSHEY_SIMPLEX, 1.2, (0, 0, 255), 3)
    return canvas
