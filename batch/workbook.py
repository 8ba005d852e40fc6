"""`results.xlsx`: the sheets of a stack, what they break and what should be checked, for spreadsheet programs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from batch.page.overview import kind_of
from batch.record import Record
from batch.results import Result
from report.entries import ScannedSheet
from report.letters import printable
from scanner.doubt import shown

if TYPE_CHECKING:
    from xlsxwriter import Workbook

WORKBOOK_FILE = "results.xlsx"

_SHEETS = ("player", "photo", "game", "status", "total", "low", "high", "confidence", "violations", "to check")
_VIOLATIONS = ("player", "photo", "severity", "code", "column", "space", "message")
_REVIEW = ("player", "photo", "column", "space", "kind", "read as", "confidence", "reason")
_ANY_TIME = datetime(2000, 1, 1)
_WIDTHS = {"photo": 34, "message": 90, "reason": 70, "player": 18, "game": 18}


def write_workbook(record: Record) -> bool:
    """Writes `results.xlsx` into a batch folder, if the package that writes such files is there.

    Returns:
        Whether it was written.

    Raises:
        OSError: it cannot be written; an older one is untouched.
    """
    try:
        from xlsxwriter import Workbook
        from xlsxwriter.exceptions import FileCreateError
    except ImportError:
        return False
    path = record.folder / WORKBOOK_FILE
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    # Names begin with = or http now and then: they are text, whatever a spreadsheet would make of them.
    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    try:
        with Workbook(beside, options) as book:
            # The same record gives the same bytes, whenever it is written.
            book.set_properties({"created": _ANY_TIME})
            _add(book, "sheets", _SHEETS, (_sheet_row(result) for result in record.results))
            _add(book, "violations", _VIOLATIONS, _rows(record, _violation_rows))
            _add(book, "to check", _REVIEW, _rows(record, _review_rows))
        beside.replace(path)
    except FileCreateError as error:
        raise OSError(str(error)) from error
    finally:
        with suppress(OSError):
            Path(beside).unlink(missing_ok=True)
    return True


def _add(book: Workbook, name: str, fields: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    sheet = book.add_worksheet(name)
    head = book.add_format({"bold": True, "bottom": 1})
    percent = book.add_format({"num_format": "0.0%"})
    sheet.freeze_panes(1, 1)
    sheet.write_row(0, 0, fields, head)
    for column, field in enumerate(fields):
        sheet.set_column(column, column, _WIDTHS.get(field, 11), percent if field == "confidence" else None)
    last = 0
    for last, row in enumerate(rows, 1):
        for column, value in enumerate(row):
            sheet.write(last, column, printable(value) if isinstance(value, str) else value)
    sheet.autofilter(0, 0, last, len(fields) - 1)


def _sheet_row(result: Result) -> tuple[Any, ...]:
    start = (result.title, result.where, result.game or "", result.code or kind_of(result))
    found = result.summary
    if found is None:
        return start
    return (*start, found.total, found.low, found.high, found.confidence, found.errors + found.warnings, found.review)


def _rows(record: Record, rows_of: Any) -> Iterator[tuple[Any, ...]]:
    for result, entry in record:
        if isinstance(entry, ScannedSheet) and result.counted:
            for row in rows_of(entry):
                yield (result.title, result.where, *row)


def _violation_rows(entry: ScannedSheet) -> Iterator[tuple[Any, ...]]:
    for found in entry.violations:
        yield found.severity, found.code, found.column, found.space, found.message


def _review_rows(entry: ScannedSheet) -> Iterator[tuple[Any, ...]]:
    for cell, reason in entry.reading.review:
        box, reading = cell.box, cell.reading
        yield box.column, box.space, box.kind, shown(reading.value), reading.confidence, reason
