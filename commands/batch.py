"""`rollwrite batch`: a stack of photos becomes a folder of results that nothing on the way can spoil."""

from __future__ import annotations

import csv
import errno
import io
import os
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import click

from batch.engines.base import Engine, EngineError
from batch.errors import BatchError
from batch.inputs import Inputs, find_inputs
from batch.lines import RECORD_FILE
from batch.place import alone
from batch.resume import kept_in, known_by_old_names
from batch.run import RUN_FILE, GameChoice, Run, read_run, write_run
from batch.stack import Stack, work_through
from batch.tables import RESULTS_FILE
from batch.work import Work
from commands.failures import INTERRUPTED, UNREAD, complain
from commands.inputs import folder_from, layout_names, rules_from, scan_options
from commands.stackend import finish
from commands.stackview import Tally, stack_view
from layouts import known_layouts
from layouts.known import DEFAULT_LAYOUT
from scoring.words import counted, listed

_COLUMNS = ("photo", "game", "player")
_SHOWN = 5
"""So many skipped files are named; a folder may hold thousands."""


def read_stack(
    paths: Sequence[str],
    output: str,
    jobs: int | None,
    resume: bool,
    layout_name: str | None,
    rules_path: str | None,
    reader: str,
    names: bool,
    games: str | None,
    players_per_game: int | None,
    engine_name: str,
    timeout: float,
    strict: bool,
) -> int:
    """Reads a stack into a batch folder, or goes on where a run before stopped.

    Returns:
        The exit code.

    Raises:
        click.UsageError: a folder, an option or a stack that cannot be used.
    """
    choice = _game_choice(games, players_per_game)
    run = Run(_layout_names(layout_name), rules_from(rules_path), reader, names, choice or GameChoice())
    options = scan_options(reader, names)
    folder = _folder(output)
    engine = _engine(engine_name, jobs or _cores(), timeout)
    try:
        with alone(folder):
            run = _agreed(folder, run, resume, choice is None, layout_name is None)
            inputs = find_inputs(paths, folder)
            _tell(inputs, paths)
            write_run(folder, run)
            kept, end = kept_in(folder / RECORD_FILE)
            items = known_by_old_names(inputs.items, kept)
            stack = Stack(folder, items, Work(run.layout_names, run.rules, options), kept, end)
            return _read(stack, engine, strict)
    except BatchError as error:
        raise click.UsageError(str(error)) from error
    except OSError as error:
        complain(f"{_cannot_write(error, folder)}; make room or mend it, then go on with --resume")
        return UNREAD
    except EngineError as error:
        complain(f"{error}; take fewer --jobs, or close other programs, then go on with --resume")
        return UNREAD


def _read(stack: Stack, engine: Engine, strict: bool) -> int:
    """Reads what is left to read, then writes what follows from the record; after Ctrl-C too."""
    interrupted = False
    with stack_view(len(stack.items)) as view:
        tally = Tally(view)
        try:
            with closing(work_through(stack, engine)) as found:
                for one in found:
                    tally.take(one)
        except KeyboardInterrupt:
            interrupted = True
    if tally.kept:
        complain(f"{counted(tally.kept, 'file')} read before")
    if interrupted:
        left = len(stack.items) - tally.done
        complain(f"stopped with {counted(left, 'file')} left; go on with the same command and --resume")
    code = finish(stack.folder, strict, hurry=interrupted)
    return INTERRUPTED if interrupted else code


def _layout_names(named: str | None) -> tuple[str, ...]:
    """What a later run can load the layouts by, wherever it is started."""
    names = layout_names(named)
    return names if named is None or named in known_layouts() else (os.path.realpath(named),)


