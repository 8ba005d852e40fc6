"""`rollwrite score`: sheets typed by hand, scored and validated."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from commands.inputs import layout_from, named_files, names_from, rules_from
from commands.output import Output
from commands.run import collect, game_of
from layouts import SheetLayout
from report.data import SCORE_SCHEMA
from report.entries import Entry, Failure, Report, ScoredSheet
from scoring import RuleSet, Sheet, SheetError, iter_sheets, score, validate

STDIN = "-"
_EXPECTED = "give JSON, JSON Lines, TOML or the one-line notation; the README shows each"


def score_files(
    paths: Sequence[str],
    form: str,
    output: str | None,
    layout_name: str | None,
    rules_path: str | None,
    game: bool,
    players: str | None,
) -> int:
    """Scores every sheet of every file.

    Returns:
        The exit code.
    """
    rules, layout = rules_from(rules_path), layout_from(layout_name)
    writer = Output(form, output, SCORE_SCHEMA, game, named_files(*paths, rules_path, layout_name))
    entries = collect(_entries(paths, layout, rules), names_from(players), writer)
    report = Report(entries, game_of(entries, rules, layout) if game else None)
    writer.finish(report, layout.colours)
    return report.exit_code()


def _entries(paths: Sequence[str], layout: SheetLayout, rules: RuleSet) -> Iterator[Entry]:
    for path in paths:
        name = "<stdin>" if path == STDIN else path
        try:
            text = _decoded(sys.stdin.buffer.read() if path == STDIN else Path(path).read_bytes())
        except OSError as error:
            yield _unreadable(name, error)
        except UnicodeError:
            yield Failure(name, "invalid-sheet", "not a text in UTF-8", _EXPECTED)
        else:
            for index, sheet in enumerate(iter_sheets(text, name), 1):
                yield _entry(name, index, sheet, layout, rules)


def _entry(name: str, index: int, sheet: Sheet | SheetError, layout: SheetLayout, rules: RuleSet) -> Entry:
    if isinstance(sheet, SheetError):
        return Failure(name, "invalid-sheet", str(sheet), _EXPECTED, index=index)
    return ScoredSheet(name, index, sheet, score(sheet, rules), validate(sheet, rules, layout.specials))


def _decoded(data: bytes) -> str:
    """Text in UTF-8, or in UTF-16 where a byte order mark says so, as one Windows shell writes it."""
    return data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")


def _unreadable(name: str, error: OSError) -> Failure:
    if isinstance(error, FileNotFoundError):
        return Failure(
            name,
            "not-found",
            "no such file",
            "check the path; a sheet itself goes into a file, or through stdin with -",
        )
    if isinstance(error, IsADirectoryError):
        return Failure(name, "invalid-sheet", "this is a folder", "name the files in it")
    if isinstance(error, PermissionError):
        return Failure(name, "permission", "no permission to read it", "change its permissions")
    return Failure(name, "not-found", f"cannot be opened ({error.strerror})", "check the path")
