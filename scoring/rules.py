"""The numbers of the game as data: read from rules.toml, every one replaceable by a file of the player's."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from importlib import resources
from typing import Any

from layouts.model import SPACES
from scoring.errors import RulesError
from scoring.plain import MAX_NUMBER, shown, suggestion

SEVERITIES = ("error", "warning")
_LADDERS = ("expedition_points", "artifacts_points", "dice_points")


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Every number of the rules. Where each comes from stands beside it in rules.toml.

    Attributes:
        expedition_points: for 0 to 9 filled spaces of a colour column.
        artifacts_points: the same for artifacts.
        dice_points: the same for dice.
        double_factor: what a marked double circle multiplies an expedition's points by.
        lone_double_points: what a marked circle over an empty column counts.
        bridge_points: for each bridge claimed.
        bridge_space: the space that reaches the bridge.
        lowest_number: the lowest number that can be written.
        highest_number: the highest.
        highest_first_number: the highest that can start a column.
        exhausting_dice: how many dice marks exhaust a player.
        fewest_players: the smallest game.
        most_players: the largest game.
        severity: per code of a violation, `error` or `warning`.
    """

    expedition_points: tuple[int, ...]
    artifacts_points: tuple[int, ...]
    dice_points: tuple[int, ...]
    double_factor: int
    lone_double_points: int
    bridge_points: int
    bridge_space: int
    lowest_number: int
    highest_number: int
    highest_first_number: int
    exhausting_dice: int
    fewest_players: int
    most_players: int
    severity: Mapping[str, str] = field(hash=False)

    @staticmethod
    @cache
    def default() -> RuleSet:
        """The rules as they come with the program."""
        text = resources.files("scoring").joinpath("rules.toml").read_text("utf-8")
        return _replaced({}, tomllib.loads(text))

    @classmethod
    def from_toml(cls, text: str, where: str = "") -> RuleSet:
        """The default rules with the values of a TOML text in their place.

        Args:
            text: any of the keys of rules.toml; those left out keep their default.
            where: the name of the file, for the message.

        Raises:
            RulesError: no TOML, an unknown key or a value of the wrong shape; names file and path.
        """
        try:
            return _replaced(cls.default().to_dict(), _toml(text))
        except RulesError as error:
            raise error.at(where) from None

    def to_dict(self) -> dict[str, Any]:
        """The rules as plain values, by the keys of rules.toml."""
        values = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        plain = {key: list(value) if isinstance(value, tuple) else value for key, value in values.items()}
        return {**plain, "severity": dict(self.severity)}

    def points_of(self, column: str) -> tuple[int, ...]:
        """The points for 0 to 9 filled spaces of a column, nothing doubled."""
        tracks = {"artifacts": self.artifacts_points, "dice": self.dice_points}
        return tracks.get(column, self.expedition_points)


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise RulesError(f"not TOML ({error})") from None


def _replaced(base: Mapping[str, Any], changes: Mapping[str, Any]) -> RuleSet:
    known = [entry.name for entry in fields(RuleSet)]
    values = dict(base)
    for key, value in changes.items():
        if key not in known:
            raise RulesError(f"unknown key {shown(key)}, {suggestion(key, known)}")
        values[key] = _checked(key, value, base)
    for key in _LADDERS:
        values[key] = tuple(values[key])
    return RuleSet(**values)


def _checked(key: str, value: Any, base: Mapping[str, Any]) -> Any:
    if key == "severity":
        return _severity(value, base.get(key, {}))
    if key in _LADDERS:
        return _ladder(key, value)
    if not _is_whole(value):
        raise RulesError(f"expected a whole number, found {shown(value)}", key)
    lowest, highest = _BOUNDS.get(key, (-MAX_NUMBER, MAX_NUMBER))
    if not lowest <= value <= highest:
        raise RulesError(f"expected a whole number from {lowest} to {highest}, found {shown(value)}", key)
    return value


def _ladder(key: str, value: Any) -> list[int]:
    if type(value) is not list or len(value) != SPACES + 1:
        raise RulesError(
            f"expected a list of {SPACES + 1} whole numbers, the points for 0 to {SPACES} filled spaces, "
            f"found {shown(value)}",
            key,
        )
    for index, points in enumerate(value):
        if not _is_whole(points):
            raise RulesError(f"expected a whole number, found {shown(points)}", f"{key}[{index}]")
    return value


def _severity(value: Any, base: Mapping[str, str]) -> dict[str, str]:
    if not isinstance(value, dict):
        raise RulesError(f"expected a table, found {shown(value)}", "severity")
    for code, severity in value.items():
        if base and code not in base:
            raise RulesError(f"unknown code {shown(code)}, {suggestion(code, base)}", "severity")
        if severity not in SEVERITIES:
            raise RulesError(f"expected {' or '.join(SEVERITIES)}, found {shown(severity)}", f"severity.{code}")
    return {**base, **value}


def _is_whole(value: Any) -> bool:
    return type(value) is int and abs(value) <= MAX_NUMBER


# Counts of printed things and of people: outside these bounds a rule set means nothing.
_BOUNDS = {
    "bridge_space": (1, SPACES),
    "exhausting_dice": (1, SPACES),
    "fewest_players": (1, 100),
    "most_players": (1, 100),
}
