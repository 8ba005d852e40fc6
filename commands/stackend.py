"""What follows from a record, however it came about: tables, report, ranking, the last words and the exit code."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from batch.assign import unmatched
from batch.games import PlayedGame, Standing, league, played_games
from batch.record import Record, read_record
from batch.results import Result
from batch.tables import write_tables
from commands.failures import complain
from commands.stackview import tally_text
from report.entries import ALL_READ, UNREAD, VIOLATED
from report.letters import printable
from scoring.words import counted

_HURRY_RESULTS = 500
"""After Ctrl-C nobody waits longer than two seconds; the report of more results is left to `rollwrite report`."""

_MOST_GAMES = 20
"""More games are not printed one by one; they are all in games.csv."""


def finish(folder: Path, strict: bool, hurry: bool = False) -> int:
    """Writes all that follows from the record, and says how it went.

    Args:
        folder: the batch folder.
        strict: whether doubtful readings count as failures.
        hurry: whether somebody waits for the end.

    Returns:
        The exit code.

    Raises:
        BatchError: the record cannot be used.
        OSError: something cannot be written.
    """
    record = read_record(folder)
    games = tuple(played_games(record))
    standings = league(games)
    write_tables(record, games, standings)
    if hurry and len(record.results) > _HURRY_RESULTS:
        complain(f"no report yet; rollwrite report {folder} makes it")
    _print_games(games, standings)
    _say(record, games)
    return exit_code(record, games, strict)


def exit_code(record: Record, games: Sequence[PlayedGame], strict: bool) -> int:
    """0 all read and legal, 1 a violation (or, if `strict`, a doubtful reading), 3 something was not read."""
    sheets = [result.summary for result in record.results if result.summary is not None]
    if len(sheets) < len(record.results):
        return UNREAD
    broken = any(sheet.errors or (strict and sheet.review) for sheet in sheets)
    return VIOLATED if broken or any(game.broken for game in games) else ALL_READ


def _say(record: Record, games: Sequence[PlayedGame]) -> None:
    tally = Counter(map(_kind, record.results))
    complain(f"{counted(len(record.results), 'result')}: {tally_text(tally)}")
    causes = Counter(result.code for result in record.results if result.code is not None)
    if causes:
        complain(f"not read: {', '.join(f'{count} {code}' for code, count in causes.most_common())}")
    strangers = unmatched(record.results, record.run.games.rows)
    if strangers:
        complain(f"--games names {counted(len(strangers), 'photo')} that are not there, the first is {strangers[0]}")
    if partial := sum(not game.complete for game in games):
        complain(f"{counted(partial, 'game')} not checked as a whole nor counted in the league: a sheet was not read")
    complain(f"results: {record.folder}")


def _kind(result: Result) -> str:
    if result.summary is None:
        return "failed"
    if result.duplicate_of is not None:
        return "duplicate"
    return "violating" if result.summary.errors else "doubtful" if result.summary.review else "clean"


def _print_games(games: Sequence[PlayedGame], standings: Sequence[Standing]) -> None:
    """Rankings and the league, to stdout."""
    lines: list[str] = []
    for game in games if len(games) <= _MOST_GAMES else ():
        lines.append(game.name)
        lines += (f"  {place.place:>2}.  {place.total:>5}  {place.player}" for place in game.ranking)
        lines += (f"  {found.severity:<8} {found.message} ({found.code})" for found in game.violations)
    if len(games) > 1:
        lines.append("league: wins, games, points, mean, best sheet, best column")
        lines += (
            f"  {row.wins:>4}  {row.games:>4}  {row.points:>6}  {row.mean:>7.1f}  {row.best_total:>5}  "
            f"{row.best_column} {row.best_column_points}  {row.player}"
            for row in standings
        )
    # None where stdout is closed.
    if sys.stdout:
        sys.stdout.write("".join(f"{printable(line)}\n" for line in lines))
