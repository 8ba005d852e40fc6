"""Sixth stage, second half: numbers in the light of their column, for between two close readings the rules can tell."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from layouts import EXPEDITIONS, CellBox
from scanner.options import DEFAULT_OPTIONS, ScanOptions
from scanner.types import CellReading
from scoring import weigh_column

_SURE = 0.99
"""Confidence from which a space needs no help from its column; weighing a column takes a millisecond."""


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
        if _plain([readings[index] for index in indices]):
            continue
        posteriors = weigh_column([dict(readings[index].alternatives) for index in indices], options.broken_order_prior)
        for index, posterior in zip(indices, posteriors, strict=True):
            ranked = sorted(posterior.items(), key=lambda item: -item[1])
            weighed[index] = CellReading(ranked[0][0], ranked[0][1], tuple(ranked))
    return tuple(weighed)


def _plain(column: Sequence[CellReading]) -> bool:
    """Whether every space is sure and the numbers rise: the rules could only make it surer."""
    if any(reading.confidence < _SURE for reading in column):
        return False
    numbers = [reading.value for reading in column if isinstance(reading.value, int)]
    return all(below <= above for below, above in pairwise(numbers))
