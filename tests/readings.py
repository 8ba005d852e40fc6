"""Readings as the scanner would make them, built from a sheet instead of a photo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evaluation.compare import truth_value
from layouts import load_layout
from scanner.types import CellReading, LocatedReading, Quality, SheetReading, Source, Value
from scoring import Sheet

PX_PER_MM = 10.0

Alternatives = Sequence[tuple[Value, float]]


def sure(value: Value) -> Alternatives:
    return ((value, 1.0),)


def reading_of(
    sheet: Sheet,
    doubts: Mapping[str, Alternatives] | None = None,
    path: str = "photo.jpg",
    index: int = 1,
    shift_px: tuple[float, float] = (0.0, 0.0),
) -> SheetReading:
    """A reading of that sheet at 10 px/mm, sure of everything but the doubtful cells, which are in review."""
    doubts = doubts or {}
    layout = load_layout()
    cells = []
    for box in layout.read_cells:
        alternatives = tuple(doubts.get(box.key, sure(truth_value(sheet, box))))
        reading = CellReading(alternatives[0][0], alternatives[0][1], alternatives)
        corners_px = tuple((x * PX_PER_MM + shift_px[0], y * PX_PER_MM + shift_px[1]) for x, y in box.corners_mm)
        cells.append(LocatedReading(box, reading, corners_px))
    read = Sheet.from_cells(
        ((str(cell.box.column), cell.box.kind, cell.box.space), cell.reading.value) for cell in cells
    )
    return SheetReading(
        source=Source(path, 1, "0" * 64, 1480, 2100),
        index=index,
        layout=layout,
        cells=tuple(cells),
        sheet=read,
        review=tuple((cell, "faint") for cell in cells if cell.box.key in doubts),
        outline_px=((0.0, 0.0), (1480.0, 0.0), (1480.0, 2100.0), (0.0, 2100.0)),
        quality=Quality(0.8, 0.0, 10.0),
        timing_ms={"decode": 40.0, "total": 80.0},
    )


def true_corners(shift_px: tuple[float, float] = (0.0, 0.0)) -> dict[str, list[tuple[float, float]]]:
    """Where the cells of `reading_of` lie, moved by that many pixels."""
    return {
        box.key: [(x * PX_PER_MM + shift_px[0], y * PX_PER_MM + shift_px[1]) for x, y in box.corners_mm]
        for box in load_layout().read_cells
    }
