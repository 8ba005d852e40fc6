"""Players who try everything that the rules allow, for games that no sensible player would play.

What players prefer decides which corners of the rules a game reaches: full columns need patience, exhausted players
those who decline, long chains those who never leave an arrow. So every player has whims of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from layouts import SheetLayout, load_layout
from scoring import RuleSet
from synth.games import Sensible
from synth.play import Game, Offer, Player

T = TypeVar("T")

_WHIMSICAL = 0.5
_MAX_TURNS = 2000  # only a bound for the loop: whoever declines nothing is forced to it by the dice some day


@dataclass(frozen=True, slots=True)
class Whims:
    """A player who chooses by chance.

    Attributes:
        rng: the chance.
        rules: the numbers of the game.
        declines: probability to decline a turn that could be used.
        accelerates: probability to use an arrow.
        stays: probability to use it in its own column, where that is possible.
        patient: probability to take the number that is closest to what stands there.
        builds: probability to take the longest column, with a number or with an arrow.
    """

    rng: np.random.Generator
    rules: RuleSet
    declines: float
    accelerates: float
    stays: float
    patient: float
    builds: float

    @classmethod
    def drawn(cls, rng: np.random.Generator, rules: RuleSet) -> Whims:
        """A player with whims by chance.

        Rash players soon have a 10 on top of every column, and declining exhausts them; so most are patient.
        """
        declines, patient = _whim(rng) ** 6, 1 - _whim(rng) ** 3
        return cls(rng, rules, declines, _whim(rng), _whim(rng), patient, _whim(rng))

    def take(self, player: Player, offers: Sequence[Offer]) -> Offer | None:
        """Any legal offer, or none."""
        legal = [offer for offer in offers if player.may_take(offer, self.rules)]
        if not legal or self._wants(self.declines):
            return None
        if self._wants(self.patient):
            legal = _best(legal, lambda offer: -_step(player, offer, self.rules))
        if self._wants(self.builds):
            legal = _best(legal, lambda offer: len(player.columns[offer[1]]))
        return legal[int(self.rng.integers(len(legal)))]

    def accelerate(self, player: Player, arrow: str) -> str | None:
        """Any started column, full ones among them, or none."""
        if not self._wants(self.accelerates):
            return None
        if self._wants(self.stays):
            return arrow
        started = [colour for colour, numbers in player.columns.items() if numbers]
        if self._wants(self.builds):
            started = _best(started, lambda colour: len(player.columns[colour]))
        return started[int(self.rng.integers(len(started)))]

    def _wants(self, probability: float) -> bool:
        return bool(self.rng.random() < probability)


def play_whims(
    rng: np.random.Generator,
    players: int,
    layout: SheetLayout | None = None,
    rules: RuleSet | None = None,
    turns: int = _MAX_TURNS,
) -> Game:
    """Plays one game in which about half of the players do anything that is legal; the others play to score.

    Args:
        rng: source of the dice and of the players' choices.
        players: how many.
        layout: which spaces are arrows and artifact boxes; None means the default layout.
        rules: the numbers of the game; None means the default ones.
        turns: stop after so many turns; otherwise the game is played to its end.

    Returns:
        The game as it ended; all its players have had the same number of turns.
    """
    rules = rules or RuleSet.default()
    kinds = [Whims if rng.random() < _WHIMSICAL else Sensible for _ in range(players)]
    game = Game(rng, (layout or load_layout()).specials, rules, [kind.drawn(rng, rules) for kind in kinds])
    for turn in range(turns):
        if game.over:
            break
        game.turn(turn % players)
    return game


def _whim(rng: np.random.Generator) -> float:
    """A probability; one in three is certain or none at all."""
    value = float(rng.uniform(-0.25, 1.25))
    return min(1.0, max(0.0, value))


def _step(player: Player, offer: Offer, rules: RuleSet) -> int:
    """How far above the top of its column a number is."""
    number, colour = offer
    column = player.columns[colour]
    return (number or rules.highest_number) - column[-1] if column else number


def _best(items: Sequence[T], worth: Callable[[T], int]) -> list[T]:
    """The items of the greatest worth."""
    greatest = max(map(worth, items))
    return [item for item in items if worth(item) == greatest]
