"""Third stage: the part of the sheet that is read, flattened by its homography onto a canvas of known scale."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from layouts import SheetLayout
from scanner.blanks import blank_page
from scanner.debug import NO_DEBUG, DebugSink
from scanner.geometry import cell_corners_mm, resolution
from scanner.options import DEFAULT_OPTIONS, ScanOptions
from scanner.types import ImageU8, Photo, Points, SheetOutline

_SURROUND_MM = 7.0
"""How much of the page around the cells is flattened too: their margins, and room for the paper's bend."""


@dataclass(frozen=True, slots=True)
class Canvas:
    """A picture of a part of the page: pixel (0, 0) is centred half a pixel inside `origin_mm`."""

    origin_mm: tuple[float, float]
    px_per_mm: float
    size_wh: tuple[int, int]

    @property
    def page_to_canvas(self) -> Points:
        """(3, 3), page millimetres to canvas pixels (pixel centres at whole numbers)."""
        x_mm, y_mm = self.origin_mm
        scale = self.px_per_mm
        return np.array([[scale, 0, -x_mm * scale - 0.5], [0, scale, -y_mm * scale - 0.5], [0, 0, 1]], np.float64)

    def at_scale(self, px_per_mm: float) -> Canvas:
        """The same part of the page at another scale."""
        factor = px_per_mm / self.px_per_mm
        width, height = (round(side * factor) for side in self.size_wh)
        return Canvas(self.origin_mm, px_per_mm, (width, height))


@dataclass(frozen=True, slots=True, eq=False)
class RectifiedSheet:
    """The flattened cells of one sheet.

    Attributes:
        image: uint8 (h, w, 3), BGR, on `canvas`.
        canvas: where it lies on the page.
        homography: (3, 3), page millimetres to pixels of `Photo.image`.
        px_per_mm: resolution of the full photo at the coarsest of the sheet's cells.
    """

    image: ImageU8
    canvas: Canvas
    homography: Points
    px_per_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class Blank:
    """The blank printed sheet of a layout, on the canvas that its photos are flattened to.

    Attributes:
        image: uint8 (h, w, 3), BGR, on `canvas`.
        canvas: where it lies on the page.
    """

    image: ImageU8
    canvas: Canvas


@lru_cache(maxsize=16)
def reading_canvas(layout: SheetLayout, px_per_mm: float) -> Canvas:
    """The canvas that holds every readable cell of a layout and a little of what surrounds them."""
    corners_mm = cell_corners_mm(layout).reshape(-1, 2)
    low = np.maximum(corners_mm.min(axis=0) - _SURROUND_MM, -_SURROUND_MM)
    high = corners_mm.max(axis=0) + _SURROUND_MM
    # Whole even numbers of pixels, so that the half-scale canvas covers exactly the same millimetres.
    width, height = (int(np.ceil(side * px_per_mm / 2) * 2) for side in high - low)
    return Canvas((float(low[0]), float(low[1])), px_per_mm, (width, height))


@lru_cache(maxsize=16)
def load_blank(layout: SheetLayout, px_per_mm: float = DEFAULT_OPTIONS.grid_px_per_mm) -> Blank:
    """The blank sheet of a layout on its reading canvas; kept, for every photo of a stack needs it.

    Raises:
        LayoutError: the layout has no picture, or it cannot be decoded.
    """
    decoded = blank_page(layout)
    canvas = reading_canvas(layout, px_per_mm)
    scale = decoded.shape[1] / layout.page_mm[0]
    # Shrunk by area first: sampling a 12 px/mm picture at 5 px/mm would alias its thin lines.
    factor = max(1, int(scale / px_per_mm))
    shrunk = cv2.resize(decoded, None, fx=1 / factor, fy=1 / factor, interpolation=cv2.INTER_AREA)
    whole = Canvas((0.0, 0.0), shrunk.shape[1] / layout.page_mm[0], (shrunk.shape[1], shrunk.shape[0]))
    to_canvas = canvas.page_to_canvas @ np.linalg.inv(whole.page_to_canvas)
    image = cv2.warpPerspective(shrunk, to_canvas, canvas.size_wh, borderMode=cv2.BORDER_REPLICATE)
    return Blank(np.asarray(image, dtype=np.uint8), canvas)


def rectify(
    photo: Photo,
    outline: SheetOutline,
    layout: SheetLayout,
    options: ScanOptions = DEFAULT_OPTIONS,
    debug: DebugSink = NO_DEBUG,
) -> RectifiedSheet:
    """Flattens the cells of a sheet onto its reading canvas.

    Args:
        photo: the photo.
        outline: where the sheet lies in it.
        layout: the sheet.
        options: the canvas's scale.
        debug: takes a picture of the result.

    Returns:
        The flattened sheet, still bent by as much as the paper was.
    """
    canvas = reading_canvas(layout, options.grid_px_per_mm)
    decoded_px_per_mm = resolution(outline.homography, layout)
    image, homography = _shrunk(photo.image, outline.homography, decoded_px_per_mm / options.grid_px_per_mm)
    to_canvas = canvas.page_to_canvas @ np.linalg.inv(homography)
    flat = cv2.warpPerspective(
        image, to_canvas, canvas.size_wh, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    rectified = np.asarray(flat, dtype=np.uint8)
    if debug.active:
        debug.draw("rectified", rectified)
    return RectifiedSheet(rectified, canvas, outline.homography, decoded_px_per_mm / photo.scale)


def _shrunk(image: ImageU8, homography: Points, surplus: float) -> tuple[ImageU8, Points]:
    """The photo shrunk by the whole number in `surplus`, so that bilinear sampling does not skip pixels."""
    factor = int(surplus)
    if factor < 2:
        return image, homography
    height, width = (side // factor for side in image.shape[:2])
    small = cv2.resize(image[: height * factor, : width * factor], (width, height), interpolation=cv2.INTER_AREA)
    shift = (1 / factor - 1) / 2
    shrink = np.array([[1 / factor, 0, shift], [0, 1 / factor, shift], [0, 0, 1]], np.float64)
    return np.asarray(small, dtype=np.uint8), shrink @ homography
