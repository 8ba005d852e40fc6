"""Which cells show their print elsewhere than they were cut, as far as that can be seen."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scanner.cells import CELL_PX, MARGIN, print_shifts_px
from scanner.options import DEFAULT_OPTIONS, ScanOptions
from scanner.types import Cells

_FEW, _NEIGHBOURS_MM = 2, 17.0
"""So many cells out of place, each with another one next to it (spaces are 13 mm apart, columns 15), are no chance."""

_FEW_COVERED = 4
"""The same for cells that are covered by ink, whose print is seen less surely. Of 300 normal photos one where all is
well has two of them, and the one where ink has drawn the flow away eleven."""

_IN_PLACE_MM = 0.45
"""A low cell whose rim fits best within this of where it is looked for, a pixel, is only hard to see."""


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
