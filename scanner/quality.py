"""How good a photo is for reading, and which sheets are refused: what was measured, what is needed, what to do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scanner.cells import outlined
from scanner.errors import PoorPhoto, SheetNotFound
from scanner.options import DEFAULT_OPTIONS, ScanOptions
from scanner.places import out_of_place
from scanner.rectify import RectifiedSheet
from scanner.types import Cells, Photo, Quality
from scanner.visible import visibility

_CUT_OFF_MM = 1.0
"""A cell may reach this far out of the picture: its printed border, in which nothing is read, is nearly as wide."""

_SEEN_SHARE = 0.7
"""Least share of the cells inside the picture that have to show their print before a sheet is said to be cut off; at
the wrong place less than one in ten does, one in two where columns happen to lie on others."""

_ELSEWHERE_SHARE = 0.1
"""Share of the cells whose print is seen elsewhere from which the grid has slipped off part of the sheet. Where every
corner lies within 2 mm, at most 3 cells of 86 are, on 240 photos that are hard, folded, curled, tilted or show no tags;
up to 3 mm at most 8. On a curled sheet whose last two rows were 13 mm off, 13 were."""

_SATURATED = 250
"""Grey level from which a pixel is burnt out: 8 bits end at 255, JPEG and demosaicing move it by a few."""


def measure_quality(
    sheet: RectifiedSheet, cells: Cells, blur_mm: float, options: ScanOptions = DEFAULT_OPTIONS
) -> Quality:
    """Sharpness, glare and resolution of a sheet's photo, with warnings in words.

    Args:
        sheet: the flattened sheet.
        cells: its cells, whose print scores tell where the print is hidden.
        blur_mm: what `sharpness.blur_of` measured on it.
        options: what counts as hidden.
    """
    hidden = _hidden(cells, options)
    glare = _burnt_out(cells) if hidden else 0.0
    warnings = []
    if blur_mm > 0.7 * options.max_blur_mm:
        warnings.append(f"blurred: edges are {blur_mm:.2f} mm soft; hold the phone still and let it focus")
    if hidden:
        warnings.append(f"{hidden} cells are hidden by glare, shadow or something lying on them")
    sharpness = float(np.clip(1 - blur_mm / options.max_blur_mm, 0, 1))
    return Quality(round(sharpness, 3), round(glare, 4), round(sheet.px_per_mm, 2), tuple(warnings))


def _hidden(cells: Cells, options: ScanOptions) -> int:
    """How many cells do not show their print, neither in their own light nor between ink."""
    low = cells.print_scores < options.min_cell_score
    if not low.any():
        return 0
    images, blanks, scores = cells.images[low], cells.blanks[low], cells.print_scores[low]
    shown, _ = visibility(images, blanks, scores, np.ones(len(scores), np.bool_))
    return int((shown < options.min_cell_score).sum())


def _burnt_out(cells: Cells) -> float:
    """Share of the cells' pixels that are burnt out in every channel."""
    blue, green, red = (cells.images[..., channel] for channel in range(3))
    return float((np.minimum(np.minimum(blue, green), red) >= _SATURATED).mean())


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


def require_trusted(
    cells: Cells, blur_mm: float, options: ScanOptions = DEFAULT_OPTIONS, out_of_focus: bool = False
) -> None:
    """Refuses a grid that does not lie on the printed one, or a picture too blurred to tell.

    Args:
        cells: the cells of a sheet, with the agreement of their print.
        blur_mm: what `sharpness.blur_of` measured on it.
        options: how much agreement and sharpness are needed.
        out_of_focus: whether the page looks like the sheet from afar, and has no sharp edge.

    Raises:
        PoorPhoto: `blurred`.
        SheetNotFound: `no-sheet`.
    """
    # Where nothing is printed, nothing can be blurred; but on what looks like the sheet from afar there is print.
    if blur_mm > options.max_blur_mm and (out_of_focus or blur_mm < np.inf):
        measured = f"{blur_mm:.2f} mm" if blur_mm < np.inf else "more than a millimetre"
        raise PoorPhoto(
            "blurred",
            f"edges are {measured} soft, at most {options.max_blur_mm:.2f} mm can be read",
            "hold the phone still and tap the sheet to focus",
        )
    # Icons without an outline vanish under a mark, and say nothing about the grid then.
    telling = outlined(cells.blanks)
    among = telling if 2 * telling.sum() >= len(telling) else None
    agreeing = cells.hit_share(options.good_cell_score, among)
    if agreeing < options.min_grid_score:
        # Large figures in low spaces cross most borders; what shows between the ink says whether these are there.
        every = np.ones(len(cells.boxes), np.bool_)
        shown, _ = visibility(cells.images, cells.blanks, cells.print_scores, every)
        agreeing = max(agreeing, replace(cells, print_scores=shown).hit_share(options.good_cell_score, among))
    _require_print(agreeing, options.min_grid_score)
    _require_in_place(cells, np.ones(len(cells.boxes), np.bool_), options)


def _require_in_place(cells: Cells, among: NDArray[np.bool_], options: ScanOptions) -> None:
    """Refuses a grid that lies beside the print in one part of the sheet, however well it lies on the rest."""
    elsewhere = int(among[out_of_place(cells, options)].sum())
    if elsewhere >= _ELSEWHERE_SHARE * len(cells.boxes):
        raise SheetNotFound(
            "no-sheet",
            f"the grid has slipped off part of the sheet: the print of {elsewhere} cells is seen elsewhere",
            "lay the sheet flat and photograph it from above",
        )


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
        _require_in_place(cells, inside, options)
    raise SheetNotFound(
        "sheet-cut-off",
        "part of the sheet lies outside the picture",
        "photograph it again with all eight columns in the frame",
    )
