"""`hexagons`: chains of hexagons in full colour; spaces with something to gain are printed in white on their colour."""

from __future__ import annotations

import numpy as np

from layouts import COLUMNS, EXPEDITIONS, CellBox, SheetLayout
from sheets.colour import mix
from synth.pads.canvas import Canvas, Lettering, Paint
from synth.pads.grid import EXPEDITION_VALUES, TRACK_VALUES, Grid, cells_of
from synth.pads.icons import draw_cube, draw_icon
from synth.pads.shapes import box, cell_box, cell_hexagon, cell_round, centre, ellipse

_GRID = Grid(COLUMNS, 12.6, 39.0, (18.4, 14.4), (16.2, 13.6), 8.6, {})
_COLOURS = {
    "red": "#ee8277", "orange": "#f6a65f", "yellow": "#f2cf5b", "green": "#8cc878", "blue": "#78b7ea",
    "purple": "#bb97e0", "artifacts": "#cfa877", "dice": "#a9b8c2",
}  # fmt: skip
_SYMBOLS = {
    "red": "blaze", "orange": "bird", "yellow": "crescent", "green": "leaf", "blue": "penguin", "purple": "snake",
    "artifacts": "chalice", "dice": "cube",
}  # fmt: skip
_SPECIALS = {
    "red": "3v 5a 8v", "orange": "2a 4v 7a", "yellow": "3a 6a 8v", "green": "2v 5v 7a", "blue": "4a 6v 9a",
    "purple": "2v 5a 8a",
}  # fmt: skip
_TEAL = "#0d4f58"


def layout() -> SheetLayout:
    """Where its cells are."""
    cells = _GRID.spaces(_SPECIALS)
    cells += _GRID.row("bridge", COLUMNS, _GRID.bridge_y_mm, (8.0, 7.0))
    cells += _GRID.row("double", EXPEDITIONS, _GRID.bottom_mm + 8.2, (9.4, 9.4))
    cells += [
        CellBox(None, None, "player", 14.0, 204.0, 62.0, 10.0),
        CellBox("total", None, "written", 128.0, 202.0, 30.0, 13.0),
    ]
    return SheetLayout(
        "hexagons", "A pad of hexagons, 170 x 220 mm", (170.0, 220.0), tuple(cells), (), "circle", _COLOURS, _SYMBOLS
    )


def draw(plan: SheetLayout) -> Canvas:
    """Its blank page."""
    canvas = Canvas(plan.page_mm, "#fdfaf2")
    _comb(canvas)
    _head(canvas, plan)
    for column in COLUMNS:
        _spine(canvas, plan, column)
    for cell in cells_of(plan, "number", "mark"):
        _space(canvas, cell)
    for cell in cells_of(plan, "bridge"):
        colour = _COLOURS[str(cell.column)]
        canvas.area(cell_hexagon(cell, 0.7), mix(colour, "#000000", 0.25))
        canvas.area(cell_hexagon(cell), "#fffdf7")
        canvas.text(*centre(cell), "20", Lettering(2.4, mix(colour, "#000000", 0.15)))
    for cell in cells_of(plan, "double"):
        colour = _COLOURS[str(cell.column)]
        canvas.area(cell_round(cell, grown=0.7), mix(colour, "#000000", 0.12))
        canvas.area(cell_round(cell), mix(colour, "#ffffff", 0.25))
        canvas.text(*centre(cell), "x2", Lettering(3.2, "#ffffff"))
    _foot(canvas, plan)
    return canvas


def _comb(canvas: Canvas) -> None:
    """A faint honeycomb all over, of other sizes and in other places than the spaces."""
    rng = np.random.default_rng(12)
    w, h = canvas.page_mm
    canvas.area(box(0, 0, w, h), Paint("#fff8e4", "#dcebe6"))
    tones = ("#f3d9a2", "#bfe0d8", "#e7cfe4", "#cfe0b5", "#f6c9b4")
    for k in range(10):
        for j in range(14):
            cell = CellBox(None, None, "player", k * 18.4 - 8, j * 17.6 - 6 + 8.8 * (k % 2), 24.0, 17.2)
            if rng.random() < 0.55:
                canvas.area(
                    cell_hexagon(cell, -0.6), Paint(str(rng.choice(tones)), alpha=float(rng.uniform(0.25, 0.75)))
                )
            canvas.line(cell_hexagon(cell), 0.2, Paint("#8fb5ad", alpha=0.6), closed=True)


