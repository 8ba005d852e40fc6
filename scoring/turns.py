"""How many turns a sheet takes: exact bounds, from what is written on it.

Every turn leaves exactly one of four traces: a number, a double circle, an artifact mark for a full column, or a die
mark. Accelerations come on top. docs/turn-count.md derives the bounds, case by case.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from layouts.model import SPACES
from scoring.copies import Space, most_without_turn
from scoring.plain import UNREADABLE, Number
from scoring.rules import RuleSet
from scoring.types import Expedition, Sheet
from scoring.validate import validate
from scoring.violations import ARROW, AnySpecials, Specials, Violation, artifact_boxes, found, special_spaces
from scoring.words import counted, listed

# A sheet that shows one of these was not written by the rules, so the rules cannot say in how many turns it was.
_NO_HISTORY = frozenset(("gap", "descending", "out-of-range", "artifacts-surplus"))


@dataclass(frozen=True, slots=True)
class TurnBounds:
    """The turns that a sheet allows: every number from `fewest` to `most` can have led to it, no other one can.

    Attributes:
        numbers: filled spaces of the expeditions.
        circles: marked double circles.
        dice: marked dice.
        artifacts_fewest: how many turns went at least into an artifact for a full column.
        artifacts_most: how many at most.
        free: how many of the numbers and of those artifacts can have come from arrows, at most.
        endless: turns may have gone by without leaving a trace.
    """

    numbers: int
    circles: int
    dice: int
    artifacts_fewest: int
    artifacts_most: int
    free: int
    endless: bool

    @property
    def fewest(self) -> int:
        """The least number of turns."""
        return self.numbers + self.circles + self.dice + self.artifacts_fewest - self.free

    @property
    def most(self) -> int | None:
        """The greatest number of turns; None where there is none."""
        return None if self.endless else self.numbers + self.circles + self.dice + self.artifacts_most

    def allows(self, turns: int) -> bool:
        """Whether the sheet can have been written in that many turns."""
        return self.fewest <= turns and (self.most is None or turns <= self.most)

    def __str__(self) -> str:
        if self.most is None:
            return f"{self.fewest} turns or more"
        return counted(self.most, "turn") if self.most == self.fewest else f"{self.fewest} to {self.most} turns"

    def account(self) -> str:
        """What the turns went into, for people: `20 numbers (arrows can have given 2) and 1 die`."""
        parts = [counted(self.numbers, "number")]
        if self.free:
            parts[0] += f" (arrows can have given {self.free})"
        if self.circles:
            parts.append(counted(self.circles, "double circle"))
        if self.dice:
            parts.append(counted(self.dice, "die", "dice"))
        if self.artifacts_most:
            span = f"{self.artifacts_fewest} to {self.artifacts_most}"
            parts.append(f"{span if self.artifacts_fewest < self.artifacts_most else self.artifacts_most} artifacts")
        return listed(parts)


def turn_count(
    sheets: Sequence[Sheet], names: Sequence[str], rules: RuleSet, specials: AnySpecials
) -> Iterator[Violation]:
    """The finding that no number of turns fits all sheets, if none does; it names the two that are furthest apart.

    Intervals have a number in common exactly if any two of them have, so two players always suffice to show it.
    """
    known = [
        (bounds, name)
        for name, sheet in zip(names, sheets, strict=True)
        if (bounds := turn_bounds(sheet, rules, specials)) is not None
    ]
    limited = [(bounds.most, bounds, name) for bounds, name in known if bounds.most is not None]
    if not limited:
        return
    longest, many = max(known, key=lambda entry: entry[0].fewest)
    most, shortest, few = min(limited, key=lambda entry: entry[0])
    if longest.fewest > most:
        yield _turn_count((longest, many), (shortest, few), longest.fewest - most, rules)


def turn_bounds(sheet: Sheet, rules: RuleSet, specials: AnySpecials) -> TurnBounds | None:
    """The numbers of turns in which a sheet can have been written.

    Args:
        sheet: the sheet.
        rules: the numbers of the game.
        specials: as for `validate`; None means that any space may carry an arrow or an artifact box.

    Returns:
        The bounds; None for a sheet that nobody can have written by the rules, so that any number is possible.
    """
    if not _NO_HISTORY.isdisjoint(finding.code for finding in validate(sheet, rules, specials)):
        return None
    printed = special_spaces(specials)
    columns = sheet.expeditions
    dice, marks = sheet.dice.filled, sheet.artifacts.filled
    full = any(column.filled == SPACES for column in columns.values())
    beyond_boxes = max(0, marks - _boxes_written_on(columns, specials))
    free = most_without_turn([_spaces(name, column.numbers, printed) for name, column in columns.items()], beyond_boxes)
    return TurnBounds(
        numbers=sum(column.filled for column in columns.values()),
        circles=sum(column.double for column in columns.values()),
        dice=dice,
        artifacts_fewest=beyond_boxes,
        artifacts_most=marks if full else 0,
        free=free,
        endless=dice >= rules.exhausting_dice or (full and marks == SPACES),
    )


def _boxes_written_on(columns: Mapping[str, Expedition], specials: AnySpecials) -> int:
    """How many artifact boxes hold a number; more than there are artifacts where boxes are not known."""
    boxes = artifact_boxes(specials)
    if boxes is None:
        return SPACES
    return sum(columns[column].numbers[space - 1] is not None for column, space in boxes)


def _spaces(column: str, numbers: Sequence[Number], specials: Specials | None) -> list[Space]:
    """The filled spaces of an expedition; where specials are not known, each may carry an arrow."""
    filled = [number for number in numbers if number is not None]
    printed = None if specials is None else specials.get(column, {})
    return [
        Space(
            arrow=printed is None or printed.get(space) == ARROW,
            copyable=space > 1 and _may_be_equal(number, filled[space - 2]),
        )
        for space, number in enumerate(filled, 1)
    ]


def _may_be_equal(number: Number, below: Number) -> bool:
    return number == below or UNREADABLE in (number, below)


def _turn_count(
    longer: tuple[TurnBounds, str], shorter: tuple[TurnBounds, str], apart: int, rules: RuleSet
) -> Violation:
    (longest, many), (shortest, few) = longer, shorter
    text = (
        f"no number of turns fits everybody: {many}'s sheet takes {longest}, {few}'s {shortest}. "
        f"Every turn each player writes one number or marks one circle, one artifact of a full column or one die: "
        f"{many} has {longest.account()}; {few} has {shortest.account()}. "
        f"So {many} took at least {counted(apart, 'turn')} too many, or {few} left out as many or did not write "
        "them down"
    )
    return found(
        "turn-count",
        rules,
        text,
        observed=f"{many}: {longest}; {few}: {shortest}",
        expected="one number of turns for all",
        players=(many, few),
    )
