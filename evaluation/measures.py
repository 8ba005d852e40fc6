"""Figures over many photos: every share with its count, so that nobody has to trust a bare percentage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from statistics import median
from typing import Any

from evaluation.alignment import percentile
from evaluation.outcomes import CellOutcome, PhotoOutcome, SheetOutcome, WrittenOutcome

_BINS = 15


def measure(photos: Sequence[PhotoOutcome]) -> dict[str, Any]:
    """Everything that eval reports, as a JSON object.

    A share is `{"right": n, "of": m, "share": n / m}`, its share None where m is 0.
    """
    sheets = [sheet for photo in photos for sheet in photo.sheets]
    refused = [code for photo in photos for code in photo.refused]
    cells = [cell for sheet in sheets for cell in sheet.cells]
    return {
        "schema": "rollwrite.eval/1",
        "photos": len(photos),
        "sheets": len(sheets) + len(refused),
        "refused": {**share(len(refused), len(sheets) + len(refused)), "codes": dict(Counter(refused))},
        "phantom_sheets": sum(photo.phantoms for photo in photos if not photo.due),
        "found": share(len(sheets), len(sheets) + len(refused)),
        "aligned": aligned_share(photos),
        "not_aligned": [_off(sheet) for sheet in sheets if sheet.corner_errors_mm and not sheet.aligned],
        "misplaced_sheets": [sheet.name for sheet in sheets if sheet.misplaced],
        "refusals": _refusals(photos),
        "invented": {
            "sheets": sum(photo.invented for photo in photos),
            "photos": [photo.name for photo in photos if photo.invented],
        },
        "cells": _cell_shares(cells),
        "totals": share(sum(sheet.total_right for sheet in sheets), len(sheets)),
        "whole_sheets": share(sum(not sheet.wrong_cells for sheet in sheets), len(sheets)),
        "written": _written([total for sheet in sheets for total in sheet.written]),
        "violations": _violations(sheets),
        "doubtful": {
            "cells": share(sum(cell.in_review for cell in cells), len(cells)),
            "sheets": share(sum(sheet.doubtful for sheet in sheets), len(sheets)),
            "wrong_cells_flagged": _count(cells, lambda cell: not cell.right, lambda cell: cell.in_review),
        },
        "unflagged_wrong_totals": [sheet.name for sheet in sheets if sheet.silently_wrong],
        "calibration": {
            "cells_ece": calibration_error([(cell.confidence, cell.right) for cell in cells]),
            "totals_ece": calibration_error([(sheet.confidence, sheet.total_right) for sheet in sheets]),
        },
        "corner_error_mm": _spread([error for sheet in sheets for error in sheet.corner_errors_mm]),
        "timing_ms": _timing(photos),
        "wrong": [_wrong(sheet) for sheet in sheets if sheet.wrong_cells],
        "kinds": _kinds(photos),
        "not_read": [{"photo": photo.name, "code": code} for photo in photos for code in photo.refused],
    }


def share(right: int, of: int) -> dict[str, Any]:
    """A count with what it is counted of."""
    return {"right": right, "of": of, "share": right / of if of else None}


def aligned_share(photos: Iterable[PhotoOutcome]) -> dict[str, Any]:
    """Sheets found and aligned, of those whose places are known."""
    photos = list(photos)
    aligned = sum(sheet.aligned for photo in photos for sheet in photo.sheets)
    return share(aligned, sum(photo.placed for photo in photos))


def calibration_error(pairs: Sequence[tuple[float, bool]]) -> float | None:
    """Expected calibration error over equally wide bins: mean distance of stated and found probability.

    Naeini, Cooper, Hauskrecht: Obtaining Well Calibrated Probabilities Using Bayesian Binning (2015).

    Args:
        pairs: stated probability, and whether it came true.
    """
    if not pairs:
        return None
    bins: dict[int, list[tuple[float, bool]]] = {}
    for probability, right in pairs:
        bins.setdefault(min(int(probability * _BINS), _BINS - 1), []).append((probability, right))
    gaps = (abs(sum(p for p, _ in members) - sum(right for _, right in members)) for members in bins.values())
    return sum(gaps) / len(pairs)


def _cell_shares(cells: Sequence[CellOutcome]) -> dict[str, Any]:
    def right(cell: CellOutcome) -> bool:
        return cell.right

    def of_kind(*kinds: str) -> Callable[[CellOutcome], bool]:
        return lambda cell: cell.kind in kinds

    return {
        "all": _count(cells, lambda cell: True, right),
        "numbers": _count(cells, of_kind("number"), right),
        "filled_or_empty": _count(cells, of_kind("number"), lambda cell: (cell.truth is None) == (cell.read is None)),
        "numbers_where_filled": _count(cells, lambda cell: cell.kind == "number" and cell.truth is not None, right),
        "marks": _count(cells, of_kind("mark"), right),
        "doubles": _count(cells, of_kind("double"), right),
        "bridges": _count(cells, of_kind("bridge"), right),
    }


def _count(
    cells: Iterable[CellOutcome], which: Callable[[CellOutcome], bool], right: Callable[[CellOutcome], bool]
) -> dict[str, Any]:
    chosen = [cell for cell in cells if which(cell)]
    return share(sum(right(cell) for cell in chosen), len(chosen))


def _refusals(photos: Sequence[PhotoOutcome]) -> dict[str, Any]:
    """Photos that hold nothing to be read: how many were refused with a right code, by the code that is due."""
    empty = [photo for photo in photos if photo.due]
    by_code: dict[str, list[bool]] = {}
    for photo in empty:
        by_code.setdefault(" or ".join(photo.due), []).append(photo.rightly_refused)
    return {
        "all": share(sum(photo.rightly_refused for photo in empty), len(empty)),
        "codes": {code: share(sum(right), len(right)) for code, right in sorted(by_code.items())},
        "wrong": [
            {"photo": photo.name, "due": list(photo.due), "code": photo.code, "invented": photo.invented}
            for photo in empty
            if not photo.rightly_refused
        ],
    }


def _kinds(photos: Sequence[PhotoOutcome]) -> dict[str, Any]:
    """The figures that matter for finding, per kind of photo; photos of no known kind are left out."""
    by_kind: dict[str, list[PhotoOutcome]] = {}
    for photo in photos:
        if photo.kind:
            by_kind.setdefault(photo.kind, []).append(photo)
    return {kind: _kind_figures(members) for kind, members in sorted(by_kind.items())}


def _kind_figures(photos: Sequence[PhotoOutcome]) -> dict[str, Any]:
    sheets = [sheet for photo in photos for sheet in photo.sheets]
    refused = sum(len(photo.refused) for photo in photos)
    return {
        "photos": len(photos),
        "sheets": len(sheets) + refused,
        "refused": refused,
        "aligned": aligned_share(photos),
        "misplaced": sum(sheet.misplaced for sheet in sheets),
        "phantoms": sum(photo.phantoms for photo in photos if not photo.due),
        "unflagged_wrong_totals": sum(sheet.silently_wrong for sheet in sheets),
        "rightly_refused": share(sum(photo.rightly_refused for photo in photos), sum(bool(p.due) for p in photos)),
        "invented": sum(photo.invented for photo in photos),
    }


def _off(sheet: SheetOutcome) -> dict[str, Any]:
    return {"sheet": sheet.name, "p95_mm": round(sheet.p95_mm, 3), "max_mm": round(max(sheet.corner_errors_mm), 3)}


def _violations(sheets: Sequence[SheetOutcome]) -> dict[str, Any]:
    found = sum(sheet.violations_found for sheet in sheets)
    false = sum(sheet.violations_false for sheet in sheets)
    missed = sum(sheet.violations_missed for sheet in sheets)
    return {"precision": share(found, found + false), "recall": share(found, found + missed)}


def _written(totals: Sequence[WrittenOutcome]) -> dict[str, Any]:
    """Totals that players wrote: those read rightly, wrongly or not at all, and those read where there is none."""
    there = [total for total in totals if total.truth is not None]
    return {
        "right": share(sum(total.read == total.truth for total in there), len(there)),
        "wrong": share(sum(total.read not in (None, total.truth) for total in there), len(there)),
        "open": share(sum(total.read is None for total in there), len(there)),
        "invented": len(totals) - len(there),
    }


def _spread(values: Sequence[float]) -> dict[str, Any]:
    if not values:
        return {"median": None, "p95": None}
    return {"median": round(median(values), 4), "p95": round(percentile(values, 95), 4)}


def _timing(photos: Sequence[PhotoOutcome]) -> dict[str, float]:
    """Median milliseconds of each stage over the photos that were read."""
    stages: dict[str, list[float]] = {}
    for photo in photos:
        for stage, time_ms in photo.timing_ms.items():
            stages.setdefault(stage, []).append(time_ms)
    return {stage: round(median(times), 2) for stage, times in stages.items()}


def _wrong(sheet: SheetOutcome) -> dict[str, Any]:
    return {
        "sheet": sheet.name,
        "total": {"truth": sheet.total_truth, "read": sheet.total_read},
        "cells": [
            {
                "cell": cell.key,
                "truth": cell.truth,
                "read": cell.read,
                "confidence": round(cell.confidence, 4),
                "in_review": cell.in_review,
            }
            for cell in sheet.wrong_cells
        ],
    }
