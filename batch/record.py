"""Reading a batch folder: a short line on every result, in the order of the inputs, and the whole of each on demand."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from batch.assign import assigned
from batch.duplicates import likeness_of, marked
from batch.errors import BatchError
from batch.lines import RECORD_FILE, Corrected, Correction, SheetId, Stretch, read_sets
from batch.order import natural
from batch.rebuild import corrected, entry_of
from batch.results import Result, Summary
from batch.run import Run, read_run
from layouts import SheetLayout
from report.data import SCAN_SCHEMA, entry_data
from report.entries import Entry, ScannedSheet, file_title, title

_PICTURE = re.compile(r"pictures/[\w-][\w.-]*")


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """A batch folder as it stands.

    Attributes:
        folder: the batch folder.
        run: what the run was asked.
        layouts: the sheets that were looked for, by name.
        results: all of them, by the natural order of their inputs, then page and index.
        corrections: what people corrected, the last word for each cell.
    """

    folder: Path
    run: Run
    layouts: Mapping[str, SheetLayout]
    results: tuple[Result, ...]
    corrections: Mapping[SheetId, Sequence[Correction]] = field(default_factory=dict)

    def entry(self, result: Result) -> Entry:
        """The whole of a result, corrections applied, under the name that it has in its game.

        Raises:
            BatchError: the record was changed since it was read.
        """
        return self._of(result, self.stored(result))

    def data(self, result: Result) -> dict[str, Any]:
        """The same as the JSON object of a scan with its `batch` part.

        Raises:
            BatchError: the record was changed since it was read.
        """
        stored = self.stored(result)
        if result.corrections or self._named_anew(result, stored):
            return {**entry_data(self._of(result, stored), SCAN_SCHEMA), "batch": stored["batch"]}
        return stored

    def stored(self, result: Result) -> dict[str, Any]:
        """Its line in the record, as the scan left it.

        Raises:
            BatchError: the record was changed since it was read.
        """
        path = self.folder / RECORD_FILE
        try:
            with path.open("rb") as file:
                file.seek(result.stretch.offset)
                data: dict[str, Any] = json.loads(file.read(result.stretch.length))
            if data["batch"]["input"] == result.input:
                return data
        except (OSError, ValueError, KeyError, TypeError):
            pass
        raise BatchError(f"{path} was changed by another program", "run this once more")

    def layout_of(self, data: Mapping[str, Any]) -> SheetLayout:
        """The layout by which a line of the record was read, or would have been.

        Raises:
            BatchError: the run did not look for it.
        """
        first = next(iter(self.layouts.values()))
        if len(self.layouts) == 1 or data["status"] == "error":
            return first
        try:
            return self.layouts[data["layout"]]
        except KeyError as error:
            path = self.folder / RECORD_FILE
            raise BatchError(f"{path} names an unknown layout {error}", "put the layout file back") from error

    def __iter__(self) -> Iterator[tuple[Result, Entry]]:
        """Every result with the whole of it, one at a time."""
        return ((result, self.entry(result)) for result in self.results)

    @staticmethod
    def _named_anew(result: Result, stored: Mapping[str, Any]) -> bool:
        """Whether its game gives it a name that is not on it."""
        return result.summary is not None and result.title != _title(stored)

    def _of(self, result: Result, data: Mapping[str, Any]) -> Entry:
        entry = entry_of(data, self.layout_of(data), self.run.rules)
        if not isinstance(entry, ScannedSheet):
            return entry
        told = self.corrections.get(result.sheet_id, ()) if result.sheet_id else ()
        entry = corrected(entry, told, self.run.rules) if told else entry
        return entry if title(entry) == result.title else replace(entry, sheet=entry.sheet.named(result.title))


def read_record(folder: Path) -> Record:
    """Reads a batch folder; what is not whole, or was read anew later, is left out.

    Raises:
        BatchError: it is none, or cannot be used.
    """
    run = read_run(folder)
    layouts = {layout.name: layout for layout in run.layouts}
    latest, corrections = _latest(folder / RECORD_FILE)
    results = sorted((result for results in latest.values() for result in results), key=_order)
    record = Record(folder, run, layouts, tuple(results), corrections)
    results = [_with_corrections(record, result) for result in results]
    results = assigned(marked(results, record.stored), run.games)
    return replace(record, results=tuple(results))


def _order(result: Result) -> tuple[Any, ...]:
    return natural(result.input), result.input, result.page, result.index


def _latest(path: Path) -> tuple[dict[str, list[Result]], dict[SheetId, tuple[Correction, ...]]]:
    """The last whole set of results of every input, and the last correction of every cell."""
    latest: dict[str, list[Result]] = {}
    corrections: dict[SheetId, dict[str, Correction]] = {}
    try:
        for found in read_sets(path):
            if isinstance(found, Corrected):
                told = found.correction
                corrections.setdefault(told.sheet, {})[told.cell.key] = told
            else:
                latest[found.input] = [_result(*line) for line in zip(found.lines, found.stretches, strict=True)]
    except OSError as error:
        raise BatchError(f"{path} cannot be read ({error.strerror})", "check the folder") from error
    return latest, {sheet: tuple(cells.values()) for sheet, cells in corrections.items()}


def _result(data: Mapping[str, Any], stretch: Stretch) -> Result:
    source, batch = data["source"], data["batch"]
    read = data["status"] == "ok"
    return Result(
        input=batch["input"],
        page=source["page"],
        index=source["index"],
        sha256=source.get("sha256"),
        picture=_picture(batch.get("picture")),
        stretch=stretch,
        summary=_stored_summary(data) if read else None,
        code=None if read else data["error"]["code"],
        title=_title(data),
        likeness=likeness_of(data) if read else "",
    )


def _picture(path: Any) -> str | None:
    """The path of a picture, if it is one that a run writes: a record from elsewhere may name any file."""
    return path if isinstance(path, str) and _PICTURE.fullmatch(path) else None


def _title(data: Mapping[str, Any]) -> str:
    source = data["source"]
    player = data["sheet"].get("player") if data["status"] == "ok" else None
    return player or file_title(data["batch"]["input"], source["page"], source["index"])


def _stored_summary(data: Mapping[str, Any]) -> Summary:
    score, severities = data["score"], [violation["severity"] for violation in data["violations"]]
    errors = severities.count("error")
    return Summary(
        total=score["total"],
        low=score["low"],
        high=score["high"],
        confidence=data["confidence"],
        errors=errors,
        warnings=len(severities) - errors,
        review=len(data["review"]),
    )


def _with_corrections(record: Record, result: Result) -> Result:
    """The result with the summary that follows from what people corrected on its sheet."""
    told = record.corrections.get(result.sheet_id, ()) if result.sheet_id else ()
    entry = record.entry(result) if told else None
    if not isinstance(entry, ScannedSheet):
        return result
    errors = sum(violation.severity == "error" for violation in entry.violations)
    summary = Summary(
        total=entry.card.total,
        low=entry.low,
        high=entry.high,
        confidence=entry.confidence,
        errors=errors,
        warnings=len(entry.violations) - errors,
        review=len(entry.reading.review),
    )
    return replace(result, summary=summary, corrections=len(told))
