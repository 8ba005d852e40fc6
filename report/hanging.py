"""Violations that a doubtful reading may have made: what else the cell may say would undo them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from report.certainty import cell_of, possible_values
from scoring import RuleSet, Sheet, Specials, Violation, validate

if TYPE_CHECKING:
    from scanner.types import LocatedReading


def hanging_on(
    sheet: Sheet,
    violations: Sequence[Violation],
    doubtful: Sequence[LocatedReading],
    rules: RuleSet,
    specials: Specials | None,
) -> tuple[LocatedReading | None, ...]:
    """For each violation the doubtful reading that it hangs on, None for one that stands whatever they say.

    Args:
        sheet: what was read.
        violations: what that breaks.
        doubtful: the readings to check; each is changed alone.
        rules: the numbers of the game.
        specials: the layout's arrows and artifact boxes.
    """
    undone: dict[tuple[str, str | None, int | None], LocatedReading] = {}
    for cell in doubtful if violations else ():
        for other in possible_values(cell.reading):
            if other == cell.reading.value and type(other) is type(cell.reading.value):
                continue
            left = {_place(found) for found in validate(_with(sheet, cell, other), rules, specials)}
            for violation in violations:
                if _place(violation) not in left:
                    undone.setdefault(_place(violation), cell)
    return tuple(undone.get(_place(violation)) for violation in violations)


def _place(violation: Violation) -> tuple[str, str | None, int | None]:
    return violation.code, violation.column, violation.space


def _with(sheet: Sheet, cell: LocatedReading, value: int | str | bool | None) -> Sheet:
    changed = Sheet.from_cells([*sheet.cells(), (cell_of(cell), value)], sheet.player)
    return replace(changed, written=sheet.written)
