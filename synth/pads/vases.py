"""`vases`: ink drawings on nearly white paper; artifacts and dice stand free, without any boxes around them."""

from __future__ import annotations

import numpy as np

from layouts import EXPEDITIONS, CellBox, SheetLayout
from sheets.colour import mix
from synth.pads.canvas import Canvas, Lettering, Paint
from synth.pads.grid import EXPEDITION_VALUES, TRACK_VALUES, Grid, cells_of
from synth.pads.icons import draw_die, draw_icon
from synth.pads.scenery import hills, leaf, ribbon
from synth.pads.shapes import box, cell_box, cell_round, centre, ellipse, rough

_ORDER = ("artifacts", *EXPEDITIONS, "dice")
_GRID = Grid(_ORDER, 9.6, 46.0, (15.6, 13.3), (12.2, 11.6), 8.4, {1: 4.4, 7: 2.6})
_COLOURS = {
    "red": "#c0392f", "orange": "#d4792a", "yellow": "#c9a227", "green": "#4c8a4a", "blue": "#2f6f9f",
    "purple": "#7b4f96", "artifacts": "#7d5636", "dice": "#5a5f66",
}  # fmt: skip
_SYMBOLS = {
    "red": "mountain", "orange": "shell", "yellow": "sun", "green": "feather", "blue": "fish", "purple": "flower",
    "artifacts": "amphora", "dice": "die",
}  # fmt: skip
_SPECIALS = {
    "red": "2a 6v 8a", "orange": "3v 5a 9v", "yellow": "1v 4a 7a", "green": "3a 6a 8v", "blue": "2v 5v 7a",
    "purple": "4v 6a",
}  # fmt: skip
_PAPER = "#fcfaf4"
_INK = "#37332e"


def layout() -> SheetLayout:
    """Where its cells are; the boxes of artifacts and dice hug what is printed there."""
    cells = _GRID.spaces(_SPECIALS)
    cells += _GRID.row("bridge", _ORDER, _GRID.bridge_y_mm, (5.2, 5.2))
    cells += _GRID.row("double", EXPEDITIONS, _GRID.bottom_mm + 7.4, (8.2, 8.2))
    cells += _GRID.row("written", EXPEDITIONS, _GRID.bottom_mm + 17.6, (11.4, 7.6))
    cells += [
        CellBox(None, None, "player", 46.0, 26.0, 56.0, 8.6),
        CellBox("total", None, "written", 122.5, _GRID.bottom_mm + 11.0, 20.0, 11.0),
    ]
    return SheetLayout(
        "vases", "A pad of ink drawings with vases and dice in the open, 148 x 203 mm", (148.0, 203.0), tuple(cells),
        (), "tick", _COLOURS, _SYMBOLS,
    )  # fmt: skip


def draw(plan: SheetLayout) -> Canvas:
    """Its blank page."""
    canvas = Canvas(plan.page_mm, _PAPER)
    _wash(canvas)
    for column in EXPEDITIONS:
        _head(canvas, plan, column)
    _shelves(canvas)
    for cell in cells_of(plan, "number", "mark"):
        _space(canvas, cell)
    for cell in cells_of(plan, "bridge"):
        _bridge(canvas, cell)
    rng = np.random.default_rng(9)
    for cell in cells_of(plan, "double"):
        colour = _COLOURS[str(cell.column)]
        canvas.line(rough(cell_round(cell), 0.12, rng), 0.35, colour, closed=True)
        canvas.line(rough(cell_round(cell, grown=0.7), 0.12, rng), 0.15, colour, closed=True)
        canvas.text(*centre(cell), "x2", Lettering(2.3, mix(colour, _PAPER, 0.6), face="italic"))
    _words(canvas, plan)
    return canvas


def _wash(canvas: Canvas) -> None:
    """Watercolour: hills at the top, a few leaves, much bare paper."""
    rng = np.random.default_rng(21)
    w, h = canvas.page_mm
    with canvas.within(box(0, 0, w, 36)):
        canvas.area(box(0, 0, w, 36), Paint("#d8e9ee", _PAPER))
        canvas.area(ellipse(122, 12, 8), Paint("#f6c56b", alpha=0.7))
        for y, colour in ((22.0, "#b9c8c4"), (28.0, "#d9c59a"), (33.0, "#c9a878")):
            hills(canvas, y, 5, 7, Paint(colour, alpha=0.6), rng)
        for k in range(16):
            canvas.area(box(0, 20 + k, w, 16 - k), Paint(_PAPER, alpha=0.04 + 0.06 * k))
    for k in range(16):
        x, side = (-1.0, 0.0) if k % 2 else (w + 1, 180.0)
        green = str(rng.choice(["#9db88a", "#7d9c77", "#c0cc9a"]))
        leaf(
            canvas,
            (x, float(rng.uniform(150, h))),
            float(rng.uniform(7, 13)),
            side + float(rng.normal(0, 35)),
            green,
            0.6,
        )
    canvas.mottle(1.6, 2.2, 6)


