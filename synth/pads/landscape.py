"""`landscape`: a wide page with a painted coast at its left, low coloured boxes and bands across them."""

from __future__ import annotations

import numpy as np

from layouts import EXPEDITIONS, CellBox, SheetLayout
from sheets.colour import mix
from synth.pads.canvas import Canvas, Lettering, Paint
from synth.pads.grid import EXPEDITION_VALUES, TRACK_VALUES, Grid, cells_of
from synth.pads.icons import draw_die, draw_icon
from synth.pads.scenery import hills, ribbon, waves
from synth.pads.shapes import box, cell_box, cell_round, centre, ellipse

_ORDER = (*EXPEDITIONS[:3], "dice", "artifacts", *EXPEDITIONS[3:])
_GRID = Grid(_ORDER, 47.5, 18.0, (19.2, 10.6), (14.8, 9.0), 8.2, {3: 1.5, 5: 1.5})
_COLOURS = {
    "red": "#d9564a", "orange": "#e88a3c", "yellow": "#e3bd3e", "green": "#5fa657", "blue": "#3d86b8",
    "purple": "#8d68ad", "artifacts": "#a5764a", "dice": "#6d7a83",
}  # fmt: skip
_SYMBOLS = {
    "red": "mountain", "orange": "cactus", "yellow": "sun", "green": "leaf", "blue": "ship", "purple": "shell",
    "artifacts": "jug", "dice": "die",
}  # fmt: skip
_SPECIALS = {
    "red": "3a 6v", "orange": "4v 7a 9v", "yellow": "2a 5a 8v", "green": "3v 5v 7a", "blue": "2v 4a 8a",
    "purple": "3a 6a 7v",
}  # fmt: skip
_SAND = "#f7e7c4"
_SEA = "#20506b"


def layout() -> SheetLayout:
    """Where its cells are."""
    cells = _GRID.spaces(_SPECIALS)
    cells += _GRID.row("bridge", _ORDER, _GRID.bridge_y_mm, (5.4, 5.4))
    cells += _GRID.row("double", EXPEDITIONS, _GRID.bottom_mm + 5.6, (6.6, 6.6))
    cells += _GRID.row("written", _ORDER, _GRID.bottom_mm + 14.4, (13.0, 7.0))
    cells += [
        CellBox(None, None, "player", 5.0, 96.0, 29.0, 9.0),
        CellBox("bridges", None, "written", 7.0, 112.0, 11.0, 8.0),
        CellBox("total", None, "written", 7.0, 126.0, 25.0, 12.0),
    ]
    return SheetLayout(
        "landscape", "A wide pad with low boxes, 210 x 148 mm", (210.0, 148.0), tuple(cells), (), "tick", _COLOURS,
        _SYMBOLS,
    )  # fmt: skip


def draw(plan: SheetLayout) -> Canvas:
    """Its blank page."""
    canvas = Canvas(plan.page_mm, _SAND)
    _coast(canvas)
    _bands(canvas)
    for column in _ORDER:
        _head(canvas, plan, column)
    for cell in cells_of(plan, "number", "mark"):
        _space(canvas, cell)
    for cell in cells_of(plan, "bridge"):
        colour = _COLOURS[str(cell.column)]
        x, y = _GRID.x(str(cell.column)), cell.y_mm + cell.h_mm / 2
        canvas.text(x + 1.9, y, "20", Lettering(2.3, mix(colour, "#000000", 0.35)))
        canvas.area(cell_box(cell, 0.6), "#ffffff")
        canvas.line(cell_box(cell, 0.6), 0.35, mix(colour, "#000000", 0.2), closed=True)
    for cell in cells_of(plan, "double"):
        colour = _COLOURS[str(cell.column)]
        canvas.area(cell_round(cell), "#ffffff")
        canvas.line(cell_round(cell), 0.5, colour, closed=True)
        canvas.text(*centre(cell), "x2", Lettering(2.0, mix(colour, "#ffffff", 0.55)))
    for cell in cells_of(plan, "written"):
        _box_to_write_in(canvas, cell)
    _side(canvas, plan)
    return canvas


def _coast(canvas: Canvas) -> None:
    """A painting down the left side: sun, islands, a ship on the sea."""
    rng = np.random.default_rng(31)
    w, h = canvas.page_mm
    canvas.area(box(0, 0, w, h), Paint("#fdf3dc", "#eed9ab"))
    with canvas.within(np.array([[0, 0], [43, 0], [38, h * 0.4], [42, h * 0.7], [37, h], [0, h]])):
        canvas.area(box(0, 0, 45, 90), Paint("#f2925a", "#fbe0a0"))
        canvas.area(ellipse(22, 54, 11), Paint("#fff4cf", "#fbd77a", "out"))
        hills(canvas, 62, 10, 9, Paint("#7d6a8a", "#5d5478"), rng, jagged=True)
        hills(canvas, 74, 5, 12, Paint("#3f6f7f", "#2b5a70"), rng)
        canvas.area(box(0, 78, 45, 70), Paint("#2b7391", "#173b54"))
        waves(canvas, [float(y) for y in np.arange(80, 148, 3.4)], 9.0, 0.6, 0.25, Paint("#cdeaf0", alpha=0.45))
        draw_icon(canvas, "ship", (28.0, 80.5), 5.0, "#5b2e20", "#fbe0a0")
    waves(canvas, [1.6, 146.4], 6.0, 0.5, 0.4, Paint("#b98a4a", alpha=0.8))


