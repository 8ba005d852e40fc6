"""Which readings a person should check, and why."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise

import numpy as np
from numpy.typing import NDArray

from layouts import CellBox
from scanner.options import DEFAULT_OPTIONS, ScanOptions
from scanner.types import CellReading, LocatedReading, Points, Value

_LONG_LINE = 5
"""So many spaces in a row are a line. Large figures leave four at most on normal photos; a pen over a column, seven."""

_WASHED_OUT = "the print is washed out there"


def doubtful(
    cells: Sequence[LocatedReading],
    ink: Sequence[CellReading],
    print_scores: Points,
    contrasts: Points,
    lined: frozenset[str] = frozenset(),
    displaced: frozenset[str] = frozenset(),
    dots: frozenset[str] = frozenset(),
    options: ScanOptions = DEFAULT_OPTIONS,
) -> tuple[tuple[LocatedReading, str], ...]:
    """The readings to check, each with its reason, in the order of the cells.

    Args:
        cells: N readings.
        ink: N readings of the same cells by their ink alone.
        print_scores: (N,), how well each cell's print can be seen, see `visible.visibility`.
        contrasts: (N,), how strongly it shows, 1 for the middle one of the sheet.
        lined: keys of the cells that one line runs through, see `lines_through`.
        displaced: keys of the cells whose print lies elsewhere, see `places.out_of_place`.
        dots: keys of the marked cells that hold a dot only, see `dots.stray_dots`.
        options: the thresholds.
    """
    found = []
    broken = _out_of_order(cells)
    for cell, alone, print_score, contrast in zip(cells, ink, print_scores, contrasts, strict=True):
        if print_score < options.min_cell_score:
            found.append((cell, "the printed cell cannot be seen: glare, shadow or something lying on it"))
        elif cell.box.key in displaced:
            found.append((cell, f"read as {shown(cell.reading.value)}, but its print seems to lie elsewhere"))
        elif cell.reading.value in (None, False) and print_score < options.min_empty_cell_score:
            found.append((cell, f"read as {shown(cell.reading.value)}, but part of the printed cell cannot be seen"))
        elif cell.reading.value in (None, False) and contrast < options.min_contrast:
            found.append((cell, f"read as {shown(cell.reading.value)}, but {_WASHED_OUT}, and so may ink be"))
        elif cell.box.key in lined:
            found.append((cell, f"read as {shown(cell.reading.value)}, but one line runs through several spaces here"))
        elif cell.box.key in dots:
            found.append((cell, "read as marked, but it is a dot, and the other marks on the sheet are larger"))
        elif cell.reading.value != alone.value:
            # However sure: what the rules say may be a violation that they would hide.
            found.append((cell, _overruled(cell, alone)))
        elif cell.reading.confidence < options.review_confidence:
            found.append((cell, _unsure(cell)))
        elif cell.box.key in broken and cell.reading.confidence < options.broken_confidence:
            found.append((cell, f"{_unsure(cell)}, and as read it breaks the order"))
    return tuple(found)


def is_washed_out(reason: str) -> bool:
    """Whether that is the reason for doubt in an empty cell whose print glare has taken."""
    return _WASHED_OUT in reason


def lines_through(
    boxes: Sequence[CellBox], upright: NDArray[np.bool_], level: NDArray[np.bool_], long: int = _LONG_LINE
) -> frozenset[str]:
    """Keys of the cells that one dark line passes through.

    It is a pen on the sheet, or a stroke through a whole column; what the net sees there is a 1 or a mark in each.

    Args:
        boxes: N cells.
        upright: (N,), which of them something leaves above and below.
        level: (N,), on both sides.
        long: how many in a row make a line.
    """
    places = {(str(box.column), box.space): i for i, box in enumerate(boxes) if box.space is not None}
    columns = list(dict.fromkeys(column for column, _ in places))
    spaces = sorted({space for _, space in places})
    found: set[str] = set()
    for lines, crossed in (
        ([[(column, space) for space in spaces] for column in columns], upright),
        ([[(column, space) for column in columns] for space in spaces], level),
    ):
        for line in lines:
            for is_crossed, run in groupby((places[p] for p in line if p in places), key=lambda i: bool(crossed[i])):
                members = list(run)
                if is_crossed and len(members) >= long:
                    found.update(boxes[i].key for i in members)
    return frozenset(found)


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
