"""How sure a total is, from how sure its cells are: pure functions over readings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import TYPE_CHECKING

from scoring import Cell, RuleSet, Sheet, total_range

if TYPE_CHECKING:
    from scanner.types import CellReading, LocatedReading

Value = int | str | bool | None

# A doubtful cell may be what it is read as with less than nine in ten; what has less than one in fifty is left out
# of the range, so that it says what could well be instead of everything that is not impossible.
_LEAST_PROBABILITY = 0.02


def total_confidence(readings: Iterable[CellReading]) -> float:
    """The probability that the total is right.

    A total depends on which spaces are filled and which circles and bridges are marked, not on the numbers: so a
    cell counts with the probability of every value that leaves its filling as it is read. Cells are taken as
    independent.
    """
    return prod(_kept(reading) for reading in readings)


def doubtful_range(sheet: Sheet, doubtful: Iterable[LocatedReading], rules: RuleSet) -> tuple[int, int]:
    """The least and the greatest total over every combination of the doubtful readings."""
    return total_range(sheet, [(_cell(cell), _possible(cell.reading)) for cell in doubtful], rules)


def _kept(reading: CellReading) -> float:
    filled = _is_filled(reading.value)
    return min(1.0, sum(p for value, p in reading.alternatives if _is_filled(value) == filled))


def _possible(reading: CellReading) -> Sequence[Value]:
    """What a doubtful cell may say: always what was read and the runner-up, then all that is likely enough."""
    best, *others = (value for value, _ in reading.alternatives)
    likely = [value for value, probability in reading.alternatives if probability >= _LEAST_PROBABILITY]
    return list(dict.fromkeys([reading.value, best, *others[:1], *likely]))


def _cell(located: LocatedReading) -> Cell:
    box = located.box
    return str(box.column), box.kind, box.space


def _is_filled(value: Value) -> bool:
    return value is not None and value is not False
