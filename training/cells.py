"""Composes training cells: printed cell, ink, clutter, and everything that a phone and the pipeline do to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.reader import CELL_PX
from training.ink import TrainingPen, add_ink, draw_pen, empty_layer, stroke_cover
from training.printed import BOX_PX, CANVAS_PX, Printed, invent, own_cells, recoloured
from training.scribe import STRUCK, Place, Scribe, ink_box, mark_styles, pen_px, usual_place
from training.sources import Raw, Sources

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
Rng = np.random.Generator

UNSURE = -1
"""Label of a head that learns nothing from a cell."""

FILLED = -2
"""Number label of ink that may or may not be a number: only `empty` is wrong."""

EMPTY, SCRAWL = 0, 11
"""Number labels; 1 to 10 are the numbers themselves."""

UNMARKED, CLAIMED, CROSSED = 0, 1, 2
"""Mark labels, as in `scanner.reader.MARK_CLASSES`."""

WORK_PX = 3 * CELL_PX // 2
"""Side of the picture in which ink meets paper, before blur and reduction to the net's size."""

GOOD_PHOTOS = 0.65
"""Share of cells from good photos. The rest are blurred, noisy, small: with more of them the net spends itself on what
nobody can read, and reads clean figures worse."""


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
        self._raw = sources.raw
        self._own = own_cells()
        self._invented = [invent(self._rng) for _ in range(600)]

    def cell(self) -> Cell:
        """The next cell."""
        rng = self._rng
        if rng.random() < 0.11:
            return self._raw_cell()
        printed = self._printed()
        layer = empty_layer()
        pen = draw_pen(rng)
        if printed.kind == "number":
            number, mark = self._write_number(layer, printed, pen)
        else:
            number, mark = self._write_mark(layer, printed, pen)
        clutter(layer, self._scribe, printed, rng)
        image, blank = photograph(printed, layer, rng)
        return Cell(image, blank, True, number, mark)

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
        kind = rng.choice(["empty", "number", "corrected", "scrawl", "mark"], p=[0.2, 0.66, 0.06, 0.06, 0.02])
        if kind == "empty":
            return EMPTY, UNMARKED
        if kind == "number":
            value = int(rng.choice(11, p=_VALUES))
            add_ink(layer, scribe.text(str(value), usual_place(rng), width, rng), pen, rng)
            return value or SCRAWL, UNSURE
        if kind == "corrected":
            return self._correct(layer, width, pen), UNSURE
        if kind == "scrawl":
            return self._scrawl(layer, width, pen), UNSURE
        style = str(rng.choice(mark_styles()))
        add_ink(layer, stroke_cover(scribe.mark(style, rng), width, rng), pen, rng)
        return SCRAWL if style in ("cross", "scribble", "filled") else FILLED, _mark_label(style)

    def _correct(self, layer: U8, width: float, pen: TrainingPen) -> int:
        """A wrong number struck out with the right one beside or above it, or one written over a fainter one."""
        rng, scribe = self._rng, self._scribe
        wrong, right = int(rng.integers(1, 11)), int(rng.choice(11, p=_VALUES)) or 10
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
        kind = rng.choice(["struck", "blot", "pair", "zero", "over"], p=[0.33, 0.25, 0.17, 0.08, 0.17])
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
            return (EMPTY if printed.kind == "mark" else UNSURE), UNMARKED
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
        return UNSURE, _mark_label(style)

    def _raw_cell(self) -> Cell:
        """A picture of a source as it is, without a known print."""
        rng = self._rng
        raw = self._raw[int(rng.choice(len(self._raw), p=_RAW_SHARES))]
        if raw.name == "photo_cells":
            groups = [raw.labels == 0, raw.labels == 10, (raw.labels > 0) & (raw.labels < 10)]
            index = int(rng.choice(np.flatnonzero(groups[int(rng.choice(3, p=[0.4, 0.08, 0.52]))])))
            label = int(raw.labels[index])
            number = FILLED if label == 10 else label
            mark = UNMARKED if label == 0 else UNSURE
        else:
            index = int(rng.integers(len(raw.labels)))
            number, mark = int(raw.labels[index]) or SCRAWL, UNSURE
        return _source_picture(raw, index, number, mark, rng)


def _mark_label(style: str) -> int:
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


