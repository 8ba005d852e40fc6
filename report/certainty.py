"""How sure a total is, from how sure its cells are: pure functions over readings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import prod
from typing import TYPE_CHECKING, TypeAlias

from report.curves import Value, is_filled, p_filled
from scoring import Cell, RuleSet, Sheet, total_range
from scoring.totals import column_points

if TYPE_CHECKING:
    from scanner.types import CellReading, LocatedReading, SheetReading

Chance: TypeAlias = "tuple[LocatedReading, float]"
"""A cell with the probability that there is anything in it."""

# A doubtful cell may be what it is read as with less than nine in ten; what has less than one in fifty is left out
# of the range, so that it says what could well be instead of everything that is not impossible.
_LEAST_PROBABILITY = 0.02


def total_confidence(
    reading: SheetReading, rules: RuleSet, filled: Callable[[LocatedReading, str | None], float] = p_filled
) -> float:
    """The probability that the total is right: that every column has the points, and the bridge, that were read.

    Points depend on how many spaces are filled and on the double circle, not on the numbers, so a 7 that may be a 1
    costs no confidence, nor does a circle over an empty column where the rules give it nothing. Cells are taken as
    independent; wrong columns that happen to cancel out are not counted as right.

    Args:
        reading: the sheet as read.
        rules: the numbers of the game.
        filled: gives the probability that there is anything in a cell, by its reading and any reason for doubt.
    """
    reasons = {cell.box.key: reason for cell, reason in reading.review}
    columns: dict[str, list[Chance]] = {}
    for cell in reading.cells:
        columns.setdefault(str(cell.box.column), []).append((cell, filled(cell, reasons.get(cell.box.key))))
    return prod(_column_confidence(column, members, rules) for column, members in columns.items())


def doubtful_range(sheet: Sheet, doubtful: Iterable[LocatedReading], rules: RuleSet) -> tuple[int, int]:
    """The least and the greatest total over every combination of the doubtful readings."""
    return total_range(sheet, [(cell_of(cell), possible_values(cell.reading)) for cell in doubtful], rules)


def _column_confidence(column: str, chances: Sequence[Chance], rules: RuleSet) -> float:
    spaces = [(cell, p) for cell, p in chances if cell.box.space is not None]
    doubled, p_double = _flag(chances, "double")
    bridge, p_bridge = _flag(chances, "bridge")
    read = column_points(column, sum(is_filled(cell.reading.value) for cell, _ in spaces), doubled, rules)
    right = sum(
        p_count * p_marked
        for filled, p_count in enumerate(_counts(p for _, p in spaces))
        for marked, p_marked in ((True, p_double), (False, 1 - p_double))
        if column_points(column, filled, marked, rules) == read
    )
    return min(1.0, right) * (p_bridge if bridge else 1 - p_bridge)


def _flag(chances: Iterable[Chance], kind: str) -> tuple[bool, float]:
    """Whether a column's circle or bridge is read as marked, and how probable that is; not marked where it has none."""
    for cell, p in chances:
        if cell.box.kind == kind:
            return is_filled(cell.reading.value), p
    return False, 0.0


def _counts(p_filled: Iterable[float]) -> list[float]:
    """The probability of 0, 1, 2, ... filled spaces, from that of each one."""
    counts = [1.0]
    for p in p_filled:
        counts = [
            empty * (1 - p) + one_less * p for empty, one_less in zip([*counts, 0.0], [0.0, *counts], strict=True)
        ]
    return counts


def possible_values(reading: CellReading) -> Sequence[Value]:
    """What a doubtful cell may say: always what was read and the runner-up, then all that is likely enough."""
    best, *others = (value for value, _ in reading.alternatives)
    likely = [value for value, probability in reading.alternatives if probability >= _LEAST_PROBABILITY]
    return list(dict.fromkeys([reading.value, best, *others[:1], *likely]))


def cell_of(located: LocatedReading) -> Cell:
    """Where a reading stands on its sheet: column, kind, space."""
    box = located.box
    return str(box.column), box.kind, box.space
