"""One photo's readings held against its truth, cell by cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import dist
from pathlib import Path

from evaluation.alignment import corner_errors_mm, is_misplaced
from evaluation.outcomes import CellOutcome, PhotoOutcome, SheetOutcome, WrittenOutcome
from evaluation.truth import TruthSheet, load_photo_truth, truth_path
from layouts import CellBox, load_layout
from layouts.known import DEFAULT_LAYOUT
from report.certainty import total_confidence
from scanner.errors import ScanError
from scanner.options import DEFAULT_OPTIONS, ScanOptions
from scanner.pipeline import scan_photo
from scanner.types import SheetReading, Value
from scoring import RuleSet, Sheet, Violation, score, validate

Place = tuple[str, str | None, int | None]
"""A violation as it is compared: code, column, space."""


def evaluate_photo(
    photo: Path, layout_names: Sequence[str] = (DEFAULT_LAYOUT,), options: ScanOptions = DEFAULT_OPTIONS
) -> PhotoOutcome:
    """Scans a photo and compares every sheet with the truth file beside it.

    Args:
        photo: the photo.
        layout_names: which sheets it may hold.
        options: every threshold.

    Raises:
        TruthError: the truth file cannot be used.
    """
    truth = load_photo_truth(truth_path(photo))
    layouts = tuple(map(load_layout, layout_names))
    placed = sum(bool(sheet.corners_px) for sheet in truth.sheets)
    blank = PhotoOutcome(photo.name, (), (), 0, {}, truth.kind, placed, truth.due)
    try:
        readings = scan_photo(photo, layouts, options)
    except ScanError as error:
        return replace(blank, refused=(error.code,) * len(truth.sheets), code=error.code)
    except Exception as error:
        # A fault of the program is counted like a refusal, so that one photo does not cost the figures of the rest.
        code = f"unexpected {type(error).__name__}"
        return replace(blank, refused=(code,) * len(truth.sheets), code=code)
    pairs = matched(truth.sheets, readings)
    several = len(truth.sheets) > 1
    sheets = tuple(
        compare_sheet(f"{photo.name} #{index}" if several else photo.name, sheet, reading)
        for index, (sheet, reading) in enumerate(pairs, 1)
    )
    missed = ("missed",) * (len(truth.sheets) - len(pairs))
    phantoms = len(readings) - len(pairs)
    return replace(blank, sheets=sheets, refused=missed, phantoms=phantoms, timing_ms=readings[0].timing_ms)


def matched(truths: Sequence[TruthSheet], readings: Sequence[SheetReading]) -> list[tuple[TruthSheet, SheetReading]]:
    """Truths with the readings that lie where they do; in reading order where no places are known."""
    if not all(truth.corners_px for truth in truths):
        return list(zip(truths, readings, strict=False))
    distances = sorted(
        (dist(_middle(truth), _reading_middle(reading)), number, index)
        for number, truth in enumerate(truths)
        for index, reading in enumerate(readings)
    )
    pairs: dict[int, int] = {}
    for _, number, index in distances:
        if number not in pairs and index not in pairs.values():
            pairs[number] = index
    return [(truths[number], readings[index]) for number, index in sorted(pairs.items())]


def compare_sheet(name: str, truth: TruthSheet, reading: SheetReading) -> SheetOutcome:
    """One sheet against its truth."""
    errors_mm = corner_errors_mm(truth, reading)
    found, false, missed = compare_violations(truth.sheet, reading)
    return SheetOutcome(
        name=name,
        cells=_cells(truth.sheet, reading),
        total_truth=score(truth.sheet).total,
        total_read=score(reading.sheet).total,
        confidence=total_confidence(reading, RuleSet.default()),
        violations_found=found,
        violations_false=false,
        violations_missed=missed,
        corner_errors_mm=errors_mm,
        misplaced=is_misplaced(errors_mm, reading.layout),
        written=_written(truth.sheet, reading.sheet),
    )


def compare_violations(truth: Sheet, reading: SheetReading) -> tuple[int, int, int]:
    """How many violations were found, falsely found, and missed.

    One that hangs on a cell which a person was asked to check is neither false nor missed: it is still open.
    """
    specials = reading.layout.known_specials
    there = {_place(violation) for violation in validate(truth, None, specials)}
    named = {_place(violation) for violation in validate(reading.sheet, None, specials)}
    doubtful = {str(cell.box.column) for cell, _ in reading.review}
    false = [place for place in named - there if not _open(place, doubtful)]
    missed = [place for place in there - named if not _open(place, doubtful)]
    return len(there & named), len(false), len(missed)


def truth_value(sheet: Sheet, box: CellBox) -> Value:
    """What stands in a cell."""
    column = sheet[str(box.column)]
    if box.kind in ("double", "bridge"):
        return bool(getattr(column, box.kind))
    spaces: Sequence[Value] = getattr(column, f"{box.kind}s")
    return spaces[(box.space or 1) - 1]


def _cells(truth: Sheet, reading: SheetReading) -> tuple[CellOutcome, ...]:
    asked = {cell.box.key for cell, _ in reading.review}
    return tuple(
        CellOutcome(
            cell.box.key,
            cell.box.kind,
            truth_value(truth, cell.box),
            cell.reading.value,
            float(cell.reading.confidence),
            cell.box.key in asked,
        )
        for cell in reading.cells
    )


def _written(truth: Sheet, read: Sheet) -> tuple[WrittenOutcome, ...]:
    keys = dict.fromkeys([*truth.written, *read.written])
    return tuple(WrittenOutcome(key, truth.written.get(key), read.written.get(key)) for key in keys)


def _place(violation: Violation) -> Place:
    return violation.code, violation.column, violation.space


def _open(place: Place, doubtful: set[str]) -> bool:
    """Whether a violation hangs on a doubtful cell: one of its column, or any where it counts or adds up several."""
    code, column, _ = place
    return bool(doubtful) if code.startswith("artifacts") or column in ("bridges", "total") else column in doubtful


def _middle(truth: TruthSheet) -> tuple[float, float]:
    return _mean([point for quad in truth.corners_px.values() for point in quad])


def _reading_middle(reading: SheetReading) -> tuple[float, float]:
    return _mean([point for cell in reading.cells for point in cell.corners_px])


def _mean(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)
