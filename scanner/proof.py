"""Whether a sheet lies where an outline has it: bend measured, cells cut, print held against that of the blank."""

from __future__ import annotations

from dataclasses import dataclass, replace

from layouts import SheetLayout
from scanner.align import AlignedSheet, align
from scanner.debug import DebugSink
from scanner.errors import ScanError
from scanner.identity import require_own_columns
from scanner.options import ScanOptions
from scanner.quality import measure_quality, require_trusted, require_whole
from scanner.rectify import load_blank
from scanner.sharpness import blur_of, is_soft
from scanner.stopwatch import Stopwatch
from scanner.types import Photo, Points, Quality, SheetOutline

_MIRRORED = "the photo is a mirror image, as front cameras store them; it was read in a mirror"


@dataclass(frozen=True, slots=True, eq=False)
class ProvenSheet:
    """A sheet that lies where its outline has it, and can be read.

    Attributes:
        photo: the photo as it was looked at.
        outline: where the sheet lies in it.
        layout: which sheet it is.
        aligned: its bend and its cells.
        quality: how good the photo is.
    """

    photo: Photo
    outline: SheetOutline
    layout: SheetLayout
    aligned: AlignedSheet
    quality: Quality


@dataclass(frozen=True, slots=True, eq=False)
class RefusedOutline:
    """An outline under which no sheet of that layout can be read.

    Attributes:
        photo: the photo as it was looked at.
        outline: where a sheet seemed to lie.
        layout: which one.
        error: why it cannot be read.
    """

    photo: Photo
    outline: SheetOutline
    layout: SheetLayout
    error: ScanError

    @property
    def fits(self) -> bool:
        """Whether a sheet lies there at all, only that it cannot be read."""
        return self.error.code != "no-sheet"


Attempt = ProvenSheet | RefusedOutline


def place_px(attempt: Attempt) -> Points:
    """Corners (4, 2) of the page in pixels of the full upright photo."""
    return attempt.photo.in_full_px(attempt.outline.corners_px)


def attempt(
    photo: Photo, outline: SheetOutline, layout: SheetLayout, options: ScanOptions, debug: DebugSink, watch: Stopwatch
) -> Attempt:
    """Holds one outline against the photo.

    Args:
        photo: the photo.
        outline: where a sheet may lie in it.
        layout: which sheet.
        options: every threshold.
        debug: takes a picture of each stage.
        watch: told how long each takes.
    """
    try:
        return _proven(photo, outline, layout, options, debug, watch)
    except ScanError as error:
        return RefusedOutline(photo, outline, layout, error)


def _proven(
    photo: Photo, outline: SheetOutline, layout: SheetLayout, options: ScanOptions, debug: DebugSink, watch: Stopwatch
) -> ProvenSheet:
    aligned = align(photo, outline, layout, watch, options, debug)
    flat, cells = aligned.flat, aligned.cells
    with watch.stage("quality"):
        blank = load_blank(layout, options.grid_px_per_mm)
        require_whole(photo, flat, cells, options)
        blur_mm = blur_of(cells, blank, layout)
        require_trusted(cells, blur_mm, options, out_of_focus=outline.method == "print" and is_soft(cells))
        require_own_columns(cells, blank, layout)
        quality = measure_quality(flat, cells, blur_mm, options)
        quality = replace(quality, warnings=quality.warnings + (_MIRRORED,) * photo.mirrored)
    return ProvenSheet(photo, outline, layout, aligned, quality)
