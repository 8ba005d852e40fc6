"""The numbers of the games as data: read from rules.toml, every one replaceable by a file of the player's."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from importlib import resources
from typing import Any

from scoring.errors import RulesError
from scoring.plain import shown, suggestion
from scoring.rulevalues import LADDERS, checked
from scoring.texts import parsed_toml


@dataclass(frozen=True, slots=True)
class CardRules:
    """Every number of the card game. Where each comes from stands beside it in rules.toml.

    Attributes:
        lowest_card: the lowest number on a card.
        highest_card: the highest.
        investments: investment cards a colour.
        expedition_cost: what an expedition costs once it is started.
        bonus_cards: how many cards earn the bonus.
        bonus_points: the bonus.
        bonus_counts: which cards count for it: `all` or `numbers`.
        lone_investments: whether an expedition without a number is `counted` or `not-counted`.
        rounds: rounds of a game; 0 for any number.
        severity: per code of a violation, `error` or `warning`.
    """

    lowest_card: int
    highest_card: int
    investments: int
    expedition_cost: int
    bonus_cards: int
    bonus_points: int
    bonus_counts: str
    lone_investments: str
    rounds: int
    severity: Mapping[str, str] = field(hash=False)


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
        cards: the numbers of the card game.
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
    cards: CardRules

    @staticmethod
    @cache
    def default() -> RuleSet:
        """The rules as they come with the program."""
        return _rule_set(tomllib.loads(default_text()))

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
            return _rule_set(_replaced(cls.default().to_dict(), parsed_toml(text, where, RulesError)))
        except RulesError as error:
            raise error.at(where) from None

    def to_dict(self) -> dict[str, Any]:
        """The rules as plain values, by the keys of rules.toml."""
        return _plain(self)

    def points_of(self, column: str) -> tuple[int, ...]:
        """The points for 0 to 9 filled spaces of a column, nothing doubled."""
        if column == "artifacts":
            return self.artifacts_points
        return self.dice_points if column == "dice" else self.expedition_points


def default_text() -> str:
    """The file of the rules as they come with the program, comments and all."""
    return resources.files("scoring").joinpath("rules.toml").read_text("utf-8")


def _rule_set(values: Mapping[str, Any]) -> RuleSet:
    ladders = {key: tuple(values[key]) for key in LADDERS}
    return RuleSet(**{**values, **ladders, "cards": CardRules(**values["cards"])})


def _replaced(base: Mapping[str, Any], changes: Mapping[str, Any], table: str = "") -> dict[str, Any]:
    """The values of a table with those of a file in their place, tables within it alike."""
    values = dict(base)
    for key, value in changes.items():
        if key not in base:
            raise RulesError(f"unknown key {shown(key)}, {suggestion(key, base)}", table)
        path = f"{table}.{key}" if table else key
        if not isinstance(base[key], dict):
            values[key] = checked(path, value)
        elif isinstance(value, dict):
            values[key] = _replaced(base[key], value, path)
        else:
            raise RulesError(f"expected a table, found {shown(value)}", path)
    return values


def _plain(rules: RuleSet | CardRules) -> dict[str, Any]:
    values = {entry.name: getattr(rules, entry.name) for entry in fields(rules)}
    return {key: _plain_value(value) for key, value in values.items()}


def _plain_value(value: Any) -> Any:
    if isinstance(value, CardRules):
        return _plain(value)
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, tuple) else value
