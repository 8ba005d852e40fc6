"""Fifth stage: every cell cut out with its margin, beside the same cell of the blank sheet, and its print compared.

The comparison is what makes a found sheet certain: if the printed outline of (nearly) every cell correlates with the
photo where it should be, the grid lies right. It looks only at the rim of the cells, since people write inside.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from layouts import SheetLayout
from scanner.debug import NO_DEBUG, DebugSink
from scanner.geometry import cell_corners_mm
from scanner.rectify import Blank, Canvas, RectifiedSheet
from scanner.types import Cells, ImageU8, Photo, Points
from scanner.warp import NO_MAP, Bend, bent_corners_px

CELL_PX = 48
"""Side of a cut cell: figures are some 20 pixels high then, as in the handwriting sets that readers learn from."""

MARGIN = 0.2
"""Margin around a cell, as a share of its width and height: figures overflow their space."""

_RIM = 0.16
"""Half the width of the rim that is compared with the print, as a share of the cell's side, around its outline."""


_OUTLINED = 10.0
"""Least deviation of a rim's grey levels, above and below as well as at the sides: the palest printed outlines have 11,
icons that stand free on the paper, whose rims hold the next number or nothing, 7 to 9."""

_REACH_PX = 4
"""How far a cell's rim is looked for from where it should be: some 1.5 mm, and the rim stays inside the cut cell."""

_PAPER_SHARE = 0.95
"""Percentile of a cell's brightness that is taken as its paper: even a scribbled box leaves a twentieth white."""

_INK_DEPTH = 0.3
"""Darker than the print by this share of the paper's brightness is ink."""

_EDGE_PX, _LINE_DEPTH = 3, 0.25
"""Pixels at the very edge of a cell's margin, 2 mm outside its box, and how much darker than the print a line is there:
figures reach so far on one side now and then, and on both hardly ever."""

_COVERED_SHARE = 0.3
"""Share of a cell under ink from which it is covered: a figure in felt takes a fifth, a filled box more than half."""


def cut_cells(
    photo: Photo,
    sheet: RectifiedSheet,
    bend: Bend,
    blank: Blank,
    layout: SheetLayout,
    debug: DebugSink = NO_DEBUG,
) -> Cells:
    """Cuts the readable cells of a sheet.

    Args:
        photo: the photo, for its scale.
        sheet: the flattened sheet.
        bend: where the print of the bent sheet is.
        blank: the blank sheet on the same canvas.
        layout: the sheet.
        debug: takes a picture of all cells.

    Returns:
        The cells in the layout's order, each with its blank twin and the agreement of their print.
    """
    boxes_mm = cell_corners_mm(layout)
    wide_mm = _with_margin(boxes_mm)
    moved_mm = wide_mm + bend.at_mm(wide_mm.reshape(-1, 2)).reshape(wide_mm.shape)
    images = _sample(sheet.image, sheet.canvas, moved_mm)
    blanks = blank_cells(blank, layout)
    corners_px = bent_corners_px(boxes_mm.reshape(-1, 2), sheet, bend).reshape(boxes_mm.shape)
    if debug.active:
        debug.draw("cells", draw_cells(images, blanks))
    return Cells(
        boxes=layout.read_cells,
        images=images,
        blanks=blanks,
        corners_px=photo.in_full_px(corners_px),
        print_scores=print_scores(images, blanks),
        covered=covered_by_ink(images, blanks),
    )


def _with_margin(boxes_mm: Points) -> Points:
    centres = boxes_mm.mean(axis=1, keepdims=True)
    return np.asarray(centres + (boxes_mm - centres) * (1 + 2 * MARGIN), dtype=np.float64)


@lru_cache(maxsize=16)
def blank_cells(blank: Blank, layout: SheetLayout) -> ImageU8:
    """The readable cells of the blank sheet, uint8 (N, CELL_PX, CELL_PX, 3), cut like those of a photo."""
    return _sample(blank.image, blank.canvas, _with_margin(cell_corners_mm(layout)))


