"""Stages three to five as one: flat sheet, bend, cells; the bend measured again where a first try left cells out."""

from __future__ import annotations

from dataclasses import dataclass

from layouts import SheetLayout
from scanner.cells import cut_cells
from scanner.debug import NO_DEBUG, DebugSink
from scanner.options import DEFAULT_OPTIONS, ScanOptions
from scanner.quality import require_readable
from scanner.rectify import RectifiedSheet, load_blank, rectify
from scanner.stopwatch import Stopwatch
from scanner.types import Cells, Photo, SheetOutline
from scanner.warp import Bend, measure_bend

_MORE_TRIES = 2
"""How often the bend is measured again: a fold needs one, two tags of four and a curl need two."""


@dataclass(frozen=True, slots=True, eq=False)
class AlignedSheet:
    """A sheet whose every cell is known: the flat picture, the bend that is left in it, and the cut cells."""

    flat: RectifiedSheet
    bend: Bend
    cells: Cells


def align(
    photo: Photo,
    outline: SheetOutline,
    layout: SheetLayout,
    watch: Stopwatch,
    options: ScanOptions = DEFAULT_OPTIONS,
    debug: DebugSink = NO_DEBUG,
) -> AlignedSheet:
    """Flattens a sheet, measures its bend and cuts its cells.

    Args:
        photo: the photo.
        outline: where the sheet lies in it, roughly.
        layout: the sheet.
        watch: told how long each step takes.
        options: scales, and the share of cells below which the bend is measured again.
        debug: takes pictures of each step.

    Returns:
        The best of up to three tries, by the share of cells hit.

    Raises:
        PoorPhoto: `too-small`.
    """
    with watch.stage("rectify"):
        flat = rectify(photo, outline, layout, options, debug)
        require_readable(flat, options)
    best = _bent(photo, flat, None, layout, watch, options, debug)
    for _ in range(_MORE_TRIES):
        hit = best.cells.hit_share(options.good_cell_score)
        if hit >= options.plain_grid_score:
            break
        again = _bent(photo, flat, best.bend, layout, watch, options, debug)
        if again.cells.hit_share(options.good_cell_score) <= hit:
            break
        best = again
    return best


def _bent(
    photo: Photo,
    flat: RectifiedSheet,
    start: Bend | None,
    layout: SheetLayout,
    watch: Stopwatch,
    options: ScanOptions,
    debug: DebugSink,
) -> AlignedSheet:
    """The flat sheet with its bend measured from a start, and its cells cut there."""
    blank = load_blank(layout, options.grid_px_per_mm)
    with watch.stage("warp"):
        bend = measure_bend(flat, blank, options, debug, start)
    with watch.stage("cells"):
        return AlignedSheet(flat, bend, cut_cells(photo, flat, bend, blank, layout, debug))
