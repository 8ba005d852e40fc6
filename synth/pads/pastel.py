"""`pastel`: soft columns of rounded boxes before a jungle with a temple that covers the whole page."""

from __future__ import annotations

import numpy as np

from layouts import COLUMNS, EXPEDITIONS, CellBox, SheetLayout
from sheets.colour import mix
from synth.pads.canvas import Canvas, Lettering, Paint
from synth.pads.grid import EXPEDITION_VALUES, TRACK_VALUES, Grid, cells_of
from synth.pads.icons import draw_cube, draw_icon
from synth.pads.scenery import fern, hills, leaf, liana, pyramid
from synth.pads.shapes import box, cell_box, cell_round, centre, ellipse

_GRID = Grid(COLUMNS, 9.6, 37.0, (16.4, 14.9), (13.6, 13.4), 7.6, {6: 1.4})
_COLOURS = {
    "red": "#e79a94", "orange": "#f0bd8e", "yellow": "#eedb8c", "green": "#a6cf9f", "blue": "#9cc3e0",
    "purple": "#bda9d8", "artifacts": "#cdb296", "dice": "#b4bcc4",
}  # fmt: skip
_SYMBOLS = {
    "red": "mask", "orange": "bird", "yellow": "temple", "green": "palm", "blue": "fish", "purple": "flower",
    "artifacts": "pot", "dice": "cube",
}  # fmt: skip
_SPECIALS = {
    "red": "2a 5v 7a", "orange": "3v 5a 8v", "yellow": "2v 4a 8a", "green": "3a 6v 9a", "blue": "2v 6a 7v",
    "purple": "4v 5a 8a",
}  # fmt: skip
_DARK = "#2f4a3a"


def layout() -> SheetLayout:
    """Where its cells are."""
    cells = _GRID.spaces(_SPECIALS)
    cells += _GRID.row("bridge", COLUMNS, _GRID.bridge_y_mm, (11.0, 6.4))
    cells += _GRID.row("double", EXPEDITIONS, _GRID.bottom_mm + 7.6, (9.0, 9.0))
    cells += [
        CellBox(None, None, "player", 92.0, 6.0, 48.0, 10.0),
        CellBox("total", None, "written", 118.0, 194.0, 23.0, 11.0),
    ]
    return SheetLayout(
        "pastel", "A jungle pad in soft colours, A5", (148.0, 210.0), tuple(cells), (), "circle", _COLOURS, _SYMBOLS
    )


def draw(plan: SheetLayout) -> Canvas:
    """Its blank page."""
    canvas = Canvas(plan.page_mm, "#eaf1dc")
    _jungle(canvas)
    for column in COLUMNS:
        _column(canvas, plan, column)
    _head(canvas, plan)
    for cell in cells_of(plan, "number", "mark"):
        _space(canvas, cell)
    for cell in cells_of(plan, "bridge"):
        canvas.area(cell_box(cell, 3.2), Paint(mix(_COLOURS[str(cell.column)], "#ffffff", 0.7)))
        canvas.line(cell_box(cell, 3.2), 0.3, mix(_COLOURS[str(cell.column)], _DARK, 0.5), closed=True)
        canvas.text(*centre(cell), "20", Lettering(3.0, mix(_COLOURS[str(cell.column)], _DARK, 0.7)))
    for cell in cells_of(plan, "double"):
        _double(canvas, cell)
    _foot(canvas, plan)
    return canvas


def _jungle(canvas: Canvas) -> None:
    """Sky, hills, temple, leaves from all sides, lianas from the top."""
    rng = np.random.default_rng(5)
    w, h = canvas.page_mm
    canvas.area(box(0, 0, w, h), Paint("#fbe9c6", "#cfe3c6"))
    canvas.area(ellipse(74, 62, 40), Paint("#fff6da", "#fbe6bd", "out", 0.9))
    hills(canvas, 86, 12, 5, Paint("#bcd6b2", "#a2c6a0"), rng)
    pyramid(canvas, 66, 132, 124, 7, "#9c8556", 0.95)
    hills(canvas, 124, 9, 6, Paint("#93bd8c", "#6fa377"), rng)
    hills(canvas, 168, 10, 7, Paint("#6fa377", "#42755a"), rng)
    for _ in range(70):
        side = rng.random() < 0.5
        base = (0.0 if side else w, float(rng.uniform(10, h)))
        angle = float(rng.normal(0 if side else 180, 40))
        green = str(rng.choice(["#3f7a55", "#5c9a63", "#2f6148", "#7fb36d", "#4d8a6a"]))
        leaf(canvas, base, float(rng.uniform(9, 24)), angle, green, 0.75)
    for x in np.linspace(4, w - 4, 12):
        fern(canvas, (float(x), h + 2), float(rng.uniform(20, 34)), float(rng.normal(-90, 22)), "#2c5a44", 0.8)
    for x in (3.0, 12.0, 86.0, 137.0, 144.0):
        liana(canvas, (x, -2.0), float(rng.uniform(40, 95)), "#3f7a55", 0.8, rng)