@lru_cache(maxsize=1)
def _bilinear_weights() -> NDArray[np.float32]:
    """(CELL_PX^2, 4): how much each corner counts at each pixel centre of a cell, corners clockwise."""
    steps = (np.arange(CELL_PX) + 0.5) / CELL_PX
    v, u = np.meshgrid(steps, steps, indexing="ij")
    corners = [(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v]
    return np.stack([corner.ravel() for corner in corners], axis=1).astype(np.float32)


def _sample(image: ImageU8, canvas: Canvas, quads_mm: Points) -> ImageU8:
    """Cells (N, CELL_PX, CELL_PX, 3) under quads (N, 4, 2) in page millimetres."""
    to_canvas = canvas.page_to_canvas
    quads_px = quads_mm @ to_canvas[:2, :2].T + to_canvas[:2, 2]
    maps = _bilinear_weights() @ quads_px.astype(np.float32)
    # A slight blur first: a cell is sampled at about every second pixel.
    soft = cv2.GaussianBlur(image, (3, 3), 0)
    grid = maps.reshape(len(quads_px) * CELL_PX, CELL_PX, 2)
    cells = cv2.remap(soft, grid, NO_MAP, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cells.reshape(-1, CELL_PX, CELL_PX, 3), dtype=np.uint8)


@lru_cache(maxsize=1)
def _rims() -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Flat indices of the pixels of a cell within `_RIM` of its upper and lower edge, and of its left and right one."""
    edge = MARGIN / (1 + 2 * MARGIN)
    steps = (np.arange(CELL_PX) + 0.5) / CELL_PX
    half = _RIM / (1 + 2 * MARGIN)
    near = (steps > edge - half) & (steps < 1 - edge + half)
    beside = near & ~((steps > edge + half) & (steps < 1 - edge - half))
    return np.flatnonzero(np.outer(beside, near)), np.flatnonzero(np.outer(near, beside))


@lru_cache(maxsize=1)
def rim_pixels() -> NDArray[np.intp]:
    """Flat indices of all pixels of a cell's rim."""
    return np.union1d(*_rims())


@lru_cache(maxsize=1)
def _rim_weights() -> NDArray[np.float32]:
    """1 on the rim and 0 elsewhere, float32, without the outermost `_REACH_PX` pixels."""
    weights = np.zeros(CELL_PX * CELL_PX, np.float32)
    weights[rim_pixels()] = 1
    return np.ascontiguousarray(weights.reshape(CELL_PX, CELL_PX)[_REACH_PX:-_REACH_PX, _REACH_PX:-_REACH_PX])


def crossed(images: ImageU8, blanks: ImageU8) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which cells (N,) something dark leaves on both ends: through the margins above and below, and on both sides.

    Args:
        images: photographed cells, uint8 (N, CELL_PX, CELL_PX, 3).
        blanks: the same cells of the blank sheet, same shape.
    """
    some = images[:, ::4, ::4, 1].reshape(len(images), -1)
    bright = int(some.shape[1] * _PAPER_SHARE)
    paper = np.partition(some, bright, axis=1)[:, bright].astype(np.float32)
    ends = [_inked_edge(images, blanks, paper, rows, upright) for upright in (True, False) for rows in (0, -1)]
    return ends[0] & ends[1], ends[2] & ends[3]


def _inked_edge(
    images: ImageU8, blanks: ImageU8, paper: NDArray[np.float32], end: int, upright: bool
) -> NDArray[np.bool_]:
    """Which cells (N,) have ink in their first rows (`end` 0) or last ones (-1); of columns instead if not upright."""
    near = slice(0, _EDGE_PX + 1) if end == 0 else slice(-_EDGE_PX - 1, None)
    seen, printed = (
        (stack[:, near, :, 1] if upright else stack[:, :, near, 1].transpose(0, 2, 1)).astype(np.float32)
        for stack in (images, blanks)
    )
    # Print a pixel aside is no ink: the darkest neighbour counts.
    across = np.minimum(np.minimum(printed[..., :-2], printed[..., 1:-1]), printed[..., 2:])
    darkest = np.minimum(across[:, :-1], across[:, 1:])
    rows = seen[:, :-1, 1:-1] if end == 0 else seen[:, 1:, 1:-1]
    return np.asarray((rows < paper[:, None, None] * (darkest / 255 - _LINE_DEPTH)).any(axis=(1, 2)), dtype=np.bool_)


def print_scores(images: ImageU8, blanks: ImageU8) -> NDArray[np.float64]:
    """Correlation (N,) of each cell's rim with the blank's, -1 to 1; blind to brightness and contrast.

    Edges above and below, and those at the sides, are compared apart, and the worse counts: a column moved along itself
    still lies on its own side lines.

    Args:
        images: photographed cells, uint8 (N, CELL_PX, CELL_PX, 3).
        blanks: the same cells of the blank sheet, same shape.
    """
    seen, printed = _grey(images), _grey(blanks)
    return np.minimum(*(_correlation(seen[:, rim], printed[:, rim]) for rim in _rims()))


def outlined(blanks: ImageU8) -> NDArray[np.bool_]:
    """Which cells (N,) of the blank sheet have print along their rims that can be compared.

    Args:
        blanks: cells of the blank sheet, uint8 (N, CELL_PX, CELL_PX, 3).
    """
    printed = _grey(blanks)
    return np.asarray(np.min([printed[:, rim].std(axis=1) for rim in _rims()], axis=0) >= _OUTLINED, dtype=np.bool_)


def print_shifts_px(images: ImageU8, blanks: ImageU8) -> NDArray[np.float64]:
    """By how much (N, 2) each cell's rim fits better elsewhere, x and y in its pixels, at most `_REACH_PX` either way.

    Where it is seen nowhere, that is 0. A pale print, ink and the edge of a shadow lower a print score where the cell
    is right; they move no print.

    Args:
        images: photographed cells, uint8 (N, CELL_PX, CELL_PX, 3).
        blanks: the same cells of the blank sheet, same shape.
    """
    inner = slice(_REACH_PX, -_REACH_PX)
    seen, printed = (_grey(stack).reshape(-1, CELL_PX, CELL_PX) for stack in (images, blanks))
    shifts = np.zeros((len(images), 2))
    for i in range(len(images)):
        agreement = cv2.matchTemplate(seen[i], printed[i, inner, inner], cv2.TM_CCOEFF_NORMED, mask=_rim_weights())
        # Where either is plain there is no correlation, but a division by nothing.
        agreement = np.nan_to_num(agreement, nan=-1.0, posinf=-1.0)
        if agreement.max() <= 0:
            continue
        y, x = np.unravel_index(agreement.argmax(), agreement.shape)
        shifts[i] = int(x) - _REACH_PX, int(y) - _REACH_PX
    return shifts


def _correlation(seen: NDArray[np.float32], printed: NDArray[np.float32]) -> NDArray[np.float64]:
    """Correlation (N,) of the rows of two arrays (N, P)."""
    seen, printed = (pixels - pixels.mean(axis=1, keepdims=True) for pixels in (seen, printed))
    power = np.sqrt(np.einsum("np,np->n", seen, seen) * np.einsum("np,np->n", printed, printed))
    return np.asarray(np.einsum("np,np->n", seen, printed) / np.maximum(power, 1.0), dtype=np.float64)


def covered_by_ink(images: ImageU8, blanks: ImageU8) -> NDArray[np.bool_]:
    """Which cells (N,) are filled with so much ink that their print cannot show: it says nothing about the grid.

    Args:
        images: photographed cells, uint8 (N, CELL_PX, CELL_PX, 3).
        blanks: the same cells of the blank sheet, same shape.
    """
    inside = slice(round(CELL_PX * MARGIN / (1 + 2 * MARGIN)), round(CELL_PX * (1 + MARGIN) / (1 + 2 * MARGIN)))
    seen, printed = (
        stack[:, inside, inside, 1].reshape(len(stack), -1).astype(np.float32) for stack in (images, blanks)
    )
    bright = int(seen.shape[1] * _PAPER_SHARE)
    paper = np.partition(seen, bright, axis=1)[:, [bright]]
    darker = seen < paper * (printed / 255 - _INK_DEPTH)
    return np.asarray(darker.mean(axis=1) > _COVERED_SHARE, dtype=np.bool_)


def _grey(cells: ImageU8) -> NDArray[np.float32]:
    """Grey values (N, CELL_PX^2) of cells."""
    grey = cv2.cvtColor(cells.reshape(-1, CELL_PX, 3), cv2.COLOR_BGR2GRAY)
    return np.asarray(grey.reshape(len(cells), -1), dtype=np.float32)


def draw_cells(images: ImageU8, blanks: ImageU8, per_row: int = 12) -> ImageU8:
    """All cells on one picture, each above its blank twin."""
    pairs = np.concatenate([images, blanks], axis=1)
    missing = -len(pairs) % per_row
    pairs = np.concatenate([pairs, np.full((missing, *pairs.shape[1:]), 255, np.uint8)])
    rows = [np.hstack(list(pairs[i : i + per_row])) for i in range(0, len(pairs), per_row)]
    return np.asarray(cv2.resize(np.vstack(rows), None, fx=2, fy=2), dtype=np.uint8)