def _source_picture(raw: Raw, index: int, number: int, mark: int, rng: Rng) -> Cell:
    image = raw.images[index]
    if rng.random() < 0.25:
        image = cv2.resize(image, None, fx=3, fy=3, interpolation=int(rng.choice([cv2.INTER_CUBIC, cv2.INTER_NEAREST])))
    pad = int(rng.choice([0, rng.uniform(0, 0.3) * image.shape[0]])) if raw.name != "photo_cells" else 0
    if pad:
        image = cv2.copyMakeBorder(image, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=255)
    if rng.random() < 0.7:
        image = _jittered(image, raw.name == "photo_cells", rng)
    image = cv2.resize(
        image, (CELL_PX, CELL_PX), interpolation=cv2.INTER_AREA if image.shape[0] > CELL_PX else cv2.INTER_LINEAR
    )
    colour = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR).astype(np.float32)
    if rng.random() < 0.5:
        colour *= rng.uniform(0.6, 1.0) * (1 + rng.normal(0, 0.05, 3).astype(np.float32))
        colour += rng.normal(0, rng.uniform(0, 4), colour.shape).astype(np.float32)
    if rng.random() < 0.3 and raw.name != "photo_cells":
        lightest = rng.uniform(0, 120)
        colour = lightest + colour * ((255 - lightest) / 255)
    if rng.random() < 0.2:
        colour = cv2.GaussianBlur(colour, (0, 0), rng.uniform(0.3, 1.2))
    return Cell(
        np.clip(colour, 0, 255).astype(np.uint8), np.zeros((CELL_PX, CELL_PX, 3), np.uint8), False, number, mark
    )


def _jittered(image: U8, photographed: bool, rng: Rng) -> U8:
    side = image.shape[0]
    scale = np.exp(rng.normal(0, 0.06, 2))
    turn, lean = rng.normal(0, 0.06), rng.normal(0, 0.08)
    matrix = np.array([[scale[0], lean], [turn, scale[1]]])
    centre = np.array([image.shape[1] / 2, side / 2])
    shift = centre - matrix @ centre + rng.normal(0, 0.03, 2) * side
    border = cv2.BORDER_REPLICATE if photographed else cv2.BORDER_CONSTANT
    size = (image.shape[1], side)
    return cv2.warpAffine(image, np.column_stack([matrix, shift]), size, borderMode=border, borderValue=255)


def clutter(layer: U8, scribe: Scribe, printed: Printed, rng: Rng) -> None:
    """What is on the paper without meaning anything for this cell, added to its layer in place."""
    if rng.random() < 0.4:
        for _ in range(rng.choice([1, 1, 2])):
            _neighbour(layer, scribe, printed, rng)
    if rng.random() < 0.12:
        _stray(layer, printed, rng)
    if rng.random() < 0.16:
        _specks(layer, printed, rng)
    if rng.random() < 0.08:
        _smudge(layer, rng)
    if rng.random() < 0.08:
        _ghost(layer, scribe, printed, rng)
    if rng.random() < 0.03:
        _fibre(layer, printed, rng)


def _neighbour(layer: U8, scribe: Scribe, printed: Printed, rng: Rng) -> None:
    """What was written in the next cell, as far as it comes over: into the margin, at most a little into the box."""
    pen = draw_pen(rng)
    width = pen_px(pen, printed.size_mm)
    sides = np.array([(0, -1), (0, 1), (-1, 0), (1, 0)])
    side = sides[int(rng.integers(4))]
    place = usual_place(rng)
    centre = CANVAS_PX / 2 + side * BOX_PX * rng.uniform(1.05, 1.3) + rng.normal(0, 0.05 * BOX_PX, 2)
    wide = BOX_PX * rng.uniform(0.6, 1.2)
    moved = Place(
        centre[0], centre[1], place.height_px * rng.uniform(0.9, 1.4), wide, place.aspect, place.slant, place.turn
    )
    if rng.random() < 0.75:
        cover = scribe.text(str(int(rng.integers(1, 11))), moved, width, rng)
    else:
        style = str(rng.choice(["cross", "tick", "slash", "scribble", "circle"]))
        strokes = [line + centre - CANVAS_PX / 2 for line in scribe.mark(style, rng)]
        cover = stroke_cover(strokes, width, rng)
    # Nobody's tail reaches further into this box than this.
    reach = int(BOX_PX * rng.choice([0.0, 0.08, 0.16]))
    low, high = CANVAS_PX // 2 - BOX_PX // 2 + reach, CANVAS_PX // 2 + BOX_PX // 2 - reach
    if side[0] < 0:
        cover[:, low:] = 0
    elif side[0] > 0:
        cover[:, :high] = 0
    elif side[1] < 0:
        cover[low:] = 0
    else:
        cover[:high] = 0
    add_ink(layer, cover, pen, rng)