def _column(canvas: Canvas, plan: SheetLayout, column: str) -> None:
    """The column's soft panel with its head."""
    x, (w, _) = _GRID.x(column), _GRID.size_mm
    colour = _COLOURS[column]
    panel = box(x - 1.1, 21.0, w + 2.2, _GRID.bottom_mm - 19.4, 3.4)
    canvas.area(panel, Paint(mix(colour, "#ffffff", 0.12), colour, alpha=0.56))
    at = (x + w / 2, 28.8)
    canvas.area(ellipse(*at, 6.0), Paint(mix(colour, "#ffffff", 0.75), alpha=0.85))
    ink = mix(colour, _DARK, 0.65)
    if column == "dice":
        draw_cube(canvas, 4, at, 4.4, ink, "#ffffff")
    else:
        draw_icon(canvas, plan.symbols[column], at, 4.3, ink, mix(colour, "#ffffff", 0.75))


def _space(canvas: Canvas, cell: CellBox) -> None:
    colour = _COLOURS[str(cell.column)]
    canvas.area(cell_box(cell, 2.6), Paint("#fffdf6", mix(colour, "#ffffff", 0.82), alpha=0.93))
    at = centre(cell)
    if cell.kind == "mark":
        if cell.column == "dice":
            draw_cube(canvas, 4, at, 4.8, mix(colour, "#5b6670", 0.35), "#ffffff", 0.6)
        else:
            draw_icon(canvas, "pot", at, 4.9, mix(colour, "#7a5a3a", 0.3), "#fffdf6", 0.6)
    elif cell.special == "arrow":
        draw_icon(canvas, "chevrons", at, 4.2, mix(colour, _DARK, 0.12), "#fffdf6", 0.55)
    elif cell.special == "artifact":
        canvas.area(cell_box(cell, 1.4, -1.6), Paint(mix(colour, "#ffffff", 0.55)))
        draw_icon(canvas, "pot", at, 3.9, mix(colour, _DARK, 0.1), mix(colour, "#ffffff", 0.55), 0.7)


def _double(canvas: Canvas, cell: CellBox) -> None:
    colour = _COLOURS[str(cell.column)]
    canvas.area(cell_round(cell, grown=1.3), Paint(colour))
    canvas.area(cell_round(cell), Paint("#fffdf6"))
    canvas.text(*centre(cell), "x2", Lettering(2.7, mix(colour, "#ffffff", 0.2)))


def _head(canvas: Canvas, plan: SheetLayout) -> None:
    for offset, colour in ((0.4, "#ffffff"), (0.0, "#7c3f2c")):
        canvas.text(
            8.0 + offset, 9.6 + offset, "JUNGLE ROUTES", Lettering(6.6, colour, "left", tracking_mm=0.3, stretch=0.92)
        )
    canvas.text(8.2, 16.6, "the lost temples - roll & write", Lettering(2.3, _DARK, "left", "italic", 0.2))
    (player,) = cells_of(plan, "player")
    canvas.area(cell_box(player, 4.0), Paint("#fffdf6", alpha=0.92))
    canvas.line(cell_box(player, 4.0), 0.35, "#7c3f2c", closed=True)
    canvas.text(player.x_mm + 4, 18.2, "Name", Lettering(1.6, _DARK, "left", "plain"))
    for k, (left, right) in enumerate(zip(EXPEDITION_VALUES, TRACK_VALUES, strict=True)):
        y = _GRID.y(k + 1) + _GRID.size_mm[1] / 2
        for x, value in ((4.2, left), (143.9, right)):
            canvas.area(ellipse(x, y, 3.7, 2.7), Paint("#fff8e4", alpha=0.92))
            canvas.text(x, y, str(value), Lettering(1.9, "#9c3b2c" if value < 0 else _DARK))


def _foot(canvas: Canvas, plan: SheetLayout) -> None:
    (total,) = cells_of(plan, "written")
    canvas.area(cell_box(total, 2.5, 0.8), Paint("#7c3f2c"))
    canvas.area(cell_box(total, 2.0), Paint("#fffdf6"))
    canvas.text(total.x_mm - 3, total.y_mm + 5.5, "TOTAL", Lettering(2.6, "#fff8e4", "right", tracking_mm=0.2))
    for x, name, words in ((10.0, "chevrons", "once more, elsewhere"), (54.0, "pot", "plus one find")):
        draw_icon(canvas, name, (x + 2, 202.0), 2.2, "#fff8e4", _DARK)
        canvas.text(x + 6, 202.0, words, Lettering(1.9, "#fff8e4", "left", "plain"))