def _spine(canvas: Canvas, plan: SheetLayout, column: str) -> None:
    """A band of colour behind the chain, and the column's sign in a large hexagon."""
    x, (w, _) = _GRID.x(column) + _GRID.size_mm[0] / 2, _GRID.size_mm
    colour = _COLOURS[column]
    low = _GRID.bottom_mm + (8 if column in EXPEDITIONS else 0)
    canvas.area(box(x - 1.8, 30.0, 3.6, low - 30.0), mix(colour, "#000000", 0.12))
    head = CellBox(None, None, "player", x - w / 2, 22.4, w, 14.2)
    canvas.area(cell_hexagon(head, 0.6), _TEAL)
    canvas.area(cell_hexagon(head, -0.3), Paint(mix(colour, "#000000", 0.1), mix(colour, "#000000", 0.3)))
    at = centre(head)
    if column == "dice":
        draw_cube(canvas, 1, at, 4.8, "#ffffff", _TEAL)
    else:
        draw_icon(canvas, plan.symbols[column], at, 4.8, "#ffffff", mix(colour, "#000000", 0.2))


def _space(canvas: Canvas, cell: CellBox) -> None:
    colour = _COLOURS[str(cell.column)]
    at = centre(cell)
    canvas.area(cell_hexagon(cell, 0.35), mix(colour, "#000000", 0.22))
    filled = mix(colour, "#ffffff", 0.18)
    white = "#fffdf7"
    if cell.special is None:
        canvas.area(cell_hexagon(cell, -0.25), Paint(white, mix(colour, "#ffffff", 0.86)))
    else:
        canvas.area(cell_hexagon(cell, -0.25), Paint(mix(filled, "#ffffff", 0.15), filled))
        canvas.line(cell_hexagon(cell, -1.0), 0.25, Paint(white, alpha=0.8), closed=True)
    if cell.column == "dice":
        draw_cube(canvas, 1, at, 5.2, mix(colour, "#46535c", 0.2), white, 0.75)
    elif cell.kind == "mark":
        draw_icon(canvas, "chalice", at, 5.2, mix(colour, white, 0.15), white)
    elif cell.special == "arrow":
        draw_icon(canvas, "block arrow", at, 5.0, white, filled)
    elif cell.special == "artifact":
        draw_icon(canvas, "chalice", at, 5.0, white, filled)


def _head(canvas: Canvas, plan: SheetLayout) -> None:
    w, _ = canvas.page_mm
    canvas.area(
        np.array([[0, 0], [w, 0], [w, 14], [w * 0.75, 20], [w * 0.25, 20], [0, 14]]), Paint("#0d4f58", "#14707a")
    )
    for k in range(-4, 5):
        canvas.area(ellipse(w / 2 + k * 18, 0, 9, 3), Paint("#ffffff", alpha=0.08))
    canvas.text(w / 2, 9.6, "HIDDEN HIVES", Lettering(7.0, "#ffe08a", tracking_mm=1.1))
    for k, (left, right) in enumerate(zip(EXPEDITION_VALUES, TRACK_VALUES, strict=True)):
        y = _GRID.y(k + 1) + _GRID.size_mm[1] / 2
        for x, value, turn in ((5.0, left, 1), (165.4, right, -1)):
            flag = np.array([[-5, -2.8], [2, -2.8], [4.6, 0], [2, 2.8], [-5, 2.8]]) * (turn, 1) + (x, y)
            canvas.area(flag, Paint("#b5483a" if value < 0 else _TEAL))
            canvas.text(x - turn * 0.8, y, str(value), Lettering(1.9, "#ffffff"))


def _foot(canvas: Canvas, plan: SheetLayout) -> None:
    (player,) = cells_of(plan, "player")
    (total,) = cells_of(plan, "written")
    canvas.area(cell_box(player, 2.0, 1.0), _TEAL)
    canvas.area(cell_box(player, 1.4), "#fffdf7")
    canvas.text(player.x_mm + 2.5, player.y_mm + 2.4, "PLAYER", Lettering(1.4, "#9fb5b0", "left", "plain"))
    canvas.area(cell_hexagon(total, 1.4), "#b5483a")
    canvas.area(cell_hexagon(total), "#fffdf7")
    canvas.text(total.x_mm - 4, total.y_mm + total.h_mm / 2, "FINAL SCORE", Lettering(2.4, _TEAL, "right"))
