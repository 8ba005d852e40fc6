"""Second stage: where the sheets lie in the photo, by their corner tags or, where those do not show, by their print."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from layouts import SheetLayout
from scanner.debug import NO_DEBUG, DebugSink
from scanner.errors import SheetNotFound
from scanner.features import find_by_print
from scanner.geometry import resolution
from scanner.options import DEFAULT_OPTIONS, ScanOptions
from scanner.photo import in_mirror, sharper
from scanner.tags import TagSighting, draw_tags, group_tags, may_hide_small_tags, outline_of, see_tags
from scanner.types import ImageU8, Photo, SheetOutline


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """What one way of looking found.

    Attributes:
        photo: the photo as it was looked at: perhaps decoded larger, perhaps in a mirror.
        outlines: where sheets may lie in it, in reading order; each has to be verified by its grid.
        tags_seen: how many of the layout's corner tags were seen.
    """

    photo: Photo
    outlines: tuple[SheetOutline, ...]
    tags_seen: int


def searches(
    photo: Photo, layout: SheetLayout, options: ScanOptions = DEFAULT_OPTIONS, debug: DebugSink = NO_DEBUG
) -> Iterator[Search]:
    """Looks for sheets in ever more thorough ways; take the first one whose outlines stand up to the proof.

    Tags in the small picture show nearly every sheet. Then come tags in a mirror, as a front camera may have stored the
    photo, the sheet's print, tags in a larger decode, and print in a mirror. Orientation is never assumed: a tag's
    number tells which corner it is, and print is matched at any angle.

    Args:
        photo: the photo, as it was first decoded.
        layout: the sheet.
        options: how large to search.
        debug: takes a picture of the tags.
    """
    yield _by_tags(photo, layout, options, debug)
    mirror = in_mirror(photo)
    yield _by_tags(mirror, layout, options, debug)
    yield _by_print(photo, layout, options)
    larger = sharper(photo, 2 * photo.scale)
    if larger is not photo or max(photo.image.shape) >= 2 * options.tag_search_long_side_px:
        yield _by_tags(larger, layout, replace(options, tag_search_long_side_px=max(larger.image.shape)), debug)
    yield _by_print(mirror, layout, options)


def find_sheets(
    photo: Photo, layout: SheetLayout, options: ScanOptions = DEFAULT_OPTIONS, debug: DebugSink = NO_DEBUG
) -> Search:
    """The first search that finds anything, unproven.

    Raises:
        SheetNotFound: `no-sheet`, neither tags nor print that fit together.
    """
    for search in searches(photo, layout, options, debug):
        if search.outlines:
            return search
    raise nothing_found(layout)


def nothing_found(layout: SheetLayout) -> SheetNotFound:
    """The refusal of a photo in which no search found anything."""
    return SheetNotFound(
        "no-sheet",
        f"no {layout.name} sheet found",
        "photograph the whole sheet, uncovered, in focus and from its front",
    )


def _by_tags(photo: Photo, layout: SheetLayout, options: ScanOptions, debug: DebugSink) -> Search:
    """Tags at search size; larger where what was seen says that others may be too small for it."""
    grey = _grey(photo)
    factor = max(1, max(grey.shape) // options.tag_search_long_side_px)
    sightings = see_tags(grey, layout, factor)
    outlines = _outlines(sightings, layout)
    if may_hide_small_tags(sightings, outlines, layout, factor):
        larger = photo if factor > 1 else sharper(photo, 2 * photo.scale)
        if factor > 1 or larger is not photo:
            photo, grey = larger, _grey(larger)
            sightings = see_tags(grey, layout)
            outlines = _outlines(sightings, layout)
    if debug.active:
        debug.draw("tags", draw_tags(photo.image, sightings))
    return _sharp(photo, _apart(outlines), layout, options, len(sightings))


def _by_print(photo: Photo, layout: SheetLayout, options: ScanOptions) -> Search:
    return _sharp(photo, _apart(find_by_print(photo.image, layout)), layout, options, 0)


def _outlines(sightings: Sequence[TagSighting], layout: SheetLayout) -> list[SheetOutline]:
    outlines = [outline_of(group, layout) for group in group_tags(sightings, layout)]
    return [outline for outline in outlines if outline is not None]


def _grey(photo: Photo) -> ImageU8:
    return np.asarray(cv2.cvtColor(photo.image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def _sharp(
    photo: Photo, outlines: Sequence[SheetOutline], layout: SheetLayout, options: ScanOptions, tags_seen: int
) -> Search:
    """The outlines in reading order, in a photo decoded large enough to read all of them."""
    ordered = sorted(outlines, key=lambda outline: _reading_order(outline, outlines))
    if not outlines:
        return Search(photo, (), tags_seen)
    coarsest = min(resolution(outline.homography, layout) for outline in outlines)
    larger = sharper(photo, photo.scale * min(1e3, options.least_decoded_px_per_mm / max(coarsest, 1e-6)))
    return Search(larger, tuple(_scaled(outline, larger.scale / photo.scale) for outline in ordered), tags_seen)


def _scaled(outline: SheetOutline, factor: float) -> SheetOutline:
    """The outline in the same photo at another scale; pixel centres lie at whole numbers in both."""
    if factor == 1:
        return outline
    shift = (factor - 1) / 2
    scaling = np.array([[factor, 0, shift], [0, factor, shift], [0, 0, 1]], np.float64)
    corners_px = outline.corners_px * factor + shift
    return SheetOutline(scaling @ outline.homography, corners_px, outline.method, outline.score)


def _apart(outlines: Sequence[SheetOutline]) -> list[SheetOutline]:
    """The outlines without those whose page has its middle inside a better one: one sheet is reported once."""
    kept: list[SheetOutline] = []
    for outline in sorted(outlines, key=lambda outline: -outline.score):
        x, y = (float(value) for value in outline.corners_px.mean(axis=0))
        inside = (cv2.pointPolygonTest(other.corners_px.astype(np.float32), (x, y), False) >= 0 for other in kept)
        if not any(inside):
            kept.append(outline)
    return kept


def _reading_order(outline: SheetOutline, outlines: Sequence[SheetOutline]) -> tuple[int, float]:
    """Row number (rows are half a sheet high), then the place from the left."""
    centre_px = outline.corners_px.mean(axis=0)
    heights = sorted(float(np.ptp(other.corners_px[:, 1])) for other in outlines)
    return round(float(centre_px[1] / (0.6 * heights[len(heights) // 2]))), float(centre_px[0])
