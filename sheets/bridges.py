"""The bridge of a column: a deck on arches across the band, the box to tick as its gate tower."""

from __future__ import annotations

from layouts import CellBox
from sheets.colour import is_light, mix, toned
from sheets.pen import Ink, Pen, Type, polygon

_WHITE = "#ffffff"
_DECK_MM = 0.9
_ARCH_MM = 1.8
_WALL_MM = 0.45
# Narrower than this the reward does not fit beside the box, and is left out; lower, an arch is a smudge.
_LEAST_ROOM_MM = 4.5
_LEAST_ARCH_MM = 0.8
# Luminances of the reward and of the box's edge on bands too light for white (see sheets.columns).
_FIGURES = 0.10
_EDGE = 0.32


def draw_bridge(pen: Pen, box: CellBox, band_mm: tuple[float, float], floor_mm: float, colour: str) -> None:
    """Draws a bridge around its box.

    Args:
        pen: draws on the sheet.
        box: the box to tick.
        band_mm: left and right edge of the column's band: the deck runs over all of it, so that the
            bridges of neighbouring columns join to one.
        floor_mm: the top of the next space below.
        colour: of the column.
    """
    (left, right), deck = band_mm, box.y_mm + box.h_mm + 0.3
    stone = Ink(fill=mix(colour, _WHITE, 0.68))
    arch = min(_ARCH_MM, floor_mm - deck - _DECK_MM - 0.2)
    pen.box((left, deck, right - left, _DECK_MM), stone)
    if arch >= _LEAST_ARCH_MM:
        pen.path(_arches(left, deck + _DECK_MM - 0.1, right, arch), stone)
    gate = box.x_mm - _WALL_MM
    pen.path(_tower(gate, box.y_mm - 0.3, box.w_mm + 2 * _WALL_MM, deck - box.y_mm + 0.4), stone)
    edge = toned(colour, _EDGE) if is_light(colour) else colour
    pen.box((box.x_mm, box.y_mm, box.w_mm, box.h_mm), Ink(_WHITE, edge, 0.3), 0.4)
    if gate - left >= _LEAST_ROOM_MM:
        pen.path(_railing(left, gate, deck - 1.3, deck), stone)
        figures = Type(3.7, toned(colour, _FIGURES) if is_light(colour) else _WHITE, "middle", "Helvetica-Bold")
        pen.centred((left + gate) / 2, box.y_mm + 2.5, "20", figures)


def _arches(left: float, top: float, right: float, height: float) -> str:
    """What hangs under a deck: the stone between three round arches."""
    count, pier = 3, 0.35
    span = (right - left) / count
    path = []
    for i in range(count):
        a, b, foot = left + i * span, left + (i + 1) * span, top + height
        rise = top - height / 3  # the crown lies a quarter below the handles: it just touches the deck
        path.append(
            f"M{a} {top}L{b} {top}L{b} {foot}L{b - pier} {foot}"
            f"C{b - pier} {rise} {a + pier} {rise} {a + pier} {foot}L{a} {foot}Z"
        )
    return "".join(path)


def _tower(x: float, y: float, w: float, h: float) -> str:
    """A tower with four merlons on top."""
    step, rise = w / 7, 0.45
    top = []
    for i in range(7):
        level = y - rise if i % 2 == 0 else y
        top += [(x + i * step, level), (x + (i + 1) * step, level)]
    return polygon([(x, y + h), *top, (x + w, y + h)])


def _railing(left: float, right: float, top: float, deck: float) -> str:
    """A handrail on posts."""
    count, post = 5, 0.3
    step = (right - left) / count
    rail = polygon([(left, top), (right, top), (right, top + post), (left, top + post)])
    posts = [left + (i + 0.5) * step - post / 2 for i in range(count)]
    return rail + "".join(polygon([(x, top), (x + post, top), (x + post, deck), (x, deck)]) for x in posts)
