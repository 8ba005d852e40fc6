"""Stages three to five as one: flat sheet, bend, cells; the bend measured again where a first try left cells out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from layouts import SheetLayout
from scanner.cells import CELL_PX, MARGIN, cut_cells, print_shifts_px
from scanner.debug import NO_DEBUG, DebugSink
from scanner.landmarks import bend_by_points
from scanner.options import DEFAULT_OPTIONS, ScanOptions
from scanner.quality import require_readable
from scanner.rectify import RectifiedSheet, load_blank, rectify
from scanner.stopwatch import Stopwatch
from scanner.types import Cells, Photo, SheetOutline
from scanner.warp import Bend, measure_bend

_FEW, _NEIGHBOURS_MM = 2, 17.0
"""So many cells out of place, each with another one next to it (spaces are 13 mm apart, columns 15), are no chance."""

_FEW_COVERED = 4
"""The same for cells that are covered by ink, whose print is seen less surely. Of 300 normal photos one where all is
well has two of them, and the one where ink has drawn the flow away eleven."""

_IN_PLACE_MM = 0.45
"""A low cell whose rim fits best within this of where it is looked for, a pixel, is only hard to see."""

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


def out_of_place(cells: Cells, options: ScanOptions = DEFAULT_OPTIONS) -> NDArray[np.intp]:
    """Indices of the cells whose print lies elsewhere than they were cut, as far as that can be seen.

    Where the bend is wrong, neighbours are out of place together; ink hides one here and one there.

    Args:
        cells: the cells of a sheet.
        options: the print score from which a cell is right beyond doubt.
    """
    low = cells.print_scores < options.plain_cell_score
    plain, covered = (
        _moved(cells, _with_neighbours(cells, np.flatnonzero(low & (cells.covered == hidden)), few), few)
        for hidden, few in ((False, _FEW), (True, _FEW_COVERED))
    )
    return np.union1d(plain, covered)


def _moved(cells: Cells, low: NDArray[np.intp], few: int) -> NDArray[np.intp]:
    """Those of some cells (indices) whose print is seen elsewhere, if they are neighbours and not fewer than a few."""
    if not len(low):
        return low
    sides_mm = np.array([(cells.boxes[i].w_mm, cells.boxes[i].h_mm) for i in low]) * (1 + 2 * MARGIN)
    shifts_mm = print_shifts_px(cells.images[low], cells.blanks[low]) * sides_mm / CELL_PX
    return _with_neighbours(cells, low[np.linalg.norm(shifts_mm, axis=1) > _IN_PLACE_MM], few)


def _with_neighbours(cells: Cells, some: NDArray[np.intp], few: int) -> NDArray[np.intp]:
    """Those of some cells (indices) that lie next to another of them, if they are not fewer than a few."""
    if len(some) < few:
        return some[:0]
    middles_mm = np.array([np.mean(cells.boxes[i].corners_mm, axis=0) for i in some])
    apart_mm = np.linalg.norm(middles_mm[:, None] - middles_mm[None], axis=2) + np.diag(np.full(len(some), np.inf))
    near: NDArray[np.intp] = some[(apart_mm < _NEIGHBOURS_MM).any(axis=1)]
    return near if len(near) >= few else near[:0]


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
