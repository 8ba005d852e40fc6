"""One whole sheet: ground, art, columns, ladders, header, totals, tags."""

from __future__ import annotations

from layouts import SheetLayout
from sheets.columns import draw_columns
from sheets.ladders import draw_ladders
from sheets.pen import Ink, Pen
from sheets.scenery import draw_background, draw_foreground
from sheets.tags import draw_tag


def draw_sheet(pen: Pen, layout: SheetLayout) -> None:
    """Draws the layout."""
    with pen.sheet():
        ink = str(layout.art.get("ink", "#3b2f2a"))
        pen.box((0, 0, *layout.page_mm), Ink(fill="#ffffff"))
        draw_background(pen, layout)
        draw_ladders(pen, layout)
        draw_columns(pen, layout)
        for cell in layout.cells:
            if cell.kind == "player" or cell.column in ("bridges", "total"):
                pen.box((cell.x_mm, cell.y_mm, cell.w_mm, cell.h_mm), Ink("#ffffff", ink, 0.4), 1.2)
        draw_foreground(pen, layout)
        for tag in layout.fiducials:
            draw_tag(pen, tag)
