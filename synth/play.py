"""The game itself, move by move by the rules: what players may do, and what each move leaves on their sheets.

Players differ in what they choose (`Chooser`); what they may choose among is the same for all. Nothing here knows of
pictures.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

import numpy as np

from layouts import COLUMNS, EXPEDITIONS, SPACES
from scoring import Expedition, RuleSet, Sheet, Track

COLOUR_DICE = 3
NUMBER_DICE = 3

Offer: TypeAlias = tuple[int, str]
"""A number, 0 to 9 as on the die, and a colour."""


class Chooser(Protocol):
    """What a player does with what the rules offer."""

    def take(self, player: Player, offers: Sequence[Offer]) -> Offer | None:
        """One of the offers, not all of which need be legal, or None to decline."""

    def accelerate(self, player: Player, arrow: str) -> str | None:
        """The started column to accelerate from an arrow in that column, or None to leave it."""


@dataclass(slots=True)
class Player:
    """One player during play.

    Attributes:
        chooser: decides.
        columns: the numbers of each expedition, bottom to top.
        doubles: expeditions whose circle is marked.
        bridges: columns whose bridge is claimed.
        artifacts: artifact marks.
        dice: die marks.
        turns: how many turns the player has had.
        idle: how many of them left no mark on the sheet.
    """

    chooser: Chooser
    columns: dict[str, list[int]] = field(default_factory=lambda: {name: [] for name in EXPEDITIONS})
    doubles: set[str] = field(default_factory=set)
    bridges: set[str] = field(default_factory=set)
    artifacts: int = 0
    dice: int = 0
    turns: int = 0
    idle: int = 0

    def height(self, column: str) -> int:
        """Filled spaces of any of the eight columns."""
        if column == "artifacts":
            return self.artifacts
        return self.dice if column == "dice" else len(self.columns[column])

    def may_take(self, offer: Offer, rules: RuleSet) -> bool:
        """Whether the rules let the player take that number in that colour."""
        number, colour = offer
        column = self.columns[colour]
        if not column:
            return number > 0 or colour not in self.doubles
        return (number or rules.highest_number) >= column[-1]

    def sheet(self, name: str | None = None) -> Sheet:
        """What the player has written."""
        columns: dict[str, Expedition | Track] = {
            colour: Expedition.of(numbers, colour in self.doubles, colour in self.bridges)
            for colour, numbers in self.columns.items()
        }
        columns["artifacts"] = Track.of(self.artifacts, "artifacts" in self.bridges)
        columns["dice"] = Track.of(self.dice, "dice" in self.bridges)
        return Sheet.of(columns, player=name)


class Game:
    """The state of a game: the players, and which bridges have been crossed by anybody."""

    def __init__(
        self,
        rng: np.random.Generator,
        specials: Mapping[str, Mapping[int, str]],
        rules: RuleSet,
        choosers: Sequence[Chooser],
    ) -> None:
        self.rng = rng
        self.specials = specials
        self.rules = rules
        self.players = [Player(chooser) for chooser in choosers]
        self.crossed: set[str] = set()
        self.shared: set[str] = set()

    @property
    def over(self) -> bool:
        """All players exhausted, or all bridges crossed."""
        exhausted = all(player.dice >= self.rules.exhausting_dice for player in self.players)
        return exhausted or len(self.crossed) == len(COLUMNS)

    def turn(self, active: int, absent: Collection[int] = (), twice: Collection[int] = ()) -> None:
        """The active player takes one number and one colour, each other one of the two and two left.

        Args:
            active: the player who rolls.
            absent: players who leave the turn out, against the rules.
            twice: players who take one too many, against the rules.
        """
        numbers = [int(v) for v in self.rng.integers(0, 10, NUMBER_DICE)]
        colours = [str(v) for v in self.rng.choice(EXPEDITIONS, COLOUR_DICE)]
        taken = None if active in absent else self._move(self.players[active], numbers, colours)
        if taken is not None:
            numbers.remove(taken[0])
            colours.remove(taken[1])
        else:  # declining takes dice away all the same: the others choose among two and two
            numbers.pop()
            colours.pop()
        for index, player in enumerate(self.players):
            if index != active and index not in absent:
                self._move(player, numbers, colours)
            if index in twice:
                self._move(player, numbers, colours)
        self.award_bridges()

    def award_bridges(self) -> None:
        """Whoever reached a bridge that nobody had crossed before this turn gets it, all of them."""
        for column in COLUMNS:
            if column in self.crossed:
                continue
            first = [player for player in self.players if player.height(column) >= self.rules.bridge_space]
            for player in first:
                player.bridges.add(column)
                self.crossed.add(column)
            if len(first) > 1:
                self.shared.add(column)

    def _move(self, player: Player, numbers: Sequence[int], colours: Sequence[str]) -> Offer | None:
        player.turns += 1
        offers = [(number, colour) for number in sorted(set(numbers)) for colour in sorted(set(colours))]
        taken = player.chooser.take(player, offers)
        if taken is None or not player.may_take(taken, self.rules):
            player.idle += player.dice == self.rules.exhausting_dice
            player.dice = min(self.rules.exhausting_dice, player.dice + 1)
            return None
        self._take(player, *taken)
        return taken

    def _take(self, player: Player, number: int, colour: str) -> None:
        column = player.columns[colour]
        if not column and number == 0:
            player.doubles.add(colour)
        elif len(column) == SPACES:
            player.idle += player.artifacts == SPACES
            self._mark_artifact(player)
        else:
            self._write(player, colour, number or self.rules.highest_number)

    def _write(self, player: Player, colour: str, number: int) -> None:
        """Writes a number and follows what its space offers: an artifact, or an acceleration and so on."""
        player.columns[colour].append(number)
        special = self.specials.get(colour, {}).get(len(player.columns[colour]))
        if special == "artifact":
            self._mark_artifact(player)
        elif special == "arrow":
            self._accelerate(player, player.chooser.accelerate(player, colour))

    def _accelerate(self, player: Player, colour: str | None) -> None:
        if colour is None or not player.columns[colour]:
            return
        if len(player.columns[colour]) == SPACES:
            # The descriptions leave open whether an arrow counts as a number that a full column could take.
            self._mark_artifact(player)
        else:
            self._write(player, colour, player.columns[colour][-1])

    def _mark_artifact(self, player: Player) -> None:
        player.artifacts = min(SPACES, player.artifacts + 1)
