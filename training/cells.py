"""Composes training cells: printed cell, ink, clutter, and everything that a phone and the pipeline do to them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scanner.reader import CELL_PX
from training.bare import BarePictures
from training.camera import photograph
from training.clutter import clutter
from training.ink import TrainingPen, add_ink, draw_pen, empty_layer, stroke_cover
from training.labels import CLAIMED, CROSSED, EMPTY, FILLED, SCRAWL, UNMARKED, UNSURE, VALUE_SHARES
from training.printed import BOX_PX, CANVAS_PX, Printed, invent, own_cells, recoloured
from training.scribe import STRUCK, Place, Scribe, ink_box, mark_styles, pen_px, usual_place
from training.sources import Sources

U8 = NDArray[np.uint8]
Rng = np.random.Generator

_NO_PRINT = np.zeros((CELL_PX, CELL_PX, 3), np.uint8)
_STYLES = np.array([0.2, 0.17, 0.13, 0.07, 0.1, 0.07, 0.14, 0.07, 0.05])


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """One training cell.

    Attributes:
        image: uint8 (48, 48, 3), BGR, as photographed.
        blank: uint8 (48, 48, 3), BGR, as printed.
        known: whether the print can be known; source pictures of others have none.
        number: label of the number head, or `UNSURE` or `FILLED`.
        mark: label of the mark head, or `UNSURE`.
    """

    image: U8
    blank: U8
    known: bool
    number: int
    mark: int


class Composer:
    """Draws cells one after the other.

    Args:
        sources: the part of the data to write with.
        part: whose procedural hands to write with, see `training.scribe.HANDS`.
        seed: everything follows from it.
    """

    def __init__(self, sources: Sources, part: str, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._scribe = Scribe(sources, part)
        self._bare = BarePictures(sources)
        self._own = own_cells()
        self._invented = [invent(self._rng) for _ in range(600)]

    def cell(self) -> Cell:
        """The next cell."""
        rng = self._rng
        if rng.random() < 0.16:
            return self._bare_cell()
        printed = self._printed()
        layer = empty_layer()
        number, mark = self.write(layer, printed, draw_pen(rng))
        clutter(layer, self._scribe, printed, rng)
        image, blank = photograph(printed, layer, rng)
        return Cell(image, blank, True, number, mark)

    def write(self, layer: U8, printed: Printed, pen: TrainingPen) -> tuple[int, int]:
        """Writes into a cell, or leaves it empty.

        Args:
            layer: uint8 (144, 144, 3), light let through by ink, changed.
            printed: the cell.
            pen: with what.

        Returns:
            The labels of the number head and of the mark head.
        """
        if printed.kind == "number":
            return self._write_number(layer, printed, pen)
        return self._write_mark(layer, printed, pen)

    def invented(self, kind: str) -> Printed:
        """An invented cell of that kind, in any colours."""
        rng = self._rng
        while True:
            printed = self._invented[int(rng.integers(len(self._invented)))]
            if printed.kind == kind:
                return recoloured(printed, rng)

    def _printed(self) -> Printed:
        rng = self._rng
        if rng.random() < 0.012:
            self._invented[int(rng.integers(len(self._invented)))] = invent(rng)
        # Figures are harder to learn than marks, so there are more of them than on a sheet.
        number = rng.random() < 0.72
        own = rng.random() < 0.4
        pool = self._own if own else self._invented
        while True:
            printed = pool[int(rng.integers(len(pool)))]
            if (printed.kind == "number") == number:
                return printed if own and rng.random() < 0.6 else recoloured(printed, rng)

    def _write_number(self, layer: U8, printed: Printed, pen: TrainingPen) -> tuple[int, int]:
        rng, scribe = self._rng, self._scribe
        width = pen_px(pen, printed.size_mm)
        kind = rng.choice(["empty", "number", "corrected", "scrawl", "mark"], p=[0.19, 0.69, 0.06, 0.04, 0.02])
        if kind == "empty":
            return EMPTY, UNMARKED
        if kind == "number":
            value = int(rng.choice(11, p=VALUE_SHARES))
            add_ink(layer, scribe.text(str(value), usual_place(rng), width, rng), pen, rng)
            return value or SCRAWL, UNSURE
        if kind == "corrected":
            return self._correct(layer, width, pen), UNSURE
        if kind == "scrawl":
            return self._scrawl(layer, width, pen), UNSURE
        style = str(rng.choice(mark_styles()))
        add_ink(layer, stroke_cover(scribe.mark(style, rng), width, rng), pen, rng)
        return SCRAWL if style in ("cross", "scribble", "filled") else FILLED, mark_label(style)

    def _correct(self, layer: U8, width: float, pen: TrainingPen) -> int:
        """A wrong number struck out with the right one beside or above it, or one written over a fainter one."""
        rng, scribe = self._rng, self._scribe
        wrong, right = int(rng.integers(1, 11)), int(rng.choice(11, p=VALUE_SHARES)) or 10
        if rng.random() < 0.15:
            old = TrainingPen(pen.width_mm, pen.colour_bgr, pen.density * rng.uniform(0.15, 0.45), pen.grain)
            add_ink(layer, scribe.text(str(wrong), usual_place(rng), width, rng), old, rng)
            add_ink(layer, scribe.text(str(right), usual_place(rng), width * 1.2, rng), pen, rng)
            return right
        side = rng.choice(["left", "right", "above", "below", "corner"], p=[0.32, 0.1, 0.3, 0.1, 0.18])
        dx, dy = {"left": (-1, 0), "right": (1, 0), "above": (0, 1), "below": (0, -1), "corner": (-0.7, 0.7)}[str(side)]
        apart = BOX_PX * rng.uniform(0.18, 0.33)
        old_place = _beside(dx * apart, dy * apart, rng.uniform(0.35, 0.65), rng)
        new_place = _beside(-dx * apart * 1.1, -dy * apart * 1.1, rng.uniform(0.35, 0.6), rng)
        cover = scribe.text(str(wrong), old_place, width, rng)
        add_ink(layer, cover, pen, rng)
        for _ in range(rng.choice([1, 1, 2])):
            add_ink(layer, stroke_cover(scribe.strike(ink_box(cover), rng), width, rng), pen, rng)
        other = pen if rng.random() < 0.85 else draw_pen(rng)
        add_ink(layer, scribe.text(str(right), new_place, width, rng), other, rng)
        return right

    def _scrawl(self, layer: U8, width: float, pen: TrainingPen) -> int:
        """Ink that is no legal number."""
        rng, scribe = self._rng, self._scribe
        kind = rng.choice(["struck", "blot", "pair", "zero", "over"], p=[0.25, 0.27, 0.17, 0.12, 0.19])
        if kind == "blot":
            add_ink(layer, stroke_cover(scribe.blot(rng), width, rng), pen, rng)
        elif kind == "pair":
            text = str(rng.choice([n for n in range(11, 100)]))
            add_ink(layer, scribe.text(text, usual_place(rng), width, rng), pen, rng)
        elif kind == "zero":
            add_ink(layer, scribe.text("0", usual_place(rng), width, rng), pen, rng)
        else:
            cover = scribe.text(str(int(rng.integers(1, 11))), usual_place(rng), width, rng)
            add_ink(layer, cover, pen, rng)
            strokes = scribe.strike(ink_box(cover), rng) if kind == "struck" else scribe.blot(rng)
            if kind == "struck":
                # One line through a digit can be part of it (a crossed 7): strike twice.
                strokes = strokes + scribe.strike(ink_box(cover), rng)
            add_ink(layer, stroke_cover(strokes, width * rng.uniform(1, 1.5), rng), pen, rng)
        return SCRAWL

    def _write_mark(self, layer: U8, printed: Printed, pen: TrainingPen) -> tuple[int, int]:
        rng = self._rng
        if rng.random() < 0.42:
            return number_or_unsure(printed.kind), UNMARKED
        style = str(rng.choice(mark_styles(), p=_STYLES))
        strokes = self._scribe.mark(style, rng)
        if printed.size_mm < 9 and rng.random() < 0.5:
            # Small boxes are marked beyond their border.
            grow = rng.uniform(1.1, 1.7)
            strokes = [(line - CANVAS_PX / 2) * grow + CANVAS_PX / 2 for line in strokes]
        if printed.kind == "double" and style == "circle" and rng.random() < 0.5:
            # Drawn along the printed ring.
            points = np.concatenate(strokes)
            size = BOX_PX * rng.uniform(0.85, 1.15) / max(np.ptp(points[:, 0]), 1)
            strokes = [
                (line - points.mean(0)) * size + CANVAS_PX / 2 + rng.normal(0, 0.03 * BOX_PX, 2) for line in strokes
            ]
        if printed.kind != "mark" and style == "circle" and rng.random() < 0.5:
            # Around the whole box.
            points = np.concatenate(strokes)
            size = BOX_PX * rng.uniform(0.9, 1.4, 2) / np.maximum(np.ptp(points, 0), 1)
            strokes = [
                (line - points.mean(0)) * size + CANVAS_PX / 2 + rng.normal(0, 0.03 * BOX_PX, 2) for line in strokes
            ]
        width = max(pen_px(pen, printed.size_mm), 1.2 * BOX_PX / printed.size_mm if style == "dot" else 0)
        add_ink(layer, stroke_cover(strokes, width, rng), pen, rng)
        return UNSURE, mark_label(style)

    def _bare_cell(self) -> Cell:
        """A picture of a source as it is, without a known print."""
        image, number, mark = self._bare.draw(self._rng)
        return Cell(image, _NO_PRINT, False, number, mark)


def number_or_unsure(kind: str) -> int:
    """Number label of an empty cell that is no space for numbers: circles and bridges never teach the number head."""
    return EMPTY if kind == "mark" else UNSURE


def mark_label(style: str) -> int:
    """Label of a mark of that style."""
    return CROSSED if style in STRUCK else CLAIMED


def _beside(dx: float, dy: float, share: float, rng: Rng) -> Place:
    place = usual_place(rng)
    return Place(
        CANVAS_PX / 2 + dx + rng.normal(0, 0.04 * BOX_PX),
        CANVAS_PX / 2 + dy + rng.normal(0, 0.04 * BOX_PX),
        BOX_PX * share,
        BOX_PX * 0.6,
        place.aspect,
        place.slant,
        place.turn,
    )
