"""How good a photo is for reading, measured on the print that must be there.

Sharpness: an edge blurred by a Gaussian of deviation s has gradient energy proportional to contrast^2 / s. Blurring it
once more by b gives deviation sqrt(s^2 + b^2), so the ratio R of the energies before and after gives
s = b / sqrt(R^2 - 1) whatever the contrast and the light.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.errors import PoorPhoto, SheetNotFound
from scanner.options import DEFAULT_OPTIONS, ScanOptions
from scanner.rectify import Blank, RectifiedSheet
from scanner.types import Cells, ImageU8, Photo, Points, Quality

_PROBE_MM = 0.4
"""Deviation of the second blur: about that of a photo that is just sharp enough."""

_TABLE_MM = (0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0, 1.3, 1.6, 2.0)
"""Blurs by which the measure is corrected: from sharp to hopeless."""

_CUT_OFF_MM = 1.0
"""A cell may reach this far out of the picture: its printed border, in which nothing is read, is nearly as wide."""

_SEEN_SHARE = 0.5
"""Least share of the cells inside the picture that have to show their print before a sheet is said to be cut off; at
the wrong place less than one in ten does, so that chance is told from a sheet that is really there."""

_SATURATED = 250
"""Grey level from which a pixel is burnt out: 8 bits end at 255, JPEG and demosaicing move it by a few."""


def measure_quality(
    sheet: RectifiedSheet, cells: Cells, blur_mm: float, options: ScanOptions = DEFAULT_OPTIONS
) -> Quality:
    """Sharpness, glare and resolution of a sheet's photo, with warnings in words.

    Args:
        sheet: the flattened sheet.
        cells: its cells, whose print scores tell where the print is hidden.
        blur_mm: what `blur_of` measured on it.
        options: what counts as hidden.
    """
    hidden = int((cells.print_scores < options.min_cell_score).sum())
    glare = float((cells.images.min(axis=3) >= _SATURATED).mean()) if hidden else 0.0
    warnings = []
    if blur_mm > 0.7 * options.max_blur_mm:
        warnings.append(f"blurred: edges are {blur_mm:.2f} mm soft; hold the phone still and let it focus")
    if hidden:
        warnings.append(f"{hidden} cells are hidden by glare, shadow or something lying on them")
    sharpness = float(np.clip(1 - blur_mm / options.max_blur_mm, 0, 1))
    return Quality(round(sharpness, 3), round(glare, 4), round(sheet.px_per_mm, 2), tuple(warnings))


def blur_of(sheet: RectifiedSheet, blank: Blank) -> float:
    """Standard deviation of the blur of the flattened sheet's edges, in millimetres of the page.

    Real print has lines whose two edges run into each other when blurred, so the formula above reads low; what it
    says of the blank sheet blurred by known amounts corrects it.
    """
    raw_mm, true_mm = blur_table(blank)
    measured_mm = _raw_blur_mm(_middle(sheet.image), sheet.canvas.px_per_mm)
    return float("inf") if measured_mm == float("inf") else float(np.interp(measured_mm, raw_mm, true_mm))


@lru_cache(maxsize=16)
def blur_table(blank: Blank) -> tuple[Points, Points]:
    """What is measured on the blank sheet, and the true blur, in millimetres, both rising; kept for every photo."""
    px_per_mm = blank.canvas.px_per_mm
    sharp = _middle(blank.image)
    raw_mm = [_raw_blur_mm(cv2.GaussianBlur(sharp, (0, 0), blur * px_per_mm), px_per_mm) for blur in _TABLE_MM]
    return np.maximum.accumulate(np.array(raw_mm)), np.array(_TABLE_MM)


def _middle(image: ImageU8) -> NDArray[Any]:
    """The middle quarter of the cells, grey float32: some twenty of them hold edges enough."""
    height, width = image.shape[:2]
    middle = image[height // 4 : -(height // 4), width // 4 : -(width // 4)]
    return cv2.cvtColor(middle, cv2.COLOR_BGR2GRAY).astype(np.float32)


def _raw_blur_mm(grey: NDArray[Any], px_per_mm: float) -> float:
    """The formula's answer for a grey picture, float32 (h, w)."""
    probe_px = _PROBE_MM * px_per_mm
    # Noise has gradients too; a light blur of both takes most of it and is accounted for by the probe's.
    before = cv2.GaussianBlur(grey, (0, 0), 0.7)
    after = cv2.GaussianBlur(before, (0, 0), probe_px)
    ratio = _edge_energy(before) / max(_edge_energy(after), 1e-6)
    return float("inf") if ratio <= 1.0 else float(probe_px / np.sqrt(ratio**2 - 1) / px_per_mm)


