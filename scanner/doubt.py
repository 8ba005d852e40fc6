"""Which readings a person should check, and why."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from scanner.options import DEFAULT_OPTIONS, ScanOptions
from scanner.types import CellReading, LocatedReading, Points, Value


def doubtful(
    cells: Sequence[LocatedReading],
    ink: Sequence[CellReading],
    print_scores: Points,
    contrasts: Points,
    options: ScanOptions = DEFAULT_OPTIONS,
) -> tuple[tuple[LocatedReading, str], ...]:
    """The readings to check, each with its reason, in the order of the cells.

    Args:
        cells: N readings.
        ink: N readings of the same cells by their ink alone.
        print_scores: (N,), how well each cell's print agrees with the blank's.
        contrasts: (N,), how strongly it shows, 1 for the middle one of the sheet.
        options: the thresholds.
    """
    found = []
    broken = _out_of_order(cells)
    for cell, alone, print_score, contrast in zip(cells, ink, print_scores, contrasts, strict=True):
        if print_score < options.min_cell_score:
            found.append((cell, "the printed cell cannot be seen: glare, shadow or something lying on it"))
        elif cell.reading.value in (None, False) and print_score < options.min_empty_cell_score:
            found.append((cell, f"read as {shown(cell.reading.value)}, but part of the printed cell cannot be seen"))
        elif cell.reading.value in (None, False) and contrast < options.min_contrast:
            found.append(
                (cell, f"read as {shown(cell.reading.value)}, but the print is washed out there, and so may ink be")
            )
        elif cell.reading.value != alone.value:
            # However sure: what the rules say may be a violation that they would hide.
            found.append((cell, _overruled(cell, alone)))
        elif cell.reading.confidence < options.review_confidence:
            found.append((cell, _unsure(cell)))
        elif cell.box.key in broken and cell.reading.confidence < options.broken_confidence:
            found.append((cell, f"{_unsure(cell)}, and as read it breaks the order"))
    return tuple(found)


def _out_of_order(cells: Sequence[LocatedReading]) -> frozenset[str]:
    """Keys of the cells whose number is lower than the one below it, and of those below."""
    spaces = [cell for cell in cells if isinstance(cell.reading.value, int) and cell.box.kind == "number"]
    spaces.sort(key=lambda cell: (str(cell.box.column), cell.box.space or 0))
    return frozenset(
        cell.box.key
        for below, above in pairwise(spaces)
        if below.box.column == above.box.column and _number(below) > _number(above)
        for cell in (below, above)
    )


def _number(cell: LocatedReading) -> int:
    return cell.reading.value if isinstance(cell.reading.value, int) else 0


def _overruled(cell: LocatedReading, alone: CellReading) -> str:
    seen, taken = shown(alone.value), shown(cell.reading.value)
    return f"the ink alone looks like {seen} ({alone.confidence:.0%}), the numbers around it make {taken} likelier"


def _unsure(cell: LocatedReading) -> str:
    (best, sure), (other, rest) = cell.reading.alternatives[:2]
    return f"read as {shown(best)} with {sure:.0%}, could be {shown(other)} with {rest:.0%}"


def shown(value: Value) -> str:
    """A value as people say it."""
    names = {None: "empty", "?": "no number", True: "marked", False: "unmarked"}
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else names[value]
