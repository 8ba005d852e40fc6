"""Sixth stage, second half: numbers in the light of their column, for between two close readings the rules can tell."""

from __future__ import annotations

from collections.abc import Sequence

from layouts import EXPEDITIONS, CellBox
from scanner.options import DEFAULT_OPTIONS, ScanOptions
from scanner.types import CellReading
from scoring import weigh_column


def in_context(
    boxes: Sequence[CellBox], readings: Sequence[CellReading], options: ScanOptions = DEFAULT_OPTIONS
) -> tuple[CellReading, ...]:
    """The readings with those of number spaces weighed by the order of their column.

    Args:
        boxes: N cells.
        readings: what the ink of each says by itself.
        options: the prior of a broken order.

    Returns:
        N readings; marks, empty spaces and unreadable ink as they were.
    """
    weighed = list(readings)
    for column in EXPEDITIONS:
        spaces = sorted(
            (int(box.space or 0), index)
            for index, box in enumerate(boxes)
            if box.kind == "number" and box.column == column
        )
        indices = [index for _, index in spaces]
        posteriors = weigh_column([dict(readings[index].alternatives) for index in indices], options.broken_order_prior)
        for index, posterior in zip(indices, posteriors, strict=True):
            ranked = sorted(posterior.items(), key=lambda item: -item[1])
            weighed[index] = CellReading(ranked[0][0], ranked[0][1], tuple(ranked))
    return tuple(weighed)
