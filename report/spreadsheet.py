"""Score tables as CSV: a row a sheet, and a row for each input that could not be read."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping

from layouts.model import COLUMNS
from report.entries import Entry, Failure, Report, ScannedSheet

FIELDS = (
    "path",
    "page",
    "index",
    "status",
    "player",
    "place",
    *COLUMNS,
    "bridges",
    "total",
    "low",
    "high",
    "confidence",
    "errors",
    "warnings",
    "review",
    "violations",
    "code",
    "message",
)


def csv_text(report: Report) -> str:
    """Everything a run found as CSV with a header; fields that do not apply are empty."""
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, FIELDS, restval="", lineterminator="\n")
    writer.writeheader()
    places = {} if report.game is None else {rank.total: rank.place for rank in report.game.ranking}
    writer.writerows(_row(entry, places) for entry in report.entries)
    return buffer.getvalue()


def _row(entry: Entry, places: Mapping[int, int]) -> dict[str, object]:
    if isinstance(entry, Failure):
        return {
            "path": entry.path,
            "page": entry.page,
            "index": entry.index,
            "status": "error",
            "code": entry.code,
            "message": f"{entry.message}; {entry.remedy}",
        }
    row: dict[str, object] = {
        "path": entry.path,
        "page": entry.page,
        "index": entry.index,
        "status": "ok",
        "player": entry.sheet.player or "",
        "place": places.get(entry.card.total, ""),
        **entry.card.to_dict(),
        **violations_row((found.code, found.severity, found.column, found.space) for found in entry.violations),
    }
    if isinstance(entry, ScannedSheet):
        row.update(low=entry.low, high=entry.high, confidence=f"{entry.confidence:.4f}")
        row["review"] = len(entry.reading.review)
    return row


def violations_row(violations: Iterable[tuple[str, str, str | None, int | None]]) -> dict[str, object]:
    """The fields about violations: how many of each severity, and which.

    Args:
        violations: code, severity, column and space of each.
    """
    found = list(violations)
    severities = [severity for _, severity, _, _ in found]
    return {
        "errors": severities.count("error"),
        "warnings": severities.count("warning"),
        "violations": "; ".join(_where(code, column, space) for code, _, column, space in found),
    }


def _where(code: str, column: str | None, space: int | None) -> str:
    place = "/".join(str(part) for part in (column, space) if part is not None)
    return f"{code} {place}".rstrip()
