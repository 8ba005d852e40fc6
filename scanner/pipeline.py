"""The whole scan as a straight line: photo -> outline -> flat sheet -> bend -> cells -> readings -> sheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import lru_cache
from threading import Thread

import numpy as np

from layouts import SheetLayout, load_layout
from scanner.align import AlignedSheet
from scanner.blanks import blank_page
from scanner.cells import crossed
from scanner.choice import best_of_each_place, leaves_room, same_place
from scanner.context import in_context
from scanner.debug import NO_DEBUG, DebugSink
from scanner.dots import stray_dots
from scanner.doubt import doubtful, lines_through
from scanner.errors import PoorPhoto, ScanError
from scanner.locate import Search, in_reading_order, nothing_found, search_beside, searches
from scanner.names import read_name
from scanner.nets import load_model
from scanner.options import DEFAULT_OPTIONS, ScanOptions
from scanner.overlay import draw_overlay
from scanner.pages import PhotoSource, RefusedPage, load_pages
from scanner.proof import Attempt, ProvenSheet, RefusedOutline, attempt, place_px
from scanner.reader import read_cells
from scanner.rectify import load_blank
from scanner.sharpness import blur_table, nothing_sharp
from scanner.stopwatch import Stopwatch
from scanner.tesseract import read_cells as read_by_tesseract
from scanner.types import (
    CellReading,
    Cells,
    LocatedReading,
    Photo,
    Points,
    RefusedSheet,
    SheetReading,
)
from scanner.veil import unveiled
from scanner.visible import visibility
from scanner.warp import bent_corners_px
from scanner.written import prepare, read_totals
from scoring import Sheet

_READERS = {"net": read_cells, "tesseract": read_by_tesseract}


def scan_photo(
    source: PhotoSource,
    layout: SheetLayout | Sequence[SheetLayout] | None = None,
    options: ScanOptions = DEFAULT_OPTIONS,
    debug: DebugSink = NO_DEBUG,
) -> tuple[SheetReading, ...]:
    """Finds and reads every sheet in a photo.

    Args:
        source: a path or the bytes of a photo or a document, or an upright uint8 BGR picture (H, W, 3).
        layout: the sheet to look for, our own by default; of several, each sheet gets the one that fits it best.
        options: every threshold.
        debug: takes a picture of each stage.

    Returns:
        At least one reading, page by page and in reading order. A sheet beside it that could not be read is
        left out: `scan_sheets` names it with the cause.

    Raises:
        ScanError: nothing could be read, with the cause and a remedy.
        TypeError: an array of another shape or dtype.
    """
    outcomes = tuple(scan_sheets(source, layout, options, debug))
    readings = tuple(outcome for outcome in outcomes if isinstance(outcome, SheetReading))
    if not readings:
        raise next(outcome.error for outcome in outcomes if isinstance(outcome, RefusedSheet))
    return readings


def scan_sheets(
    source: PhotoSource,
    layout: SheetLayout | Sequence[SheetLayout] | None = None,
    options: ScanOptions = DEFAULT_OPTIONS,
    debug: DebugSink = NO_DEBUG,
) -> Iterator[SheetReading | RefusedSheet]:
    """Finds every sheet of a photo, or of each page of a document; a refused one never costs the others.

    Args and the errors that concern the whole file are those of `scan_photo`.

    Yields:
        Page by page the sheets in reading order, each read or refused with its cause; for a page without one, that.
    """
    for _, outcomes in scan_pages(source, layout, options, debug):
        yield from outcomes


def scan_pages(
    source: PhotoSource,
    layout: SheetLayout | Sequence[SheetLayout] | None = None,
    options: ScanOptions = DEFAULT_OPTIONS,
    debug: DebugSink = NO_DEBUG,
    name: str | None = None,
) -> Iterator[tuple[Photo | RefusedPage, tuple[SheetReading | RefusedSheet, ...]]]:
    """The same page by page, each with its picture as it was decoded.

    Args and errors are those of `scan_sheets`, and `name`, what to call the source instead of its path.

    Yields:
        The page and what is on it, at least one sheet or refusal.
    """
    layouts = _layouts(layout)
    # The others are hardly ever looked at where the first one has tags.
    preparation = _preparation(layouts[0], options.grid_px_per_mm)
    pages = load_pages(source, options, name)
    while True:
        watch = Stopwatch()
        with watch.stage("decode"):
            page = next(pages, None)
        if page is None:
            return
        preparation.join()
        if isinstance(page, RefusedPage):
            yield page, (RefusedSheet(page.source, page.error),)
            continue
        if debug.active:
            debug.draw("photo", page.image)
        outcomes = _sheets_of(page, layouts, options, debug, watch)
        yield page, tuple(_numbered(outcome, index, watch) for index, outcome in enumerate(outcomes, start=1))


def _layouts(layout: SheetLayout | Sequence[SheetLayout] | None) -> tuple[SheetLayout, ...]:
    if layout is None:
        return (load_layout(),)
    layouts = (layout,) if isinstance(layout, SheetLayout) else tuple(layout)
    if not layouts:
        raise ValueError("layout: expected at least one layout, found an empty sequence")
    return layouts


def _sheets_of(
    photo: Photo, layouts: Sequence[SheetLayout], options: ScanOptions, debug: DebugSink, watch: Stopwatch
) -> list[SheetReading | RefusedSheet]:
    """What the first search gives that finds a sheet whose grid shows; the first refusal where none does."""
    refused: list[ScanError] = []
    ways = searches(photo, layouts, options, debug)
    while True:
        with watch.stage("locate"):
            way = next(ways, None)
        if way is None:
            break
        attempts = _attempts(way, options, debug, watch)
        if any(map(_fits, attempts)):
            attempts = attempts if len(layouts) == 1 else _settled(photo, layouts, attempts, options, debug, watch)
            return [_outcome(one, options, debug, watch) for one in attempts]
        refused += (one.error for one in attempts if isinstance(one, RefusedOutline))
    return [RefusedSheet(photo.source, refused[0] if refused and len(layouts) == 1 else _nothing(photo, layouts))]


def _attempts(way: Sequence[Search], options: ScanOptions, debug: DebugSink, watch: Stopwatch) -> list[Attempt]:
    return [
        attempt(search.photo, outline, search.layout, options, debug, watch)
        for search in way
        for outline in search.outlines
    ]


def _settled(
    photo: Photo,
    layouts: Sequence[SheetLayout],
    attempts: Sequence[Attempt],
    options: ScanOptions,
    debug: DebugSink,
    watch: Stopwatch,
) -> list[Attempt]:
    """What is known of each place, by the layout that fits it best; sheets of other pads may lie beside it."""
    settled = best_of_each_place(attempts, options)
    if leaves_room(settled):
        with watch.stage("locate"):
            way = search_beside(photo, [place_px(one) for one in settled], layouts, options)
        beside = [one for one in _attempts(way, options, debug, watch) if _fits(one)]
        settled += best_of_each_place([one for one in beside if not any(same_place(one, s) for s in settled)], options)
    order = in_reading_order([place_px(one) for one in settled])
    return [settled[i] for i in order]


def _fits(one: Attempt) -> bool:
    """Whether the printed grid showed where the outline has it."""
    return isinstance(one, ProvenSheet) or one.fits


def _nothing(photo: Photo, layouts: Sequence[SheetLayout]) -> ScanError:
    """Why no search found anything."""
    if nothing_sharp(photo.image):
        return PoorPhoto("blurred", "nothing in the photo is sharp", "hold the phone still and tap the sheet to focus")
    return nothing_found(layouts)


def _outcome(one: Attempt, options: ScanOptions, debug: DebugSink, watch: Stopwatch) -> SheetReading | RefusedSheet:
    if isinstance(one, RefusedOutline):
        return RefusedSheet(one.photo.source, one.error)
    try:
        return _read_sheet(one, options, debug, watch)
    except ScanError as refusal:
        return RefusedSheet(one.photo.source, refusal)


@lru_cache(maxsize=16)
def _preparation(layout: SheetLayout, px_per_mm: float) -> Thread:
    """Loads what the first scan of a process needs besides its photo, while that is being decoded; once a layout."""

    def load() -> None:
        # What is missing or damaged is met again where it is used, and reported there with the photo's name.
        with suppress(Exception):
            blur_table(load_blank(layout, px_per_mm), layout)
        with suppress(Exception):
            prepare(layout)
        blank_page.cache_clear()
        with suppress(Exception):
            load_model()

    # No daemon: a process that ends in the middle of OpenCV's work is aborted.
    thread = Thread(target=load, name="rollwrite-preparation")
    thread.start()
    return thread


def _read_sheet(proven: ProvenSheet, options: ScanOptions, debug: DebugSink, watch: Stopwatch) -> SheetReading:
    """One sheet of a photo, from its cells to its values."""
    photo, layout, aligned = proven.photo, proven.layout, proven.aligned
    flat, cells = aligned.flat, aligned.cells
    outline_px = bent_corners_px(_page_mm(layout), flat, aligned.bend)
    with watch.stage("read"):
        if layout.embedded is not None:  # its blank is a photo as well, in its own haze
            cells = replace(cells, blanks=unveiled(cells.images, cells.blanks))
        ink = _READERS[options.reader](cells, layout.bridge_marks)
        located = _located(cells, in_context(cells.boxes, ink, options))
    with watch.stage("name") if options.names else nullcontext():
        player = read_name(photo, flat, aligned.bend, layout) if options.names else None
    with watch.stage("written"):
        sheet = assemble(located).named(player)
        sheet = replace(sheet, written=read_totals(photo, flat, aligned.bend, layout, sheet))
    reading = SheetReading(
        source=photo.source,
        index=1,
        layout=layout,
        cells=located,
        sheet=sheet,
        review=_review(aligned, located, ink, options),
        outline_px=_points(photo.in_full_px(outline_px)),
        quality=proven.quality,
    )
    if debug.active:
        debug.draw("reading", draw_overlay(photo.image, reading))
    return reading


def _located(cells: Cells, readings: tuple[CellReading, ...]) -> tuple[LocatedReading, ...]:
    corners_px = np.round(cells.corners_px, 2).tolist()  # all at once: one rounding a cell is half a millisecond
    return tuple(
        LocatedReading(box, reading, tuple((x, y) for x, y in quad_px))
        for box, reading, quad_px in zip(cells.boxes, readings, corners_px, strict=True)
    )


def _review(
    aligned: AlignedSheet, located: tuple[LocatedReading, ...], ink: tuple[CellReading, ...], options: ScanOptions
) -> tuple[tuple[LocatedReading, str], ...]:
    """What a person should check, by all that the cells show."""
    cells = aligned.cells
    filled = np.array([cell.reading.value not in (None, False) for cell in located])
    scores, contrasts = visibility(cells.images, cells.blanks, cells.print_scores, filled)
    lined = lines_through(cells.boxes, *crossed(cells.images, cells.blanks))
    marked = np.array([cell.reading.value is True for cell in located])
    dots, displaced = (
        frozenset(cells.boxes[i].key for i in which)
        for which in (np.flatnonzero(stray_dots(cells.images, cells.blanks, marked)), aligned.displaced)
    )
    return doubtful(located, ink, scores, contrasts, lined, displaced, dots, options)


def assemble(cells: tuple[LocatedReading, ...]) -> Sheet:
    """The sheet that the likeliest readings make."""
    return Sheet.from_cells(
        ((str(cell.box.column), cell.box.kind, cell.box.space), cell.reading.value) for cell in cells
    )


def _numbered(outcome: SheetReading | RefusedSheet, index: int, watch: Stopwatch) -> SheetReading | RefusedSheet:
    if isinstance(outcome, RefusedSheet):
        return replace(outcome, index=index)
    return replace(outcome, index=index, timing_ms=watch.timing_ms())


def _page_mm(layout: SheetLayout) -> Points:
    width_mm, height_mm = layout.page_mm
    return np.array([[0, 0], [width_mm, 0], [width_mm, height_mm], [0, height_mm]], np.float64)


def _points(array: Points) -> tuple[tuple[float, float], ...]:
    return tuple((x, y) for x, y in np.round(array, 2).tolist())
