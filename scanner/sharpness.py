"""How sharp a photo is, measured on the printed strokes that must be in it.

Each cell is known twice: as photographed and as printed. In both, fine detail (what a blur of half a millimetre takes
away) is set apart from coarse detail, and the photo's is projected on the print's: <photo, print> / <print, print>
is the share of the print that the photo still shows. Ink, noise and light have nothing in common with the print and
drop out; fine share over coarse share is the modulation transfer at the width of a stroke, whatever the contrast. Lines
across and along the page are measured apart and the worse counts: a shaken phone blurs one direction and leaves the
other sharp. What the blank sheet's own cells give when blurred by known amounts turns a transfer into millimetres.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from layouts import SheetLayout
from scanner.cells import CELL_PX, MARGIN, blank_cells
from scanner.rectify import Blank
from scanner.types import Cells, ImageU8, Points

F32 = NDArray[np.float32]

_EVERY = 6
"""One cell in six is measured: fifteen all over the sheet hold print enough."""

_FINE_PX, _COARSE_PX, _LIGHT_PX = 1.3, 3.0, 9.0
"""Deviations of blurs: fine detail is what the first takes away (up to 0.5 mm), coarse detail lies between the second
and the third (1 to 3.5 mm), and what is wider is light."""

_NOISE_PX, _SOFT_SHARE = 1.0, 0.55
"""Deviation of the blur that noise does not survive, and the share of the gradients' energy that soft edges keep under
a further blur: sharp photos keep 0.4 to 0.5, those blurred by 1.2 mm or more 0.6 to 0.9."""

_NOTHING_SHARP_SHARE = 0.84
"""The same share over a whole picture of some 1,000 pixels, above which all of it is out of focus. Photos too blurred
to read keep 0.85 to 0.97 (100 looked at), pictures of cloth, text, forms and other games at most 0.82 (400)."""

_TABLE_MM = (0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0, 1.2)
"""Blurs whose transfer is known beforehand; at the last one less than a twentieth of the fine print is left."""

_PRINT_SHOWS = 0.2
"""Least correlation of the coarse detail with the print's at which there is print to measure on: sheets have 0.5 even
under a blur of 1.2 mm, other pictures are within 0.1 of nothing."""


def blur_of(cells: Cells, blank: Blank, layout: SheetLayout) -> float:
    """Standard deviation of the blur of a photo's cells, in millimetres of the page.

    Args:
        cells: the cells of a sheet, with their blank twins.
        blank: the blank sheet they are from.
        layout: the sheet.

    Returns:
        0 to 1.2, which stands for all that is worse; infinity where no print shows that could be blurred.
    """
    transfers = _transfers(cells.images[::_EVERY], _print_details(blank, layout))
    if transfers is None:
        return float("inf")
    found = zip(transfers, blur_table(blank, layout), strict=True)
    return max(float(np.interp(-share, -shares, _TABLE_MM)) for share, shares in found)


@lru_cache(maxsize=16)
def blur_table(blank: Blank, layout: SheetLayout) -> tuple[Points, Points]:
    """What is left of the fine print after each blur of the table, across and along the page, falling."""
    printed = blank_cells(blank, layout)[::_EVERY]
    box = layout.read_cells[0]
    rows = []
    for blur_mm in _TABLE_MM:
        across_px, along_px = (blur_mm * CELL_PX / (side * (1 + 2 * MARGIN)) for side in (box.w_mm, box.h_mm))
        soft = np.stack([_softened(cell, across_px, along_px) for cell in printed])
        rows.append(_transfers(soft, _print_details(blank, layout)) or (0.0, 0.0))
    across, along = (np.minimum.accumulate(np.array(column)) for column in zip(*rows, strict=True))
    return across, along


@lru_cache(maxsize=16)
def _print_details(blank: Blank, layout: SheetLayout) -> tuple[tuple[F32, F32], tuple[F32, F32]]:
    """Fine and coarse detail of the blank cells, across and along the page."""
    printed = blank_cells(blank, layout)[::_EVERY]
    return _details(printed, 2), _details(printed, 1)


def _softened(cell: ImageU8, across_px: float, along_px: float) -> ImageU8:
    if across_px == 0:
        return cell
    return np.asarray(cv2.GaussianBlur(cell, (0, 0), across_px, sigmaY=along_px), dtype=np.uint8)


def _transfers(images: ImageU8, prints: tuple[tuple[F32, F32], tuple[F32, F32]]) -> tuple[float, float] | None:
    """The share of the fine print that is left, of one that is there, across and along; None where no print shows."""
    shares = []
    for axis, (fine_print, coarse_print) in zip((2, 1), prints, strict=True):
        fine, coarse = _details(images, axis)
        alike = _dot(coarse, coarse_print)
        if alike < _PRINT_SHOWS * np.sqrt(_dot(coarse, coarse) * _dot(coarse_print, coarse_print)) or alike <= 0:
            return None
        coarse_share = alike / _dot(coarse_print, coarse_print)
        shares.append(_dot(fine, fine_print) / max(_dot(fine_print, fine_print), 1.0) / coarse_share)
    return shares[0], shares[1]


def _details(cells: ImageU8, axis: int) -> tuple[F32, F32]:
    """Fine and coarse detail of cells (N, S, S, 3) along one of their axes, from their green channel."""
    green = cells[..., 1] if axis == 2 else cells[..., 1].transpose(0, 2, 1)
    rows = green.reshape(-1, CELL_PX).astype(np.float32)
    fine, coarse, light = (
        cv2.GaussianBlur(rows, (int(5 * sigma) | 1, 1), sigma) for sigma in (_FINE_PX, _COARSE_PX, _LIGHT_PX)
    )
    return np.asarray(rows - fine, dtype=np.float32), np.asarray(coarse - light, dtype=np.float32)


def _dot(first: F32, second: F32) -> float:
    return float(np.vdot(first, second))


def is_soft(cells: Cells) -> bool:
    """Whether cells have no sharp edge of anything, print or not: what a photo out of focus looks like.

    Blurring once more takes little from soft edges and much from sharp ones; noise is blurred away before.
    """
    grey = np.concatenate(cells.images[::_EVERY])[..., 1]
    return _left_of_edges(grey, 1) > _SOFT_SHARE


def nothing_sharp(image: ImageU8) -> bool:
    """Whether a whole picture, uint8 (h, w, 3), has no sharp edge anywhere: neither in the sheet nor beside it."""
    return min(_left_of_edges(image[..., 1], axis) for axis in (0, 1)) > _NOTHING_SHARP_SHARE


def _left_of_edges(grey: ImageU8, axis: int) -> float:
    """Share of the gradients' energy along an axis that one more blur leaves; 0 where there are no edges."""
    before = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), _NOISE_PX)
    after = cv2.GaussianBlur(before, (0, 0), _FINE_PX)
    return float(np.var(np.diff(after, axis=axis)) / max(float(np.var(np.diff(before, axis=axis))), 1e-6))