def _stray(layer: U8, printed: Printed, rng: Rng) -> None:
    """A slip of the pen or the end of a line from elsewhere: short, across the box's border."""
    angle, length = rng.uniform(0, 2 * np.pi), BOX_PX * rng.uniform(0.15, 0.5)
    side = rng.integers(4)
    along = rng.uniform(-0.5, 0.5) * BOX_PX
    across = rng.uniform(0.46, 0.62) * BOX_PX
    start = np.array([(along, -across), (along, across), (-across, along), (across, along)][int(side)]) + CANVAS_PX / 2
    end = start + length * np.array([np.cos(angle), np.sin(angle)])
    # No stray reaches the middle of the box: there it would be a figure.
    middle = CANVAS_PX / 2
    if np.abs(end - middle).max() < 0.24 * BOX_PX:
        end = (start + end) / 2
    line = np.linspace(start, end, 7) + rng.normal(0, 0.6, (7, 2))
    pen = draw_pen(rng)
    add_ink(layer, stroke_cover([line], pen_px(pen, printed.size_mm), rng), pen, rng)


def _specks(layer: U8, printed: Printed, rng: Rng) -> None:
    """Dots of ink or dirt too small to be meant: at most 0.7 mm."""
    pen = draw_pen(rng)
    cover = np.zeros((CANVAS_PX, CANVAS_PX), np.uint8)
    for _ in range(int(rng.integers(1, 4))):
        place = rng.uniform(15, CANVAS_PX - 15, 2)
        radius = max(1.0, BOX_PX / printed.size_mm * rng.uniform(0.1, 0.35))
        cv2.circle(cover, (int(place[0] * 16), int(place[1] * 16)), int(radius * 16), 255, -1, cv2.LINE_AA, 4)
    add_ink(layer, cover, pen, rng)


def _smudge(layer: U8, rng: Rng) -> None:
    """A grey or coloured cloud: rubbed pencil, a fingerprint, a coffee stain."""
    blob = np.zeros((CANVAS_PX, CANVAS_PX), np.uint8)
    centre, axes = rng.uniform(20, 124, 2), rng.uniform(8, 45, 2)
    cv2.ellipse(
        blob, (int(centre[0]), int(centre[1])), (int(axes[0]), int(axes[1])), rng.uniform(0, 180), 0, 360, 255, -1
    )
    blob = cv2.blur(cv2.blur(blob, (19, 19)), (19, 19))
    shade = rng.uniform(0.6, 1.0) * np.ones(3) if rng.random() < 0.6 else rng.uniform(0.5, 1.0, 3)
    pen = TrainingPen(
        1, (float(shade[0]), float(shade[1]), float(shade[2])), rng.uniform(0.2, 0.7), rng.uniform(0, 0.7)
    )
    add_ink(layer, blob, pen, rng)


def _ghost(layer: U8, scribe: Scribe, printed: Printed, rng: Rng) -> None:
    """Erased pencil, or writing that shows through from the back: mirrored, faint and soft."""
    pen = draw_pen(rng)
    cover = scribe.text(str(int(rng.integers(1, 11))), usual_place(rng), pen_px(pen, printed.size_mm) * 1.3, rng)
    if rng.random() < 0.6:
        cover = np.ascontiguousarray(cover[:, ::-1])
    cover = cv2.GaussianBlur(cover, (0, 0), rng.uniform(0.8, 3))
    faint = TrainingPen(pen.width_mm, (0.4, 0.4, 0.4), rng.uniform(0.04, 0.2), pen.grain)
    add_ink(layer, cover, faint, rng)


