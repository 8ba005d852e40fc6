"""The rules of the game on plain values: sheets, points, violations. Knows nothing of pictures."""

from scoring.bounds import total_range
from scoring.cardgame import CardGame, load_card_game
from scoring.cards import CardResult, CardViolation, score_cards
from scoring.errors import CardsError, InputError, RulesError, SheetError
from scoring.explain import Explanation, explain
from scoring.files import iter_sheets, load_sheets
from scoring.game import Rank, audit_game, player_names, rank
from scoring.notation import format_sheet, parse_sheet
from scoring.rulefile import format_rules
from scoring.rules import CardRules, RuleSet
from scoring.totals import ColumnScore, ScoreCard, score
from scoring.turns import TurnBounds, turn_bounds
from scoring.types import Cell, Expedition, Sheet, Track
from scoring.validate import validate
from scoring.violations import DEFAULT, Specials, Violation
from scoring.weigh import weigh_column

__all__ = [
    "DEFAULT",
    "CardGame",
    "CardResult",
    "CardRules",
    "CardViolation",
    "CardsError",
    "Cell",
    "ColumnScore",
    "Expedition",
    "Explanation",
    "InputError",
    "Rank",
    "RuleSet",
    "RulesError",
    "ScoreCard",
    "Sheet",
    "SheetError",
    "Specials",
    "Track",
    "TurnBounds",
    "Violation",
    "audit_game",
    "explain",
    "format_rules",
    "format_sheet",
    "iter_sheets",
    "load_card_game",
    "load_sheets",
    "parse_sheet",
    "player_names",
    "rank",
    "score",
    "score_cards",
    "total_range",
    "turn_bounds",
    "validate",
    "weigh_column",
]