def _agreed(folder: Path, run: Run, resume: bool, keep_games: bool, keep_layouts: bool) -> Run:
    """The run to do, if the folder is free for it or holds one to go on with.

    Raises:
        BatchError: it is not.
    """
    if not (folder / RECORD_FILE).exists():
        taken = [name for name in (RESULTS_FILE, "report.html") if (folder / name).exists()]
        if taken:
            raise BatchError(f"{folder} holds {listed(taken)} of something else", "choose another folder with -o")
        return run
    if not resume:
        raise BatchError(
            f"{folder} holds the results of a run already",
            "go on with it by --resume, or choose another folder with -o",
        )
    before = read_run(folder)
    # More may be known now; what was read before and what follows have to be chosen from the same ones.
    if keep_layouts and DEFAULT_LAYOUT in before.layout_names:
        run = replace(run, layout_names=before.layout_names)
    if differing := run.differences(before):
        raise BatchError(
            f"{folder / RUN_FILE}: the run to go on with had another {listed(differing)}",
            "give what was given then, or choose another folder with -o",
        )
    return replace(run, games=before.games) if keep_games else run


def _tell(inputs: Inputs, paths: Sequence[str]) -> None:
    """Says what is left out.

    Raises:
        click.UsageError: nothing is left.
    """
    if inputs.skipped:
        complain(f"{counted(len(inputs.skipped), 'file')} left out, being no photos:")
        for entry in inputs.skipped[:_SHOWN]:
            complain(f"  {entry.name}: {entry.reason}")
        if len(inputs.skipped) > _SHOWN:
            complain(f"  and {len(inputs.skipped) - _SHOWN} more")
    if not inputs.items:
        raise click.UsageError(f"no photos in {listed(paths)}; give folders, photos, PDF or TIFF files")


def _folder(output: str) -> Path:
    if not output:
        raise click.BadParameter("expected a folder, found an empty name", param_hint="-o")
    folder = folder_from(output, "-o")
    assert folder is not None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise click.BadParameter(f"{output}: no permission to write there", param_hint="-o")
    return folder


def _engine(name: str, jobs: int, timeout: float) -> Engine:
    # Fails here, once and with its own remedy, and not in each process, where OpenCV cannot be loaded.
    import scanner  # noqa: F401
    from batch.engines.local import LocalEngine

    if name == "local":
        return LocalEngine(jobs, timeout)
    try:
        from batch.engines.dask import DaskEngine
    except ImportError as error:
        raise click.UsageError("--engine dask needs Dask: pip install 'rollwrite[dask]'") from error
    return DaskEngine(jobs)


def _cores() -> int:
    """How many processes this one may keep busy."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _game_choice(games: str | None, players_per_game: int | None) -> GameChoice | None:
    """Which sheets make a game, None where nothing is said.

    Raises:
        click.UsageError: two ways at once, or a table that cannot be read.
    """
    if games is not None and players_per_game is not None:
        raise click.UsageError("--games and --players-per-game are two ways to the same; give one")
    if players_per_game is not None:
        return GameChoice("count", players=players_per_game)
    if games is None:
        return None
    return GameChoice("folder") if games == "folder" else GameChoice("table", _rows(games))


def _rows(path: str) -> tuple[tuple[str, str, str], ...]:
    """The rows of a table of games, with commas, semicolons or tabs, as spreadsheets write them."""
    try:
        text = Path(path).read_text("utf-8-sig")
    except (OSError, UnicodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "not a text in UTF-8"
        raise click.BadParameter(f"{path}: {why}; give a CSV file, or folder", param_hint="--games") from error
    head = text.partition("\n")[0]
    separator = max(",;\t", key=head.count)
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True)
    known = {(name or "").strip().lower(): name for name in rows.fieldnames or ()}
    if missing := [name for name in _COLUMNS if name not in known]:
        raise click.BadParameter(
            f"{path}: no column {listed(missing)}; the first line has to be photo,game,player", param_hint="--games"
        )
    return tuple(
        (photo, game, player)
        for row in rows
        for photo, game, player in [[(row[known[name]] or "").strip() for name in _COLUMNS]]
        if photo
    )


def _cannot_write(error: OSError, folder: Path) -> str:
    if error.errno == errno.ENOSPC:
        return f"{folder}: the disk is full"
    return f"cannot write {error.filename or folder}: {error.strerror or error}"