def _fibre(layer: U8, printed: Printed, rng: Rng) -> None:
    """A hair or a scratch: thin, long, faint."""
    start, end = rng.uniform(0, CANVAS_PX, 2), rng.uniform(0, CANVAS_PX, 2)
    middle = (start + end) / 2 + rng.normal(0, 0.15 * BOX_PX, 2)
    t = np.linspace(0, 1, 12)[:, None]
    line = (1 - t) ** 2 * start + 2 * t * (1 - t) * middle + t**2 * end
    cover = stroke_cover([line], 0.12 * BOX_PX / printed.size_mm, rng, 0)
    add_ink(layer, cover, TrainingPen(0.1, (0.5, 0.5, 0.5), rng.uniform(0.2, 0.5), 0.3), rng)


def photograph(printed: Printed, layer: U8, rng: Rng) -> tuple[U8, U8]:
    """The cell as cut from a photo, and the blank as cut from the print: two uint8 (48, 48, 3)."""
    margin = rng.normal(0.2, 0.008) if rng.random() < 0.65 else rng.uniform(0.0, 0.25)
    scale = WORK_PX / (BOX_PX * (1 + 2 * margin))
    exact = np.array([[scale, 0, WORK_PX / 2 - scale * CANVAS_PX / 2], [0, scale, WORK_PX / 2 - scale * CANVAS_PX / 2]])
    blank = cv2.resize(_cut(printed.image, exact), (CELL_PX, CELL_PX), interpolation=cv2.INTER_AREA)
    off = exact @ np.vstack([_misplacement(printed.size_mm, rng), [0, 0, 1]])
    order = list(printed.order)
    paper = cv2.LUT(_cut(printed.image, off)[..., order], _reprint_table(rng))
    ink = _bent(layer, off, rng) if rng.random() < 0.5 else _cut(layer, off)
    written = cv2.multiply(paper, ink, scale=1 / 255, dtype=cv2.CV_32F)
    return _camera(written, rng), blank[..., order]


def _cut(image: U8, matrix: NDArray[np.float64]) -> U8:
    return cv2.warpAffine(image, matrix, (WORK_PX, WORK_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def _bent(image: U8, matrix: NDArray[np.float64], rng: Rng) -> U8:
    """The cut of `_cut`, smoothly distorted by a pixel or so: more shapes than the sources hold."""
    back = cv2.invertAffineTransform(matrix)
    coarse = rng.normal(0, rng.uniform(0.5, 2.2), (2, 4, 4)).astype(np.float32)
    x, y = (cv2.resize(field, (WORK_PX, WORK_PX), interpolation=cv2.INTER_CUBIC) for field in coarse)
    rows, columns = _ROWS_COLUMNS
    map_x = back[0, 0] * columns + back[0, 1] * rows + back[0, 2] + x
    map_y = back[1, 0] * columns + back[1, 1] * rows + back[1, 2] + y
    return cv2.remap(
        image, map_x.astype(np.float32), map_y.astype(np.float32), cv2.INTER_LINEAR, borderValue=(255,) * 3
    )


def _misplacement(size_mm: float, rng: Rng) -> NDArray[np.float64]:
    """(2, 3): by how much the cell was cut off its place, in canvas pixels: what bent paper leaves."""
    sigma = rng.choice([0.1, 0.2, 0.4], p=[0.45, 0.43, 0.12]) * BOX_PX / size_mm
    shift = np.clip(rng.normal(0, sigma, 2), -0.8 * BOX_PX / size_mm, 0.8 * BOX_PX / size_mm)
    linear = np.eye(2) + rng.normal(0, 0.012, (2, 2))
    middle = np.array([CANVAS_PX / 2] * 2)
    return np.column_stack([linear, middle - linear @ middle + shift])


def _reprint_table(rng: Rng) -> U8:
    """The print as another printer puts it, as a table (1, 256, 3): inks stronger or weaker, paper not quite white."""
    density = np.clip(rng.normal(0.95, 0.12, 3), 0.6, 1.25) * rng.uniform(0.85, 1.05)
    if rng.random() < 0.03:
        density[:] = rng.uniform(0.4, 0.7)
    paper = 1 - np.abs(rng.normal(0, 0.02, 3))
    levels = 255 - (255 - np.arange(256)[:, None]) * density
    return (np.clip(levels, 3, 255) * paper).astype(np.uint8)[None]


def _light(rng: Rng) -> F32:
    """Light over the cell, float32 (72, 72, 3): level, colour, slope, perhaps the edge of a shadow."""
    y, x = _GRID
    level = rng.uniform(0.16, 0.5) if rng.random() < 0.2 else rng.uniform(0.5, 1.12)
    slope = rng.normal(0, 0.08, 2)
    field = level * (1 + slope[0] * x + slope[1] * y)
    if rng.random() < 0.1:
        angle, offset = rng.uniform(0, 2 * np.pi), rng.uniform(-0.8, 0.8)
        edge = 1 / (1 + np.exp(-(np.cos(angle) * x + np.sin(angle) * y - offset) * rng.choice([3, 6, 12])))
        field = field * (1 - rng.uniform(0.2, 0.65) * edge)
    cast = np.exp(rng.normal(0, 0.13, 3))
    coarse = (field[..., None] * (cast / cast.max())).astype(np.float32)
    return cv2.resize(coarse, (WORK_PX, WORK_PX), interpolation=cv2.INTER_LINEAR)


def _camera(paper: F32, rng: Rng) -> U8:
    """From light on paper to the decoded, rectified cell: usually sharp and clean, as phones' photos are."""
    good = rng.random() < GOOD_PHOTOS
    image = cv2.multiply(paper, _light(rng))
    if rng.random() < (0.05 if good else 0.2):
        haze = rng.uniform(0, 0.25)
        image = image * (1 - haze) + haze * rng.uniform(60, 255)
    if rng.random() < 0.2:
        np.power(np.maximum(image, 0) / 255, rng.uniform(0.75, 1.3), out=image)
        image *= 255
    image = _blurred(image, good, rng)
    noise = rng.choice([0.0, 2.0, 4.0] if good else [2.0, 5.0, 9.0], p=[0.35, 0.45, 0.2]) * rng.uniform(0.5, 1.3)
    side = WORK_PX
    if rng.random() < (0.3 if good else 0.4):
        # Fewer pixels than the net's, or hardly more: a small or distant sheet.
        side = int(rng.uniform(44 if good else 26, WORK_PX))
        image = cv2.resize(image, (side, side), interpolation=cv2.INTER_AREA)
        if noise:
            image += _noise(rng, side) * noise
    if rng.random() < 0.2:
        soft = cv2.GaussianBlur(image, (0, 0), 1.0)
        image = image + rng.uniform(0.2, 0.9) * (image - soft)
    how = cv2.INTER_AREA if side > CELL_PX else cv2.INTER_LINEAR
    image = cv2.resize(image, (CELL_PX, CELL_PX), interpolation=how)
    if noise and side == WORK_PX:
        image += _noise(rng, CELL_PX) * noise * 0.7
    out = np.clip(image, 0, 255).astype(np.uint8)
    if rng.random() < 0.35:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(65 if good else 35, 96))]
        out = cv2.imdecode(cv2.imencode(".jpg", out, quality)[1], cv2.IMREAD_COLOR)
    return out


