"""`rings`: a night page, nearly square, with light round spaces in coloured rings; artifacts and dice stand left."""

from __future__ import annotations

import numpy as np

from layouts import EXPEDITIONS, CellBox, SheetLayout
from sheets.colour import mix
from synth.pads.canvas import Canvas, Lettering, Paint
from synth.pads.grid import EXPEDITION_VALUES, TRACK_VALUES, Grid, cells_of
from synth.pads.icons import draw_die, draw_icon
from synth.pads.scenery import contours, hills, stars
from synth.pads.shapes import box, cell_box, cell_round, centre, ellipse

_ORDER = ("artifacts", "dice", "yellow", "blue", "red", "green", "purple", "orange")
_GRID = Grid(_ORDER, 12.6, 27.5, (17.2, 13.9), (11.8, 11.8), 7.4, {2: 3.6})
_COLOURS = {
    "red": "#e5484d", "orange": "#f28b30", "yellow": "#f5c93b", "green": "#46b36b", "blue": "#3f8fe0",
    "purple": "#9a63d6", "artifacts": "#c79a5b", "dice": "#9fb0bf",
}  # fmt: skip
_SYMBOLS = {
    "red": "blaze", "orange": "sun", "yellow": "crescent", "green": "snake", "blue": "ripples", "purple": "crystal",
    "artifacts": "amphora", "dice": "die",
}  # fmt: skip
_SPECIALS = {
    "red": "3a 4v 8a", "orange": "2a 5a 7v", "yellow": "3v 6a", "green": "2v 5a 8v", "blue": "1a 4a 7v",
    "purple": "3v 6v 8a",
}  # fmt: skip
_NIGHT = "#101b38"
_MOON = "#f6efd9"


def layout() -> SheetLayout:
    """Where its cells are."""
    cells = _GRID.spaces(_SPECIALS)
    cells += _GRID.row("bridge", _ORDER, _GRID.bridge_y_mm, (8.4, 4.8))
    cells += _GRID.row("double", EXPEDITIONS, _GRID.bottom_mm + 7.4, (7.4, 7.4))
    cells.append(CellBox(None, None, "player", 108.0, 6.4, 44.0, 8.6))
    return SheetLayout(
        "rings", "A night pad with round spaces, 160 x 180 mm", (160.0, 180.0), tuple(cells), (), "tick", _COLOURS,
        _SYMBOLS,
    )  # fmt: skip


def draw(plan: SheetLayout) -> Canvas:
    """Its blank page."""
    canvas = Canvas(plan.page_mm, _NIGHT)
    _sky(canvas)
    _head(canvas, plan)
    for column in _ORDER:
        _string(canvas, plan, column)
    for cell in cells_of(plan, "number", "mark"):
        _space(canvas, cell)
    for cell in cells_of(plan, "bridge"):
        _bridge(canvas, cell)
    for cell in cells_of(plan, "double"):
        colour = _COLOURS[str(cell.column)]
        canvas.line(cell_round(cell, grown=0.9), 0.5, colour, closed=True)
        canvas.area(cell_round(cell), mix(_MOON, colour, 0.12))
        canvas.text(*centre(cell), "x2", Lettering(2.2, mix(colour, _MOON, 0.35)))
    _foot(canvas)
    return canvas


def _sky(canvas: Canvas) -> None:
    rng = np.random.default_rng(8)
    w, h = canvas.page_mm
    canvas.area(box(0, 0, w, h), Paint("#0b1330", "#274a6e"))
    for x, y, r, colour in ((40, 60, 75, "#3b2d6b"), (130, 110, 80, "#164e63"), (90, 30, 50, "#33508c")):
        for k in range(12):
            canvas.area(ellipse(x, y, r * (1 - k / 12)), Paint(colour, alpha=0.05))
    stars(canvas, (0, 0, w, h * 0.9), 420, "#f4f1de", rng)
    contours(canvas, [(20, 150), (146, 40)], 50, Paint("#7ea6c9", alpha=0.25), rng)
    hills(canvas, 168, 6, 9, Paint("#0c2036", "#071322", alpha=0.9), rng, jagged=True)
    hills(canvas, 175, 4, 12, Paint("#050d18"), rng, jagged=True)


