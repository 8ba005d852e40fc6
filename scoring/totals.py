"""Points of a sheet, column by column, and what the total can be where single cells are doubtful."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from layouts.model import COLUMNS
from scoring.plain import Number
from scoring.rules import RuleSet
from scoring.types import Cell, Expedition, Sheet, Track


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
    """

    column: str
    filled: int
    base: int
    doubled: bool
    points: int
    bridge: int


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
    rules = rules or RuleSet.default()
    details = tuple(_column_score(column, getattr(sheet, column), rules) for column in COLUMNS)
    bridges = sum(part.bridge for part in details)
    return ScoreCard(details, bridges, bridges + sum(part.points for part in details))


def total_range(
    sheet: Sheet, options: Iterable[tuple[Cell, Sequence[Number | bool]]], rules: RuleSet | None = None
) -> tuple[int, int]:
    """The lowest and the highest total over every combination of doubtful readings.

    Exact and fast: the total is a sum over columns, and a column's points depend only on how many of its
    spaces are filled, on its circle and on its bridge. So each column is taken by itself, and of its doubtful
    spaces only their number matters.

    Args:
        sheet: every cell that is not doubtful.
        options: per doubtful cell, `(column, kind, space)` with kind `number`, `mark`, `double` or `bridge`
            and space None for the last two, all values that it may have.
        rules: the numbers of the game; None means the default ones.

    Raises:
        ValueError: a cell without any value, named twice, or that no sheet has.
    """
    rules = rules or RuleSet.default()
    doubtful: dict[str, dict[tuple[str, int | None], Sequence[Number | bool]]] = {c: {} for c in COLUMNS}
    for (column, kind, space), values in options:
        if not values or column not in doubtful or (kind, space) in doubtful[column]:
            raise ValueError(f"{column}/{kind}/{space}: not a cell, named twice, or without a value")
        doubtful[column][kind, space] = values
    low = high = 0
    for column in COLUMNS:
        lowest, highest = _column_range(column, getattr(sheet, column), doubtful[column], rules)
        low, high = low + lowest, high + highest
    return low, high


def _column_range(
    column: str,
    content: Expedition | Track,
    options: dict[tuple[str, int | None], Sequence[Number | bool]],
    rules: RuleSet,
) -> tuple[int, int]:
    kind, cells = ("number", content.numbers) if isinstance(content, Expedition) else ("mark", content.marks)
    doubles = _flags(options.pop(("double", None), ())) if kind == "number" else ()
    bridges = _flags(options.pop(("bridge", None), ())) or (content.bridge,)
    if isinstance(content, Expedition):
        doubles = doubles or (content.double,)
    fewest = most = 0
    for space, cell in enumerate(cells, 1):
        filled = [_is_filled(value) for value in options.pop((kind, space), (cell,))]
        fewest, most = fewest + all(filled), most + any(filled)
    if options:
        raise ValueError(f"{column}: no such cells: {sorted(options, key=str)}")
    scores = [
        column_points(column, filled, double, rules)
        for filled in range(fewest, most + 1)
        for double in doubles or (False,)
    ]
    bonuses = [rules.bridge_points * bridge for bridge in bridges]
    return min(scores) + min(bonuses), max(scores) + max(bonuses)


def column_points(column: str, filled: int, double: bool, rules: RuleSet) -> int:
    """The points of a column with that many filled spaces, without its bridge."""
    points = rules.points_of(column)[filled]
    if not double:
        return points
    return points * rules.double_factor if filled else rules.lone_double_points


def _column_score(column: str, content: Expedition | Track, rules: RuleSet) -> ColumnScore:
    filled = content.filled
    doubled = isinstance(content, Expedition) and content.double
    bridge = rules.bridge_points if content.bridge else 0
    base = rules.points_of(column)[filled]
    return ColumnScore(column, filled, base, doubled, column_points(column, filled, doubled, rules), bridge)


def _flags(values: Sequence[Number | bool]) -> tuple[bool, ...]:
    return tuple({bool(value) for value in values})


def _is_filled(value: Number | bool) -> bool:
    return value is not None and value is not False
