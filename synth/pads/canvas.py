"""A page to paint on: areas, lines and lettering in millimetres, with soft edges, gradients and transparency."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

ImageU8 = NDArray[np.uint8]
Points = NDArray[np.float64]

PX_PER_MM = 12.0  # that of the layouts' blank pictures
_SHIFT = 4  # cv2 takes corners in sixteenths of a pixel
_SPARSE = 0.3  # below this share of a box, painting pixel by pixel is faster than blending the box
_LETTERING = 4  # letters are set so many times larger and shrunk, which smooths their edges
_FACES = {"plain": cv2.FONT_HERSHEY_SIMPLEX, "bold": cv2.FONT_HERSHEY_DUPLEX, "italic": cv2.FONT_HERSHEY_SCRIPT_COMPLEX}


@dataclass(frozen=True, slots=True)
class Paint:
    """What an area is filled with: one colour `#rrggbb`, or two blended from its top (or centre) to its end.

    Attributes:
        colour: at the top, on the left or in the centre.
        other: at the other end; None for the same all over.
        way: `down`, `across` or `out`.
        alpha: 0 nothing, 1 covers what is below.
    """

    colour: str
    other: str | None = None
    way: str = "down"
    alpha: float = 1.0


@dataclass(frozen=True, slots=True)
class Lettering:
    """How a line of text looks.

    Attributes:
        height_mm: of a capital.
        colour: `#rrggbb`.
        anchor: `left`, `middle` or `right`.
        face: a key of the faces: `plain`, `bold`, `italic`.
        tracking_mm: extra space between letters.
        stretch: width by the face's own.
        alpha: as in `Paint`.
        upwards: turned by a quarter, to be read from the right.
    """

    height_mm: float
    colour: str
    anchor: str = "middle"
    face: str = "bold"
    tracking_mm: float = 0.0
    stretch: float = 1.0
    alpha: float = 1.0
    upwards: bool = False


class Canvas:
    """The picture of one page at 12 pixels a millimetre; y runs down from the top left corner.

    Args:
        page_mm: its width and height.
        ground: its colour, `#rrggbb`.
    """

    def __init__(self, page_mm: tuple[float, float], ground: str = "#ffffff") -> None:
        width, height = (round(side * PX_PER_MM) for side in page_mm)
        self.page_mm = page_mm
        self.image: ImageU8 = np.empty((height, width, 3), dtype=np.uint8)
        self.image[:] = np.rint(bgr(ground)).astype(np.uint8)
        self._within: ImageU8 | None = None

    def area(self, outlines: Points | Sequence[Points], paint: Paint | str, holes: bool = False) -> None:
        """Fills outlines, (N, 2) millimetres each; with `holes` a second one cuts a hole into the first."""
        shapes = _pixels([outlines] if isinstance(outlines, np.ndarray) else outlines)
        box = self._box(shapes, 2)
        if box is None:
            return
        size = (box[2] - box[0], box[3] - box[1])
        mask = np.zeros((2 * size[1], 2 * size[0]), dtype=np.uint8)
        placed = [_fixed(2 * (shape - box[:2]) + 0.5) for shape in shapes]
        for group in [placed] if holes else [[shape] for shape in placed]:
            cv2.fillPoly(mask, group, 255, cv2.LINE_8, _SHIFT)
        smaller = np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        self._lay(smaller, box, Paint(paint) if isinstance(paint, str) else paint)

    def line(self, lines: Points | Sequence[Points], width_mm: float, paint: Paint | str, closed: bool = False) -> None:
        """Draws lines, (N, 2) millimetres each, with round ends."""
        shapes = _pixels([lines] if isinstance(lines, np.ndarray) else lines)
        width = max(1, round(width_mm * PX_PER_MM))
        box = self._box(shapes, width // 2 + 3)
        if box is None:
            return
        mask = np.zeros((box[3] - box[1], box[2] - box[0]), dtype=np.uint8)
        cv2.polylines(mask, [_fixed(shape - box[:2]) for shape in shapes], closed, 255, width, cv2.LINE_AA, _SHIFT)
        self._lay(mask, box, Paint(paint) if isinstance(paint, str) else paint)

    def text(self, x_mm: float, y_mm: float, text: str, look: Lettering) -> None:
        """Sets a line whose capitals are centred at the height `y_mm`; in x the anchor holds."""
        mask = _set(text, look)
        if look.upwards:
            mask = np.rot90(mask)
        height, width = mask.shape
        along = {"left": 0.0, "middle": 0.5, "right": 1.0}[look.anchor]
        across = (0.5, 1 - along) if look.upwards else (along, 0.5)
        x0, y0 = round(x_mm * PX_PER_MM - across[0] * width), round(y_mm * PX_PER_MM - across[1] * height)
        whole = self.image.shape
        box = (max(x0, 0), max(y0, 0), min(x0 + width, whole[1]), min(y0 + height, whole[0]))
        if box[2] > box[0] and box[3] > box[1]:
            part = mask[box[1] - y0 : box[3] - y0, box[0] - x0 : box[2] - x0]
            self._lay(part, box, Paint(look.colour, alpha=look.alpha))

    @contextmanager
    def within(self, outline: Points | Sequence[Points]) -> Iterator[None]:
        """Paints only inside these outlines."""
        before = self._within
        self._within = np.zeros(self.image.shape[:2], dtype=np.uint8)
        shapes = _pixels([outline] if isinstance(outline, np.ndarray) else outline)
        for shape in shapes:
            cv2.fillPoly(self._within, [_fixed(shape)], 255, cv2.LINE_AA, _SHIFT)
        yield
        self._within = before

    def mottle(self, strength: float, grain_mm: float, seed: int) -> None:
        """Makes the whole page uneven, as of old paper or a painter's wash."""
        height, width = self.image.shape[:2]
        step = max(1, round(grain_mm * PX_PER_MM))
        coarse = np.random.default_rng(seed).normal(0, strength, (height // step + 2, width // step + 2))
        grey = cv2.resize(coarse.astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
        self.image = np.asarray(cv2.add(self.image, cv2.merge([grey] * 3), dtype=cv2.CV_8U), dtype=np.uint8)

    def _box(self, shapes: Sequence[Points], reach: int) -> tuple[int, int, int, int] | None:
        """The pixels that shapes touch; None outside the page."""
        every = np.concatenate(shapes)
        (x0, y0), (x1, y1) = np.floor(every.min(axis=0)) - reach, np.ceil(every.max(axis=0)) + reach
        height, width = self.image.shape[:2]
        box = (max(int(x0), 0), max(int(y0), 0), min(int(x1), width), min(int(y1), height))
        return box if box[2] > box[0] and box[3] > box[1] else None

    def _lay(self, mask: ImageU8, box: tuple[int, int, int, int], paint: Paint) -> None:
        x0, y0, x1, y1 = box
        if self._within is not None:
            mask = np.asarray(cv2.multiply(mask, self._within[y0:y1, x0:x1], scale=1 / 255), dtype=np.uint8)
        here = self.image[y0:y1, x0:x1]
        if paint.other is None and cv2.countNonZero(mask) < _SPARSE * mask.size:
            rows, columns = np.nonzero(mask)
            share = (mask[rows, columns].astype(np.float32) * (paint.alpha / 255))[:, None]
            below = here[rows, columns].astype(np.float32)
            here[rows, columns] = np.rint(below + (bgr(paint.colour) - below) * share).astype(np.uint8)
            return
        weight = mask.astype(np.float32) * (paint.alpha / 255)
        here[:] = cv2.blendLinear(_colours(paint, x1 - x0, y1 - y0), here, weight, 1 - weight)


def bgr(colour: str) -> NDArray[np.float32]:
    """Blue, green and red of `#rrggbb`, 0 to 255."""
    return np.array([int(colour[i : i + 2], 16) for i in (5, 3, 1)], dtype=np.float32)


def _colours(paint: Paint, width: int, height: int) -> ImageU8:
    """The paint's colours over a box, (height, width, 3)."""
    first = bgr(paint.colour)
    last = first if paint.other is None else bgr(paint.other)
    down = np.linspace(0, 1, height, dtype=np.float32)[:, None]
    across = np.linspace(0, 1, width, dtype=np.float32)[None, :]
    if paint.way == "out":
        share = np.minimum(np.hypot(2 * across - 1, 2 * down - 1), 1)
    else:
        share = down if paint.way == "down" else across
    blend = np.rint(first + (last - first) * share[..., None]).astype(np.uint8)
    return np.ascontiguousarray(np.broadcast_to(blend, (height, width, 3)))


def _pixels(shapes_mm: Sequence[Points]) -> list[Points]:
    """Pixel centres stand at whole numbers for cv2, half a pixel from the corners that millimetres count from."""
    return [np.asarray(shape, dtype=np.float64) * PX_PER_MM - 0.5 for shape in shapes_mm]


def _fixed(shape_px: Points) -> NDArray[np.int32]:
    return np.rint(shape_px * (1 << _SHIFT)).astype(np.int32)


def _set(text: str, look: Lettering) -> ImageU8:
    """The mask of a line of text, its capitals centred in height."""
    scale = look.height_mm * PX_PER_MM * _LETTERING / _capital_px(look.face)
    letters = [_letter("O" if letter == "0" else letter, look.face, round(scale, 3)) for letter in text]
    gap = look.tracking_mm * PX_PER_MM * _LETTERING
    ends = np.cumsum([advance + gap for _, advance in letters])
    line = np.zeros((letters[0][0].shape[0], int(ends[-1] + letters[-1][0].shape[1])), dtype=np.uint8)
    for (mask, advance), end in zip(letters, ends, strict=True):
        at = int(end - advance - gap)
        part = line[:, at : at + mask.shape[1]]
        np.maximum(part, mask[:, : part.shape[1]], out=part)
    line = line[:, : int(ends[-1] - gap)]
    size = (max(1, round(line.shape[1] * look.stretch / _LETTERING)), max(1, line.shape[0] // _LETTERING))
    return np.asarray(cv2.resize(line, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


@cache
def _letter(letter: str, face: str, scale: float) -> tuple[ImageU8, float]:
    """One letter's mask, three capitals high with its capital in the middle, and how far the next one is away."""
    capital = _capital_px(face) * scale
    thick = max(1, round(capital * (0.16 if face == "bold" else 0.09)))
    (advance, _), _ = cv2.getTextSize(letter + "H", _FACES[face], scale, 1)
    (behind, _), _ = cv2.getTextSize("H", _FACES[face], scale, 1)
    mask = np.zeros((round(3 * capital), max(1, advance - behind) + round(capital / 3)), dtype=np.uint8)
    cv2.putText(mask, letter, (0, round(2 * capital)), _FACES[face], scale, 255, thick, cv2.LINE_AA)
    return mask, float(max(1, advance - behind))


@cache
def _capital_px(face: str) -> float:
    """How high a capital is at scale 1: OpenCV's faces changed with its fifth edition."""
    mask = np.zeros((400, 400), dtype=np.uint8)
    cv2.putText(mask, "H", (50, 300), _FACES[face], 8.0, 255, 2, cv2.LINE_AA)
    rows = np.flatnonzero(mask.any(axis=1))
    return float(rows[-1] - rows[0] + 1) / 8.0
