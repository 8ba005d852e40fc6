"""Training cells as the scan itself sees them: written sheets, photographed, found, flattened and cut.

The composed cells of `training.cells` are more various; these have exactly the errors of the real pipeline: its blur,
its misplacement, what its rectification does to noise and JPEG blocks. They are written by the same composer, cell by
cell with the digits of all sources, or as `synth` writes its own sheets. A part is cut at the true corners instead,
from the photo at its full size, as strangers cut cells for `read_numbers`; half of those sheets show invented cells.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from layouts import EXPEDITIONS, SPACES, CellBox, SheetLayout, blank_picture, load_layout
from scanner import ScanError
from scanner.align import align
from scanner.locate import find_sheets
from scanner.photo import load_photo
from scanner.reader import CELL_PX
from scanner.stopwatch import Stopwatch
from scanner.types import Cells
from scoring import Expedition, Sheet
from synth.camera import photograph
from synth.hands import Hand, hand_for
from synth.ink import Pen, draw_strokes, pen_for
from synth.kinds import draw, draw_kind
from synth.marks import mark_strokes
from synth.pages import fill_page
from synth.prints import printed
from synth.recipes import Recipe
from synth.scenes import Sensor
from synth.sensor import encode
from training.cells import Composer, mark_label, number_or_unsure
from training.ink import draw_pen, empty_layer
from training.labels import EMPTY, SCRAWL, UNMARKED, UNSURE
from training.printed import BOX_PX, CANVAS_PX, Printed
from training.scribe import HANDS, mark_styles
from training.shard import Shard

U8 = NDArray[np.uint8]
Rng = np.random.Generator
Labels = dict[str, tuple[int, int]]

SIZE_WH = (2016, 1512)
"""Photos at half of a phone's size; the scan decodes them at half, and 12 megapixels at a quarter: to the same."""

_COMPOSED = 0.6
"""Share of sheets written by the composer, with the digits of all sources; the others are written as `synth` does."""

_FILLED, _BLOTS, _MARKED = 0.85, 0.03, 0.6
"""Shares of number spaces with ink, of those with ink that is no number, and of marks: many cells a photo, not a
likely game."""

_CORRECTED = 0.05
"""Least share of corrected numbers on a sheet of `synth`: they are hard to read, so there are more than people make."""

_HARD = 0.3
"""Share of hard photos."""

_BY_CORNERS, _INVENTED = 0.4, 0.5
"""Share of photos cut at the true corners, and of those that show invented cells."""

_CUT_ERROR_MM = 0.15
"""Standard deviation of the place of such a cut."""

_CUT_PX = 2 * CELL_PX
"""Side of such a cut before it is reduced to the net's size."""

_KEPT_EMPTY = 0.5
"""Share of the empty cells that is kept: they are easy and many."""


@dataclass(frozen=True, slots=True, eq=False)
class _Page:
    image: U8
    labels: Labels


