"""How far the cells of a reading lie from where they are."""

from __future__ import annotations

from collections.abc import Sequence
from math import dist

from evaluation.truth import Corners, TruthSheet
from layouts import SheetLayout
from scanner.types import LocatedReading, SheetReading

ALIGNED_MM = 0.5
"""A sheet is aligned when the 95th percentile of its cell corners is off by no more. That is a twenty-fifth of a cell's
width: the reader, which sees a fifth of the cell around it, cannot tell it from none, and a neighbour's ink stays out.
The other 5 % are left for a corner of the page that stands up or is folded."""

_MISPLACED_SHARE = 0.2
"""The reader sees a margin of a fifth of a cell around each: one corner placed further off than that, and it may read
something else."""

_MIRRORED = (1, 0, 3, 2)
"""Clockwise corners of a mirrored cell in the order of its own top left, top right, bottom right, bottom left."""


def corner_errors_mm(truth: TruthSheet, reading: SheetReading) -> tuple[float, ...]:
    """Distance of every cell corner from its true place, where that is known.

    In a mirrored photo the corners of a cell run counter-clockwise when they begin at its own top left. A reading that
    gives them clockwise nevertheless is compared corner by corner all the same: it is the order that differs, not the
    place.
    """
    pairs = [(cell, truth.corners_px[cell.box.key]) for cell in reading.cells if cell.box.key in truth.corners_px]
    if not pairs:
        return ()
    turned = _clockwise(pairs[0][1]) != _clockwise(pairs[0][0].corners_px)
    order = _MIRRORED if turned and not _clockwise(pairs[0][1]) else (0, 1, 2, 3)
    errors: list[float] = []
    for cell, true_px in pairs:
        px_per_mm = _px_per_mm(true_px, cell)
        read_px = [cell.corners_px[k] for k in order]
        errors += [dist(a, b) / px_per_mm for a, b in zip(true_px, read_px, strict=True)]
    return tuple(errors)


def is_aligned(errors_mm: Sequence[float]) -> bool:
    """Whether a sheet with those errors of its corners is aligned."""
    return percentile(errors_mm, 95) <= ALIGNED_MM


def is_misplaced(errors_mm: Sequence[float], layout: SheetLayout) -> bool:
    """Whether a cell lies so far off that it was cut in the wrong place."""
    side_mm = min(min(cell.w_mm, cell.h_mm) for cell in layout.read_cells if cell.space is not None)
    return bool(errors_mm) and max(errors_mm) > _MISPLACED_SHARE * side_mm


def percentile(values: Sequence[float], percent: float) -> float:
    """The value below which that share of the values lies (nearest rank)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]


def _clockwise(quad: Corners) -> bool:
    """Whether corners run clockwise as seen, y down (sign of the polygon's area)."""
    area = sum(quad[k - 1][0] * quad[k][1] - quad[k][0] * quad[k - 1][1] for k in range(4))
    return area > 0


def _px_per_mm(corners_px: Corners, cell: LocatedReading) -> float:
    around_px = sum(dist(corners_px[i], corners_px[(i + 1) % 4]) for i in range(4))
    return around_px / (2 * (cell.box.w_mm + cell.box.h_mm))
