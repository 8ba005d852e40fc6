"""JSON objects of what a run found: the shapes that other programs rely on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from report.entries import Entry, Failure, Report, ScannedSheet

if TYPE_CHECKING:
    from scanner.types import LocatedReading

SCAN_SCHEMA = "rollwrite.scan/1"
SCORE_SCHEMA = "rollwrite.score/1"
GAME_SCHEMA = "rollwrite.game/1"
CARDS_SCHEMA = "rollwrite.cards/1"

# Made once: for ten thousand short lines, making it takes as long as its work.
_LINE = json.JSONEncoder(ensure_ascii=False)

# Below one in a thousand an alternative is noise that would make every cell ten times longer.
_LEAST_ALTERNATIVE = 0.001


def entry_data(entry: Entry, schema: str) -> dict[str, Any]:
    """One entry as its JSON object; failures carry the schema of their command."""
    if isinstance(entry, Failure):
        return failure_data(entry, schema)
    if isinstance(entry, ScannedSheet):
        return _scanned_data(entry)
    data = {
        "schema": schema,
        "source": {"path": entry.path, "index": entry.index},
        "status": "ok",
        "sheet": entry.sheet.to_dict(),
        "score": entry.card.to_dict(),
        "violations": [violation.to_dict() for violation in entry.violations],
    }
    if entry.explanation:
        data["explanation"] = [part.to_dict() for part in entry.explanation]
    return data


def report_data(report: Report, schema: str) -> list[dict[str, Any]] | dict[str, Any]:
    """A list of the entries' objects, or one object for a game."""
    sheets = [entry_data(entry, schema) for entry in report.entries]
    if report.game is None:
        return sheets
    return {
        "schema": GAME_SCHEMA,
        "sheets": sheets,
        "ranking": [
            {"player": place.player, "total": place.total, "place": place.place} for place in report.game.ranking
        ],
        "violations": [violation.to_dict() for violation in report.game.violations],
    }


def dumps(data: Any, encoding: str | None = "utf-8", indent: int | None = None) -> str:
    """JSON text that the encoding can hold: letters as they are where it can, escaped where it cannot."""
    text = _LINE.encode(data) if indent is None else json.dumps(data, ensure_ascii=False, indent=indent)
    try:
        text.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return json.dumps(data, indent=indent)
    return text


def failure_data(failure: Failure, schema: str) -> dict[str, Any]:
    """An input that could not be read as its JSON object."""
    return {
        "schema": schema,
        "source": {"path": failure.path, "page": failure.page, "index": failure.index},
        "status": "error",
        "error": {"code": failure.code, "message": failure.message, "remedy": failure.remedy},
    }


def _scanned_data(entry: ScannedSheet) -> dict[str, Any]:
    reading = entry.reading
    source, quality = reading.source, reading.quality
    remarks = {"notes": list(reading.layout.remarks)} if reading.layout.remarks else {}
    return {
        "schema": SCAN_SCHEMA,
        "source": {
            "path": entry.path,
            "page": source.page,
            "index": entry.index,
            "sha256": source.sha256,
            "width": source.width,
            "height": source.height,
        },
        "status": "ok",
        "layout": reading.layout.name,
        **remarks,
        "sheet": entry.sheet.to_dict(),
        "cells": [_cell_data(cell) for cell in reading.cells],
        "score": {**entry.card.to_dict(), "low": entry.low, "high": entry.high},
        "violations": [
            {**violation.to_dict(), "depends_on": None if cell is None else _cell_name(cell)}
            for violation, cell in zip(entry.violations, entry.hanging, strict=True)
        ],
        "review": [_review_data(cell, reason) for cell, reason in reading.review],
        "confidence": _rounded(entry.confidence, 4),
        "quality": {
            "sharpness": _rounded(quality.sharpness, 3),
            "glare": _rounded(quality.glare, 4),
            "px_per_mm": _rounded(quality.px_per_mm, 2),
            "warnings": list(quality.warnings),
        },
        "timing_ms": {stage: _rounded(time_ms, 2) for stage, time_ms in reading.timing_ms.items()},
    }


def _cell_data(cell: LocatedReading) -> dict[str, Any]:
    others = cell.reading.alternatives[1:]
    return {
        **_reading_data(cell),
        "alternatives": [
            {"value": value, "confidence": _rounded(probability, 4)}
            for value, probability in others
            if probability >= _LEAST_ALTERNATIVE
        ],
        "corners": [[_rounded(x, 1), _rounded(y, 1)] for x, y in cell.corners_px],
    }


def _review_data(cell: LocatedReading, reason: str) -> dict[str, Any]:
    return {**_reading_data(cell), "reason": reason}


def _cell_name(cell: LocatedReading) -> dict[str, Any]:
    return {"column": cell.box.column, "space": cell.box.space, "kind": cell.box.kind}


def _reading_data(cell: LocatedReading) -> dict[str, Any]:
    return {
        "column": cell.box.column,
        "space": cell.box.space,
        "kind": cell.box.kind,
        "value": cell.reading.value,
        "confidence": _rounded(cell.reading.confidence, 4),
    }


def _rounded(value: float, digits: int) -> float:
    """A plain float: JSON knows no numpy scalars."""
    return round(float(value), digits)