class Photographer:
    """Writes sheets and photographs them.

    Args:
        composer: writes cells with the digits of its sources.
        part: whose procedural hands to write with, see `training.scribe.HANDS`.
        seed: everything follows from it, together with the composer's.
    """

    def __init__(self, composer: Composer, part: str, seed: int) -> None:
        self._composer = composer
        self._hands = HANDS[part]
        self._rng = np.random.default_rng(seed)
        self._layout = load_layout()

    def photo(self) -> Shard | None:
        """The cells of one photo, or None where the scan refuses it."""
        rng = self._rng
        kind = draw_kind("hard" if rng.random() < _HARD else "normal", rng)
        recipe = draw(kind, rng)
        if len(recipe.scene.lies) != 1 or recipe.scene.covers:
            return None
        return self._by_corners(recipe) if rng.random() < _BY_CORNERS else self._by_scan(recipe)

    def _by_scan(self, recipe: Recipe) -> Shard | None:
        scene = replace(recipe.scene, sensor=_halved(recipe.scene.sensor))
        page = self._written(_blank(self._layout), recipe)
        shot = photograph([page.image], self._layout, scene, self._rng, SIZE_WH)
        try:
            cells = _cut(encode(shot.image, scene.sensor), self._layout)
        except ScanError:
            return None
        return _labelled(cells.images, cells.blanks, [page.labels[box.key] for box in cells.boxes], self._rng)

    def _by_corners(self, recipe: Recipe) -> Shard:
        rng, layout = self._rng, self._layout
        blank = _blank(layout)
        if rng.random() < _INVENTED:
            blank = self._invented(blank.copy())
        page = self._written(blank, recipe)
        photo = photograph([page.image], layout, recipe.scene, rng, SIZE_WH)
        quality = [cv2.IMWRITE_JPEG_QUALITY, recipe.scene.sensor.jpeg_quality]
        image = cv2.imdecode(cv2.imencode(".jpg", photo.image, quality)[1], cv2.IMREAD_COLOR)
        margin = 0.2 if rng.random() < 0.7 else rng.uniform(0.0, 0.25)
        corners = np.array([_widened(box, margin) for box in layout.read_cells])
        off = corners + rng.normal(0, _CUT_ERROR_MM, (len(corners), 1, 2))
        seen = photo.shots[0].to_photo(off.reshape(-1, 2)).reshape(-1, 4, 2)
        images = np.stack([_warped(image, quad) for quad in seen])
        blanks = np.stack([_warped(blank, quad * blank.shape[1] / layout.page_mm[0]) for quad in corners])
        return _labelled(images, blanks, [page.labels[box.key] for box in layout.read_cells], rng)

    def _written(self, blank: U8, recipe: Recipe) -> _Page:
        paper = printed(blank, self._layout, recipe.look, self._rng)
        return self._composed(paper) if self._rng.random() < _COMPOSED else self._synthetic(paper, recipe)

    def _invented(self, page: U8) -> U8:
        """The page, changed, with other cells than its own."""
        px_per_mm = page.shape[1] / self._layout.page_mm[0]
        for box in self._layout.read_cells:
            cell = self._composer.invented(box.kind)
            size = np.rint(np.array([box.w_mm, box.h_mm]) * 1.1 * px_per_mm).astype(int)
            x, y = np.rint((np.array([box.x_mm, box.y_mm]) - 0.05 * np.array([box.w_mm, box.h_mm])) * px_per_mm)
            inner = slice(CANVAS_PX // 2 - round(0.55 * BOX_PX), CANVAS_PX // 2 + round(0.55 * BOX_PX))
            picture = cell.image[inner, inner][..., list(cell.order)]
            page[int(y) : int(y) + size[1], int(x) : int(x) + size[0]] = cv2.resize(picture, size.tolist())
        return page

    def _composed(self, page: U8) -> _Page:
        """Every cell written by the composer; most with one pen."""
        rng, labels = self._rng, {}
        pen = draw_pen(rng)
        px_per_mm = page.shape[1] / self._layout.page_mm[0]
        for box in self._layout.read_cells:
            ink = empty_layer()
            cell = Printed(ink, box.kind, (box.w_mm + box.h_mm) / 2)
            used = pen if rng.random() < 0.8 else draw_pen(rng)
            labels[box.key] = self._composer.write(ink, cell, used)
            _lay(page, ink, box, px_per_mm)
        return _Page(page, labels)

    def _synthetic(self, blank: U8, recipe: Recipe) -> _Page:
        """Numbers as `synth` writes and soils a page, then marks, of which the style must be known."""
        rng = self._rng
        hand = hand_for("train", int(rng.integers(*self._hands)))
        pen = pen_for(rng, recipe.pen)
        sheet = _random_numbers(rng)
        mess = replace(recipe.mess, corrections=max(recipe.mess.corrections, _CORRECTED))
        px_per_mm = blank.shape[1] / self._layout.page_mm[0]
        page = fill_page(blank, self._layout, sheet, hand, pen, rng, px_per_mm, mess).image
        labels: Labels = {}
        for box in self._layout.read_cells:
            if box.kind == "number":
                column = sheet[str(box.column)]
                assert isinstance(column, Expedition)
                value = column.numbers[int(box.space or 0) - 1]
                number = SCRAWL if value == "?" else int(value or 0)
                labels[box.key] = number, UNMARKED if value is None else UNSURE
            elif rng.random() < _MARKED:
                labels[box.key] = UNSURE, _draw_mark(page, box, hand, pen, px_per_mm, rng)
            else:
                labels[box.key] = number_or_unsure(box.kind), UNMARKED
        return _Page(page, labels)


def _draw_mark(page: U8, box: CellBox, hand: Hand, pen: Pen, px_per_mm: float, rng: Rng) -> int:
    """Draws a mark, mostly the hand's own, on the page in place; its label."""
    style = hand.mark if rng.random() < 0.5 else str(rng.choice(mark_styles()))
    side = min(box.w_mm, box.h_mm) * rng.uniform(0.95, 1.3)
    span = np.array([min(box.w_mm, side * 1.25), side])
    corner = np.array([box.x_mm + box.w_mm / 2, box.y_mm + box.h_mm / 2]) - span / 2
    strokes = [(stroke * span + corner) * px_per_mm for stroke in mark_strokes(hand, rng, style)]
    draw_strokes(page, strokes, pen, px_per_mm, rng, hand.pressure)
    return mark_label(style)


def _lay(page: U8, ink: U8, box: CellBox, px_per_mm: float) -> None:
    """Lays a composer's ink, uint8 (144, 144, 3), over its cell on the page, in place."""
    unit = np.array([box.w_mm, box.h_mm]) * px_per_mm / BOX_PX
    size = np.rint(CANVAS_PX * unit).astype(int)
    middle = np.array([box.x_mm + box.w_mm / 2, box.y_mm + box.h_mm / 2]) * px_per_mm
    x, y = np.rint(middle - size / 2).astype(int)
    patch = page[max(y, 0) : y + size[1], max(x, 0) : x + size[0]]
    large = cv2.resize(ink, (int(size[0]), int(size[1])), interpolation=cv2.INTER_LINEAR)
    large = large[max(-y, 0) : max(-y, 0) + patch.shape[0], max(-x, 0) : max(-x, 0) + patch.shape[1]]
    patch[:] = cv2.multiply(patch, large, scale=1 / 255)


def _halved(sensor: Sensor) -> Sensor:
    """The sensor at half the resolution, so that after decoding both photos are alike.

    Of 16 pixels averaged into one, 4 are left: half the noise gives the same. What sharpening and JPEG do to the finest
    structures is lost in a decode at a quarter, but not in one at a half.
    """
    quality = 100 - (100 - sensor.jpeg_quality) // 2
    return replace(sensor, noise=sensor.noise / 2, sharpen=sensor.sharpen / 3, jpeg_quality=quality)


def _widened(box: CellBox, margin: float) -> NDArray[np.float64]:
    """Corners (4, 2) of a box with a margin, in millimetres of the page."""
    corners = np.array(box.corners_mm)
    centre = corners.mean(axis=0)
    return centre + (corners - centre) * (1 + 2 * margin)


def _warped(image: U8, quad_px: NDArray[np.float64]) -> U8:
    """What lies between four corners, uint8 (48, 48, 3)."""
    square = np.array([(0, 0), (_CUT_PX, 0), (_CUT_PX, _CUT_PX), (0, _CUT_PX)], np.float32) - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(quad_px.astype(np.float32), square)
    large = cv2.warpPerspective(image, matrix, (_CUT_PX, _CUT_PX), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(large, (CELL_PX, CELL_PX), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _cut(jpeg: bytes, layout: SheetLayout) -> Cells:
    search = find_sheets(load_photo(jpeg), layout)
    return align(search.photo, search.outlines[0], layout, Stopwatch()).cells


@cache
def _blank(layout: SheetLayout) -> U8:
    return np.asarray(cv2.imdecode(np.frombuffer(blank_picture(layout), np.uint8), cv2.IMREAD_COLOR), np.uint8)


def _random_numbers(rng: Rng) -> Sheet:
    columns = {name: Expedition.of([_random_number(rng) for _ in range(SPACES)], False, False) for name in EXPEDITIONS}
    return Sheet.of(dict(columns))


def _random_number(rng: Rng) -> int | str | None:
    if rng.random() >= _FILLED:
        return None
    return "?" if rng.random() < _BLOTS else int(rng.integers(1, 11))


def _labelled(images: U8, blanks: U8, labels: list[tuple[int, int]], rng: Rng) -> Shard:
    """The cells with their labels, some of the empty ones left out."""
    empty = [number in (EMPTY, UNSURE) and mark == UNMARKED for number, mark in labels]
    kept = np.array([i for i, bare in enumerate(empty) if not bare or rng.random() < _KEPT_EMPTY])
    numbers, marks = (np.array([pair[head] for pair in labels], np.int64)[kept] for head in (0, 1))
    return Shard(images[kept], blanks[kept], np.ones(len(kept), np.bool_), numbers, marks)