def _bands(canvas: Canvas) -> None:
    """Each row of spaces lies on a stripe from edge to edge; columns have a tint of their own above them."""
    for space in range(1, 10):
        y = _GRID.y(space) - 0.8
        tone = "#d9b56e" if space % 2 else "#f6e3b8"
        canvas.area(box(39.5, y, 175, _GRID.pitch_mm[1]), Paint(tone, alpha=0.55))
        mid = _GRID.y(space) + _GRID.size_mm[1] / 2
        canvas.text(43.2, mid, str(EXPEDITION_VALUES[space - 1]), Lettering(1.9, "#8a2f22" if space < 4 else _SEA))
        track = str(TRACK_VALUES[space - 1])
        canvas.text(206.3, mid, track, Lettering(1.6, "#8a2f22" if space < 4 else _SEA, face="plain"))
    y = _GRID.bridge_y_mm
    canvas.area(box(39.5, y - 3.4, 175, 6.8), Paint("#9c6b3c", alpha=0.35))
    for x in np.arange(40, 210, 2.4):
        canvas.line(np.array([[x, y - 3.4], [x, y + 3.4]]), 0.12, Paint("#6b4526", alpha=0.5))
    for column in _ORDER:
        x, (w, _) = _GRID.x(column), _GRID.size_mm
        canvas.area(box(x - 1.2, 9.0, w + 2.4, 138.0), Paint(_COLOURS[column], alpha=0.28))


def _head(canvas: Canvas, plan: SheetLayout, column: str) -> None:
    x, (w, _) = _GRID.x(column), _GRID.size_mm
    colour = _COLOURS[column]
    tab = np.array([[x - 1.2, 2.6], [x + w + 1.2, 2.6], [x + w + 1.2, 13.4], [x + w / 2, 16.6], [x - 1.2, 13.4]])
    canvas.area(tab, Paint(mix(colour, "#ffffff", 0.15), mix(colour, "#000000", 0.2)))
    at = (x + w / 2, 8.6)
    if column == "dice":
        draw_die(canvas, 3, at, 3.4, "#fff8e6", colour)
    else:
        draw_icon(canvas, plan.symbols[column], at, 4.3, "#fff8e6", colour)


def _space(canvas: Canvas, cell: CellBox) -> None:
    colour = _COLOURS[str(cell.column)]
    ground = mix(colour, "#ffffff", 0.78)
    canvas.area(cell_box(cell, 0.5), ground)
    canvas.line(cell_box(cell, 0.5), 0.3, Paint(mix(colour, "#000000", 0.1), alpha=0.8), closed=True)
    at = centre(cell)
    if cell.column == "dice":
        draw_die(canvas, 3, at, 3.0, mix(colour, ground, 0.55), ground)
    elif cell.kind == "mark":
        draw_icon(canvas, "jug", at, 3.7, mix(colour, ground, 0.5), ground)
    elif cell.special == "arrow":
        draw_icon(canvas, "swing", at, 3.0, mix(colour, ground, 0.5), ground)
    elif cell.special == "artifact":
        frame = cell_box(cell, 0.4, -0.9)
        canvas.line(frame, 0.3, mix(colour, ground, 0.45), closed=True)
        draw_icon(canvas, "jug", (at[0] + 3.6, at[1]), 2.7, mix(colour, ground, 0.3), ground)


def _box_to_write_in(canvas: Canvas, cell: CellBox) -> None:
    colour = _COLOURS.get(str(cell.column), "#fbe0a0")
    canvas.area(cell_box(cell, 1.0), "#fffaf0")
    canvas.line(cell_box(cell, 1.0), 0.4, mix(colour, "#000000", 0.15), closed=True)


def _side(canvas: Canvas, plan: SheetLayout) -> None:
    canvas.area(ribbon(20.0, 14.0, 36.0, 11.0), "#7c2f25")
    canvas.text(20.0, 14.0, "COASTLINES", Lettering(2.9, "#fff4d6", tracking_mm=0.15))
    canvas.text(20.0, 24.0, "a dice voyage", Lettering(2.4, "#7c2f25", face="italic"))
    (player,) = cells_of(plan, "player")
    canvas.area(cell_box(player, 1.5), "#fffaf0")
    canvas.text(player.x_mm + 0.5, player.y_mm - 2.2, "CAPTAIN", Lettering(1.8, "#fff4d6", "left", tracking_mm=0.3))
    for key, words in (("bridges/written", "bridges"), ("total/written", "TOTAL")):
        cell = plan.cell(key)
        canvas.text(cell.x_mm + 0.5, cell.y_mm - 1.9, words, Lettering(1.7, "#fff4d6", "left", "plain"))
