"""How the points of a sheet came about, in the words of the rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scoring.rules import RuleSet
from scoring.totals import ColumnScore, ScoreCard
from scoring.words import counted

_THINGS = {"artifacts": ("artifact", "artifacts"), "dice": ("die", "dice")}


@dataclass(frozen=True, slots=True)
class Explanation:
    """The points of one column, or of the bridges or the whole sheet, with the reason.

    Attributes:
        column: its name, or `bridges` or `total`.
        points: what it counts, without its bridge.
        text: how that came about.
    """

    column: str
    points: int
    text: str

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of a scored sheet."""
        return {"column": self.column, "points": self.points, "text": self.text}


def explain(card: ScoreCard, rules: RuleSet | None = None) -> tuple[Explanation, ...]:
    """An explanation for each column, for the bridges and for the total, in the order of the sheet.

    Args:
        card: the points, from `score`.
        rules: the numbers of the game that it was scored by; None means the default ones.
    """
    rules = rules or RuleSet.default()
    columns = [Explanation(part.column, part.points, _column_text(part, rules)) for part in card.details]
    claimed = sum(part.bridge_claimed for part in card.details)
    bridges = f"{counted(claimed, 'bridge')} claimed, {rules.bridge_points} each: {card.bridges}"
    parts = [part.points for part in card.details if part.points] + [card.bridges] * bool(card.bridges)
    total = f"{_sum(parts)} = {card.total}" if len(parts) > 1 else str(card.total)
    return (
        *columns,
        Explanation("bridges", card.bridges, bridges if claimed else "none claimed: 0"),
        Explanation("total", card.total, total),
    )


def _column_text(part: ColumnScore, rules: RuleSet) -> str:
    if part.column in _THINGS:
        return _track_text(part, rules)
    if not part.filled:
        if part.doubled:
            return f"the double circle is marked, but the column holds no number: {part.points}"
        return f"not started: {part.points}"
    text = f"{counted(part.filled, 'space')} filled: {part.base}"
    if not part.doubled:
        return text
    what = "doubles that" if rules.double_factor == 2 else f"multiplies that by {rules.double_factor}"
    return f"{text}; the double circle {what}: {part.points}"


def _track_text(part: ColumnScore, rules: RuleSet) -> str:
    if not part.filled:
        return f"none marked: {part.points}"
    text = f"{counted(part.filled, *_THINGS[part.column])} marked"
    if part.column == "dice" and part.filled >= rules.exhausting_dice:
        text += ", so the player is exhausted"
    return f"{text}: {part.points}"


def _sum(parts: list[int]) -> str:
    first, *others = parts
    return " ".join([str(first), *(f"{'-' if part < 0 else '+'} {abs(part)}" for part in others)])
