"""The values that pass between the stages of a scan, one frozen type a stage, each complete when made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layouts import CellBox, SheetLayout
from scanner.errors import ScanError
from scoring import Sheet

ImageU8 = NDArray[np.uint8]
Points = NDArray[np.float64]
Value = int | str | bool | None


def checked_image(image: NDArray[Any], what: str) -> ImageU8:
    """The image itself, read-only, if it is uint8 (H, W, 3) and not empty.

    Raises:
        TypeError: another dtype or shape; the message gives both.
    """
    if not isinstance(image, np.ndarray) or image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3:
        found = f"{image.dtype} {image.shape}" if isinstance(image, np.ndarray) else type(image).__name__
        raise TypeError(f"{what}: expected a uint8 array of shape (H, W, 3) in BGR, found {found}")
    if image.size == 0:
        raise TypeError(f"{what}: the image is empty, shape {image.shape}")
    view = image.view()
    view.setflags(write=False)
    return view


@dataclass(frozen=True, slots=True)
class Source:
    """Where a photo came from. `width` and `height` are those of the upright photo, in full pixels."""

    path: str
    page: int
    sha256: str
    width: int
    height: int


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A decoded photo, upright.

    Attributes:
        image: uint8 (h, w, 3), BGR, possibly decoded at reduced size.
        scale: pixels of `image` per pixel of the full photo, at most 1.
        source: where it came from.
        encoded: the picture as it was stored, if a larger decode of it can be had; else empty.
        mirrored: whether `image` is the photo seen in a mirror.
    """

    image: ImageU8
    scale: float
    source: Source
    encoded: bytes = b""
    mirrored: bool = False

    def in_full_px(self, points_px: Points) -> Points:
        """Points (..., 2) of `image` in pixels of the full upright photo, pixel centres at whole numbers."""
        full_px = (points_px + 0.5) / self.scale - 0.5
        if self.mirrored:
            full_px = full_px * (-1, 1) + (self.source.width - 1, 0)
        return np.asarray(full_px, dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class SheetOutline:
    """Where a sheet lies in a photo.

    Attributes:
        homography: (3, 3), page millimetres to pixels of `Photo.image`.
        corners_px: (4, 2), page corners in pixels of `Photo.image`, clockwise from the page's top left.
        method: what found it: `tags` or `print`.
        score: 0 to 1, how well the evidence fits.
    """

    homography: Points
    corners_px: Points
    method: str
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The cut cells of one sheet, as the reader takes them.

    Attributes:
        boxes: which cell each row is, N of them.
        images: uint8 (N, S, S, 3), BGR, each cell with its margin.
        blanks: uint8 (N, S, S, 3), the same cells of the blank printed sheet.
        corners_px: (N, 4, 2) float, corners in pixels of the full upright photo, clockwise from top left.
        print_scores: (N,) float, -1 to 1, how well the printed rim agrees with the blank's.
        covered: (N,) bool, whether ink covers the cell so that its print cannot show.
    """

    boxes: tuple[CellBox, ...]
    images: ImageU8
    blanks: ImageU8
    corners_px: Points
    print_scores: Points
    covered: NDArray[np.bool_]

    def hit_share(self, good_score: float, among: NDArray[np.bool_] | None = None) -> float:
        """Share of cells whose printed rim lies where it should, of those that ink does not cover.

        Where ink seems to cover more than half of them, something else is dark, and they count as missed.

        Args:
            good_score: print score from which it does.
            among: (N,), which cells to look at; None for all.
        """
        looked_at = np.ones(len(self.covered), np.bool_) if among is None else among
        telling = looked_at & ~self.covered
        if 2 * telling.sum() < looked_at.sum():
            telling = looked_at
        return float((self.print_scores[telling] >= good_score).mean()) if telling.any() else 0.0


@dataclass(frozen=True, slots=True)
class CellReading:
    """What one cell says.

    Attributes:
        value: the likeliest: None, 1 to 10 or "?" for numbers; True or False for marks.
        confidence: its probability, calibrated.
        alternatives: all values with their probabilities, falling, summing to 1.
    """

    value: Value
    confidence: float
    alternatives: tuple[tuple[Value, float], ...]


@dataclass(frozen=True, slots=True)
class Quality:
    """How good the photo is for reading: see `scanner.quality` for how each figure is measured."""

    sharpness: float
    glare: float
    px_per_mm: float
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LocatedReading:
    """One cell's reading with its place: corners (4, 2) in pixels of the full upright photo."""

    box: CellBox
    reading: CellReading
    corners_px: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True, eq=False)
class SheetReading:
    """Everything read from one sheet in one photo.

    Attributes:
        source: the photo.
        index: 1 for the first sheet in the photo, in reading order.
        layout: the layout it was read by.
        cells: a reading per readable cell of the layout, in the layout's order.
        sheet: the likeliest value of every cell, as a sheet.
        review: the doubtful readings, with the reason for doubt.
        outline_px: (4, 2) page corners in pixels of the full upright photo, clockwise from the page's top left.
        quality: how good the photo is.
        timing_ms: milliseconds per stage, with `total`.
    """

    source: Source
    index: int
    layout: SheetLayout
    cells: tuple[LocatedReading, ...]
    sheet: Sheet
    review: tuple[tuple[LocatedReading, str], ...]
    outline_px: tuple[tuple[float, float], ...]
    quality: Quality
    timing_ms: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RefusedSheet:
    """A sheet that was found and cannot be read, or a page on which none was found.

    Attributes:
        source: the photo.
        error: why, and what to do.
        index: its place among the sheets of the photo, in reading order, from 1.
    """

    source: Source
    error: ScanError
    index: int = 1
