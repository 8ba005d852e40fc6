"""The card game for two as a value: which cards each player laid, round by round, in the order played.

A game may break every rule; it only has to be readable. JSON and TOML have the same form:
`{"players": ["Ana", "Ben"], "expeditions": 5, "rounds": [{"Ana": {"yellow": ["w", 2, 5]}, "Ben": {}}]}`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, TypeAlias

from scoring.errors import CardsError
from scoring.plain import MAX_NUMBER, shown, suggestion
from scoring.texts import TOML_START, parsed_json, parsed_toml

INVESTMENT = "w"
COLOURS = ("yellow", "blue", "white", "green", "red", "purple")
FEWEST_EXPEDITIONS = 5
PLAYERS = 2

Card: TypeAlias = int | str
"""A number, or `"w"` for an investment."""

Laid: TypeAlias = Mapping[str, tuple[Card, ...]]
"""What one player laid in one round: expedition to cards, in the order played."""

_KEYS = ("players", "expeditions", "rounds")
# Beside the expeditions, the results of a round have a key of this name.
_RESERVED = "total"


@dataclass(frozen=True, slots=True)
class CardGame:
    """A card game, or as much of it as has been played.

    Attributes:
        players: the two names.
        expeditions: how many colours the game has: 5, or 6 with purple.
        rounds: per round, what each player laid.
    """

    players: tuple[str, str]
    expeditions: int
    rounds: tuple[Mapping[str, Laid], ...]

    @property
    def colours(self) -> tuple[str, ...]:
        """The expeditions of this game, in their order."""
        return COLOURS[: self.expeditions]

    @classmethod
    def from_dict(cls, data: Any, where: str = "") -> CardGame:
        """A game from its JSON object, strictly checked.

        Args:
            data: the parsed JSON or TOML; `expeditions` may be left out, and so may a player who laid nothing.
            where: the name of the file, for the message.

        Raises:
            CardsError: anything that is not the agreed form; names file, path and what was expected.
        """
        try:
            return _game(data)
        except CardsError as error:
            raise error.at(where) from None


def load_card_game(text: str, name: str) -> CardGame:
    """The game in a text: JSON or TOML, told apart by the ending of the name, otherwise by content.

    Args:
        text: the content of the file.
        name: what messages call it.

    Raises:
        CardsError: the first thing that is wrong; names file, path or line, and what was expected.
    """
    text = text.removeprefix("\ufeff")
    read = parsed_toml if _is_toml(text, name) else parsed_json
    return CardGame.from_dict(read(text, name, CardsError), name)


def _is_toml(text: str, name: str) -> bool:
    ending = PurePath(name).suffix.lower()
    if ending in (".json", ".toml"):
        return ending == ".toml"
    lines = (line.strip() for line in text.split("\n"))
    first = next((line for line in lines if line and not line.startswith("#")), "")
    return TOML_START.match(first) is not None


def _game(data: Any) -> CardGame:
    entry = _object(data, "")
    for key in entry:
        if key not in _KEYS:
            raise CardsError(f"unknown key {shown(key)}, {suggestion(key, _KEYS)}")
    for key in ("players", "rounds"):
        if key not in entry:
            raise CardsError(f"expected the key {key}, found {_found_keys(entry)}")
    players = _players(entry["players"])
    return CardGame(players, _expeditions(entry.get("expeditions", FEWEST_EXPEDITIONS)), _rounds(entry, players))


def _players(value: Any) -> tuple[str, str]:
    if type(value) is not list or len(value) != PLAYERS:
        raise CardsError(f"expected a list of {PLAYERS} names, found {shown(value)}", "players")
    for index, name in enumerate(value):
        if type(name) is not str or not name.strip() or any("\ud800" <= letter <= "\udfff" for letter in name):
            raise CardsError(f"expected a name as text, found {shown(name)}", f"players[{index}]")
    if value[0] == value[1]:
        raise CardsError(f"expected two different names, found {shown(value[0])} twice", "players")
    return value[0], value[1]


def _expeditions(value: Any) -> int:
    if type(value) is not int or not FEWEST_EXPEDITIONS <= value <= len(COLOURS):
        raise CardsError(f"expected {FEWEST_EXPEDITIONS} or {len(COLOURS)}, found {shown(value)}", "expeditions")
    return value


def _rounds(entry: Mapping[str, Any], players: tuple[str, str]) -> tuple[Mapping[str, Laid], ...]:
    rounds = entry["rounds"]
    if type(rounds) is not list or not rounds:
        found = "an empty list" if rounds == [] else shown(rounds)
        raise CardsError(f"expected a list of rounds, at least one, found {found}", "rounds")
    return tuple(_round(value, f"rounds[{index}]", players) for index, value in enumerate(rounds))


def _round(value: Any, path: str, players: tuple[str, str]) -> Mapping[str, Laid]:
    entry = _object(value, path)
    for name in entry:
        if name not in players:
            raise CardsError(f"unknown player {shown(name)}, {suggestion(name, players)}", path)
    return {name: _laid(entry.get(name, {}), f"{path}.{name}") for name in players}


def _laid(value: Any, path: str) -> Laid:
    entry = _object(value, path)
    if _RESERVED in entry:
        raise CardsError(f"expected expeditions only, found {shown(_RESERVED)}", path)
    return {colour: _cards(cards, f"{path}.{colour}") for colour, cards in entry.items()}


def _cards(value: Any, path: str) -> tuple[Card, ...]:
    if type(value) is not list:
        raise CardsError(f"expected a list of cards, found {shown(value)}", path)
    for index, card in enumerate(value):
        if card != INVESTMENT and (type(card) is not int or abs(card) > MAX_NUMBER):
            raise CardsError(f'expected a whole number or "{INVESTMENT}", found {shown(card)}', f"{path}[{index}]")
    return tuple(value)


def _object(value: Any, path: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise CardsError(f"expected an object, found {shown(value)}", path)
    return value


def _found_keys(entry: Mapping[str, Any]) -> str:
    return f"only {' and '.join(entry)}" if entry else "an empty object"
