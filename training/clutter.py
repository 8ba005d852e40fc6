"""What is on the paper without meaning anything for a cell: neighbours' ends, slips, specks, smudges, ghosts, hairs."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from training.ink import TrainingPen, add_ink, draw_pen, stroke_cover
from training.printed import BOX_PX, CANVAS_PX, Printed
from training.scribe import Place, Scribe, pen_px, usual_place

U8 = NDArray[np.uint8]
Rng = np.random.Generator


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
