"""What the checks of a whole game are worth: `python -m bench.audit` plays games and counts.

Legal games must raise no alarm; of games in which one player left turns out or took some too many, the share that
the audit of turns catches is printed.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import click
import numpy as np

from layouts import load_layout
from scoring import RuleSet, audit_game, validate
from scoring.turns import turn_bounds
from synth.games import Sensible
from synth.play import Game
from synth.whims import Whims, play_whims

_PLAYERS = (2, 3, 4, 5)
_FAULTS = (1, 3, 5, 10)
# A fault falls into one of these turns; hardly any game is shorter.
_FAULTY_TURNS = 20
_LONGEST_UNFINISHED = 45
# Legal, but worth a remark: what their words say is true of the game.
_REMARKS = frozenset(("double-without-expedition", "bridge-claimed-twice", "game-not-over"))


@dataclass(frozen=True, slots=True)
class Legal:
    """What legal games showed.

    Attributes:
        sheets: how many sheets.
        alarms: findings that are wrong.
        outside: sheets whose number of turns lies outside their bounds.
        lowest: sheets whose number of turns is the lower bound.
        highest: those whose number is the upper bound.
        endless: those without an upper bound.
    """

    sheets: int = 0
    alarms: int = 0
    outside: int = 0
    lowest: int = 0
    highest: int = 0
    endless: int = 0

    def __add__(self, other: Legal) -> Legal:
        return Legal(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))


def legal_games(count: int, seed: int) -> Iterator[Game]:
    """Games of 2 to 5 players with all options at random, every third broken off."""
    for index in range(count):
        rng = np.random.default_rng([seed, index])
        turns = int(rng.integers(1, _LONGEST_UNFINISHED)) if index % 3 == 0 else 2000
        yield play_whims(rng, _PLAYERS[index % len(_PLAYERS)], turns=turns)


def judged(game: Game) -> Legal:
    """What one legal game shows."""
    sheets = [player.sheet() for player in game.players]
    found = [violation.code for sheet in sheets for violation in validate(sheet)]
    found += [violation.code for violation in audit_game(sheets)]
    result = Legal(alarms=sum(code not in _REMARKS for code in found))
    for player, sheet in zip(game.players, sheets, strict=True):
        bounds = turn_bounds(sheet, game.rules, game.specials)
        inside = bounds is not None and bounds.allows(player.turns)
        result += Legal(
            sheets=1,
            outside=not inside,
            lowest=bounds is not None and bounds.fewest == player.turns,
            highest=bounds is not None and bounds.most == player.turns,
            endless=bounds is not None and bounds.most is None,
        )
    return result


def faulty_game(rng: np.random.Generator, players: int, kind: type[Sensible | Whims], skipped: int, extra: int) -> Game:
    """A game in which one player leaves out some turns, or takes some twice; played to its end otherwise."""
    rules = RuleSet.default()
    game = Game(rng, load_layout().specials, rules, [kind.drawn(rng, rules) for _ in range(players)])
    culprit = int(rng.integers(players))
    at = {int(turn) for turn in rng.choice(_FAULTY_TURNS, skipped + extra, replace=False)}
    for turn in itertools.count():
        if game.over:
            return game
        faulty = {culprit} if turn in at else set()
        game.turn(turn % players, absent=faulty if skipped else (), twice=faulty if extra else ())
    raise AssertionError("a game has an end")


def share_caught(games: Iterable[Game]) -> float:
    """The share of games in which the audit finds that turns do not fit."""
    caught = [
        any(found.code == "turn-count" for found in audit_game([p.sheet() for p in game.players])) for game in games
    ]
    return sum(caught) / len(caught)


@click.command()
@click.option("-n", "--count", default=20_000, show_default=True, metavar="N", help="Legal games.")
@click.option("--faulty", default=500, show_default=True, metavar="N", help="Games of each kind of fault.")
@click.option("--seed", default=1, show_default=True, help="The same seed plays the same games.")
def main(count: int, faulty: int, seed: int) -> None:
    """Counts false alarms over legal games, and the faults that are caught over others."""
    total = Legal()
    for game in legal_games(count, seed):
        total += judged(game)
    click.echo(f"{count} legal games, {total.sheets} sheets: {total.alarms} false alarms")
    click.echo(
        f"turns outside the bounds of their sheet: {total.outside}; at the lower bound {total.lowest}, at the upper "
        f"{total.highest}, no upper bound {total.endless}"
    )
    for kind, name in ((Sensible, "players who play to score"), (Whims, "players who do anything legal")):
        click.echo(f"\ncaught, {name}, {faulty} games each\n{'players':<10}{_heading()}")
        for players in _PLAYERS:
            click.echo(f"{players:<10}{_row(_shares(kind, players, faulty, seed))}")


def _shares(kind: type[Sensible | Whims], players: int, count: int, seed: int) -> Iterator[float]:
    for turns in _FAULTS:
        for skipped, extra in ((turns, 0), (0, turns)):
            yield share_caught(
                faulty_game(
                    np.random.default_rng([seed, players, skipped, extra, index]), players, kind, skipped, extra
                )
                for index in range(count)
            )


def _heading() -> str:
    return "".join(f"{f'{turns} skipped':>12}{f'{turns} extra':>12}" for turns in _FAULTS)


def _row(shares: Iterable[float]) -> str:
    return "".join(f"{share:>12.1%}" for share in shares)


if __name__ == "__main__":
    main()
