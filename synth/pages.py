"""A filled sheet: what a player wrote, drawn on the blank sheet as that player writes."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from layouts import CellBox, SheetLayout
from scoring import Expedition, Sheet, Track
from synth.curves import bounds
from synth.hands import Hand
from synth.ink import Pen, draw_strokes
from synth.marks import blot_strokes, mark_strokes, strike_strokes

ImageU8 = NDArray[np.uint8]
Points = NDArray[np.float64]
Strokes = list[Points]

PAGE_PX_PER_MM = 12.0  # that of the layouts' blank pictures


@dataclass(frozen=True, slots=True)
class Mess:
    """What goes wrong while writing, as shares of the cells it happens to.

    Attributes:
        corrections: numbers struck out or written over, the valid one beside or on top.
        overflow: numbers that are larger and further off than this hand's usual.
        strays: expected number of dots and short strokes that mean nothing, on the whole page.
        smudges: expected number of places wiped over with a sleeve.
        ghosts: cells with the trace of an erased number, beneath another one or alone; pencil only.
    """

    corrections: float = 0.0
    overflow: float = 0.03
    strays: float = 0.3
    smudges: float = 0.0
    ghosts: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class FilledPage:
    """A page with ink on it.

    Attributes:
        image: uint8 (H, W, 3), BGR, the whole page.
        corrected: keys of the cells whose number was corrected.
    """

    image: ImageU8
    corrected: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Writer:
    """Hand, pen and page together, so that the drawing functions stay short."""

    page: ImageU8
    hand: Hand
    pen: Pen
    px_per_mm: float
    rng: np.random.Generator

    def draw(self, strokes_mm: Strokes, harder: float = 1.0) -> None:
        scaled = [stroke * self.px_per_mm for stroke in strokes_mm]
        draw_strokes(self.page, scaled, self.pen, self.px_per_mm, self.rng, self.hand.pressure * harder)

    def loose(self, amount: float) -> Points:
        return self.rng.normal(0, amount * (0.5 + self.hand.carelessness), 2)


def fill_page(
    blank_bgr: ImageU8,
    layout: SheetLayout,
    sheet: Sheet,
    hand: Hand,
    pen: Pen,
    rng: np.random.Generator,
    px_per_mm: float = PAGE_PX_PER_MM,
    mess: Mess | None = None,
) -> FilledPage:
    """Writes a sheet's content on a copy of the blank page.

    Args:
        blank_bgr: uint8 (H, W, 3), the printed page at `px_per_mm`.
        layout: where its cells are.
        sheet: what to write.
        hand: who writes.
        pen: with what.
        rng: source of chance.
        px_per_mm: scale of the picture.
        mess: how carelessly; None means the usual.
    """
    mess = mess or Mess()
    writer = _Writer(blank_bgr.copy(), hand, pen, px_per_mm, rng)
    corrected = []
    for cell in layout.cells:
        value = _value_of(sheet, cell)
        if value is None or value is False:
            if cell.kind == "number" and pen.kind.endswith("pencil") and rng.random() < mess.ghosts * 0.3:
                _write_ghost(writer, cell)
            if cell.kind == "bridge" and layout.bridge_marks == "circle":
                _maybe_strike_bridge(writer, sheet, cell)
        elif cell.kind == "number":
            if _write_number(writer, cell, str(value), mess):
                corrected.append(cell.key)
        elif cell.kind in ("player", "written"):
            _write_line(writer, cell, str(value))
        else:
            _mark_cell(writer, cell, layout.bridge_marks)
    _spoil(writer, layout, mess)
    return FilledPage(writer.page, tuple(corrected))


def _value_of(sheet: Sheet, cell: CellBox) -> int | str | bool | None:
    if cell.kind == "player":
        return sheet.player
    if cell.kind == "written":
        return sheet.written.get(str(cell.column))
    content = sheet[str(cell.column)]
    if cell.space is not None:
        values = content.marks if isinstance(content, Track) else content.numbers
        return values[cell.space - 1]
    if cell.kind == "bridge":
        return content.bridge
    return isinstance(content, Expedition) and content.double


def _centre(cell: CellBox) -> Points:
    return np.array([cell.x_mm + cell.w_mm / 2, cell.y_mm + cell.h_mm / 2])


def _text_strokes(writer: _Writer, text: str, height_mm: float, centre_mm: Points, widest_mm: float) -> Strokes:
    """The text centred on a place, smaller where it would be wider than `widest_mm`."""
    strokes = writer.hand.strokes(text, writer.rng)
    x0, y0, x1, y1 = bounds(strokes)
    scale = min(height_mm, widest_mm / max(x1 - x0, 0.2))
    middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
    return [(stroke - middle) * scale + centre_mm for stroke in strokes]


def _write_number(writer: _Writer, cell: CellBox, text: str, mess: Mess) -> bool:
    """Writes one number; True if it was corrected on the way."""
    rng, hand = writer.rng, writer.hand
    size = np.array([cell.w_mm, cell.h_mm])
    if text == "?":
        _write_blot(writer, cell)
        return False
    if rng.random() < mess.corrections:
        _write_correction(writer, cell, text)
        return True
    if writer.pen.kind.endswith("pencil") and rng.random() < mess.ghosts:
        _write_ghost(writer, cell)
    wild = rng.random() < mess.overflow
    height = min(hand.height(rng) * (1.25 if wild else 1.0), cell.h_mm * (1.12 if wild else 0.95))
    place = _centre(cell) + size * (hand.off_centre + writer.loose(0.12 if wild else 0.05))
    writer.draw(_text_strokes(writer, text, height, place, cell.w_mm * (1.12 if wild else 0.95)))
    return False


def _write_blot(writer: _Writer, cell: CellBox) -> None:
    """Ink that is no number: a scrawl, sometimes over a number that nobody can read any more."""
    size = np.array([cell.w_mm, cell.h_mm]) * writer.rng.uniform(0.75, 1.0)
    corner = _centre(cell) - size / 2 + writer.loose(0.4)
    writer.draw([stroke * size + corner for stroke in blot_strokes(writer.rng)])
    if writer.rng.random() < 0.5:
        writer.draw([stroke * size + corner for stroke in blot_strokes(writer.rng)])


def _write_correction(writer: _Writer, cell: CellBox, text: str) -> None:
    """The wrong number struck out with the valid one beside or above it, or the valid one written over."""
    rng = writer.rng
    wrong = str(rng.choice([str(n) for n in range(1, 11) if str(n) != text]))
    centre, height = _centre(cell), min(writer.hand.height(rng), cell.h_mm * 0.85)
    way = rng.random()
    if way < 0.12 and "10" not in (text, wrong):  # a ten written over is read by nobody
        writer.draw(_text_strokes(writer, wrong, height * 0.9, centre + writer.loose(0.4), cell.w_mm * 0.8))
        bold = _text_strokes(writer, text, height * 1.1, centre + writer.loose(0.4), cell.w_mm * 0.9)
        for _ in range(3):  # gone over until the new one stands out
            writer.draw([stroke + rng.normal(0, 0.1, stroke.shape[1]) for stroke in bold], 1.25)
        return
    beside = way < 0.7
    shift = np.array([0.24 * cell.w_mm, 0.0]) if beside else np.array([0.06 * cell.w_mm, 0.3 * cell.h_mm])
    old = _text_strokes(
        writer,
        wrong,
        height * (0.85 if beside else 0.65),
        centre - shift * [1, -1] + writer.loose(0.3),
        cell.w_mm * 0.5,
    )
    new_place = centre + shift * [1, -1] + writer.loose(0.4)
    new = _text_strokes(writer, text, height * (0.9 if beside else 0.75), new_place, cell.w_mm * 0.55)
    writer.draw(old)
    writer.draw(strike_strokes(bounds(old), writer.hand, rng), 1.05)
    writer.draw(new)


def _write_ghost(writer: _Writer, cell: CellBox) -> None:
    """What an eraser leaves of a number."""
    faint = replace(writer.pen, density=float(writer.rng.uniform(0.07, 0.15)), bleed_mm=0.12)
    text = str(writer.rng.integers(1, 11))
    height = min(writer.hand.height(writer.rng), cell.h_mm * 0.85)
    strokes = _text_strokes(writer, text, height, _centre(cell) + writer.loose(0.8), cell.w_mm * 0.9)
    _Writer(writer.page, writer.hand, faint, writer.px_per_mm, writer.rng).draw(strokes)


def _write_line(writer: _Writer, cell: CellBox, text: str) -> None:
    """A name or a total in its box."""
    share = 0.62 if cell.kind == "player" else 0.6
    height = min(writer.hand.height(writer.rng) * 0.9, cell.h_mm * share)
    place = _centre(cell) + writer.loose(0.5)
    if cell.kind == "player":
        place[0] -= cell.w_mm * float(writer.rng.uniform(0.0, 0.22))
    writer.draw(_text_strokes(writer, text, height, place, cell.w_mm * 0.92))


def _mark_cell(writer: _Writer, cell: CellBox, bridge_marks: str) -> None:
    rng = writer.rng
    style = None
    grow = 1.0
    if cell.kind == "double":
        grow = 1.15
        if rng.random() < 0.2:
            style = str(rng.choice(["circle", "filled", "tick"]))
    elif cell.kind == "bridge":
        grow = 1.2
        if bridge_marks == "circle":
            style = str(rng.choice(["circle", "circle", "circle", "tick", "filled"]))
            grow = 1.35
    side = min(cell.w_mm, cell.h_mm) * grow
    span = np.array([min(cell.w_mm, side * 1.25), side]) if style != "circle" else np.array([side * 1.2, side])
    corner = _centre(cell) - span / 2
    writer.draw([stroke * span + corner for stroke in mark_strokes(writer.hand, rng, style)])


def _maybe_strike_bridge(writer: _Writer, sheet: Sheet, cell: CellBox) -> None:
    """On pads where a circle claims the bridge, those who lost it strike it out: by habit, if they got there."""
    strikes = np.random.default_rng([writer.hand.seed, 20]).random() < 0.5
    if strikes and writer.rng.random() < (0.8 if sheet[str(cell.column)].filled >= 6 else 0.25):
        box = (cell.x_mm, cell.y_mm, cell.x_mm + cell.w_mm, cell.y_mm + cell.h_mm)
        style = "slash" if writer.rng.random() < 0.6 else "cross"
        size = np.array([box[2] - box[0], box[3] - box[1]])
        strokes = mark_strokes(writer.hand, writer.rng, style)
        writer.draw([stroke * size + [box[0], box[1]] for stroke in strokes])


def _spoil(writer: _Writer, layout: SheetLayout, mess: Mess) -> None:
    """Strays and smudges, anywhere on the page."""
    rng = writer.rng
    page_mm = np.array(layout.page_mm)
    for _ in range(rng.poisson(mess.strays)):
        start = rng.uniform(0.06, 0.94, 2) * page_mm
        length = float(rng.choice([0.15, 0.3, 0.6, 1.8], p=[0.4, 0.3, 0.2, 0.1]))
        writer.draw([start + np.cumsum(rng.normal(0, length / 2, (5, 2)), axis=0) * 0.5], 0.8)
    for _ in range(rng.poisson(mess.smudges)):
        _smudge(writer, rng.uniform(0.15, 0.85, 2) * page_mm)


def _smudge(writer: _Writer, place_mm: Points) -> None:
    """A sleeve or a thumb has wiped over wet ink: blurred along the wipe and a little grey."""
    rng, scale = writer.rng, writer.px_per_mm
    half = (rng.uniform(4, 9, 2) * scale).astype(int)
    centre = (place_mm * scale).astype(int)
    height, width = writer.page.shape[:2]
    x0, y0 = np.maximum(centre - half, 0)
    x1, y1 = np.minimum(centre + half, [width, height])
    if x1 - x0 < 8 or y1 - y0 < 8:
        return
    patch = writer.page[y0:y1, x0:x1]
    reach = int(1.5 * scale) | 1
    kernel = np.zeros((reach, reach), dtype=np.float32)
    cv2.line(kernel, (0, int(rng.integers(reach))), (reach - 1, int(rng.integers(reach))), 1.0)
    wiped = cv2.filter2D(patch, -1, kernel / kernel.sum()).astype(np.float32) * rng.uniform(0.93, 0.99)
    yy, xx = np.mgrid[-1 : 1 : complex(0, y1 - y0), -1 : 1 : complex(0, x1 - x0)]
    weight = (0.65 * np.clip(1.2 - 1.2 * (xx**2 + yy**2), 0, 1))[..., None].astype(np.float32)
    patch[:] = (patch * (1 - weight) + np.minimum(wiped, patch) * weight).astype(np.uint8)