def _head(canvas: Canvas, plan: SheetLayout, column: str) -> None:
    x = _GRID.x(column) + _GRID.size_mm[0] / 2
    colour = _COLOURS[column]
    draw_icon(canvas, plan.symbols[column], (x, 40.6), 3.6, colour, _PAPER)
    for side in (-1, 1):
        y = np.array([39.6, 44.6, _GRID.bottom_mm + 2])
        canvas.line(np.column_stack([x + side * np.array([4.6, 6.9, 6.9]), y]), 0.2, Paint(colour, alpha=0.6))


def _shelves(canvas: Canvas) -> None:
    """A plank below each vase and each die would be a box: there is only a thread with the values beside it."""
    for column, values, side in (("artifacts", TRACK_VALUES, -1), ("dice", TRACK_VALUES, 1)):
        x = _GRID.x(column) + _GRID.size_mm[0] / 2 + side * 9.2
        for k, value in enumerate(values):
            y = _GRID.y(k + 1) + _GRID.size_mm[1] / 2
            colour = "#a23b2c" if value < 0 else _INK
            canvas.text(x, y, str(value), Lettering(1.7, colour, "middle", "plain", stretch=0.9))
    for k, value in enumerate(EXPEDITION_VALUES):
        y = _GRID.y(k + 1) + _GRID.size_mm[1] / 2
        x = _GRID.x("red") - 3.4
        canvas.text(x, y, str(value), Lettering(1.6, "#a23b2c" if value < 0 else _INK, "middle", "plain", stretch=0.85))


def _space(canvas: Canvas, cell: CellBox) -> None:
    colour = _COLOURS[str(cell.column)]
    at = centre(cell)
    rng = np.random.default_rng([int(cell.x_mm * 10), int(cell.y_mm * 10)])
    if cell.column == "dice":
        draw_die(canvas, 5, at, 4.3, mix(colour, _PAPER, 0.35), _PAPER)
    elif cell.kind == "mark":
        draw_icon(canvas, "amphora", at, 5.3, mix(colour, "#c9825a", 0.5), _PAPER)
    else:
        canvas.area(cell_box(cell), Paint(mix(colour, _PAPER, 0.9), alpha=0.7))
        for width in (0.35, 0.15):
            canvas.line(rough(cell_box(cell, 0.9), 0.09, rng), width, mix(colour, _INK, 0.25), closed=True)
    if cell.special == "arrow":
        draw_icon(canvas, "triangle", at, 3.4, mix(colour, _PAPER, 0.5), _PAPER)
    elif cell.special == "artifact":
        draw_icon(canvas, "amphora", at, 4.4, mix(colour, _PAPER, 0.5), _PAPER)


def _bridge(canvas: Canvas, cell: CellBox) -> None:
    """A stone arch with a small box on it."""
    colour = _COLOURS[str(cell.column)]
    x, y = centre(cell)
    t = np.linspace(np.pi, 2 * np.pi, 17)
    for r in (6.0, 5.0):
        canvas.line(np.column_stack([x + r * np.cos(t), y + 3.2 + 0.9 * r * np.sin(t)]), 0.22, colour)
    canvas.line(np.array([[x - 6.6, y + 3.2], [x + 6.6, y + 3.2]]), 0.3, colour)
    canvas.area(cell_box(cell, 0.5), _PAPER)
    canvas.line(cell_box(cell, 0.5), 0.3, colour, closed=True)
    canvas.text(x, y, "20", Lettering(1.6, mix(colour, _PAPER, 0.45), face="plain"))


def _words(canvas: Canvas, plan: SheetLayout) -> None:
    canvas.area(ribbon(74.0, 12.5, 104.0, 13.0), Paint("#fffdf5", alpha=0.9))
    canvas.line(ribbon(74.0, 12.5, 104.0, 13.0), 0.3, _INK, closed=True)
    canvas.text(74.0, 12.5, "Urns & Omens", Lettering(6.0, "#8c3b26", face="italic", tracking_mm=0.4))
    (player,) = cells_of(plan, "player")
    canvas.area(cell_box(player), Paint(_PAPER, alpha=0.7))
    canvas.line(cell_box(player)[2:], 0.3, _INK)
    canvas.text(player.x_mm - 2, player.y_mm + 6.4, "Name", Lettering(2.0, _INK, "right", "italic"))
    rng = np.random.default_rng(10)
    for cell in cells_of(plan, "written"):
        colour = _COLOURS.get(str(cell.column), "#8c3b26")
        canvas.area(cell_box(cell), Paint("#ffffff", alpha=0.7))
        canvas.line(rough(cell_box(cell, 0.6), 0.09, rng), 0.3, colour, closed=True)
    total = plan.cell("total/written")
    canvas.text(total.x_mm + total.w_mm / 2, total.y_mm - 2.6, "Total", Lettering(2.2, "#8c3b26", face="italic"))
    for column, words in (("artifacts", "finds"), ("dice", "dice")):
        canvas.text(
            _GRID.x(column) + _GRID.size_mm[0] / 2, 41.6, words, Lettering(2.0, _COLOURS[column], face="italic")
        )
