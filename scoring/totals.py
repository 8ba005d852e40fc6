"""Points of a sheet, column by column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from layouts.model import COLUMNS, SPACES
from scoring.rules import RuleSet
from scoring.types import Expedition, Sheet, Track


@dataclass(frozen=True, slots=True)
class ColumnScore:
    """How the points of one column came about.

    Attributes:
        column: its name.
        filled: spaces filled.
        base: the points for that many spaces, nothing doubled.
        doubled: the double circle is marked.
        points: the column's points, doubled if they are, without the bridge.
        bridge: points for the bridge: 0 unless claimed.
        bridge_claimed: its bridge is claimed.
    """

    column: str
    filled: int
    base: int
    doubled: bool
    points: int
    bridge: int
    bridge_claimed: bool


@dataclass(frozen=True, slots=True)
class ScoreCard:
    """The points of a sheet.

    Attributes:
        details: one entry a column, in the order of the sheet.
        bridges: points for all bridges claimed.
        total: everything together.
    """

    details: tuple[ColumnScore, ...]
    bridges: int
    total: int

    @property
    def columns(self) -> dict[str, int]:
        """Points by column, bridges not among them."""
        return {part.column: part.points for part in self.details}

    def to_dict(self) -> dict[str, int]:
        """Points by column, then `bridges` and `total`."""
        return {**self.columns, "bridges": self.bridges, "total": self.total}


def score(sheet: Sheet, rules: RuleSet | None = None) -> ScoreCard:
    """The points of a sheet, whether it is legal or not.

    A column counts by the number of its filled spaces, wherever they are: a gap does not cost the numbers
    above it, and a space with unreadable ink is filled. A bridge counts where it is claimed. What of that is
    not allowed, `validate` says.

    Args:
        sheet: the sheet.
        rules: the numbers of the game; None means the default ones.
    """
    table = _column_scores(rules or RuleSet.default())
    details = tuple([table[_key(column, getattr(sheet, column))] for column in COLUMNS])
    bridges = sum([part.bridge for part in details])
    return ScoreCard(details, bridges, bridges + sum([part.points for part in details]))


def column_points(column: str, filled: int, double: bool, rules: RuleSet) -> int:
    """The points of a column with that many filled spaces, without its bridge."""
    points = rules.points_of(column)[filled]
    if not double:
        return points
    return points * rules.double_factor if filled else rules.lone_double_points


def _key(column: str, content: Expedition | Track) -> tuple[str, int, bool, bool]:
    """What the points of a column depend on."""
    return column, content.filled, isinstance(content, Expedition) and content.double, content.bridge


@lru_cache(maxsize=16)
def _column_scores(rules: RuleSet) -> Mapping[tuple[str, int, bool, bool], ColumnScore]:
    """Every score that a column can have: so few that a stack of sheets looks them up."""
    return {
        (column, filled, doubled, claimed): ColumnScore(
            column=column,
            filled=filled,
            base=rules.points_of(column)[filled],
            doubled=doubled,
            points=column_points(column, filled, doubled, rules),
            bridge=rules.bridge_points if claimed else 0,
            bridge_claimed=claimed,
        )
        for column in COLUMNS
        for filled in range(SPACES + 1)
        for doubled in (False, True)
        for claimed in (False, True)
    }
