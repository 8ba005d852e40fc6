"""One whole sheet: ground, art, columns, ladders, header, totals, tags."""

from __future__ import annotations

from layouts import LayoutError, SheetLayout
from sheets.columns import draw_columns
from sheets.ladders import draw_ladders
from sheets.pen import Ink, Pen
from sheets.scenery import draw_background, draw_foreground
from sheets.tags import draw_tag

_WHITE = "#ffffff"
_SUMS = ("bridges", "total")


def draw_sheet(pen: Pen, layout: SheetLayout) -> None:
    """Draws the layout.

    Raises:
        LayoutError: a part of the layout that cannot be drawn.
    """
    with pen.sheet():
        pen.box((0, 0, *layout.page_mm), Ink(fill=_WHITE))
        try:
            _draw(pen, layout)
        except LayoutError:
            raise
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise LayoutError(f"{layout.name}: cannot be drawn ({type(error).__name__}: {error})") from error


def _draw(pen: Pen, layout: SheetLayout) -> None:
    # Tags come last: whatever the art does, nothing lies over them and their quiet zones.
    draw_background(pen, layout)
    draw_ladders(pen, layout)
    draw_columns(pen, layout)
    _draw_fields(pen, layout)
    draw_foreground(pen, layout)
    for tag in layout.fiducials:
        draw_tag(pen, tag)


def _draw_fields(pen: Pen, layout: SheetLayout) -> None:
    ink, radius = str(layout.art.get("ink", "#333333")), float(layout.art.get("cell_radius", 1.2))
    for cell in layout.cells:
        if cell.kind != "player" and cell.column not in _SUMS:
            continue
        box = (cell.x_mm, cell.y_mm, cell.w_mm, cell.h_mm)
        if cell.column == "total":
            # What everybody looks for first: a second line around it.
            wider = (box[0] - 0.7, box[1] - 0.7, box[2] + 1.4, box[3] + 1.4)
            pen.box(wider, Ink(_WHITE, ink, 0.25), radius + 0.7)
        pen.box(box, Ink(_WHITE, ink, 0.5), radius)
