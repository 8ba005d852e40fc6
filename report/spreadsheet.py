"""Score tables as CSV: a row a sheet, and a row for each input that could not be read."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping

from layouts.model import COLUMNS
from report.entries import Entry, Failure, Report, ScannedSheet
from scoring import Violation

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
    writer.writerows(row_of(entry, places) for entry in report.entries)
    return buffer.getvalue()


def row_of(entry: Entry, places: Mapping[int, int]) -> dict[str, object]:
    """One entry by `FIELDS`; those that do not apply are left out.

    Args:
        entry: a sheet, or an input that could not be read.
        places: in its game, by total.
    """
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
        "errors": _count(entry.violations, "error"),
        "warnings": _count(entry.violations, "warning"),
        "violations": "; ".join(_where(violation) for violation in entry.violations),
    }
    if isinstance(entry, ScannedSheet):
        row.update(low=entry.low, high=entry.high, confidence=f"{entry.confidence:.4f}")
        row["review"] = len(entry.reading.review)
    return row


def _count(violations: Iterable[Violation], severity: str) -> int:
    return sum(violation.severity == severity for violation in violations)


def _where(violation: Violation) -> str:
    place = "/".join(str(part) for part in (violation.column, violation.space) if part is not None)
    return f"{violation.code} {place}".rstrip()
