"""Several sheets as one game: ranking, and what only all of them together show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from layouts.model import COLUMNS
from scoring.rules import RuleSet
from scoring.turns import turn_count
from scoring.types import Sheet
from scoring.violations import DEFAULT, AnySpecials, Violation, found
from scoring.words import counted, listed

# Two players may well decline alike, or write the same number in the first turns; passive players choose among two
# numbers and two colours, so six numbers in the same spaces happen by chance once in some thousand games, if ever.
_TELLING_NUMBERS = 6


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
        specials: where the sheets have arrows and artifact boxes, as for `validate`; None means not known: then any
            space may carry one.
    """
    rules = rules or RuleSet.default()
    names = player_names(sheets)
    bridges = [finding for column in COLUMNS for finding in _bridge(column, sheets, names, rules)]
    return (
        *bridges,
        *_twice(sheets, names, rules),
        *turn_count(sheets, names, rules, specials),
        *_not_over(sheets, names, rules),
        *_player_count(names, rules),
    )


def _bridge(column: str, sheets: Sequence[Sheet], names: tuple[str, ...], rules: RuleSet) -> Iterator[Violation]:
    claims = tuple(name for name, sheet in zip(names, sheets, strict=True) if sheet[column].bridge)
    crossed = tuple(name for name, sheet in zip(names, sheets, strict=True) if _crossed(sheet, column, rules))
    if len(claims) > 1:
        text = (
            f"{column}: {listed(claims)} claim the bridge; only the first to reach space {rules.bridge_space} gets it, "
            "several only if they reach it in the same turn"
        )
        observed, rule = len(claims), "bridge_space"
        yield found(
            "bridge-claimed-twice",
            rules,
            text,
            column=column,
            observed=observed,
            expected="1",
            players=claims,
            rule=rule,
        )
    elif crossed and not claims:
        who = "it is theirs" if len(crossed) == 1 else "one of them may"
        text = f"{column}: {listed(crossed)} reached the bridge, but nobody claims it; {who}"
        rule = "bridge_space"
        yield found(
            "bridge-unclaimed", rules, text, column=column, observed=0, expected=">= 1", players=crossed, rule=rule
        )


def _twice(sheets: Sequence[Sheet], names: tuple[str, ...], rules: RuleSet) -> Iterator[Violation]:
    """Sheets that are alike in every space; each such group once."""
    alike: dict[Sheet, list[str]] = {}
    for name, sheet in zip(names, sheets, strict=True):
        alike.setdefault(Sheet.of(sheet.columns), []).append(name)
    for sheet, owners in alike.items():
        numbers = sum(column.filled for column in sheet.expeditions.values())
        if len(owners) > 1 and numbers >= _TELLING_NUMBERS:
            text = f"the sheets of {listed(owners)} are alike in every space; the same sheet may be there twice"
            yield found(
                "sheet-twice",
                rules,
                text,
                observed=f"{len(owners)} sheets alike",
                expected="every sheet once",
                players=tuple(owners),
            )


def _not_over(sheets: Sequence[Sheet], names: tuple[str, ...], rules: RuleSet) -> Iterator[Violation]:
    tired = sum(sheet.dice.filled >= rules.exhausting_dice for sheet in sheets)
    bridges = sum(any(_crossed(sheet, column, rules) for sheet in sheets) for column in COLUMNS)
    if sheets and tired < len(sheets) and bridges < len(COLUMNS):
        text = (
            f"the game was not over: {bridges} of {counted(len(COLUMNS), 'bridge')} reached and {tired} of "
            f"{counted(len(sheets), 'player')} exhausted; it ends when all of either are"
        )
        observed = f"{counted(bridges, 'bridge')}, {tired} exhausted"
        expected = f"{counted(len(COLUMNS), 'bridge')} or {len(sheets)} exhausted"
        yield found("game-not-over", rules, text, observed=observed, expected=expected, players=names)


def _player_count(names: tuple[str, ...], rules: RuleSet) -> Iterator[Violation]:
    if not rules.fewest_players <= len(names) <= rules.most_players:
        legal = f"{rules.fewest_players}..{rules.most_players}"
        there_are = "there is" if len(names) == 1 else "there are"
        text = f"{there_are} {counted(len(names), 'sheet')}; a game has {legal} players"
        rule = "fewest_players" if len(names) < rules.fewest_players else "most_players"
        yield found("player-count", rules, text, observed=len(names), expected=legal, players=names, rule=rule)


def _crossed(sheet: Sheet, column: str, rules: RuleSet) -> bool:
    return sheet[column].filled >= rules.bridge_space
