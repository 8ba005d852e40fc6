"""From a line of the record back to the entry that it was written from, with what people corrected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from batch.lines import Correction
from layouts import SheetLayout
from report.entries import Entry, Failure, ScannedSheet
from report.scanned import scored_reading
from scanner.types import CellReading, LocatedReading, Quality, SheetReading, Source
from scoring import RuleSet, Sheet, Violation, score


def entry_of(data: Mapping[str, Any], layout: SheetLayout, rules: RuleSet) -> Entry:
    """The entry of one result.

    A sheet's outline is not in the record, nor are alternatives of less than one in a thousand.

    Raises:
        KeyError, TypeError, ValueError: the line is damaged.
    """
    source = data["source"]
    path, page, index = data["batch"]["input"], source["page"], source["index"]
    if data["status"] == "error":
        error = data["error"]
        return Failure(path, error["code"], error["message"], error["remedy"], page, index)
    reading = _reading(data, layout)
    cells = {cell.box.key: cell for cell in reading.cells}
    return ScannedSheet(
        path=path,
        index=index,
        sheet=reading.sheet,
        card=score(reading.sheet, rules),
        violations=tuple(_violation(entry) for entry in data["violations"]),
        reading=reading,
        low=data["score"]["low"],
        high=data["score"]["high"],
        confidence=data["confidence"],
        hanging=tuple(cells[_key(on)] if (on := entry["depends_on"]) else None for entry in data["violations"]),
    )


def corrected(entry: ScannedSheet, corrections: Iterable[Correction], rules: RuleSet) -> ScannedSheet:
    """The entry as it is if the corrected cells say what people say they do; those are sure and leave the review."""
    values = {correction.cell.key: correction.value for correction in corrections}
    reading = entry.reading
    cells = tuple(
        replace(cell, reading=CellReading(values[cell.box.key], 1.0, ((values[cell.box.key], 1.0),)))
        if cell.box.key in values
        else cell
        for cell in reading.cells
    )
    sheet = Sheet.from_cells(
        ((str(cell.box.column), cell.box.kind, cell.box.space), cell.reading.value) for cell in cells
    )
    review = tuple((cell, reason) for cell, reason in reading.review if cell.box.key not in values)
    sheet = replace(sheet, player=entry.sheet.player, written=entry.sheet.written)
    told = replace(reading, cells=cells, sheet=sheet, review=review)
    # Scored by probabilities that sum to 1 again, and shown with those of the scan.
    whole = replace(told, cells=tuple(map(_whole, cells)))
    return replace(scored_reading(entry.path, whole, rules), reading=told)


def _whole(cell: LocatedReading) -> LocatedReading:
    total = sum(probability for _, probability in cell.reading.alternatives) or 1.0
    alternatives = tuple((value, probability / total) for value, probability in cell.reading.alternatives)
    return replace(cell, reading=replace(cell.reading, alternatives=alternatives))


def _reading(data: Mapping[str, Any], layout: SheetLayout) -> SheetReading:
    source, quality = data["source"], data["quality"]
    boxes = {box.key: box for box in layout.read_cells}
    cells = {
        _key(cell): LocatedReading(boxes[_key(cell)], _cell_reading(cell), tuple((x, y) for x, y in cell["corners"]))
        for cell in data["cells"]
    }
    return SheetReading(
        source=Source(source["path"], source["page"], source["sha256"], source["width"], source["height"]),
        index=source["index"],
        layout=layout,
        cells=tuple(cells.values()),
        sheet=Sheet.from_dict(data["sheet"]),
        review=tuple((cells[_key(entry)], entry["reason"]) for entry in data["review"]),
        outline_px=(),
        quality=Quality(quality["sharpness"], quality["glare"], quality["px_per_mm"], tuple(quality["warnings"])),
        timing_ms=data["timing_ms"],
    )


def _cell_reading(cell: Mapping[str, Any]) -> CellReading:
    others = ((other["value"], other["confidence"]) for other in cell["alternatives"])
    return CellReading(cell["value"], cell["confidence"], ((cell["value"], cell["confidence"]), *others))


def _violation(entry: Mapping[str, Any]) -> Violation:
    known = {key: value for key, value in entry.items() if key != "depends_on"}
    return Violation(**known)


def _key(cell: Mapping[str, Any]) -> str:
    return f"{cell['column']}/{cell['space'] if cell['space'] is not None else cell['kind']}"
