"""Digits as strangers hand them over: pictures of the sources as they are, without a known print."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.reader import CELL_PX
from training.labels import EMPTY, FILLED, SCRAWL, UNMARKED, UNSURE
from training.scribe import smoothed
from training.sources import Raw, Sources, Strokes

U8 = NDArray[np.uint8]
Rng = np.random.Generator

_SHARES = (0.22, 0.18, 0.1, 0.28, 0.22)
"""How often each source's own pictures are shown: mnist, semeion, mfeat, photo_cells, pendigits."""

_PHOTO_SHARES = (0.4, 0.08, 0.52)
"""Among photographed cells: blank ones, scribbled candidates, digits by hand."""

_THICKENED, _PEN_PX, _FINE_PX = 0.35, (2, 5), 84
"""Share of varied pictures whose strokes are made thicker or thinner; by how much, on a picture so large."""


class BarePictures:
    """Pictures of the sources as they are.

    Args:
        sources: one part of the data.
    """

    def __init__(self, sources: Sources) -> None:
        self._raw = sources.raw
        self._strokes = sources.strokes

    def draw(self, rng: Rng, varied: bool = False) -> tuple[U8, int, int]:
        """The next one, uint8 (48, 48, 3), and its labels for numbers and marks.

        Args:
            rng: source of chance.
            varied: whether some pictures get strokes of another width.
        """
        choice = int(rng.choice(len(_SHARES), p=_SHARES))
        if choice == len(self._raw):
            index = int(rng.integers(len(self._strokes.labels)))
            image = bare_cell(pen_picture(self._strokes, index, rng), False, rng)
            return image, int(self._strokes.labels[index]) or SCRAWL, UNSURE
        raw = self._raw[choice]
        if raw.name == "photo_cells":
            return self._photographed(raw, rng)
        index = int(rng.integers(len(raw.labels)))
        picture = source_picture(raw, index, rng)
        if varied and rng.random() < _THICKENED:
            picture = _rewritten(picture, rng)
        return bare_cell(picture, False, rng), int(raw.labels[index]) or SCRAWL, UNSURE

    def _photographed(self, raw: Raw, rng: Rng) -> tuple[U8, int, int]:
        groups = [raw.labels == 0, raw.labels == 10, (raw.labels > 0) & (raw.labels < 10)]
        index = int(rng.choice(np.flatnonzero(groups[int(rng.choice(3, p=_PHOTO_SHARES))])))
        label = int(raw.labels[index])
        image = bare_cell(source_picture(raw, index, rng), True, rng)
        return image, FILLED if label == 10 else label, UNMARKED if label == EMPTY else UNSURE


def pen_picture(strokes: Strokes, index: int, rng: Rng) -> U8:
    """A pen trajectory drawn on a square, grey (64, 64), dark on light: as stretched by its tablet, or narrower."""
    points = strokes.points[index] * [rng.choice([1.0, rng.uniform(0.4, 1.0)]), 1.0]
    size = rng.uniform(30, 56)
    shift = 32 - (points.max(0) + points.min(0)) / 2 * size + rng.normal(0, 2, 2)
    line = smoothed(points) if rng.random() < 0.4 else points
    picture = np.full((64, 64), 255, np.uint8)
    fixed = np.round((line * size + shift) * 16).astype(np.int32)
    cv2.polylines(picture, [fixed], False, int(rng.integers(0, 90)), int(rng.integers(2, 7)), cv2.LINE_AA, 4)
    return picture


def source_picture(raw: Raw, index: int, rng: Rng) -> U8:
    """A source's picture as it is, or enlarged, or with a white margin: grey."""
    image = raw.images[index]
    if rng.random() < 0.25:
        image = cv2.resize(image, None, fx=3, fy=3, interpolation=int(rng.choice([cv2.INTER_CUBIC, cv2.INTER_NEAREST])))
    pad = int(rng.choice([0, rng.uniform(0, 0.3) * image.shape[0]])) if raw.name != "photo_cells" else 0
    return cv2.copyMakeBorder(image, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=255) if pad else image


def bare_cell(image: U8, photographed: bool, rng: Rng) -> U8:
    """The grey picture at the net's size, uint8 (48, 48, 3), a little varied in shape, light, colour and sharpness."""
    if rng.random() < 0.7:
        image = _jittered(image, photographed, rng)
    how = cv2.INTER_AREA if image.shape[0] > CELL_PX else cv2.INTER_LINEAR
    image = cv2.resize(image, (CELL_PX, CELL_PX), interpolation=how)
    colour = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR).astype(np.float32)
    if rng.random() < 0.5:
        colour *= rng.uniform(0.6, 1.0) * (1 + rng.normal(0, 0.05, 3).astype(np.float32))
        colour += rng.normal(0, rng.uniform(0, 4), colour.shape).astype(np.float32)
    if rng.random() < 0.3 and not photographed:
        lightest = rng.uniform(0, 120)
        colour = lightest + colour * ((255 - lightest) / 255)
    if rng.random() < 0.2:
        colour = cv2.GaussianBlur(colour, (0, 0), rng.uniform(0.3, 1.2))
    return np.clip(colour, 0, 255).astype(np.uint8)


def _rewritten(image: U8, rng: Rng) -> U8:
    """The picture, dark on light, as if written with a thicker or thinner pen."""
    enlarge = max(1, _FINE_PX // image.shape[0])
    fine = cv2.resize(image, None, fx=enlarge, fy=enlarge, interpolation=cv2.INTER_CUBIC)
    side = int(rng.integers(_PEN_PX[0], _PEN_PX[1], endpoint=True))
    tip = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    return np.asarray(cv2.erode(fine, tip) if rng.random() < 0.6 else cv2.dilate(fine, tip), dtype=np.uint8)


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
