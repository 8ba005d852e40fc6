"""The rules of the game on plain values: sheets, points, violations. Knows nothing of pictures."""

from scoring.bounds import total_range
from scoring.errors import InputError, RulesError, SheetError
from scoring.files import iter_sheets, load_sheets
from scoring.game import Rank, audit_game, player_names, rank
from scoring.notation import format_sheet, parse_sheet
from scoring.rules import RuleSet
from scoring.totals import ColumnScore, ScoreCard, score
from scoring.types import Cell, Expedition, Sheet, Track
from scoring.validate import validate
from scoring.violations import DEFAULT, Specials, Violation
from scoring.weigh import weigh_column

__all__ = [
    "DEFAULT",
    "Cell",
    "ColumnScore",
    "Expedition",
    "InputError",
    "Rank",
    "RuleSet",
    "RulesError",
    "ScoreCard",
    "Sheet",
    "SheetError",
    "Specials",
    "Track",
    "Violation",
    "audit_game",
    "format_sheet",
    "iter_sheets",
    "load_sheets",
    "parse_sheet",
    "player_names",
    "rank",
    "score",
    "total_range",
    "validate",
    "weigh_column",
]
