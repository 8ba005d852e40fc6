"""Legal games by players who play to score, for sheets as players leave them.

They are no experts: they add to started columns, wait for low numbers to start one, and decline what would tear a
column apart. Nothing here knows of pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from layouts import COLUMNS, SPACES, SheetLayout, load_layout
from scoring import RuleSet, Sheet, score
from synth.play import Game, Offer, Player

_MAX_TURNS = 200  # no game lasts a third of this; a bound for the loop all the same
_ACCELERATES = 0.93  # an arrow is an offer: players rarely leave it
_NAMES = (
    "Ana", "Ben", "Chloe", "Dev", "Emil", "Freya", "Gus", "Hanna", "Ida", "Jonas", "Kim", "Lotte", "Max",
    "Nina", "Oskar", "Pia", "Quinn", "Rosa", "Sam", "Tilda", "Uma", "Vera", "Wim", "Yara", "Zoe",
)  # fmt: skip


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
    choosers = [Sensible.drawn(rng, rules) for _ in range(players)]
    game = Game(rng, (layout or load_layout()).specials, rules, choosers)
    _play(game, _MAX_TURNS if turns is None else turns)
    return tuple(player.sheet(names[i] if names else None) for i, player in enumerate(game.players))


def player_names(rng: np.random.Generator, count: int) -> tuple[str, ...]:
    """So many different first names."""
    return tuple(str(name) for name in rng.choice(_NAMES, size=count, replace=False))


def with_written_totals(sheet: Sheet, columns_too: bool, rules: RuleSet | None = None) -> Sheet:
    """The sheet with its right totals written: the grand total, and all the others too if asked."""
    totals = score(sheet, rules).to_dict()
    keys = (*COLUMNS, "bridges", "total") if columns_too else ("total",)
    written = {key: int(totals[key]) for key in keys}
    return Sheet.of(sheet.columns, player=sheet.player, written=written)


def _play(game: Game, turns: int) -> None:
    for turn in range(turns):
        if game.over:
            break
        game.turn(turn % len(game.players))
    _settle_circles(game)
    game.award_bridges()


def _settle_circles(game: Game) -> None:
    """A circle over a column never started is legal but draws a warning: those players had no zero there.

    Taking a zero away leaves a legal sheet of a game in which that player declined, so a die is marked.
    """
    for player in game.players:
        lonely = {colour for colour in player.doubles if not player.columns[colour]}
        player.doubles -= lonely
        player.dice = min(game.rules.exhausting_dice, player.dice + len(lonely))


@dataclass(frozen=True, slots=True)
class Sensible:
    """A player who wants points.

    Attributes:
        rng: source of moods.
        boldness: 0 for most, higher for those who take what others decline.
        own_column_only: takes an arrow as one for its own column.
        rules: the numbers of the game.
    """

    rng: np.random.Generator
    boldness: float
    own_column_only: bool
    rules: RuleSet

    @classmethod
    def drawn(cls, rng: np.random.Generator, rules: RuleSet) -> Sensible:
        """A player by chance."""
        return cls(rng, float(rng.normal(0, 1)), bool(rng.random() < 0.2), rules)

    def take(self, player: Player, offers: Sequence[Offer]) -> Offer | None:
        """The best offer, or none where all are bad."""
        rated = [(self._worth(player, number, colour), number, colour) for number, colour in offers]
        rated.sort(key=lambda offer: (-offer[0], offer[1], offer[2]))
        worth, number, colour = rated[0]
        threshold = -1.5 - 0.6 * self.boldness - (2.0 if player.dice >= self.rules.exhausting_dice - 1 else 0)
        return None if worth < threshold else (number, colour)

    def accelerate(self, player: Player, arrow: str) -> str | None:
        """Mostly one of the longest columns that still have room."""
        if self.rng.random() >= _ACCELERATES:
            return None
        open_columns = [
            colour
            for colour, entries in player.columns.items()
            if 0 < len(entries) < SPACES and (colour == arrow or not self.own_column_only)
        ]
        return max(open_columns, key=lambda c: len(player.columns[c]) + self.rng.normal(0, 2), default=None)

    def _worth(self, player: Player, number: int, colour: str) -> float:
        """How much the player likes to take a number in a colour; minus infinity where it is not legal."""
        column = player.columns[colour]
        chance = float(self.rng.normal(0, 0.7))
        if not column:
            if number == 0:
                fresh = colour not in player.doubles
                return -0.8 + 0.4 * self.boldness + chance if fresh else float("-inf")
            started = sum(1 for c in player.columns.values() if c)
            lift = 2.5 if colour in player.doubles else 0.0
            return 2.2 - 0.75 * number - 0.35 * started + lift + chance
        value = number or self.rules.highest_number
        if value < column[-1]:
            return float("-inf")
        if len(column) == SPACES:
            return 0.5 + chance if player.artifacts < SPACES else float("-inf")
        return 1.6 - 0.8 * (value - column[-1]) + 0.28 * len(column) + chance
