"""One photo's readings held against its truth, cell by cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import dist
from pathlib import Path

from evaluation.truth import TruthSheet, load_truth, truth_path
from layouts import CellBox, SheetLayout, load_layout
from report.certainty import total_confidence
from scanner.errors import ScanError
from scanner.pipeline import scan_photo
from scanner.types import LocatedReading, SheetReading, Value
from scoring import RuleSet, Sheet, Violation, score, validate

Place = tuple[str, str | None, int | None]
"""A violation as it is compared: code, column, space."""

# The reader sees a margin of a fifth of a cell around each: one corner placed further off than that, and it may read
# something else.
_MISPLACED_SHARE = 0.2


@dataclass(frozen=True, slots=True)
class CellOutcome:
    """One cell: what stands there, what was read, how sure, and whether a person was asked to check it."""

    key: str
    kind: str
    truth: Value
    read: Value
    confidence: float
    in_review: bool

    @property
    def right(self) -> bool:
        """Whether it was read as it is."""
        return self.truth == self.read and type(self.truth) is type(self.read)


@dataclass(frozen=True, slots=True)
class SheetOutcome:
    """One sheet that was read.

    Attributes:
        name: the photo's name, with the sheet's index if there are several.
        cells: every cell.
        total_truth: the right total.
        total_read: the total that was read.
        confidence: the stated probability that it is right.
        violations_found: violations that were found and are there.
        violations_false: those found that are not there.
        violations_missed: those there that were not found.
        corner_errors_mm: distance of every cell corner from its true place, where that is known.
        misplaced: a cell lies so far off that it was cut in the wrong place.
    """

    name: str
    cells: tuple[CellOutcome, ...]
    total_truth: int
    total_read: int
    confidence: float
    violations_found: int
    violations_false: int
    violations_missed: int
    corner_errors_mm: tuple[float, ...]
    misplaced: bool

    @property
    def wrong_cells(self) -> tuple[CellOutcome, ...]:
        """The cells that were read wrong."""
        return tuple(cell for cell in self.cells if not cell.right)

    @property
    def doubtful(self) -> bool:
        """Whether a person was asked to check any of it."""
        return any(cell.in_review for cell in self.cells)

    @property
    def total_right(self) -> bool:
        """Whether the total is."""
        return self.total_truth == self.total_read


@dataclass(frozen=True, slots=True)
class PhotoOutcome:
    """One photo.

    Attributes:
        name: its file name.
        sheets: those that were read.
        refused: for each sheet that was not, the code of the error (`missed` where others in the photo were read).
        phantoms: sheets read where there is none.
        timing_ms: milliseconds per stage; empty where nothing was read.
    """

    name: str
    sheets: tuple[SheetOutcome, ...]
    refused: tuple[str, ...]
    phantoms: int
    timing_ms: Mapping[str, float]


def evaluate_photo(photo: Path, layout_name: str | None = None) -> PhotoOutcome:
    """Scans a photo and compares every sheet with the truth file beside it.

    Raises:
        TruthError: the truth file cannot be used.
    """
    truths = load_truth(truth_path(photo))
    layout = load_layout() if layout_name is None else load_layout(layout_name)
    try:
        readings = scan_photo(photo, layout)
    except ScanError as error:
        return PhotoOutcome(photo.name, (), (error.code,) * len(truths), 0, {})
    except Exception as error:
        # A fault of the program is counted like a refusal, so that one photo does not cost the figures of the rest.
        return PhotoOutcome(photo.name, (), (f"unexpected {type(error).__name__}",) * len(truths), 0, {})
    pairs = matched(truths, readings)
    several = len(truths) > 1
    sheets = tuple(
        compare_sheet(f"{photo.name} #{index}" if several else photo.name, truth, reading)
        for index, (truth, reading) in enumerate(pairs, 1)
    )
    missed = ("missed",) * (len(truths) - len(pairs))
    return PhotoOutcome(photo.name, sheets, missed, len(readings) - len(pairs), readings[0].timing_ms)


def matched(truths: Sequence[TruthSheet], readings: Sequence[SheetReading]) -> list[tuple[TruthSheet, SheetReading]]:
    """Truths with the readings that lie where they do; in reading order where no places are known."""
    if len(truths) < 2 or not all(truth.corners_px for truth in truths):
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
    errors_mm = _corner_errors_mm(truth, reading)
    found, false, missed = compare_violations(truth.sheet, reading)
    return SheetOutcome(
        name=name,
        cells=_cells(truth.sheet, reading),
        total_truth=score(truth.sheet).total,
        total_read=score(reading.sheet).total,
        confidence=total_confidence(reading.cells, RuleSet.default()),
        violations_found=found,
        violations_false=false,
        violations_missed=missed,
        corner_errors_mm=errors_mm,
        misplaced=bool(errors_mm) and max(errors_mm) > _MISPLACED_SHARE * _cell_side_mm(reading.layout),
    )


def compare_violations(truth: Sheet, reading: SheetReading) -> tuple[int, int, int]:
    """How many violations were found, falsely found, and missed.

    One that hangs on a cell which a person was asked to check is neither false nor missed: it is still open.
    """
    specials = reading.layout.specials
    if not reading.sheet.written:
        # What the player wrote as totals was not read, so nothing can be said about it.
        truth = replace(truth, written={})
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


def _place(violation: Violation) -> Place:
    return violation.code, violation.column, violation.space


def _open(place: Place, doubtful: set[str]) -> bool:
    """Whether a violation hangs on a doubtful cell: one of its column, or any where it counts artifact boxes."""
    code, column, _ = place
    return bool(doubtful) if code.startswith("artifacts") else column in doubtful


def _corner_errors_mm(truth: TruthSheet, reading: SheetReading) -> tuple[float, ...]:
    errors: list[float] = []
    for cell in reading.cells:
        true_px = truth.corners_px.get(cell.box.key)
        if true_px is not None:
            px_per_mm = _px_per_mm(true_px, cell)
            errors += [dist(a, b) / px_per_mm for a, b in zip(true_px, cell.corners_px, strict=True)]
    return tuple(errors)


def _px_per_mm(corners_px: Sequence[tuple[float, float]], cell: LocatedReading) -> float:
    around_px = sum(dist(corners_px[i], corners_px[(i + 1) % 4]) for i in range(4))
    return around_px / (2 * (cell.box.w_mm + cell.box.h_mm))


def _cell_side_mm(layout: SheetLayout) -> float:
    return min(min(cell.w_mm, cell.h_mm) for cell in layout.read_cells if cell.space is not None)


def _middle(truth: TruthSheet) -> tuple[float, float]:
    return _mean([point for quad in truth.corners_px.values() for point in quad])


def _reading_middle(reading: SheetReading) -> tuple[float, float]:
    return _mean([point for cell in reading.cells for point in cell.corners_px])


def _mean(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)
