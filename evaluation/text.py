"""The figures of an evaluation as lines for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

# A sheet with more wrong cells than this was misread as a whole; the JSON has them all.
_SHOWN_CELLS = 12
_SHARES = (
    ("cells right", "cells", "all"),
    ("  filled or empty", "cells", "filled_or_empty"),
    ("  numbers, of the filled", "cells", "numbers_where_filled"),
    ("  artifact and dice marks", "cells", "marks"),
    ("  double circles", "cells", "doubles"),
    ("  bridges", "cells", "bridges"),
    ("totals right", "totals", ""),
    ("whole sheets right", "whole_sheets", ""),
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
    codes = ", ".join(f"{code} {count}" for code, count in sorted(figures["refused"]["codes"].items()))
    yield f"{_share_line('sheets refused', figures['refused'])}  {codes}".rstrip()
    for label, group, key in _SHARES:
        yield _share_line(label, figures[group][key] if key else figures[group])
    for label, key in (
        ("wrong totals, nothing to check", "unflagged_wrong_totals"),
        ("grids misplaced", "misplaced_sheets"),
    ):
        yield f"{label:<34}{len(figures[key]):>7}  {', '.join(figures[key])}".rstrip()
    yield f"{'sheets where there are none':<34}{figures['phantom_sheets']:>7}"
    for label, key in (("calibration error of cells", "cells_ece"), ("calibration error of totals", "totals_ece")):
        yield f"{label:<34}{_number(figures['calibration'][key], 4):>7}"
    corner = figures["corner_error_mm"]
    middle, p95 = _number(corner["median"], 2), _number(corner["p95"], 2)
    yield f"{'cell corners off by, mm':<34}{middle:>7}  95th percentile {p95}"
    stages = "  ".join(f"{stage} {time_ms:.1f}" for stage, time_ms in figures["timing_ms"].items())
    yield f"{'median ms':<34}{stages}"
    yield from _wrong_lines(figures)


def _wrong_lines(figures: Mapping[str, Any]) -> Iterator[str]:
    for refusal in figures["not_read"]:
        yield f"not read: {refusal['photo']}: {refusal['code']}"
    for sheet in figures["wrong"]:
        total = sheet["total"]
        yield f"wrong: {sheet['sheet']}: total {total['read']}, right is {total['truth']}"
        for cell in sheet["cells"][:_SHOWN_CELLS]:
            asked = ", to check" if cell["in_review"] else ""
            yield f"  {cell['cell']}: read {cell['read']} ({cell['confidence']:.0%}{asked}), right is {cell['truth']}"
        if len(sheet["cells"]) > _SHOWN_CELLS:
            yield f"  and {len(sheet['cells']) - _SHOWN_CELLS} more"


def _share_line(label: str, share: Mapping[str, Any]) -> str:
    part = "-" if share["share"] is None else f"{share['share']:.2%}"
    return f"{label:<34}{part:>7}  {share['right']} of {share['of']}"


def _number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"
