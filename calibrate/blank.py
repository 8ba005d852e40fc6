"""The blank sheet as a picture: one photo flattened, several averaged, filled ones by what most of them show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibrate.errors import CalibrationError
from calibrate.merge import Frame
from calibrate.seen import SeenSheet
from calibrate.straight import flattened
from scanner.rectify import Blank, Canvas, RectifiedSheet
from scanner.types import ImageU8
from scanner.warp import NO_MAP, measure_bend, normalised

_PX_PER_MM = 7.0
"""Scale of the picture, a little more than a scan looks at; a page of 300 mm is 2100 pixels high."""

_MOST_PX = 2600
"""Longest side of the picture, however large the page is."""

_LIGHT_MM = 20.0
"""Deviation of the blur that leaves only the light of a photo: more than a space, so that print does not count."""

_SAME_PAD = 0.55
"""Least correlation of two pictures of one pad: blank and filled ones of five pads have 0.74 to 0.99, two different
pads 0.15 to 0.35."""

ENOUGH_FILLED = 5
"""From so many sheets on, ink drops out: most show each spot without."""

_UNINKED = 0.75
"""Quantile of brightness that is taken where photos differ. The lowest spaces are filled on nearly every sheet, and
crosses all run through the middle: there, ink is on more than half of the photos, but on paper it is the darker."""

_DIFFER = 18.0
"""Grey levels between that quantile and the middle from which it is ink that differs, and not noise or an edge that
is a little aside."""


@dataclass(frozen=True, slots=True, eq=False)
class BlankPicture:
    """The flattened blank sheet.

    Attributes:
        image: uint8 (h, w, 3), BGR, the page and nothing else.
        canvas: scale of it.
        inked: (h, w), where at least one of the photos is darker than the picture by more than light or noise.
    """

    image: ImageU8
    canvas: Canvas
    inked: NDArray[np.bool_]


def blank_picture_of(sheets: Sequence[SeenSheet], frame: Frame) -> BlankPicture:
    """The blank sheet that photos show.

    Args:
        sheets: sheets of one pad; the first one's picture is what the others are laid on.
        frame: where the page lies in their frame.

    Raises:
        CalibrationError: a photo shows another pad than the first.
    """
    px_per_mm = min(_PX_PER_MM, _MOST_PX / max(frame.page_mm))
    size_wh = round(frame.page_mm[0] * px_per_mm), round(frame.page_mm[1] * px_per_mm)
    canvas = Canvas((0.0, 0.0), px_per_mm, size_wh)
    right, bottom = (
        start + side / step
        for start, side, step in zip((frame.left, frame.top), frame.page_mm, frame.step_mm, strict=True)
    )
    area = frame.left, frame.top, right, bottom
    pictures = [flattened(sheets[0].image, sheets[0].straight, area, size_wh)]
    for other in sheets[1:]:
        pictures.append(_laid_on(pictures[0], flattened(other.image, other.straight, area, size_wh), canvas))
        if _likeness(pictures[0], pictures[-1], px_per_mm) < _SAME_PAD:
            raise CalibrationError(
                f"{other.name} shows another pad than {sheets[0].name}", "give photos of one pad, and a layout to each"
            )
    image = _mixed(pictures)
    return BlankPicture(image, canvas, _inked(pictures, image))


def _laid_on(reference: ImageU8, picture: ImageU8, canvas: Canvas) -> ImageU8:
    """A picture moved so that its print lies on the reference's, in the reference's light."""
    sheet = RectifiedSheet(picture, canvas, np.eye(3), canvas.px_per_mm)
    bend = measure_bend(sheet, Blank(reference, canvas))
    factor = canvas.px_per_mm / bend.canvas.px_per_mm
    offsets = cv2.resize(bend.offset_px, canvas.size_wh, interpolation=cv2.INTER_LINEAR) * np.float32(factor)
    y, x = np.mgrid[: canvas.size_wh[1], : canvas.size_wh[0]].astype(np.float32)
    where = np.dstack([x, y]) + offsets
    moved = cv2.remap(picture, where, NO_MAP, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    light = _light(reference, canvas.px_per_mm) / np.maximum(_light(np.asarray(moved, np.uint8), canvas.px_per_mm), 4.0)
    return np.asarray(np.clip(moved * np.clip(light, 0.25, 4.0), 0, 255), dtype=np.uint8)


def _likeness(first: ImageU8, second: ImageU8, px_per_mm: float) -> float:
    """Correlation of two pictures of a page, their light and their ink's colour aside."""
    coarse = [
        normalised(np.asarray(cv2.cvtColor(_small(picture), cv2.COLOR_BGR2GRAY), np.uint8), px_per_mm / 4)
        for picture in (first, second)
    ]
    ours, other = (plane.astype(np.float64).ravel() for plane in coarse)
    return float(np.corrcoef(ours, other)[0, 1])


def _small(picture: ImageU8) -> ImageU8:
    return np.asarray(cv2.resize(picture, None, fx=1 / 4, fy=1 / 4, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _light(picture: ImageU8, px_per_mm: float) -> NDArray[np.float32]:
    small = cv2.resize(picture, None, fx=1 / 8, fy=1 / 8, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small.astype(np.float32), (0, 0), _LIGHT_MM * px_per_mm / 8)
    wide = cv2.resize(soft, (picture.shape[1], picture.shape[0]), interpolation=cv2.INTER_LINEAR)
    return np.asarray(wide, dtype=np.float32)


def _mixed(pictures: Sequence[ImageU8]) -> ImageU8:
    """The mean of two to four blank sheets; of more, which may be filled, what they show where there is no ink."""
    if len(pictures) == 1:
        return pictures[0]
    stack = np.stack(pictures)
    if len(pictures) < ENOUGH_FILLED:
        return np.asarray(stack.mean(axis=0).round(), dtype=np.uint8)
    stack.sort(axis=0)
    middle, bright = (stack[round(share * (len(stack) - 1))] for share in (0.5, _UNINKED))
    differs = (bright.astype(np.int16) - middle).max(axis=2, keepdims=True) > _DIFFER
    return np.asarray(np.where(differs, bright, middle), dtype=np.uint8)


def _inked(pictures: Sequence[ImageU8], image: ImageU8) -> NDArray[np.bool_]:
    darkest = np.min(np.stack([picture.min(axis=2) for picture in pictures]), axis=0)
    return np.asarray(image.min(axis=2).astype(np.int16) - darkest > 2 * _DIFFER, dtype=np.bool_)
