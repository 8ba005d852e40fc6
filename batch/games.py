"""The games of a stack: who won each, what their sheets show together, and a league over all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby

from batch.record import Record
from batch.results import Result
from layouts.model import COLUMNS, common_specials
from scoring import Rank, Sheet, Violation, audit_game, rank


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game of a stack.

    Attributes:
        name: what it is called.
        results: its sheets, in order, and what of it could not be read.
        ranking: its sheets by falling total; equal totals share a place.
        violations: what its sheets break together, errors first; none where one is missing, which could explain
            everything.
        columns: per player the column with the most points, and these.
    """

    name: str
    results: tuple[Result, ...]
    ranking: tuple[Rank, ...]
    violations: tuple[Violation, ...]
    columns: tuple[tuple[str, str, int], ...] = field(default=())

    @property
    def complete(self) -> bool:
        """Whether all of its sheets were read."""
        return all(result.counted for result in self.results)

    @property
    def broken(self) -> bool:
        """Whether its sheets break a rule for certain."""
        return any(violation.severity == "error" for violation in self.violations)


@dataclass(frozen=True, slots=True)
class Standing:
    """A player in the league.

    Attributes:
        player: the name.
        games: how many.
        wins: how many of them were won, shared ones included.
        points: of all of them.
        best_total: the best single sheet.
        best_column: the best single column of all sheets.
        best_column_points: its points.
    """

    player: str
    games: int
    wins: int
    points: int
    best_total: int
    best_column: str
    best_column_points: int

    @property
    def mean(self) -> float:
        """Points a game."""
        return self.points / self.games


def played_games(record: Record) -> Iterator[PlayedGame]:
    """The games of a stack in the order of their first sheets, one at a time."""
    members: dict[str, list[Result]] = {}
    for result in record.results:
        if result.game is not None and result.duplicate_of is None:
            members.setdefault(result.game, []).append(result)
    return (_game(record, name, results) for name, results in members.items())


def league(games: Iterable[PlayedGame]) -> tuple[Standing, ...]:
    """All players by wins, then points, then name.

    Only games count of which every sheet was read: a missing one might have won.
    """
    rows = [row for game in games if game.complete for row in _rows(game)]
    rows.sort(key=lambda row: row.player)
    standings = [_together(list(mine)) for _, mine in groupby(rows, key=lambda row: row.player)]
    return tuple(sorted(standings, key=lambda row: (-row.wins, -row.points, row.player)))


def _game(record: Record, name: str, results: list[Result]) -> PlayedGame:
    data = [record.data(result) for result in results if result.counted]
    titles = [result.title for result in results if result.counted]
    points = [entry["score"] for entry in data]
    sheets = [Sheet.from_dict(entry["sheet"]).named(title) for entry, title in zip(data, titles, strict=True)]
    specials = common_specials(record.layout_of(entry) for entry in data)
    whole = len(sheets) == len(results)
    return PlayedGame(
        name,
        tuple(results),
        tuple(rank((title, score["total"]) for title, score in zip(titles, points, strict=True))),
        _errors_first(audit_game(sheets, record.run.rules, specials)) if whole else (),
        tuple((title, *_best_column(score)) for title, score in zip(titles, points, strict=True)),
    )


def _errors_first(violations: Iterable[Violation]) -> tuple[Violation, ...]:
    return tuple(sorted(violations, key=lambda violation: violation.severity != "error"))


def _best_column(points: Mapping[str, int]) -> tuple[str, int]:
    """The first of the columns with the most points."""
    best = max(COLUMNS, key=lambda column: points[column])
    return best, points[best]


def _rows(game: PlayedGame) -> Iterator[Standing]:
    best = {player: (column, points) for player, column, points in game.columns}
    for place in game.ranking:
        yield Standing(place.player, 1, int(place.place == 1), place.total, place.total, *best[place.player])


def _together(rows: list[Standing]) -> Standing:
    best = max(rows, key=lambda row: row.best_column_points)
    return Standing(
        rows[0].player,
        len(rows),
        sum(row.wins for row in rows),
        sum(row.points for row in rows),
        max(row.best_total for row in rows),
        best.best_column,
        best.best_column_points,
    )