def _edge_energy(grey: NDArray[Any]) -> float:
    horizontal = grey[:, 1:] - grey[:, :-1]
    vertical = grey[1:] - grey[:-1]
    return float(np.mean(horizontal * horizontal) + np.mean(vertical * vertical))


def require_readable(sheet: RectifiedSheet, options: ScanOptions = DEFAULT_OPTIONS) -> None:
    """Refuses a sheet with too few pixels for its strokes.

    Raises:
        PoorPhoto: `too-small`, with the measured and the needed resolution.
    """
    if sheet.px_per_mm < options.min_px_per_mm:
        raise PoorPhoto(
            "too-small",
            f"the sheet has {sheet.px_per_mm:.1f} px/mm, {options.min_px_per_mm:.1f} are needed",
            "move closer",
        )


def require_trusted(cells: Cells, blur_mm: float, options: ScanOptions = DEFAULT_OPTIONS) -> None:
    """Refuses a grid that does not lie on the printed one, or a picture too blurred to tell.

    Args:
        cells: the cells of a sheet, with the agreement of their print.
        blur_mm: what `blur_of` measured on it.
        options: how much agreement and sharpness are needed.

    Raises:
        PoorPhoto: `blurred`.
        SheetNotFound: `no-sheet`.
    """
    # Where nothing at all is printed, the edges come out infinitely soft: that is no blurred sheet.
    if options.max_blur_mm < blur_mm < np.inf:
        raise PoorPhoto(
            "blurred",
            f"edges are {blur_mm:.2f} mm soft, at most {options.max_blur_mm:.2f} can be read",
            "hold the phone still and tap the sheet to focus",
        )
    _require_print(cells.hit_share(options.good_cell_score), options.min_grid_score)


def _require_print(agreeing: float, share: float) -> None:
    """Refuses a grid with less than that share of its cells where the print shows them."""
    if agreeing < share:
        raise SheetNotFound(
            "no-sheet",
            f"what was found does not fit the printed grid: {agreeing:.0%} of the cells agree, {share:.0%} are needed",
            "photograph the whole sheet flat, from above, without strong glare",
        )


def require_whole(photo: Photo, sheet: RectifiedSheet, cells: Cells, options: ScanOptions = DEFAULT_OPTIONS) -> None:
    """Refuses a sheet with a cell outside the picture.

    Raises:
        SheetNotFound: `sheet-cut-off`; `no-sheet` if its cells inside the picture do not show either.
    """
    slack_px = _CUT_OFF_MM * sheet.px_per_mm
    size_px = np.array([photo.source.width, photo.source.height])
    within = (cells.corners_px >= -slack_px) & (cells.corners_px <= size_px + slack_px)
    inside = np.asarray(within.all(axis=(1, 2)), dtype=np.bool_)
    if inside.all():
        return
    if inside.any():
        _require_print(cells.hit_share(options.good_cell_score, inside), _SEEN_SHARE)
    raise SheetNotFound(
        "sheet-cut-off",
        "part of the sheet lies outside the picture",
        "photograph it again with all eight columns in the frame",
    )
