"""`touching`: a narrow explorer's ledger on old paper: one table with shared rules, no gap between its spaces."""

from __future__ import annotations

import numpy as np

from layouts import COLUMNS, EXPEDITIONS, CellBox, SheetLayout
from sheets.colour import mix
from synth.pads.canvas import Canvas, Lettering, Paint
from synth.pads.grid import EXPEDITION_VALUES, TRACK_VALUES, Grid, cells_of
from synth.pads.icons import draw_die, draw_icon
from synth.pads.scenery import contours
from synth.pads.shapes import box, cell_box, cell_round, centre, rough

_GRID = Grid(COLUMNS, 12.0, 38.0, (12.2, 13.4), (12.2, 13.4), 8.0, {})
_COLOURS = {
    "red": "#9e3d34", "orange": "#b8692d", "yellow": "#b3912c", "green": "#55733e", "blue": "#3b6179",
    "purple": "#694a74", "artifacts": "#6e4f36", "dice": "#4c4c4c",
}  # fmt: skip
_SYMBOLS = {
    "red": "rose", "orange": "key", "yellow": "temple", "green": "feather", "blue": "eye", "purple": "crystal",
    "artifacts": "urn", "dice": "die",
}  # fmt: skip
_SPECIALS = {
    "red": "2v 5a", "orange": "3a 6v 8a", "yellow": "4v 7v 9a", "green": "2a 5a 8v", "blue": "3v 6a",
    "purple": "1a 4v 7a",
}  # fmt: skip
_INK = "#3a2a1c"
_HEAD_MM = 12.0  # height of the table's head
_LEFT, _TOP, _WIDE = _GRID.left_mm, _GRID.top_mm - _HEAD_MM, 8 * _GRID.pitch_mm[0]
_DOUBLE_MM, _SUM_MM = 10.0, 8.4


def layout() -> SheetLayout:
    """Where its cells are."""
    low = _GRID.bottom_mm
    cells = _GRID.spaces(_SPECIALS)
    cells += _GRID.row("bridge", COLUMNS, _GRID.bridge_y_mm, (_GRID.size_mm[0], _GRID.bridge_mm))
    cells += _GRID.row("double", EXPEDITIONS, low + _DOUBLE_MM / 2, (7.6, 7.6))
    cells += _GRID.row("written", COLUMNS, low + _DOUBLE_MM + _SUM_MM / 2, (_GRID.size_mm[0], _SUM_MM))
    cells += [
        CellBox(None, None, "player", 68.0, 9.0, 41.6, 11.0),
        CellBox("total", None, "written", 85.2, low + _DOUBLE_MM + _SUM_MM, 24.4, _SUM_MM),
    ]
    return SheetLayout(
        "touching", "A ledger whose spaces touch, 120 x 205 mm", (120.0, 205.0), tuple(cells), (), "circle", _COLOURS,
        _SYMBOLS,
    )  # fmt: skip


def draw(plan: SheetLayout) -> Canvas:
    """Its blank page."""
    canvas = Canvas(plan.page_mm, "#ead9b4")
    _old_paper(canvas)
    for cell in cells_of(plan, "number", "mark"):
        _space(canvas, cell)
    for cell in cells_of(plan, "bridge"):
        colour = _COLOURS[str(cell.column)]
        canvas.area(cell_box(cell), Paint(mix(colour, "#f3e6c8", 0.45), alpha=0.85))
        canvas.text(*centre(cell), "20", Lettering(3.0, mix(colour, "#000000", 0.35)))
    for column in COLUMNS:
        _head(canvas, plan, column)
    for cell in cells_of(plan, "double"):
        canvas.line(cell_round(cell), 0.35, _INK, closed=True)
        canvas.area(cell_round(cell, grown=-0.5), Paint(mix(_COLOURS[str(cell.column)], "#f6ecd2", 0.85)))
        canvas.text(*centre(cell), "x2", Lettering(2.1, mix(_COLOURS[str(cell.column)], "#f6ecd2", 0.5)))
    for cell in cells_of(plan, "written"):
        canvas.area(cell_box(cell), Paint("#f8f0db", alpha=0.8))
    _rules(canvas, plan)
    _words(canvas, plan)
    return canvas


def _old_paper(canvas: Canvas) -> None:
    """Parchment with a map's lines, darker to the edges, a ring left by a cup."""
    rng = np.random.default_rng(77)
    w, h = canvas.page_mm
    canvas.area(box(0, 0, w, h), Paint("#f1e3c0", "#dcc492", "out"))
    contours(canvas, [(18, 26), (112, 120), (10, 190)], 60, Paint("#8c6a3c", alpha=0.3), rng)
    for k in range(6):
        canvas.line(rough(cell_round(CellBox(None, None, "player", 66, 164, 34, 34), grown=-0.25 * k), 0.2, rng), 0.3,
                    Paint("#7a5024", alpha=0.16), closed=True)  # fmt: skip
    canvas.mottle(5.0, 1.6, 3)
    canvas.mottle(3.0, 9.0, 4)
    for k in range(10):
        edge = box(k * 0.35, k * 0.35, w - 0.7 * k, h - 0.7 * k, 1.0)
        canvas.line(edge, 0.8, Paint("#6b4420", alpha=0.3 - 0.028 * k), closed=True)


