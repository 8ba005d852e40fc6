"""A pen over a reportlab canvas that thinks as a layout does: millimetres, origin top left, y down."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sheets.colour import rgb

MM = 72 / 25.4  # PDF points in a millimetre
Box = tuple[float, float, float, float]  # x, y, w, h in millimetres
# A quarter circle as one Bezier curve: the usual 4/3 (sqrt 2 - 1), wrong by 0.03 % of the radius.
_ROUND = 0.5523
# Height of a Helvetica capital or figure in font sizes (Adobe's font metrics: 718 and 703 of 1000).
CAP_HEIGHT = 0.71
# Overlapping pieces of one path add up instead of cutting holes.
_NONZERO = 1
_STEPS = re.compile(r"([MLCZ])([^MLCZ]*)")
_ARITY = {"M": 2, "L": 2, "C": 6, "Z": 0}


@dataclass(frozen=True, slots=True)
class Ink:
    """How a shape is painted: fill and outline colours (None: not at all), line width and dashes in mm."""

    fill: str | None = None
    line: str | None = None
    width_mm: float = 0.25
    dash_mm: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Type:
    """How a text is set: font size and extra spacing in mm, colour, anchor (`left`, `middle`, `right`)."""

    size_mm: float
    colour: str
    anchor: str = "left"
    font: str = "Helvetica"
    tracking_mm: float = 0.0


class Pen:
    """Draws on one sheet; everything in millimetres from the sheet's top left corner.

    Args:
        canvas: a reportlab canvas.
        left_pt: where the sheet's left edge lies on the canvas, in points.
        top_pt: where its top edge lies, in points from the canvas's bottom.
    """

    def __init__(self, canvas: Any, left_pt: float, top_pt: float) -> None:
        self._canvas = canvas
        self._origin = (left_pt, top_pt)

    @contextmanager
    def sheet(self) -> Iterator[Pen]:
        """The frame of the sheet: entered once around all drawing."""
        self._canvas.saveState()
        self._canvas.translate(*self._origin)
        self._canvas.scale(MM, -MM)
        self._canvas.setLineJoin(1)
        yield self
        self._canvas.restoreState()

    @contextmanager
    def clipped(self, path: str) -> Iterator[None]:
        """Draws inside only where `path` is."""
        self._canvas.saveState()
        self._canvas.clipPath(self._path(path, 0, 0, 1), stroke=0, fill=0)
        yield
        self._canvas.restoreState()

    def path(self, path: str, ink: Ink, at: tuple[float, float] = (0, 0), scale: float = 1.0) -> None:
        """A path of absolute SVG steps (M, L, C, Z), moved to `at` and scaled about its origin."""
        self._ready(ink)
        outline, fill = ink.line is not None, ink.fill is not None
        shape = self._path(path, *at, scale)
        self._canvas.drawPath(shape, stroke=int(outline), fill=int(fill), fillMode=_NONZERO)

    def box(self, box: Box, ink: Ink, radius_mm: float = 0.0) -> None:
        """A rectangle with rounded corners; its line runs along the middle of the edge."""
        self._ready(ink)
        outline, fill = int(ink.line is not None), int(ink.fill is not None)
        if radius_mm:
            self._canvas.roundRect(*box, radius_mm, stroke=outline, fill=fill)
        else:
            self._canvas.rect(*box, stroke=outline, fill=fill)

    def disc(self, x: float, y: float, radius_mm: float, ink: Ink) -> None:
        """A circle."""
        self._ready(ink)
        self._canvas.circle(x, y, radius_mm, stroke=int(ink.line is not None), fill=int(ink.fill is not None))

    def text(self, x: float, y: float, text: str, style: Type) -> None:
        """A line of text with its baseline at `y`."""
        canvas = self._canvas
        width = self.width(text, style)
        x -= {"left": 0.0, "middle": 0.5, "right": 1.0}[style.anchor] * width
        canvas.saveState()
        canvas.translate(x, y)
        canvas.scale(1, -1)
        canvas.setFillColorRGB(*rgb(style.colour))
        canvas.setFont(style.font, style.size_mm)
        canvas.drawString(0, 0, text, charSpace=style.tracking_mm)
        canvas.restoreState()

    def centred(self, x: float, y: float, text: str, style: Type) -> None:
        """A line of capitals or figures, its middle at the height `y`; in x the anchor holds."""
        self.text(x, y + CAP_HEIGHT * style.size_mm / 2, text, style)

    def width(self, text: str, style: Type) -> float:
        """The width of a text in mm."""
        width: float = self._canvas.stringWidth(text, style.font, style.size_mm)
        return width + style.tracking_mm * (len(text) - 1)

    def _ready(self, ink: Ink) -> None:
        if ink.fill is not None:
            self._canvas.setFillColorRGB(*rgb(ink.fill))
        if ink.line is not None:
            self._canvas.setStrokeColorRGB(*rgb(ink.line))
            self._canvas.setLineWidth(ink.width_mm)
            self._canvas.setDash(list(ink.dash_mm))

    def _path(self, path: str, x: float, y: float, scale: float) -> Any:
        shape = self._canvas.beginPath()
        for step, values in steps(path):
            placed = [(x if i % 2 == 0 else y) + scale * value for i, value in enumerate(values)]
            {"M": shape.moveTo, "L": shape.lineTo, "C": shape.curveTo, "Z": shape.close}[step](*placed)
        return shape


def steps(path: str) -> Iterator[tuple[str, list[float]]]:
    """The steps of a path of absolute SVG commands: a letter and its numbers; more numbers repeat the letter.

    Raises:
        ValueError: a letter other than M, L, C, Z or a wrong count of numbers.
    """
    if _STEPS.sub("", path).strip():
        raise ValueError(f"path {path[:40]!r}: only the absolute steps M, L, C and Z are known")
    for letter, rest in _STEPS.findall(path):
        values, arity = [float(value) for value in rest.replace(",", " ").split()], _ARITY[letter]
        if (arity == 0 and values) or (arity and (not values or len(values) % arity)):
            raise ValueError(f"path {path[:40]!r}: {letter} takes numbers by {arity}, found {len(values)}")
        for start in range(0, len(values), arity) if arity else (0,):
            yield letter, values[start : start + arity]


def polygon(points: Sequence[tuple[float, float]]) -> str:
    """The closed path through the points."""
    return "M" + "L".join(f"{x:.4f} {y:.4f} " for x, y in points) + "Z"


def circle(x: float, y: float, radius: float) -> str:
    """A circle as a path, for symbols and holes in them."""
    k, left, right, top, bottom = _ROUND * radius, x - radius, x + radius, y - radius, y + radius
    return (
        f"M{left} {y}C{left} {y - k} {x - k} {top} {x} {top}C{x + k} {top} {right} {y - k} {right} {y}"
        f"C{right} {y + k} {x + k} {bottom} {x} {bottom}C{x - k} {bottom} {left} {y + k} {left} {y}Z"
    )
