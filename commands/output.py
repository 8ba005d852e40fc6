"""Where results go: to stdout or a file, as a table, JSON, JSON Lines or CSV."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TextIO

import click

from report.entries import Entry, Report

STDOUT = "-"


class Output:
    """Writes a run's results in one format to one place.

    Args:
        form: `table`, `json`, `jsonl` or `csv`.
        path: a file, or None for stdout.
        schema: the `schema` of the command's JSON objects.
        game: whether the sheets are one game, and so one object.
        inputs: files that the run reads, and must not overwrite.

    Raises:
        click.UsageError: the file cannot be written, or stdout is closed.
    """

    def __init__(
        self, form: str, path: str | None, schema: str, game: bool = False, inputs: Iterable[str] = ()
    ) -> None:
        self._form = form
        self._path = None if path == STDOUT else path
        self._schema = schema
        self._streams = form == "jsonl" and not game
        check_place(self._path, inputs)
        if self._streams and self._path is not None:
            self._write("")

    def add(self, entry: Entry) -> None:
        """Takes an entry as soon as it is there: JSON Lines are written one by one, so that none is lost."""
        if self._streams:
            from report.data import dumps, entry_data

            self._write(dumps(entry_data(entry, self._schema), self._encoding) + "\n", append=True)

    def finish(self, report: Report, colours: Mapping[str, str]) -> None:
        """Writes everything that `add` has not written yet."""
        if self._streams:
            return
        if self._form == "table" and self._path is None and wants_colour(sys.stdout):
            from report.coloured import print_coloured

            print_coloured(report, colours, sys.stdout)
        else:
            self._write(self._text(report))

    def _text(self, report: Report) -> str:
        if self._form == "csv":
            from report.spreadsheet import csv_text

            # Spreadsheets take a file without this mark for the local 8-bit encoding and garble names.
            return ("" if self._path is None else "\ufeff") + csv_text(report)
        if self._form == "table":
            from report.plain import plain_text

            return plain_text(report)
        from report.data import dumps, report_data

        indent = None if self._form == "jsonl" else 1
        return dumps(report_data(report, self._schema), self._encoding, indent) + "\n"

    @property
    def _encoding(self) -> str | None:
        return encoding_of(self._path)

    def _write(self, text: str, append: bool = False) -> None:
        write_text(text, self._path, append)


def encoding_of(path: str | None) -> str | None:
    """What text for that file, or for stdout if None, has to be written in."""
    return sys.stdout.encoding if path is None else "utf-8"


def write_text(text: str, path: str | None, append: bool = False) -> None:
    """Writes text to a file, or to stdout if None."""
    if path is None:
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    with Path(path).open("a" if append else "w", encoding="utf-8", errors="replace", newline="") as file:
        file.write(text)


def wants_colour(stream: TextIO) -> bool:
    """Whether a stream is a terminal that takes colours and nobody asked for none (https://no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def check_place(path: str | None, inputs: Iterable[str] = ()) -> None:
    """Finds out before the work that results cannot go to that file, or to stdout if None.

    Raises:
        click.UsageError: they cannot.
    """
    if path is None:
        require_stdout()
    else:
        check_writable(path, inputs)


def require_stdout() -> None:
    """Finds out before the work that nobody would see its results.

    Raises:
        click.UsageError: stdout is closed.
    """
    # Python leaves None there, whatever the types say.
    if not sys.stdout:
        raise click.UsageError("stdout is closed, and the results go there")


def check_writable(path: str, inputs: Iterable[str] = ()) -> None:
    """Finds out before the work, not after it, that a file cannot be written or is one that the run reads.

    Raises:
        click.BadParameter: it cannot.
    """
    target = Path(path)
    if not path:
        raise click.BadParameter("expected a file, found an empty name", param_hint="-o")
    if target.is_dir():
        raise click.BadParameter(f"{path} is a folder, expected a file", param_hint="-o")
    if not target.parent.is_dir():
        raise click.BadParameter(f"{path}: there is no folder {target.parent}", param_hint="-o")
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise click.BadParameter(f"{path}: no permission to write it", param_hint="-o")
    if any(_same_file(path, name) for name in inputs):
        raise click.BadParameter(f"{path} is read by this command and would be overwritten", param_hint="-o")


def _same_file(path: str, other: str) -> bool:
    try:
        return Path(path).is_file() and Path(path).samefile(other)
    except (OSError, ValueError):
        return False
