"""How often a cell holds anything, of those that the reader gives a certain probability for it: measured curves.

The nets learn on cells that are harder than those of photos. So a space with a smear has 1 % for being filled, and
less than one in a thousand such is; and where glare took the print, nearly one in ten is. What is asked here is only
whether there is anything, since points hang on nothing else.
"""

from __future__ import annotations

from math import exp, log
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from scanner.types import LocatedReading

Value: TypeAlias = int | str | bool | None

CURVES: dict[str, tuple[float, float]] = {
    "number": (1.306, -1.374),
    "mark": (1.166, 0.773),
    "claim": (1.287, -0.865),
    "hidden": (0.597, -1.970),
    "washed out": (1.030, 2.376),
    "unclear claim": (0.335, -0.159),
}
"""Slope and offset by which the logit of each group's probability becomes that of what is found. Fitted by
`python -m bench.curves` on 2,359 sheets: 660 of difficulty normal, 1,699 of sixteen kinds, from `normal` to `glare` and
`shadow`. With them stated and found probability of a total differ by 1 to 2 % on other normal photos, without by 5 %;
on hard ones by 4 %, without by 9 %."""

SUREST = 3e-5
"""Nothing is surer than this: of 60,000 spaces on those photos that showed their print alone, two were filled."""


def p_filled(cell: LocatedReading, reason: str | None) -> float:
    """The probability that there is anything in a cell.

    Args:
        cell: its reading; one that has only one value was told by a person and stays.
        reason: why a person should check it; None if nobody has to.
    """
    said = stated(cell)
    if not 0 < said < 1:
        return said
    slope, offset = CURVES[group_of(cell, reason)]
    found = 1 / (1 + exp(-slope * log(said / (1 - said)) - offset))
    return min(1 - SUREST, max(SUREST, found))


def stated(cell: LocatedReading) -> float:
    """The same as the reader states it."""
    return min(1.0, float(sum(p for value, p in cell.reading.alternatives if is_filled(value))))


def group_of(cell: LocatedReading, reason: str | None) -> str:
    """Which curve is a cell's."""
    if reason is not None and not is_filled(cell.reading.value):
        # Not above: the scanner brings OpenCV with it, which typed sheets do without.
        from scanner.doubt import is_washed_out

        return "washed out" if is_washed_out(reason) else "hidden"
    if cell.box.kind in ("number", "mark"):
        return cell.box.kind
    return "claim" if reason is None else "unclear claim"


def is_filled(value: Value) -> bool:
    """Whether a value says that there is something."""
    return value is not None and value is not False