def _blurred(image: F32, good: bool, rng: Rng) -> F32:
    style = rng.random()
    if style < (0.45 if good else 0.15):
        return image
    if style < 0.9:
        return cv2.GaussianBlur(image, (0, 0), rng.uniform(0.3, 0.85) if good else rng.uniform(0.6, 1.9))
    length = rng.uniform(1.5, 3) if good else rng.uniform(2, 5.5)
    kernel = np.zeros((7, 7), np.float32)
    angle = rng.uniform(0, np.pi)
    reach = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    start, end = (3 - reach) * 16, (3 + reach) * 16
    cv2.line(kernel, (int(start[0]), int(start[1])), (int(end[0]), int(end[1])), 1.0, 1, cv2.LINE_AA, 4)
    return cv2.filter2D(image, -1, kernel / max(kernel.sum(), 1e-3))


def _noise(rng: Rng, side: int) -> F32:
    grey = rng.standard_normal((side, side, 1), np.float32)
    return 0.8 * grey + 0.5 * rng.standard_normal((side, side, 3), np.float32)


_GRID = np.mgrid[-1:1:24j, -1:1:24j].astype(np.float32)
_ROWS_COLUMNS = np.mgrid[0:WORK_PX, 0:WORK_PX].astype(np.float32)
_VALUES = np.array([0.5, 1.3, 1, 1, 1, 1, 1, 1.3, 1, 1, 1.6]) / 11.7
_STYLES = np.array([0.2, 0.17, 0.13, 0.07, 0.1, 0.07, 0.14, 0.07, 0.05])
_RAW_SHARES = (0.3, 0.22, 0.13, 0.35)

CellMaker = Callable[[], Cell]
