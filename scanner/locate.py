"""Second stage: where the sheets lie in the photo, by their corner tags or, where those do not show, by their print."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from layouts import SheetLayout
from scanner.debug import NO_DEBUG, DebugSink
from scanner.errors import SheetNotFound
from scanner.features import find_by_print
from scanner.options import DEFAULT_OPTIONS, ScanOptions
from scanner.tags import draw_tags, group_tags, outline_of, see_tags
from scanner.types import Photo, SheetOutline


def find_sheets(
    photo: Photo, layout: SheetLayout, options: ScanOptions = DEFAULT_OPTIONS, debug: DebugSink = NO_DEBUG
) -> tuple[SheetOutline, ...]:
    """Every sheet of that layout in the photo, in reading order (rows from above, in a row from the left).

    Cells may lie outside the picture: whether they do is certain only when the bend is known, see
    `quality.require_whole`.

    Raises:
        SheetNotFound: `no-sheet`, neither tags nor print that fit together.
    """
    grey = np.asarray(cv2.cvtColor(photo.image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    sightings = see_tags(grey, layout, options)
    if debug.active:
        debug.draw("tags", draw_tags(photo.image, sightings))
    outlines = [outline_of(group, layout) for group in group_tags(sightings, layout)]
    found = _apart([outline for outline in outlines if outline is not None])
    found = found or _apart(find_by_print(grey, layout, options))
    if not found:
        raise SheetNotFound(
            "no-sheet",
            f"no {layout.name} sheet found ({len(sightings)} of its {len(layout.fiducials)} corner tags seen)",
            "photograph the whole sheet, its four corner tags uncovered and in focus",
        )
    return tuple(sorted(found, key=lambda outline: _reading_order(outline, found)))


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
