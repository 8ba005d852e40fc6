"""Second stage: where the sheets lie in the photo, by their corner tags or, where those do not show, by their print."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from layouts import SheetLayout
from scanner.debug import NO_DEBUG, DebugSink
from scanner.errors import SheetNotFound
from scanner.features import Views, find_beside, find_by_print, find_each_by_print
from scanner.geometry import resolution
from scanner.options import DEFAULT_OPTIONS, ScanOptions
from scanner.photo import in_mirror, sharper
from scanner.tags import TagSighting, draw_tags, group_tags, may_hide_small_tags, outline_of, see_tags
from scanner.types import ImageU8, Photo, Points, SheetOutline


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """What one way of looking found.

    Attributes:
        layout: the sheet that was looked for.
        photo: the photo as it was looked at: perhaps decoded larger, perhaps in a mirror.
        outlines: where sheets may lie in it, in reading order; each has to be verified by its grid.
        tags_seen: how many of the layout's corner tags were seen.
    """

    layout: SheetLayout
    photo: Photo
    outlines: tuple[SheetOutline, ...]
    tags_seen: int


def searches(
    photo: Photo,
    layouts: Sequence[SheetLayout],
    options: ScanOptions = DEFAULT_OPTIONS,
    debug: DebugSink = NO_DEBUG,
) -> Iterator[tuple[Search, ...]]:
    """Looks for sheets in ever more thorough ways; take the first one whose outlines stand up to the proof.

    Tags in the small picture show nearly every sheet. Then come tags in a mirror, as a front camera may have stored the
    photo, the sheet's print, tags in a larger decode, and print in a mirror. Orientation is never assumed: a tag's
    number tells which corner it is, and print is matched at any angle.

    Args:
        photo: the photo, as it was first decoded.
        layouts: the sheets it may hold.
        options: how large to search.
        debug: takes a picture of the tags.

    Yields:
        What one way of looking found of each layout that can be found so.
    """
    tagged = [layout for layout in layouts if layout.fiducials]
    yield tuple(_by_tags(photo, layout, options, debug) for layout in tagged)
    mirror = in_mirror(photo)
    yield tuple(_by_tags(mirror, layout, options, debug) for layout in tagged)
    yield from _by_print(photo, layouts, options)
    larger = sharper(photo, 2 * photo.scale)
    if tagged and (larger is not photo or max(photo.image.shape) >= 2 * options.tag_search_long_side_px):
        all_of_it = replace(options, tag_search_long_side_px=max(larger.image.shape))
        yield tuple(_by_tags(larger, layout, all_of_it, debug) for layout in tagged)
    yield from _by_print(mirror, layouts, options)


def search_beside(
    photo: Photo, pages_px: Sequence[Points], layouts: Sequence[SheetLayout], options: ScanOptions = DEFAULT_OPTIONS
) -> tuple[Search, ...]:
    """What else there is, by its print, in a photo in which some sheets were found.

    Args:
        photo: the photo.
        pages_px: corners (4, 2) of those sheets, in pixels of the full upright photo.
        layouts: the sheets that may lie beside them.
        options: how large to decode.
    """
    free = np.full(photo.image.shape[:2], 255, np.uint8)
    for page_px in pages_px:
        cv2.fillConvexPoly(free, (page_px * photo.scale).round().astype(np.int32), 0)
    return _of_each(photo, layouts, find_beside(photo.image, free, layouts), options)


def find_sheets(
    photo: Photo, layout: SheetLayout, options: ScanOptions = DEFAULT_OPTIONS, debug: DebugSink = NO_DEBUG
) -> Search:
    """The first search that finds anything, unproven.

    Raises:
        SheetNotFound: `no-sheet`, neither tags nor print that fit together.
    """
    for way in searches(photo, (layout,), options, debug):
        for search in way:
            if search.outlines:
                return search
    raise nothing_found((layout,))


def nothing_found(layouts: Sequence[SheetLayout]) -> SheetNotFound:
    """The refusal of a photo in which no search found anything."""
    remedy = "photograph the whole sheet, uncovered, in focus and from its front"
    if len(layouts) == 1:
        return SheetNotFound("no-sheet", f"no {layouts[0].name} sheet found", remedy)
    names = ", ".join(layout.name for layout in layouts)
    return SheetNotFound("no-sheet", f"no sheet of a known layout found ({names})", remedy)


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


def _by_print(photo: Photo, layouts: Sequence[SheetLayout], options: ScanOptions) -> Iterator[tuple[Search, ...]]:
    if len(layouts) == 1:
        yield _of_each(photo, layouts, [find_by_print(photo.image, layouts[0])], options)
        return
    for found in find_each_by_print(Views(photo.image), layouts):
        yield _of_each(photo, layouts, found, options)


def _of_each(
    photo: Photo, layouts: Sequence[SheetLayout], found: Sequence[Sequence[SheetOutline]], options: ScanOptions
) -> tuple[Search, ...]:
    pairs = zip(layouts, found, strict=True)
    return tuple(_sharp(photo, _apart(outlines), layout, options, 0) for layout, outlines in pairs)


def _outlines(sightings: Sequence[TagSighting], layout: SheetLayout) -> list[SheetOutline]:
    outlines = [outline_of(group, layout) for group in group_tags(sightings, layout)]
    return [outline for outline in outlines if outline is not None]


def _grey(photo: Photo) -> ImageU8:
    return np.asarray(cv2.cvtColor(photo.image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def _sharp(
    photo: Photo, outlines: Sequence[SheetOutline], layout: SheetLayout, options: ScanOptions, tags_seen: int
) -> Search:
    """The outlines in reading order, in a photo decoded large enough to read all of them."""
    ordered = [outlines[i] for i in in_reading_order([outline.corners_px for outline in outlines])]
    if not outlines:
        return Search(layout, photo, (), tags_seen)
    coarsest = min(resolution(outline.homography, layout) for outline in outlines)
    larger = sharper(photo, photo.scale * min(1e3, options.least_decoded_px_per_mm / max(coarsest, 1e-6)))
    scaled = tuple(_scaled(outline, larger.scale / photo.scale) for outline in ordered)
    return Search(layout, larger, scaled, tags_seen)


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


def in_reading_order(pages_px: Sequence[Points]) -> list[int]:
    """Indices of pages, corners (4, 2) each, by rows (half a sheet high), in a row from the left."""
    heights = sorted(float(np.ptp(corners_px[:, 1])) for corners_px in pages_px)

    def place(index: int) -> tuple[int, float]:
        x_px, y_px = (float(value) for value in pages_px[index].mean(axis=0))
        return round(y_px / (0.6 * heights[len(heights) // 2])), x_px

    return sorted(range(len(pages_px)), key=place)
