"""What the values of a rule set may be: whole numbers within bounds, lists of points, and words of a choice."""

from __future__ import annotations

from typing import Any

from layouts.model import SPACES
from scoring.errors import RulesError
from scoring.plain import MAX_NUMBER, shown

LADDERS = ("expedition_points", "artifacts_points", "dice_points")
"""The keys whose values are the points for 0 to 9 filled spaces."""

_SEVERITIES = ("error", "warning")
_CHOICES = {
    "cards.bonus_counts": ("all", "numbers"),
    "cards.lone_investments": ("counted", "not-counted"),
}

# Counts of printed things and of people: outside these bounds a rule set means nothing.
_BOUNDS = {
    "bridge_space": (1, SPACES),
    "exhausting_dice": (1, SPACES),
    "fewest_players": (1, 100),
    "most_players": (1, 100),
    "cards.investments": (0, 100),
    "cards.bonus_cards": (0, 100),
    "cards.rounds": (0, 100),
}


def checked(path: str, value: Any) -> Any:
    """The value itself, if it can stand at that path of a rule set.

    Raises:
        RulesError: it cannot; names the path and what was expected.
    """
    if path in LADDERS:
        return _ladder(path, value)
    choices = _SEVERITIES if "severity." in path else _CHOICES.get(path)
    if choices is not None:
        return _choice(path, value, choices)
    if not _is_whole(value):
        raise RulesError(f"expected a whole number, found {shown(value)}", path)
    lowest, highest = _BOUNDS.get(path, (-MAX_NUMBER, MAX_NUMBER))
    if not lowest <= value <= highest:
        raise RulesError(f"expected a whole number from {lowest} to {highest}, found {shown(value)}", path)
    return value


def _ladder(path: str, value: Any) -> list[int]:
    if type(value) is not list or len(value) != SPACES + 1:
        raise RulesError(
            f"expected a list of {SPACES + 1} whole numbers, the points for 0 to {SPACES} filled spaces, "
            f"found {shown(value)}",
            path,
        )
    for index, points in enumerate(value):
        if not _is_whole(points):
            raise RulesError(f"expected a whole number, found {shown(points)}", f"{path}[{index}]")
    return value


def _choice(path: str, value: Any, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise RulesError(f"expected {' or '.join(choices)}, found {shown(value)}", path)
    return str(value)


def _is_whole(value: Any) -> bool:
    return type(value) is int and abs(value) <= MAX_NUMBER
