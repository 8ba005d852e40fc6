"""The rules of the game on plain values: sheets, points, violations. Knows nothing of pictures."""

from scoring.errors import InputError, RulesError, SheetError
from scoring.rules import RuleSet
from scoring.totals import ColumnScore, ScoreCard, score, total_range
from scoring.types import Cell, Expedition, Sheet, Track

__all__ = [
    "Cell",
    "ColumnScore",
    "Expedition",
    "InputError",
    "RuleSet",
    "RulesError",
    "ScoreCard",
    "Sheet",
    "SheetError",
    "Track",
    "score",
    "total_range",
]
