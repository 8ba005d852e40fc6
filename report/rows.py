"""The lines of a score table as plain values, shared by every way to print one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from report.entries import ScannedSheet, ScoredSheet
from scoring import Expedition, Violation

if TYPE_CHECKING:
    from scanner.types import LocatedReading


@dataclass(frozen=True, slots=True)
class Space:
    """One space as printed: its text, and whether a person should check it."""

    text: str
    doubtful: bool


@dataclass(frozen=True, slots=True)
class ColumnRow:
    """One column of a sheet as a line of the table.

    Attributes:
        column: its name.
        spaces: nine, bottom to top.
        filled: how many of them are.
        points: its points, doubled if they are.
        doubled: its circle is marked.
        bridge: points for its bridge.
    """

    column: str
    spaces: tuple[Space, ...]
    filled: int
    points: int
    doubled: bool
    bridge: int


@dataclass(frozen=True, slots=True)
class Note:
    """A line below the table: what kind (`error`, `warning`, `check`, `photo`, `layout`), and what."""

    kind: str
    text: str


def column_rows(entry: ScoredSheet) -> tuple[ColumnRow, ...]:
    """The eight columns of a sheet, in its order."""
    doubtful = _doubtful(entry)
    rows = []
    for part in entry.card.details:
        content = entry.sheet[part.column]
        cells = content.numbers if isinstance(content, Expedition) else content.marks
        spaces = tuple(
            Space(_space_text(value), (part.column, space) in doubtful) for space, value in enumerate(cells, 1)
        )
        rows.append(ColumnRow(part.column, spaces, part.filled, part.points, part.doubled, part.bridge))
    return tuple(rows)


def notes(entry: ScoredSheet, names_layout: bool = False) -> tuple[Note, ...]:
    """What a person should know about a sheet: violations, cells to check, warnings about the photo, its layout.

    Args:
        entry: the sheet.
        names_layout: whether to say which layout it was read by.
    """
    if not isinstance(entry, ScannedSheet):
        return violation_notes(entry.violations)
    found = violation_notes(entry.violations, entry.hanging)
    found += tuple(_check(cell, reason) for cell, reason in entry.reading.review)
    found += tuple(Note("photo", warning) for warning in entry.reading.quality.warnings)
    layout = entry.reading.layout
    found += (Note("layout", f"{layout.name}, {layout.title}"),) * names_layout
    return found + tuple(Note("layout", remark) for remark in layout.remarks)


def violation_notes(
    violations: Sequence[Violation], hanging: Sequence[LocatedReading | None] | None = None
) -> tuple[Note, ...]:
    """Violations as lines, errors first; with what to check before believing one.

    Args:
        violations: what was found.
        hanging: per violation the doubtful reading that it hangs on, if any.
    """
    pairs = list(zip(violations, hanging or [None] * len(violations), strict=True))
    ordered = sorted(pairs, key=lambda pair: pair[0].severity != "error")
    return tuple(Note(found.severity, f"{found.message} ({found.code}){_unless(cell)}") for found, cell in ordered)


def _unless(cell: LocatedReading | None) -> str:
    return "" if cell is None else f"; check {cell.box.column}, {_part(cell)} first"


def _part(cell: LocatedReading) -> str:
    return f"space {cell.box.space}" if cell.box.space else cell.box.kind


def total_remark(entry: ScoredSheet) -> str:
    """What to say beside the total of a scanned sheet; empty where it is certain or was typed."""
    if not isinstance(entry, ScannedSheet):
        return ""
    span = "" if entry.low == entry.high else f"{entry.low} to {entry.high}, "
    return f"{span}{entry.confidence:.1%} sure"


def value_text(value: int | str | bool | None) -> str:
    """A cell's value as a person would call it."""
    if isinstance(value, bool):
        return "marked" if value else "not marked"
    return "empty" if value is None else str(value)


def _space_text(value: int | str | bool | None) -> str:
    if isinstance(value, bool):
        return "x" if value else "."
    return "." if value is None else str(value)


def _doubtful(entry: ScoredSheet) -> frozenset[tuple[str | None, int | None]]:
    if not isinstance(entry, ScannedSheet):
        return frozenset()
    return frozenset((cell.box.column, cell.box.space) for cell, _ in entry.reading.review if cell.box.space)


def _check(cell: LocatedReading, reason: str) -> Note:
    read = f"read as {value_text(cell.reading.value)} with {cell.reading.confidence:.0%}"
    return Note(
        "check", f"{cell.box.column}, {_part(cell)}: {reason if reason.startswith(read[:7]) else f'{read}; {reason}'}"
    )
