"""The art of a sheet, as its layout lists it: paths, symbols and lines of text, painted in order.

An entry of `art.background` (under everything, inside `art.panel`) or of `art.foreground` (over everything
but the tags) is one of
    {"path": SVG steps M L C Z, "fill", "line", "width", "dash"}
    {"symbol": name, "x", "y", "radius", "colour"}
    {"text": ..., "x", "y", "size", "colour", "font", "anchor", "tracking"}
with millimetres of the page and colours as `#rrggbb`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from layouts import LayoutError, SheetLayout
from sheets.pen import Ink, Pen, Type
from sheets.symbols import draw_symbol, symbol_of

_WHITE = "#ffffff"


def draw_background(pen: Pen, layout: SheetLayout) -> None:
    """The ground of the sheet, clipped to its panel."""
    panel = layout.art.get("panel")
    if panel is None:
        _draw(pen, layout, "background")
        return
    with pen.clipped(str(panel)):
        _draw(pen, layout, "background")


def draw_foreground(pen: Pen, layout: SheetLayout) -> None:
    """Title, labels, legend and whatever else lies over the columns."""
    _draw(pen, layout, "foreground")


def _draw(pen: Pen, layout: SheetLayout, where: str) -> None:
    for number, entry in enumerate(layout.art.get(where, ())):
        try:
            _draw_entry(pen, layout, entry)
        except (KeyError, TypeError, ValueError) as error:
            place = f"{layout.name}: art.{where}[{number}]"
            raise LayoutError(f"{place}: cannot be drawn ({type(error).__name__}: {error})") from error


def _draw_entry(pen: Pen, layout: SheetLayout, entry: Mapping[str, Any]) -> None:
    if "path" in entry:
        dash = tuple(float(length) for length in entry.get("dash", ()))
        ink = Ink(entry.get("fill"), entry.get("line"), float(entry.get("width", 0.25)), dash)
        pen.path(entry["path"], ink)
    elif "symbol" in entry:
        layers, colour = symbol_of(layout, entry["symbol"]), str(entry["colour"])
        at = (float(entry["x"]), float(entry["y"]))
        draw_symbol(pen, layers, at, float(entry["radius"]), colour, colour, entry.get("paper", _WHITE))
    else:
        style = Type(
            size_mm=float(entry["size"]),
            colour=str(entry["colour"]),
            anchor=str(entry.get("anchor", "left")),
            font=str(entry.get("font", "Helvetica")),
            tracking_mm=float(entry.get("tracking", 0)),
        )
        pen.text(float(entry["x"]), float(entry["y"]), str(entry["text"]), style)
