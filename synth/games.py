"""Legal games played at random, move by move by the rules, for sheets as players leave them.

The players are no experts, but they play to score: they add to started columns, wait for low numbers to start
one, and decline what would tear a column apart. Nothing here knows of pictures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from layouts import COLUMNS, EXPEDITIONS, SPACES, SheetLayout, load_layout
from scoring import Expedition, RuleSet, Sheet, Track, score

_COLOUR_DICE = 3
_NUMBER_DICE = 3
_MAX_TURNS = 200  # no game lasts a third of this; a bound for the loop all the same
_ACCELERATES = 0.93  # an arrow is an offer: players rarely leave it
_NAMES = (
    "Ana", "Ben", "Chloe", "Dev", "Emil", "Freya", "Gus", "Hanna", "Ida", "Jonas", "Kim", "Lotte", "Max",
    "Nina", "Oskar", "Pia", "Quinn", "Rosa", "Sam", "Tilda", "Uma", "Vera", "Wim", "Yara", "Zoe",
)  # fmt: skip


@dataclass(slots=True)
class _Player:
    """One player during play; mutable, never leaves this module."""

    boldness: float
    own_column_only: bool
    columns: dict[str, list[int]] = field(default_factory=lambda: {name: [] for name in EXPEDITIONS})
    doubles: set[str] = field(default_factory=set)
    bridges: set[str] = field(default_factory=set)
    artifacts: int = 0
    dice: int = 0

    def height(self, column: str) -> int:
        if column == "artifacts":
            return self.artifacts
        return self.dice if column == "dice" else len(self.columns[column])


def play_game(
    rng: np.random.Generator,
    players: int = 4,
    layout: SheetLayout | None = None,
    rules: RuleSet | None = None,
    turns: int | None = None,
    names: Sequence[str] | None = None,
) -> tuple[Sheet, ...]:
    """Plays one game and returns the sheets of its players.

    Args:
        rng: source of the dice and of the players' choices.
        players: 2 to 5.
        layout: which spaces are arrows and artifact boxes; None means the default layout.
        rules: the numbers of the game; None means the default ones.
        turns: stop after so many turns, as when a photo is taken in between; None plays to the end.
        names: the players' names; None leaves the sheets without.

    Returns:
        Sheets on which `scoring.validate` finds nothing.

    Raises:
        ValueError: a number of players that the rules do not allow, or names that do not fit it.
    """
    rules = rules or RuleSet.default()
    if not rules.fewest_players <= players <= rules.most_players:
        allowed = f"{rules.fewest_players} to {rules.most_players}"
        raise ValueError(f"a game has {allowed} players, not {players}")
    if names is not None and len(names) != players:
        raise ValueError(f"{players} players, but {len(names)} names")
    game = _Game(rng, (layout or load_layout()).specials, rules, players)
    game.play(_MAX_TURNS if turns is None else turns)
    return tuple(_sheet_of(p, names[i] if names else None) for i, p in enumerate(game.players))


def player_names(rng: np.random.Generator, count: int) -> tuple[str, ...]:
    """So many different first names."""
    return tuple(str(name) for name in rng.choice(_NAMES, size=count, replace=False))


def with_written_totals(sheet: Sheet, columns_too: bool, rules: RuleSet | None = None) -> Sheet:
    """The sheet with its right totals written: the grand total, and all the others too if asked."""
    totals = score(sheet, rules).to_dict()
    keys = (*COLUMNS, "bridges", "total") if columns_too else ("total",)
    written = {key: int(totals[key]) for key in keys}
    return Sheet.of(sheet.columns, player=sheet.player, written=written)


class _Game:
    """The state of a game: the players, and which bridges have been crossed by anybody."""

    def __init__(
        self, rng: np.random.Generator, specials: Mapping[str, Mapping[int, str]], rules: RuleSet, count: int
    ) -> None:
        self.rng = rng
        self.specials = specials
        self.rules = rules
        self.players = [_Player(float(rng.normal(0, 1)), bool(rng.random() < 0.2)) for _ in range(count)]
        self.crossed: set[str] = set()

    def play(self, turns: int) -> None:
        for turn in range(turns):
            if self.over:
                break
            self.turn(turn % len(self.players))
        self.settle_circles()
        self.award_bridges()

    @property
    def over(self) -> bool:
        exhausted = all(player.dice >= self.rules.exhausting_dice for player in self.players)
        return exhausted or len(self.crossed) == len(COLUMNS)

    def turn(self, active: int) -> None:
        """The active player takes one number and one colour, each other one of the two and two left."""
        numbers = [int(v) for v in self.rng.integers(0, 10, _NUMBER_DICE)]
        colours = [str(v) for v in self.rng.choice(EXPEDITIONS, _COLOUR_DICE)]
        taken = self.choose(self.players[active], numbers, colours)
        if taken is not None:
            numbers.remove(taken[0])
            colours.remove(taken[1])
        else:  # declining takes dice away all the same: the others choose among two and two
            numbers.pop()
            colours.pop()
        for i, player in enumerate(self.players):
            if i != active:
                self.choose(player, numbers, colours)
        self.award_bridges()

    def award_bridges(self) -> None:
        """Whoever reached a bridge that nobody had crossed before this turn gets it, all of them."""
        for column in COLUMNS:
            if column in self.crossed:
                continue
            for player in self.players:
                if player.height(column) >= self.rules.bridge_space:
                    player.bridges.add(column)
                    self.crossed.add(column)

    def choose(self, player: _Player, numbers: list[int], colours: list[str]) -> tuple[int, str] | None:
        """The player takes the best offer, or declines and marks a die."""
        offers = [(self.worth(player, n, c), n, c) for n in sorted(set(numbers)) for c in sorted(set(colours))]
        offers.sort(key=lambda offer: (-offer[0], offer[1], offer[2]))
        worth, number, colour = offers[0]
        threshold = -1.5 - 0.6 * player.boldness - (2.0 if player.dice >= self.rules.exhausting_dice - 1 else 0)
        if worth < threshold:
            player.dice = min(self.rules.exhausting_dice, player.dice + 1)
            return None
        self.take(player, number, colour)
        return number, colour

    def worth(self, player: _Player, number: int, colour: str) -> float:
        """How much the player likes to take a number in a colour; minus infinity where it is not legal."""
        column = player.columns[colour]
        chance = float(self.rng.normal(0, 0.7))
        if not column:
            if number == 0:
                fresh = colour not in player.doubles
                return -0.8 + 0.4 * player.boldness + chance if fresh else float("-inf")
            started = sum(1 for c in player.columns.values() if c)
            lift = 2.5 if colour in player.doubles else 0.0
            return 2.2 - 0.75 * number - 0.35 * started + lift + chance
        value = number or self.rules.highest_number
        if value < column[-1]:
            return float("-inf")
        if len(column) == SPACES:
            return 0.5 + chance if player.artifacts < SPACES else float("-inf")
        return 1.6 - 0.8 * (value - column[-1]) + 0.28 * len(column) + chance

    def take(self, player: _Player, number: int, colour: str) -> None:
        column = player.columns[colour]
        if not column and number == 0:
            player.doubles.add(colour)
        elif len(column) == SPACES:
            player.artifacts += 1
        else:
            self.write(player, colour, number or self.rules.highest_number)

    def write(self, player: _Player, colour: str, number: int) -> None:
        """Writes a number and follows what its space offers: an artifact, or an acceleration and so on."""
        player.columns[colour].append(number)
        special = self.specials.get(colour, {}).get(len(player.columns[colour]))
        if special == "artifact":
            player.artifacts = min(SPACES, player.artifacts + 1)
        elif special == "arrow" and self.rng.random() < _ACCELERATES:
            open_columns = [
                c
                for c, entries in player.columns.items()
                if 0 < len(entries) < SPACES and (c == colour or not player.own_column_only)
            ]
            if open_columns:
                target = max(open_columns, key=lambda c: len(player.columns[c]) + self.rng.normal(0, 2))
                self.write(player, target, player.columns[target][-1])

    def settle_circles(self) -> None:
        """A circle over a column never started is legal but draws a warning: those players had no zero there.

        Taking a zero away leaves a legal sheet of a game in which that player declined, so a die is marked.
        """
        for player in self.players:
            lonely = {colour for colour in player.doubles if not player.columns[colour]}
            player.doubles -= lonely
            player.dice = min(self.rules.exhausting_dice, player.dice + len(lonely))


def _sheet_of(player: _Player, name: str | None) -> Sheet:
    columns: dict[str, Expedition | Track] = {
        colour: Expedition.of(numbers, colour in player.doubles, colour in player.bridges)
        for colour, numbers in player.columns.items()
    }
    columns["artifacts"] = Track.of(player.artifacts, "artifacts" in player.bridges)
    columns["dice"] = Track.of(player.dice, "dice" in player.bridges)
    return Sheet.of(columns, player=name)
