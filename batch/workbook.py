"""`results.xlsx`: the sheets of a stack, what they break and what should be checked, for spreadsheet programs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from batch.place import replaced
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
"""When the workbook says that it was made."""

_WIDTHS = {"photo": 34, "message": 90, "reason": 70, "player": 18, "game": 18}
"""Of columns, in letters; others are as wide as `confidence`."""


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
    # Names begin with = or http now and then: they are text, whatever a spreadsheet would make of them.
    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    try:
        with replaced(record.folder / WORKBOOK_FILE) as path, Workbook(path, options) as book:
            # The same record gives the same bytes, whenever it is written.
            book.set_properties({"created": _ANY_TIME})
            _fill(book, record)
    except FileCreateError as error:
        raise OSError(str(error)) from error
    return True


def _fill(book: Workbook, record: Record) -> None:
    """All three tables in one walk through the record."""
    sheets, violations, review = (
        _Table(book, name, fields)
        for name, fields in (("sheets", _SHEETS), ("violations", _VIOLATIONS), ("to check", _REVIEW))
    )
    for result, entry in record:
        sheets.add(_sheet_row(result))
        if isinstance(entry, ScannedSheet) and result.counted:
            for found in entry.violations:
                place = found.column, found.space
                violations.add((result.title, result.where, found.severity, found.code, *place, found.message))
            for cell, reason in entry.reading.review:
                box, reading = cell.box, cell.reading
                read = shown(reading.value), reading.confidence
                review.add((result.title, result.where, box.column, box.space, box.kind, *read, reason))
    for table in (sheets, violations, review):
        table.finish()


class _Table:
    """A worksheet that grows by rows."""

    def __init__(self, book: Workbook, name: str, fields: Sequence[str]) -> None:
        self._sheet = book.add_worksheet(name)
        self._width, self._rows = len(fields), 0
        percent = book.add_format({"num_format": "0.0%"})
        self._sheet.freeze_panes(1, 1)
        self._sheet.write_row(0, 0, fields, book.add_format({"bold": True, "bottom": 1}))
        for column, field in enumerate(fields):
            style = percent if field == "confidence" else None
            self._sheet.set_column(column, column, _WIDTHS.get(field, 11), style)

    def add(self, row: Sequence[object]) -> None:
        """Appends a row."""
        self._rows += 1
        self._sheet.write_row(self._rows, 0, [printable(value) if isinstance(value, str) else value for value in row])

    def finish(self) -> None:
        """Lets people filter by every field."""
        self._sheet.autofilter(0, 0, self._rows, self._width - 1)


def _sheet_row(result: Result) -> tuple[Any, ...]:
    start = (result.title, result.where, result.game or "", result.code or result.kind)
    found = result.summary
    if found is None:
        return start
    return (*start, found.total, found.low, found.high, found.confidence, found.errors + found.warnings, found.review)