def _space(canvas: Canvas, cell: CellBox) -> None:
    colour = _COLOURS[str(cell.column)]
    even = COLUMNS.index(str(cell.column)) % 2 == 0
    ground = mix(colour, "#f6ecd2", 0.83 if even else 0.93)
    canvas.area(cell_box(cell), Paint(ground, alpha=0.75))
    at = centre(cell)
    if cell.column == "dice":
        draw_die(canvas, 2, at, 3.6, mix(colour, ground, 0.6), ground)
    elif cell.kind == "mark":
        draw_icon(canvas, "urn", at, 4.6, mix(colour, ground, 0.55), ground)
    elif cell.special == "arrow":
        draw_icon(canvas, "spear", at, 4.4, mix(colour, ground, 0.6), ground)
    elif cell.special == "artifact":
        canvas.line(cell_round(cell, 2.0, -1.0), 0.3, mix(colour, ground, 0.5), closed=True)
        draw_icon(canvas, "urn", at, 3.6, mix(colour, ground, 0.55), ground)


def _head(canvas: Canvas, plan: SheetLayout, column: str) -> None:
    x, (w, _) = _GRID.x(column), _GRID.size_mm
    colour = _COLOURS[column]
    canvas.area(box(x, _TOP, w, _HEAD_MM), Paint(colour, mix(colour, "#000000", 0.25)))
    at = (x + w / 2, _TOP + _HEAD_MM / 2)
    if column == "dice":
        draw_die(canvas, 2, at, 3.3, "#f6ecd2", colour)
    else:
        draw_icon(canvas, plan.symbols[column], at, 4.4, "#f6ecd2", colour)


def _rules(canvas: Canvas, plan: SheetLayout) -> None:
    """The table's lines: thin ones between spaces, heavy ones around and at the bridges."""
    low = _GRID.bottom_mm
    last = low + _DOUBLE_MM + _SUM_MM
    right = _LEFT + _WIDE
    thin = [_GRID.y(space) for space in range(1, 10)] + [_GRID.y(7) + _GRID.pitch_mm[1]]
    canvas.line([np.array([[_LEFT, y], [right, y]]) for y in thin], 0.25, _INK)
    uprights = [_LEFT + k * _GRID.pitch_mm[0] for k in range(9)]
    canvas.line([np.array([[x, _TOP], [x, last]]) for x in uprights], 0.25, _INK)
    heavy = [_GRID.top_mm, _GRID.y(6), _GRID.y(7) + _GRID.pitch_mm[1], low, low + _DOUBLE_MM]
    canvas.line([np.array([[_LEFT, y], [right, y]]) for y in heavy], 0.5, _INK)
    x = _GRID.x("artifacts")
    canvas.line(np.array([[x, _TOP], [x, last]]), 0.6, _INK)
    canvas.line(box(_LEFT, _TOP, _WIDE, last - _TOP), 0.8, _INK, closed=True)
    canvas.line(box(_LEFT - 1.2, _TOP - 1.2, _WIDE + 2.4, last - _TOP + 2.4), 0.2, _INK, closed=True)
    total = plan.cell("total/written")
    canvas.line(cell_box(total), 0.6, _INK, closed=True)


def _words(canvas: Canvas, plan: SheetLayout) -> None:
    canvas.text(10.4, 10.6, "FIELD", Lettering(5.6, _INK, "left", tracking_mm=1.0))
    canvas.text(10.4, 18.4, "JOURNAL", Lettering(5.0, _INK, "left", tracking_mm=0.5, stretch=0.92))
    (player,) = cells_of(plan, "player")
    canvas.area(cell_box(player), Paint("#f8f0db", alpha=0.7))
    y = player.y_mm + player.h_mm
    canvas.line(np.array([[player.x_mm, y], [player.x_mm + player.w_mm, y]]), 0.4, _INK)
    canvas.text(player.x_mm, y + 2.2, "Expedition leader", Lettering(1.5, _INK, "left", "italic"))
    for k, (left, right) in enumerate(zip(EXPEDITION_VALUES, TRACK_VALUES, strict=True)):
        y = _GRID.y(k + 1) + _GRID.size_mm[1] / 2
        canvas.text(_LEFT - 2.4, y, str(left), Lettering(1.8, _INK, "right", "plain"))
        canvas.text(_LEFT + _WIDE + 2.0, y, str(right), Lettering(1.6, _INK, "left", "plain", stretch=0.9))
    total = plan.cell("total/written")
    canvas.text(total.x_mm - 2, total.y_mm + total.h_mm / 2, "Sum total", Lettering(2.2, _INK, "right", "italic"))
    draw_icon(canvas, "rose", (17.0, total.y_mm + 6.4), 4.6, _INK, "#ead9b4", 0.8)
