"""What several photos of one pad show together: boxes and page, each the middle of what the photos say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibrate.fields import Field
from calibrate.seen import SeenSheet

_OFTEN = 1 / 3
"""Circles and bridges that this share of the photos shows are there: ink joins them with others in the rest."""

_STEP_MM = 13.5
"""What a step is taken for where nobody says how large the page is, so that a scan's habits fit: published pads of this
kind have boxes of 10 to 15 mm."""

_MARGIN = 0.35
"""How far beyond the print the page ends where its edge does not show, in steps."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Where the page lies in the straight frame.

    Attributes:
        left: its left edge, in steps.
        top: its upper edge.
        step_mm: length of a step right and of a step down.
        page_mm: width and height of the page.
        unseen: names of the edges that no photo shows.
    """

    left: float
    top: float
    step_mm: tuple[float, float]
    page_mm: tuple[float, float]
    unseen: tuple[str, ...]


def merged_fields(sheets: Sequence[SeenSheet]) -> tuple[Field, ...]:
    """Every field that enough of the sheets have, in the middle of its places."""
    found: dict[tuple[str, int, int | None], list[Field]] = defaultdict(list)
    for sheet in sheets:
        for field in sheet.fields:
            found[field.kind, field.column, field.row].append(field)
    return tuple(_middle(group, len(sheets)) for group in found.values() if len(group) >= _OFTEN * len(sheets))


def _middle(group: Sequence[Field], sheets: int) -> Field:
    shown = [field for field in group if field.seen] or group
    x, y, w, h = (float(np.median([getattr(field, side) for field in shown])) for side in "xywh")
    seen = any(field.seen for field in group) and len(shown) >= _OFTEN * sheets
    return replace(group[0], x=x, y=y, w=w, h=h, seen=seen)


def page_frame(
    sheets: Sequence[SeenSheet],
    fields: Sequence[Field],
    page_mm: tuple[float, float] | None = None,
    block_mm: float | None = None,
) -> Frame:
    """The page and its scale.

    Args:
        sheets: what the photos show.
        fields: everything printed, in the straight frame.
        page_mm: width and height of the page, if known.
        block_mm: from the left edge of the first column's spaces to the right edge of the last one's, if known.
    """
    printed = (
        min(field.x for field in fields),
        min(field.y for field in fields),
        max(field.x + field.w for field in fields),
        max(field.y + field.h for field in fields),
    )
    sides = [_side(sheets, number) for number in range(4)]
    unseen = tuple(name for name, side in zip(("left", "upper", "right", "lower"), sides, strict=True) if side is None)
    aspect = float(np.median([sheet.aspect for sheet in sheets]))
    across = _step_mm(sides, page_mm, block_mm, printed[2] - printed[0], aspect)
    left, width = _reach(sides[0], sides[2], printed[0], printed[2], page_mm[0] / across[0] if page_mm else None)
    top, height = _reach(sides[1], sides[3], printed[1], printed[3], page_mm[1] / across[1] if page_mm else None)
    if page_mm is None:
        page_mm = round(width * across[0], 1), round(height * across[1], 1)
    return Frame(left, top, across, page_mm, unseen)


def _side(sheets: Sequence[SeenSheet], number: int) -> float | None:
    """Where an edge of the page is, by those photos that show it."""
    shown = [sheet.paper.sides[number] for sheet in sheets if sheet.paper.seen[number]]
    return float(np.median(shown)) if len(shown) > 0.3 * len(sheets) else None


def _step_mm(
    sides: Sequence[float | None],
    page_mm: tuple[float, float] | None,
    block_mm: float | None,
    block_steps: float,
    aspect: float,
) -> tuple[float, float]:
    """Millimetres of a step right and of one down; the lens's word for their ratio counts where edges do not show."""
    left, top, right, bottom = sides
    if page_mm is not None:
        across = None if left is None or right is None else page_mm[0] / (right - left)
        down = None if top is None or bottom is None else page_mm[1] / (bottom - top)
        if across or down:
            return across or (down or 0.0) * aspect, down or (across or 0.0) / aspect
    if block_mm is not None:
        return block_mm / block_steps, block_mm / block_steps / aspect
    root = float(np.sqrt(aspect))
    return _STEP_MM * root, _STEP_MM / root


def _reach(
    low: float | None, high: float | None, first: float, last: float, length: float | None
) -> tuple[float, float]:
    """Where the page begins along one direction and how long it is, in steps."""
    if low is None and high is None and length is not None:
        low = (first + last - length) / 2
    if low is None:
        low = high - length if high is not None and length is not None else first - _MARGIN
    if length is None:
        length = (last + _MARGIN if high is None else high) - low
    return min(low, first - 0.02), max(length, last - low + 0.02)
