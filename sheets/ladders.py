"""The points ladders: what a column of that height is worth, as pennants beside the rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from layouts import SPACES, LayoutError, SheetLayout
from sheets.colour import mix
from sheets.pen import Ink, Pen, Type, polygon
from sheets.symbols import Layers, draw_symbol, symbol_of

_HALF_MM = 2.7  # half the height of a pennant
_TIP_MM = 1.3
_WHITE = "#ffffff"
_FONT = "Helvetica-Bold"


def draw_ladders(pen: Pen, layout: SheetLayout) -> None:
    """The ladders of `art.ladders`, each {"side", "x", "w", "points"}.

    `side` is `left` or `right` of the columns; `points` has nine entries, lowest first: a number, or
    an object of column and number where the columns of the ladder part ways.

    Raises:
        LayoutError: a ladder that is not of that form.
    """
    for number, ladder in enumerate(layout.art.get("ladders", ())):
        try:
            _draw(pen, layout, ladder)
        except (KeyError, TypeError, ValueError) as error:
            place = f"{layout.name}: art.ladders[{number}]"
            raise LayoutError(f"{place}: {type(error).__name__}: {error}") from error


def _draw(pen: Pen, layout: SheetLayout, ladder: Mapping[str, Any]) -> None:
    points = list(ladder["points"])
    if len(points) != SPACES:
        raise ValueError(f"expected {SPACES} points, found {len(points)}")
    ink = str(layout.art.get("ink", "#333333"))
    for space, value in enumerate(points, start=1):
        row = layout.cell(f"red/{space}")
        # Where the columns of a ladder part ways, each gets a pennant of its own, with its symbol.
        entries = value if isinstance(value, Mapping) else {None: value}
        fill, middle = mix(_WHITE, ink, 0.4 + 0.6 * space / SPACES), row.y_mm + row.h_mm / 2
        for place, (column, worth) in enumerate(entries.items()):
            y = middle + (place - (len(entries) - 1) / 2) * (2 * _HALF_MM + 0.6)
            symbol = symbol_of(layout, layout.symbols[column]) if column else None
            _pennant(pen, ladder, y, str(worth), symbol, fill, ink)


def _pennant(
    pen: Pen, ladder: Mapping[str, Any], y: float, value: str, symbol: Layers | None, fill: str, ink: str
) -> None:
    x, width, left = float(ladder["x"]), float(ladder["w"]), ladder["side"] == "left"
    base, tip = (x, x + width) if left else (x + width, x)
    shoulder = tip - _TIP_MM if left else tip + _TIP_MM
    top, bottom = y - _HALF_MM, y + _HALF_MM
    corners = [(base, top), (shoulder, top), (tip, y), (shoulder, bottom), (base, bottom)]
    negative = value.startswith("-")
    ground, colour = (_WHITE, ink) if negative else (fill, _WHITE)
    pen.path(polygon(corners), Ink(ground, ink, 0.25))
    middle = (base + shoulder) / 2
    if symbol is None:
        pen.centred(middle, y, value.replace("-", "–"), Type(3.0, colour, "middle", _FONT))
        return
    draw_symbol(pen, symbol, (min(base, shoulder) + 0.6, y), 1.15, colour, colour, ground)
    pen.centred(middle + 0.9, y, value, Type(2.2, colour, "middle", _FONT))
