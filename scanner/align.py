"""Stages three to five as one: flat sheet, bend, cells; the bend measured again where a first try left cells out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from layouts import SheetLayout
from scanner.cells import cut_cells
from scanner.debug import NO_DEBUG, DebugSink
from scanner.landmarks import bend_by_points
from scanner.options import DEFAULT_OPTIONS, ScanOptions
from scanner.places import out_of_place
from scanner.quality import require_readable
from scanner.rectify import RectifiedSheet, load_blank, rectify
from scanner.stopwatch import Stopwatch
from scanner.types import Cells, Photo, SheetOutline
from scanner.warp import Bend, measure_bend

_GOOD_ENOUGH = 0.8
"""Print score from which a cell is where it should be; more says only how clean the photo is."""


@dataclass(frozen=True, slots=True, eq=False)
class AlignedSheet:
    """A sheet whose every cell is known.

    Attributes:
        flat: the flat picture.
        bend: the bend that is left in it.
        cells: the cut cells.
        displaced: indices of those whose print is seen elsewhere.
    """

    flat: RectifiedSheet
    bend: Bend
    cells: Cells
    displaced: NDArray[np.intp]


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
        options: scales, and the print scores below which the bend is measured again.
        debug: takes pictures of each step.

    Returns:
        The best of up to four tries, by how well their print lies.

    Raises:
        PoorPhoto: `too-small`.
    """
    with watch.stage("rectify"):
        flat = rectify(photo, outline, layout, options, debug)
        require_readable(flat, options)
    best = _bent(photo, flat, None, layout, watch, options, debug)
    for find_start in _STARTS:
        if not len(best.displaced):
            break
        with watch.stage("warp"):
            start = find_start(best, layout, options)
        if start is not None:
            # Points may be the last word: heavy ink draws the flow away from the print, and them hardly ever.
            tries = [] if start is best.bend else [_cut(photo, flat, start, layout, watch, options, debug)]
            tries.append(_bent(photo, flat, start, layout, watch, options, debug))
            best = max([best, *tries], key=_fit)
    return best


def _fit(aligned: AlignedSheet) -> float:
    """How well the print lies over all cells; what lies perfectly in one cell makes up for nothing in another."""
    return float(np.minimum(aligned.cells.print_scores, _GOOD_ENOUGH).mean())


def _where_it_ended(best: AlignedSheet, layout: SheetLayout, options: ScanOptions) -> Bend | None:
    return best.bend


def _by_points(best: AlignedSheet, layout: SheetLayout, options: ScanOptions) -> Bend | None:
    return bend_by_points(best.flat, load_blank(layout, options.grid_px_per_mm), options.flow_px_per_mm)


_STARTS = (_by_points, _where_it_ended)
"""Where to measure the bend from, one after the other, as long as cells are out of place: points of the print lead
back to the right lines where the flow has locked onto others; what is then still off may be within its reach."""


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
    with watch.stage("warp"):
        bend = measure_bend(flat, load_blank(layout, options.grid_px_per_mm), options, debug, start)
    return _cut(photo, flat, bend, layout, watch, options, debug)


def _cut(
    photo: Photo,
    flat: RectifiedSheet,
    bend: Bend,
    layout: SheetLayout,
    watch: Stopwatch,
    options: ScanOptions,
    debug: DebugSink,
) -> AlignedSheet:
    """The flat sheet with its cells cut by a bend."""
    with watch.stage("cells"):
        blank = load_blank(layout, options.grid_px_per_mm)
        cells = cut_cells(photo, flat, bend, blank, layout, debug)
        return AlignedSheet(flat, bend, cells, out_of_place(cells, options))
