"""What the total of a sheet can be where single cells are doubtful."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from layouts.model import COLUMNS
from scoring.plain import Number
from scoring.rules import RuleSet
from scoring.totals import column_points
from scoring.types import Cell, Sheet

Values: TypeAlias = Sequence[Number | bool]


def total_range(sheet: Sheet, options: Iterable[tuple[Cell, Values]], rules: RuleSet | None = None) -> tuple[int, int]:
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
    candidates = _candidates(sheet, options)
    ranges = [_column_range(column, candidates, rules) for column in COLUMNS]
    return sum(low for low, _ in ranges), sum(high for _, high in ranges)


def _candidates(sheet: Sheet, options: Iterable[tuple[Cell, Values]]) -> dict[Cell, Values]:
    """Every cell of the sheet with the values that it may have."""
    known: dict[Cell, Values] = {cell: (value,) for cell, value in sheet.cells()}
    doubtful: dict[Cell, Values] = {}
    for cell, values in options:
        if not values or cell not in known or cell in doubtful:
            raise ValueError(f"{cell}: not a cell of a sheet, named twice, or without a value")
        doubtful[cell] = values
    return known | doubtful


def _column_range(column: str, candidates: Mapping[Cell, Values], rules: RuleSet) -> tuple[int, int]:
    spaces = [values for (name, _, space), values in candidates.items() if name == column and space]
    fewest = sum(all(map(_is_filled, values)) for values in spaces)
    most = sum(any(map(_is_filled, values)) for values in spaces)
    points = [
        column_points(column, filled, bool(double), rules)
        for filled in range(fewest, most + 1)
        for double in candidates.get((column, "double", None), (False,))
    ]
    bonuses = [rules.bridge_points if claimed else 0 for claimed in candidates[column, "bridge", None]]
    return min(points) + min(bonuses), max(points) + max(bonuses)


def _is_filled(value: Number | bool) -> bool:
    return value is not None and value is not False
