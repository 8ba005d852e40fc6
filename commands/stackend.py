"""What follows from a record, however it came about: tables, report, ranking, the last words and the exit code."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import click

from batch.assign import unmatched
from batch.errors import BatchError
from batch.games import PlayedGame, Standing, league, played_games
from batch.lines import RECORD_FILE
from batch.page import REPORT_FILE, write_page
from batch.place import alone
from batch.record import Record, read_record
from batch.tables import GAMES_FILE, LEAGUE_FILE, write_tables
from batch.workbook import write_workbook
from commands.failures import complain
from commands.stackview import tally_text
from report.entries import ALL_READ, UNREAD, VIOLATED
from report.letters import printable
from scoring.words import counted

_HURRY_BYTES = 10_000_000
"""Of 500 sheets. After Ctrl-C nobody waits longer than two seconds: what follows from a larger record is left out."""

_MOST_PRINTED = 20
"""So many games, and players of the league, are printed; all of them are in games.csv and league.csv."""


def in_stack(folder: str, work: Callable[[Path], int]) -> int:
    """Does something to a batch folder while nobody else does.

    Returns:
        What the work returns, an exit code; 3 where something cannot be written.

    Raises:
        click.UsageError: it is no batch folder, or another program is at work there.
    """
    place = Path(folder)
    if not place.is_dir():
        raise click.BadParameter(f"{folder}: no such folder; give one that rollwrite batch made", param_hint="DIR")
    try:
        with alone(place):
            return work(place)
    except BatchError as error:
        raise click.UsageError(str(error)) from error
    except OSError as error:
        complain(f"cannot write {error.filename or folder}: {error.strerror or error}; make room or mend it")
        return UNREAD


def finish(folder: Path, strict: bool, hurry: bool = False) -> int:
    """Writes all that follows from the record, and says how it went.

    Args:
        folder: the batch folder.
        strict: whether doubtful readings count as failures.
        hurry: whether somebody waits for the end; then large records are left alone.

    Returns:
        The exit code.

    Raises:
        BatchError: the record cannot be used.
        OSError: something cannot be written.
    """
    if hurry and (folder / RECORD_FILE).stat().st_size > _HURRY_BYTES:
        return ALL_READ
    record = read_record(folder)
    games = tuple(played_games(record))
    standings = league(games)
    write_tables(record, games, standings)
    write_page(record, games, standings)
    write_workbook(record)
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
    tally = Counter(result.kind for result in record.results)
    complain(f"{counted(len(record.results), 'result')}: {tally_text(tally)}")
    causes = Counter(result.code for result in record.results if result.code is not None)
    if causes:
        complain(f"not read: {', '.join(f'{count} {code}' for code, count in causes.most_common())}")
    strangers = unmatched(record.results, record.run.games.rows)
    if strangers:
        complain(f"--games names {counted(len(strangers), 'photo')} that are not there, the first is {strangers[0]}")
    if partial := sum(not game.complete for game in games):
        complain(f"{counted(partial, 'game')} not checked as a whole nor counted in the league: a sheet was not read")
    complain(f"results: {record.folder}; to look at: {record.folder / REPORT_FILE}")


def _print_games(games: Sequence[PlayedGame], standings: Sequence[Standing]) -> None:
    """Rankings and the league, to stdout."""
    lines = [line for game in games[:_MOST_PRINTED] for line in _game_lines(game)]
    if len(games) > _MOST_PRINTED:
        lines.append(f"and {len(games) - _MOST_PRINTED} more in {GAMES_FILE}")
    if len(games) > 1:
        lines += _league_lines(standings)
    # None where stdout is closed.
    if sys.stdout:
        sys.stdout.write("".join(f"{printable(line)}\n" for line in lines))


def _game_lines(game: PlayedGame) -> Iterator[str]:
    yield game.name
    for place in game.ranking:
        yield f"  {place.place:>2}.  {place.total:>5}  {place.player}"
    for found in game.violations:
        yield f"  {found.severity:<8} {found.message} ({found.code})"


def _league_lines(standings: Sequence[Standing]) -> Iterator[str]:
    shown = standings[:_MOST_PRINTED]
    width = max(6, *(len(row.player) for row in shown)) if shown else 6
    yield "league"
    yield f"  {'player':<{width}}  games  wins  points    mean  best sheet  best column"
    for row in shown:
        yield (
            f"  {row.player:<{width}}  {row.games:>5}  {row.wins:>4}  {row.points:>6}  {row.mean:>6.1f}  "
            f"{row.best_total:>10}  {row.best_column} {row.best_column_points}"
        )
    if len(standings) > len(shown):
        yield f"and {len(standings) - len(shown)} more in {LEAGUE_FILE}"
