"""Batch folders made from readings instead of photos, so that tests of what reads them are quick."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from batch.lines import RECORD_FILE
from batch.run import Run, write_run
from report.data import SCAN_SCHEMA, dumps, entry_data
from report.entries import Entry, Failure
from report.scanned import scored_reading
from scanner.types import SheetReading
from scoring import RuleSet, parse_sheet
from tests.readings import Alternatives, reading_of

RUN = Run(("expedition-a5",), RuleSet.default())


def reading_from(line: str, path: str, doubts: dict[str, Alternatives] | None = None, page: int = 1) -> SheetReading:
    """A reading of a typed sheet in a file of that name, whose bytes nobody else has."""
    reading = reading_of(parse_sheet(line), doubts, path)
    return replace(reading, source=replace(reading.source, sha256=sha256(path.encode()).hexdigest(), page=page))


def sheet(line: str, path: str, doubts: dict[str, Alternatives] | None = None, page: int = 1) -> Entry:
    """The entry of a typed sheet as if it had been photographed."""
    return scored_reading(path, reading_from(line, path, doubts, page), RuleSet.default())


def refused(path: str, code: str = "no-sheet") -> Entry:
    """The entry of a photo that could not be read."""
    return Failure(path, code, f"{path}: no sheet was found", "take the whole sheet into the picture")


def lines_of(*entries: Entry, fingerprint: str | None = None, picture: str | None = None) -> str:
    """One input's results as they stand in a record."""
    parts = [
        {"input": entry.path, "part": n, "parts": len(entries), "fingerprint": fingerprint, "picture": picture}
        for n, entry in enumerate(entries, 1)
    ]
    data = zip(entries, parts, strict=True)
    return "".join(dumps({**entry_data(entry, SCAN_SCHEMA), "batch": part}) + "\n" for entry, part in data)


def stack(folder: Path, texts: Iterable[str], run: Run = RUN) -> Path:
    """A batch folder with that record."""
    folder.mkdir(parents=True, exist_ok=True)
    write_run(folder, run)
    (folder / RECORD_FILE).write_text("".join(texts), "utf-8")
    return folder
