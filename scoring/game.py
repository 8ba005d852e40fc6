"""Several sheets as one game: ranking, and what only all of them together show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from layouts.model import COLUMNS
from scoring.rules import RuleSet
from scoring.types import Sheet
from scoring.violations import DEFAULT, AnySpecials, Violation


@dataclass(frozen=True, slots=True)
class Rank:
    """A player's place in a game; 1 is the winner, equal totals share a place."""

    player: str
    total: int
    place: int

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of a game."""
        return {"player": self.player, "total": self.total, "place": self.place}


def rank(totals: Iterable[tuple[str, int]]) -> list[Rank]:
    """Players by falling total, equal ones in the order given and on one place: 1, 1, 3.

    The sources know no tie-break, so there is none.
    """
    falling = sorted(totals, key=lambda entry: -entry[1])
    only_totals = [total for _, total in falling]
    return [Rank(player, total, only_totals.index(total) + 1) for player, total in falling]


def player_names(sheets: Sequence[Sheet]) -> tuple[str, ...]:
    """What to call the players: their names, `player 1`, `player 2`, ... where there is none."""
    return tuple(sheet.player or f"player {number}" for number, sheet in enumerate(sheets, 1))


def audit_game(
    sheets: Sequence[Sheet], rules: RuleSet | None = None, specials: AnySpecials = DEFAULT
) -> tuple[Violation, ...]:
    """What the sheets of one game show together: bridges in the order of the columns, then the whole game.

    The checks of `validate` are not repeated.

    Args:
        sheets: one a player.
        rules: the numbers of the game; None means the default ones.
        specials: as for `validate`; no check needs them yet.
    """
    rules = rules or RuleSet.default()
    names = player_names(sheets)
    bridges = [finding for column in COLUMNS for finding in _bridge(column, sheets, names, rules)]
    return (*bridges, *_not_over(sheets, names, rules), *_player_count(names, rules))


def _bridge(column: str, sheets: Sequence[Sheet], names: tuple[str, ...], rules: RuleSet) -> Iterator[Violation]:
    claims = tuple(name for name, sheet in zip(names, sheets, strict=True) if sheet[column].bridge)
    crossed = tuple(name for name, sheet in zip(names, sheets, strict=True) if _crossed(sheet, column, rules))
    if len(claims) > 1:
        text = (
            f"{column}: {' and '.join(claims)} claim the bridge; only the first to reach space "
            f"{rules.bridge_space} gets it, several only if they reach it in the same turn"
        )
        yield _violation("bridge-claimed-twice", rules, column, text, claims, len(claims), "1")
    elif crossed and not claims:
        text = f"{column}: {' and '.join(crossed)} reached the bridge, but nobody claims it; one of them may"
        yield _violation("bridge-unclaimed", rules, column, text, crossed, 0, ">= 1")


def _not_over(sheets: Sequence[Sheet], names: tuple[str, ...], rules: RuleSet) -> Iterator[Violation]:
    tired = sum(sheet.dice.filled >= rules.exhausting_dice for sheet in sheets)
    bridges = sum(any(_crossed(sheet, column, rules) for sheet in sheets) for column in COLUMNS)
    if sheets and tired < len(sheets) and bridges < len(COLUMNS):
        text = (
            f"the game was not over: {bridges} of {len(COLUMNS)} bridges reached and {tired} of "
            f"{len(sheets)} players exhausted; it ends when all of either are"
        )
        observed = f"{bridges} bridges, {tired} exhausted"
        expected = f"{len(COLUMNS)} bridges or {len(sheets)} exhausted"
        yield _violation("game-not-over", rules, None, text, names, observed, expected)


def _player_count(names: tuple[str, ...], rules: RuleSet) -> Iterator[Violation]:
    if not rules.fewest_players <= len(names) <= rules.most_players:
        legal = f"{rules.fewest_players}..{rules.most_players}"
        text = f"there are {len(names)} sheets; a game has {legal} players"
        yield _violation("player-count", rules, None, text, names, len(names), legal)


def _crossed(sheet: Sheet, column: str, rules: RuleSet) -> bool:
    return sheet[column].filled >= rules.bridge_space


def _violation(
    code: str,
    rules: RuleSet,
    column: str | None,
    message: str,
    players: tuple[str, ...],
    observed: int | str,
    expected: str,
) -> Violation:
    return Violation(code, rules.severity[code], column, None, message, observed, expected, players)
