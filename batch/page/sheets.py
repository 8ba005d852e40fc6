"""One sheet as its part of the report shows it: picture, marks, points, violations and cells to check."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from batch.record import Record
from batch.results import Result
from layouts import CellBox, SheetLayout
from report.entries import ScannedSheet
from scanner.doubt import shown
from scanner.overlay import violated_key
from scanner.types import LocatedReading

_CROP_MARGIN = 0.45
"""How much of a cell's surroundings its crop shows, as a share of its size: enough to see what reaches over."""


@dataclass(frozen=True, slots=True)
class Box:
    """A place on the page, in millimetres of the layout."""

    x: float
    y: float
    w: float
    h: float


@dataclass(frozen=True, slots=True)
class Mark:
    """What is drawn over one cell.

    Attributes:
        box: the cell.
        text: what was read there.
        state: `plain`, `doubtful`, `broken` or `corrected`; looks tell them apart without colour.
    """

    box: Box
    text: str
    state: str


@dataclass(frozen=True, slots=True)
class Note:
    """Something about a cell, or the whole sheet.

    Attributes:
        where: the place in words.
        text: what is the matter.
        crop: what of the picture shows it; None for the whole sheet.
        severity: `error`, `warning`, `check` or `corrected`.
    """

    where: str
    text: str
    crop: Box | None
    severity: str


@dataclass(frozen=True, slots=True)
class SheetView:
    """A sheet for the report.

    Attributes:
        page: width and height of the page in millimetres.
        picture: the flat sheet as a data URI; empty where there is none or no room.
        link: where the picture lies, if it is not in the page; empty where there is none.
        marks: what is drawn over it.
        points: by column, bridges and total last.
        notes: violations, then cells to check, then corrections.
        warnings: what was poor about the photo, and what to know of its layout.
    """

    page: tuple[float, float]
    picture: str
    link: str
    marks: tuple[Mark, ...]
    points: tuple[tuple[str, int], ...]
    notes: tuple[Note, ...]
    warnings: tuple[str, ...]


def sheet_view(record: Record, result: Result, entry: ScannedSheet, embed: bool) -> SheetView:
    """A sheet as the report shows it.

    Args:
        record: the batch folder.
        result: the sheet.
        entry: the whole of it.
        embed: whether its picture goes into the page; otherwise it is linked.
    """
    layout = entry.reading.layout
    told = record.corrections.get(result.sheet_id, ()) if result.sheet_id else ()
    picture = _data_uri(record.folder / result.picture) if embed and result.picture else ""
    return SheetView(
        page=layout.page_mm,
        picture=picture,
        link="" if picture else result.picture or "",
        marks=_marks(entry, {correction.cell.key for correction in told}),
        points=tuple(entry.card.to_dict().items()),
        notes=(
            *_violation_notes(entry),
            *(_note(cell.box, reason, "check") for cell, reason in entry.reading.review),
            *(
                _note(layout.cell(one.cell.key), f"corrected from {shown(one.was)} to {shown(one.value)}", "corrected")
                for one in told
            ),
        ),
        warnings=(*entry.reading.quality.warnings, *_about_layout(record, layout)),
    )


def _about_layout(record: Record, layout: SheetLayout) -> tuple[str, ...]:
    named = (f"layout {layout.name}",) if len(record.layouts) > 1 else ()
    return (*named, *layout.remarks)


def _data_uri(path: Path) -> str:
    """The picture within a page; empty where it is gone."""
    try:
        return "data:image/jpeg;base64," + base64.b64encode(path.read_bytes()).decode("ascii")
    except OSError:
        return ""


def _marks(entry: ScannedSheet, corrected: set[str]) -> tuple[Mark, ...]:
    states = {cell.box.key: "doubtful" for cell, _ in entry.reading.review}
    states |= {violated_key(violation): "broken" for violation in entry.violations}
    states |= dict.fromkeys(corrected, "corrected")
    marks = []
    for cell in entry.reading.cells:
        state = states.get(cell.box.key, "plain")
        if state != "plain" or cell.reading.value not in (None, False):
            marks.append(Mark(_box(cell.box), _sign(cell), state))
    return tuple(marks)


def _sign(cell: LocatedReading) -> str:
    """What stands in a cell, in a letter or two."""
    signs: Mapping[object, str] = {None: "–", "?": "?", True: "✓", False: "–"}
    value = cell.reading.value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else signs[value]


def _violation_notes(entry: ScannedSheet) -> list[Note]:
    boxes = {cell.box.key: cell.box for cell in entry.reading.cells}
    notes = []
    for violation, on in zip(entry.violations, entry.hanging, strict=True):
        box = boxes.get(violated_key(violation))
        text = f"{violation.message} ({violation.code})"
        if on is not None:
            text += f"; hangs on {words_of(on.box)}, which is to be checked"
        where = words_of(box) if box else violation.column or "sheet"
        notes.append(Note(where, text, _around(box) if box else None, violation.severity))
    return notes


def _note(box: CellBox, text: str, severity: str) -> Note:
    return Note(words_of(box), text, _around(box), severity)


def words_of(box: CellBox) -> str:
    """A cell as people call it: `red 3`, `red double circle`."""
    what = {"double": "double circle", "bridge": "bridge"}.get(box.kind, str(box.space))
    return f"{box.column} {what}"


def _box(box: CellBox) -> Box:
    return Box(box.x_mm, box.y_mm, box.w_mm, box.h_mm)


def _around(box: CellBox) -> Box:
    margin_w, margin_h = box.w_mm * _CROP_MARGIN, box.h_mm * _CROP_MARGIN
    return Box(box.x_mm - margin_w, box.y_mm - margin_h, box.w_mm + 2 * margin_w, box.h_mm + 2 * margin_h)
