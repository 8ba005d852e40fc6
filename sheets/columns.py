"""The columns of a sheet: bands, heads with symbols, spaces, specials, bridges, double circles, totals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass
from math import ceil
from typing import Any

from layouts import COLUMNS, EXPEDITIONS, CellBox, LayoutError, SheetLayout
from sheets.bridges import draw_bridge
from sheets.colour import is_light, mix, toned
from sheets.pen import Ink, Pen, Type, polygon
from sheets.symbols import SYMBOLS, Layers, draw_symbol, symbol_of

WHITE = "#ffffff"
# Luminances (0 black, 1 white). Specials must stay far from any pen's ink: faint pencil reaches about 0.45.
_SPECIAL = 0.68
_DOUBLE = 0.80
# Symbols and outlines on white: dark enough on a grey printer whatever the colour.
_SYMBOL = 0.10
_SYMBOL_MID = 0.32
_PATTERN_SHARE = 0.2


@dataclass(frozen=True, slots=True)
class Band:
    """The coloured strip of a column, mm."""

    x: float
    y: float
    w: float
    h: float

    @property
    def middle(self) -> float:
        """The x of its middle line."""
        return self.x + self.w / 2


def draw_columns(pen: Pen, layout: SheetLayout) -> None:
    """All columns of the layout, with everything that stands in them."""
    for column in COLUMNS:
        _Column(pen, layout, column).draw()


class _Column:
    def __init__(self, pen: Pen, layout: SheetLayout, column: str) -> None:
        self.pen = pen
        self.column = column
        self.patterns: Mapping[str, Any] = layout.art.get("patterns", {})
        self.cells = [cell for cell in layout.cells if cell.column == column]
        self.spaces = [cell for cell in self.cells if cell.space is not None]
        self.colour = _of(layout.colours, column, "colours")
        self.light = is_light(self.colour)
        self.symbol = symbol_of(layout, layout.symbols.get(column, "none"))
        self.vase = symbol_of(layout, layout.symbols.get("artifacts", "vase"))
        self.own_marks = column not in EXPEDITIONS
        self.art: Mapping[str, Any] = layout.art.get("band", {})
        self.radius = float(layout.art.get("cell_radius", 1.2))
        self.band = band_of(self.spaces, self.art)

    def draw(self) -> None:
        self._stem()
        self.pen.box(astuple(self.band), Ink(fill=self.colour), float(self.art.get("radius", self.radius)))
        self._head()
        for cell in self.cells:
            self._cell(cell)

    def _stem(self) -> None:
        below = [cell for cell in self.cells if cell.y_mm > self.band.y + self.band.h]
        if below:
            start, end = self.band.y + 1, max(cell.y_mm for cell in below) + 1
            self.pen.box((self.band.middle - 1.6, start, 3.2, end - start), Ink(fill=self.colour))
            if self.own_marks:
                self._medallion((self.band.y + self.band.h + end) / 2)

    def _medallion(self, y: float) -> None:
        # Where an expedition has its double circle these columns have none: dark, so that nobody marks it.
        self.pen.disc(self.band.middle, y, 3.4, Ink(fill=self.colour))
        self.pen.disc(self.band.middle, y, 2.9, Ink(line=WHITE, width_mm=0.2))
        draw_symbol(self.pen, self.symbol, (self.band.middle, y), 1.9, WHITE, WHITE, self.colour)

    def _head(self) -> None:
        top = min(cell.y_mm for cell in self.spaces)
        height = top - self.band.y
        if height < 4:
            return
        self._pattern(height)
        at, radius = (self.band.middle, self.band.y + height / 2), height / 2 - 0.9
        self.pen.disc(*at, radius, Ink(fill=WHITE))
        self.pen.disc(*at, radius - 0.45, Ink(line=mix(self.colour, WHITE, 0.4), width_mm=0.2))
        self._stamp(self.symbol, at, radius * 0.66, _SYMBOL, _SYMBOL_MID)

    def _pattern(self, height: float) -> None:
        tile = self.patterns.get(self.column)
        if tile is None:
            return
        ink = Ink(fill=mix(self.colour, "#000000" if self.light else WHITE, _PATTERN_SHARE))
        size, inset, cut = float(tile["size"]), 0.5, 1.6
        x0, y0, w, h = self.band.x + inset, self.band.y + inset, self.band.w - 2 * inset, height - 2 * inset
        x1, y1 = x0 + w, y0 + h
        corners = [(x0, y0 + cut), (x0 + cut, y0), (x1 - cut, y0), (x1, y0 + cut), (x1, y1), (x0, y1)]
        with self.pen.clipped(polygon(corners)):
            for row in range(ceil(h / size)):
                for place in range(ceil(w / size)):
                    self.pen.path(tile["path"], ink, (x0 + place * size, y0 + row * size))

    def _stamp(self, symbol: Layers, at: tuple[float, float], radius: float, ink: float, mid: float) -> None:
        draw_symbol(self.pen, symbol, at, radius, toned(self.colour, ink), toned(self.colour, mid), WHITE)

    def _cell(self, cell: CellBox) -> None:
        {
            "number": self._space,
            "mark": self._space,
            "double": self._double,
            "bridge": self._bridge,
            "written": self._written,
        }[cell.kind](cell)

    def _space(self, cell: CellBox) -> None:
        self.pen.box(_box(cell), Ink(fill=WHITE), self.radius)
        middle = _middle(cell)
        if cell.special == "arrow":
            self._stamp(SYMBOLS["arrow"], middle, 3.7, _SPECIAL, _SPECIAL)
        elif cell.special == "artifact":
            inset = (cell.x_mm + 1.7, cell.y_mm + 1.4, cell.w_mm - 3.4, cell.h_mm - 2.8)
            self.pen.box(inset, Ink(line=toned(self.colour, _SPECIAL), width_mm=0.5), 1.2)
            self._stamp(self.vase, middle, 3.2, _SPECIAL, _SPECIAL)
        elif self.own_marks:
            self._stamp(self.symbol, middle, 3.6, _SPECIAL, _SPECIAL)

    def _double(self, cell: CellBox) -> None:
        x, y = _middle(cell)
        radius = min(cell.w_mm, cell.h_mm) / 2
        self.pen.disc(x, y, radius + 0.5, Ink(fill=self.colour))
        self.pen.disc(x, y, radius - 0.1, Ink(fill=WHITE))
        self.pen.disc(x, y, radius - 0.65, Ink(line=self.colour, width_mm=0.3))
        self.pen.centred(x, y, "x2", Type(3.9, toned(self.colour, _DOUBLE), "middle", "Helvetica-Bold"))

    def _bridge(self, cell: CellBox) -> None:
        below = [space.y_mm for space in self.spaces if space.y_mm >= cell.y_mm + cell.h_mm]
        draw_bridge(self.pen, cell, (self.band.x, self.band.x + self.band.w), min(below), self.colour)

    def _written(self, cell: CellBox) -> None:
        self.pen.box(_box(cell), Ink(fill=WHITE, line=self.colour, width_mm=0.5), self.radius)
        self._stamp(self.symbol, (cell.x_mm + 1.9, cell.y_mm + 1.9), 1.1, _SPECIAL, _SPECIAL)


def band_of(spaces: Iterable[CellBox], art: Mapping[str, Any]) -> Band:
    """The strip around a column's spaces: `pad` mm at the sides and below, `head` mm above the top space."""
    boxes = list(spaces)
    pad, head = float(art.get("pad", 0.8)), float(art.get("head", 8.0))
    x0, y0 = min(c.x_mm for c in boxes) - pad, max(0.0, min(c.y_mm for c in boxes) - head)
    x1, y1 = max(c.x_mm + c.w_mm for c in boxes) + pad, max(c.y_mm + c.h_mm for c in boxes) + pad
    return Band(x0, y0, x1 - x0, y1 - y0)


def _of(table: Mapping[str, str], column: str, where: str) -> str:
    if column not in table:
        raise LayoutError(f"{where}: nothing for the column {column!r}")
    return table[column]


def _box(cell: CellBox) -> tuple[float, float, float, float]:
    return cell.x_mm, cell.y_mm, cell.w_mm, cell.h_mm


def _middle(cell: CellBox) -> tuple[float, float]:
    return cell.x_mm + cell.w_mm / 2, cell.y_mm + cell.h_mm / 2