def _string(canvas: Canvas, plan: SheetLayout, column: str) -> None:
    """The thread on which the rings hang, with the column's sign at its upper end."""
    x = _GRID.x(column) + _GRID.size_mm[0] / 2
    colour = _COLOURS[column]
    low = _GRID.bottom_mm + (4 if column in EXPEDITIONS else 0)
    canvas.line(np.array([[x, 22.0], [x, low]]), 1.4, mix(colour, _NIGHT, 0.35))
    at = (x, 21.6)
    canvas.area(ellipse(*at, 4.7), colour)
    canvas.line(ellipse(*at, 3.9), 0.25, Paint(_MOON, alpha=0.8), closed=True)
    if column == "dice":
        draw_die(canvas, 6, at, 2.3, _MOON, colour)
    else:
        draw_icon(canvas, plan.symbols[column], at, 2.9, _MOON, colour)


def _space(canvas: Canvas, cell: CellBox) -> None:
    colour = _COLOURS[str(cell.column)]
    canvas.area(cell_round(cell, 2.15, 1.15), Paint(mix(colour, "#ffffff", 0.15), mix(colour, "#000000", 0.15)))
    canvas.line(cell_round(cell, 2.15, 0.55), 0.2, Paint("#ffffff", alpha=0.4), closed=True)
    canvas.area(cell_round(cell, 2.15), Paint("#fffbee", mix(_MOON, colour, 0.16), "out"))
    at = centre(cell)
    if cell.column == "dice":
        draw_die(canvas, 6, at, 3.3, mix(colour, _MOON, 0.35), _MOON)
    elif cell.kind == "mark":
        draw_icon(canvas, "amphora", at, 4.4, mix(colour, _MOON, 0.35), _MOON)
    elif cell.special == "arrow":
        draw_icon(canvas, "flight", at, 4.3, mix(colour, _MOON, 0.45), _MOON)
    elif cell.special == "artifact":
        canvas.line(cell_round(cell, 2.15, -1.3), 0.35, Paint(colour, alpha=0.6), closed=True)
        draw_icon(canvas, "amphora", at, 3.5, mix(colour, _MOON, 0.45), _MOON)


def _bridge(canvas: Canvas, cell: CellBox) -> None:
    """A small rope bridge with a light pill to be ticked."""
    colour = _COLOURS[str(cell.column)]
    x, y = centre(cell)
    half = _GRID.size_mm[0] / 2 + 2.4
    t = np.linspace(-1, 1, 13)
    for lift in (-2.2, 1.6):
        canvas.line(np.column_stack([x + half * t, y + lift + 1.3 * (1 - t**2)]), 0.3, mix(colour, "#ffffff", 0.3))
    canvas.area(cell_box(cell, 1.6, 0.5), mix(colour, _NIGHT, 0.4))
    canvas.area(cell_box(cell, 1.3), _MOON)
    canvas.text(x, y, "20", Lettering(2.0, mix(colour, _MOON, 0.4)))


def _head(canvas: Canvas, plan: SheetLayout) -> None:
    canvas.text(9.0, 9.4, "NIGHT CARAVAN", Lettering(5.4, "#f5c93b", "left", tracking_mm=0.7))
    (player,) = cells_of(plan, "player")
    canvas.area(cell_box(player, 2.0), _MOON)
    canvas.text(player.x_mm - 2, player.y_mm + 4.3, "guide", Lettering(2.2, _MOON, "right", "italic"))
    for k, (track, expedition) in enumerate(zip(TRACK_VALUES, EXPEDITION_VALUES, strict=True)):
        y = _GRID.y(k + 1) + _GRID.size_mm[1] / 2
        bar = np.array([[_GRID.left_mm - 3, y], [_GRID.right_mm + 3, y]])
        canvas.line(bar, 0.25, Paint("#f4f1de", alpha=0.22))
        canvas.text(6.0, y, str(track), Lettering(2.0, "#f0b7b0" if track < 0 else _MOON))
        canvas.text(154.0, y, str(expedition), Lettering(2.0, "#f0b7b0" if expedition < 0 else _MOON))


def _foot(canvas: Canvas) -> None:
    y = _GRID.bottom_mm + 7.4
    draw_icon(canvas, "flight", (15.0, y - 1.5), 1.8, _MOON, _NIGHT)
    canvas.text(18.5, y - 1.5, "travel on", Lettering(1.7, _MOON, "left", "plain"))
    draw_icon(canvas, "amphora", (15.0, y + 3.0), 1.8, _MOON, _NIGHT)
    canvas.text(18.5, y + 3.0, "find one", Lettering(1.7, _MOON, "left", "plain"))
