"""The figures of an evaluation as lines for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evaluation.alignment import ALIGNED_MM

# A sheet with more wrong cells than this was misread as a whole, and more lines of one sort than this nobody reads; the
# JSON has them all.
_SHOWN_CELLS = 12
_SHOWN_LINES = 25
_SHARES = (
    ("cells right", "cells", "all"),
    ("  filled or empty", "cells", "filled_or_empty"),
    ("  numbers, of the filled", "cells", "numbers_where_filled"),
    ("  artifact and dice marks", "cells", "marks"),
    ("  double circles", "cells", "doubles"),
    ("  bridges", "cells", "bridges"),
    ("totals right", "totals", ""),
    ("whole sheets right", "whole_sheets", ""),
    ("written totals read right", "written", "right"),
    ("  read wrong", "written", "wrong"),
    ("  left open", "written", "open"),
    ("violations: precision", "violations", "precision"),
    ("violations: recall", "violations", "recall"),
    ("cells to check", "doubtful", "cells"),
    ("sheets with a cell to check", "doubtful", "sheets"),
    ("wrong cells among those to check", "doubtful", "wrong_cells_flagged"),
)


def figures_text(figures: Mapping[str, Any]) -> str:
    """The object of `measures.measure` as aligned lines."""
    return "".join(f"{line}\n" for line in _lines(figures))


def _lines(figures: Mapping[str, Any]) -> Iterator[str]:
    yield f"{figures['photos']} photos, {figures['sheets']} sheets"
    if figures["sheets"]:
        yield from _sheet_lines(figures)
    yield from _refusal_lines(figures)
    if len(figures["kinds"]) > 1:
        yield from _kind_lines(figures["kinds"])
    for group in (_not_read(figures), _not_aligned(figures), _wrongly_refused(figures)):
        yield from _first(list(group))
    yield from _wrong_lines(figures)


def _sheet_lines(figures: Mapping[str, Any]) -> Iterator[str]:
    codes = ", ".join(f"{code} {count}" for code, count in sorted(figures["refused"]["codes"].items()))
    yield f"{_share_line('sheets refused', figures['refused'])}  {codes}".rstrip()
    yield _share_line(f"found, cells within {ALIGNED_MM} mm", figures["aligned"])
    for label, group, key in _SHARES:
        yield _share_line(label, figures[group][key] if key else figures[group])
    for label, key in (
        ("wrong totals, nothing to check", "unflagged_wrong_totals"),
        ("grids misplaced", "misplaced_sheets"),
    ):
        yield f"{label:<34}{len(figures[key]):>7}  {_names(figures[key])}".rstrip()
    yield f"{'totals read where there are none':<34}{figures['written']['invented']:>7}"
    yield f"{'sheets where there are none':<34}{figures['phantom_sheets']:>7}"
    for label, key in (("calibration error of cells", "cells_ece"), ("calibration error of totals", "totals_ece")):
        yield f"{label:<34}{_number(figures['calibration'][key], 4):>7}"
    corner = figures["corner_error_mm"]
    middle, p95 = _number(corner["median"], 2), _number(corner["p95"], 2)
    yield f"{'cell corners off by, mm':<34}{middle:>7}  95th percentile {p95}"
    stages = "  ".join(f"{stage} {time_ms:.1f}" for stage, time_ms in figures["timing_ms"].items())
    yield f"{'median ms':<34}{stages}"


def _refusal_lines(figures: Mapping[str, Any]) -> Iterator[str]:
    """Photos that hold nothing to be read."""
    refusals, invented = figures["refusals"], figures["invented"]
    if not refusals["all"]["of"]:
        return
    yield _share_line("photos without a sheet refused", refusals["all"])
    for code, right in refusals["codes"].items():
        yield _share_line(f"  as {code}", right)
    yield f"{'sheets invented there':<34}{invented['sheets']:>7}  {_names(invented['photos'])}".rstrip()


def _kind_lines(kinds: Mapping[str, Any]) -> Iterator[str]:
    """One line a kind of photo."""
    yield f"{'kind':<18}{'photos':>7}{'sheets':>7}{'refused':>8}{'aligned':>9}{'misplaced':>10}{'silently wrong':>15}"
    for kind, row in kinds.items():
        if row["sheets"]:
            counts = f"{row['photos']:>7}{row['sheets']:>7}{row['refused']:>8}{_part(row['aligned']):>9}"
            yield f"{kind:<18}{counts}{row['misplaced']:>10}{row['unflagged_wrong_totals']:>15}"
    empty = {kind: row for kind, row in kinds.items() if row["rightly_refused"]["of"]}
    if empty:
        yield f"{'kind':<18}{'photos':>7}{'rightly refused':>17}{'invented':>10}"
    for kind, row in empty.items():
        yield f"{kind:<18}{row['photos']:>7}{_part(row['rightly_refused']):>17}{row['invented']:>10}"


def _not_read(figures: Mapping[str, Any]) -> Iterator[str]:
    for refusal in figures["not_read"]:
        yield f"not read: {refusal['photo']}: {refusal['code']}"


def _not_aligned(figures: Mapping[str, Any]) -> Iterator[str]:
    for sheet in figures["not_aligned"]:
        p95, largest = sheet["p95_mm"], sheet["max_mm"]
        yield f"not aligned: {sheet['sheet']}: 95th percentile {p95:.2f} mm, largest {largest:.2f}"


def _wrongly_refused(figures: Mapping[str, Any]) -> Iterator[str]:
    for photo in figures["refusals"]["wrong"]:
        found = photo["code"] or f"{photo['invented']} sheets read"
        yield f"wrongly refused: {photo['photo']}: {found}, right is {' or '.join(photo['due'])}"


def _wrong_lines(figures: Mapping[str, Any]) -> Iterator[str]:
    for sheet in figures["wrong"][:_SHOWN_LINES]:
        total = sheet["total"]
        yield f"wrong: {sheet['sheet']}: total {total['read']}, right is {total['truth']}"
        for cell in sheet["cells"][:_SHOWN_CELLS]:
            asked = ", to check" if cell["in_review"] else ""
            yield f"  {cell['cell']}: read {cell['read']} ({cell['confidence']:.0%}{asked}), right is {cell['truth']}"
        if len(sheet["cells"]) > _SHOWN_CELLS:
            yield f"  and {len(sheet['cells']) - _SHOWN_CELLS} more"
    if len(figures["wrong"]) > _SHOWN_LINES:
        yield f"and {len(figures['wrong']) - _SHOWN_LINES} more sheets with a wrong cell"


def _first(lines: Sequence[str]) -> Iterator[str]:
    yield from lines[:_SHOWN_LINES]
    if len(lines) > _SHOWN_LINES:
        yield f"and {len(lines) - _SHOWN_LINES} more"


def _names(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_SHOWN_CELLS])
    return shown if len(names) <= _SHOWN_CELLS else f"{shown} and {len(names) - _SHOWN_CELLS} more"


def _part(share: Mapping[str, Any]) -> str:
    return "-" if share["share"] is None else f"{share['share']:.1%}"


def _share_line(label: str, share: Mapping[str, Any]) -> str:
    part = "-" if share["share"] is None else f"{share['share']:.2%}"
    return f"{label:<34}{part:>7}  {share['right']} of {share['of']}"


def _number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"
