"""Writing the report: piece by piece, so that its size is no matter of memory, and in the end all at once."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from batch.games import PlayedGame, Standing
from batch.page.overview import counts, histogram
from batch.page.sheets import SheetView, sheet_view
from batch.place import replaced
from batch.record import Record
from batch.results import KINDS, Result
from report.entries import Failure, ScannedSheet
from report.letters import printable

REPORT_FILE = "report.html"

_MOST_PICTURE_BYTES = 150_000_000
"""Room for the pictures of some 2,000 sheets; browsers open pages of 200 MB. In a larger stack only sheets with
something to look at have theirs in the page, as long as there is room; the others link to the picture beside it."""


@dataclass(frozen=True, slots=True)
class Row:
    """A result in the list, and the sheet behind it if it was read.

    Attributes:
        anchor: its name within the page.
        result: the short line on it.
        view: the sheet; None for what could not be read.
        failure: why it could not be read; None for a sheet.
    """

    anchor: str
    result: Result
    view: SheetView | None
    failure: Failure | None


def write_page(record: Record, games: Sequence[PlayedGame], standings: Sequence[Standing]) -> None:
    """Writes `report.html` into a batch folder.

    Raises:
        OSError: it cannot be written; an older one is untouched.
    """
    with replaced(record.folder / REPORT_FILE) as path, path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(_pieces(record, games, standings))


def _pieces(record: Record, games: Sequence[PlayedGame], standings: Sequence[Standing]) -> Iterator[str]:
    results = record.results
    totals = [result.summary.total for result in results if result.counted and result.summary is not None]
    bars = histogram(totals)
    template = _environment().get_template("page.html")
    return template.generate(
        folder=record.folder.resolve().name,
        kinds=KINDS,
        counts=counts(results),
        size=len(results),
        bars=bars,
        tallest=max((bar.count for bar in bars), default=1),
        totals=totals,
        games=games,
        standings=standings,
        listed=[(_anchor(number), result) for number, result in enumerate(results)],
        below=len(_shared_folder([result.input for result in results])),
        rows=_rows(record),
    )


def _shared_folder(inputs: Sequence[str]) -> str:
    """The folder that all inputs lie in, with the line that ends it; nothing where there is none."""
    shared = os.path.commonprefix(list(inputs))  # noqa: RUF071 - cut to whole folders in the next line
    return shared[: max(shared.rfind("/"), shared.rfind("\\")) + 1]


def _anchor(number: int) -> str:
    return f"s{number + 1}"


def _rows(record: Record) -> Iterator[Row]:
    """Every result with what the page shows of it, one at a time."""
    embedded = _embedded(record)
    for number, (result, entry) in enumerate(record):
        view = sheet_view(record, result, entry, number in embedded) if isinstance(entry, ScannedSheet) else None
        failure = entry if isinstance(entry, Failure) else None
        yield Row(_anchor(number), result, view, failure)


def _embedded(record: Record) -> set[int]:
    """Which results have their picture in the page: first those with something to look at."""
    urgent = ("violating", "doubtful", "clean", "duplicate", "failed")
    order = sorted(range(len(record.results)), key=lambda number: urgent.index(record.results[number].kind))
    chosen, room = set(), _MOST_PICTURE_BYTES
    for number in order:
        size = _size(record.folder, record.results[number].picture)
        if size <= room:
            chosen.add(number)
            room -= size
    return chosen


def _size(folder: Path, picture: str | None) -> int:
    try:
        return (folder / picture).stat().st_size if picture else 0
    except OSError:
        return 0


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("batch.page"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        finalize=_plain,
    )

    def source(name: str) -> Markup:
        # Our own files, without a closing tag in them; nothing of a user's ever comes this way.
        assert environment.loader is not None
        return Markup(environment.loader.get_source(environment, name)[0])

    environment.globals["source"] = source
    environment.filters["mm"] = lambda value: f"{value:.2f}".rstrip("0").rstrip(".")
    return environment


def _plain(value: Any) -> Any:
    """Names may hold letters that turn the line around, or bytes that are no letters; those become question marks."""
    return printable(value) if type(value) is str else value
