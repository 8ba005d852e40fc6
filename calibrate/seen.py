"""One photo of a sheet: its grid of spaces, what stands around them and the edges of its paper."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibrate.errors import CalibrationError
from calibrate.fields import Field, fields_of
from calibrate.grid import Grid, find_grid
from calibrate.lattice import find_lattices
from calibrate.paper import Paper, find_paper
from calibrate.shapes import F64, closed_shapes, edge_strength
from calibrate.straight import Straightener, aspect_of, straightened
from calibrate.told import grid_between, lies_between
from scanner.types import ImageU8

_LONG_SIDE_PX = 1600
"""Size at which shapes are looked for: a space is 50 to 100 pixels, and a printed line two."""

_LEAST_SEEN = 0.45
"""Share of the 72 spaces that have to close as shapes; the others are where the rhythm has them."""

_LEAST_EVIDENCE = 0.88
"""Least evidence for a grid: blank sheets of seven pads have 1.0 to 1.5, filled ones 0.9; forms with as many boxes but
no gap for bridges have 0.8 at most, text and tiles 0.5."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenSheet:
    """A sheet in a photo.

    Attributes:
        image: the photo, uint8 (h, w, 3), BGR, upright.
        name: what to call it.
        grid: its spaces.
        straight: what flattens it; pixels are those of `image`.
        rest: how far spaces are from where they should be then, in steps (95th percentile).
        fields: boxes of everything read, in the straight frame.
        paper: the edges of the page in that frame.
        aspect: length of a step right over that of a step down, as a usual lens would have it.
    """

    image: ImageU8
    name: str
    grid: Grid
    straight: Straightener
    rest: float
    fields: tuple[Field, ...]
    paper: Paper
    aspect: float


def see_sheet(image: ImageU8, name: str, corners_px: F64 | None = None, page_ratio: float | None = None) -> SeenSheet:
    """Finds the sheet of a photo.

    Args:
        image: uint8 (h, w, 3), BGR, upright.
        name: what to call it in an error.
        corners_px: (4, 2), outer corners of the block of spaces, clockwise from its top left, where they are known.
        page_ratio: width of the page over its height, where it is known.

    Raises:
        CalibrationError: no eight columns of nine spaces can be seen.
    """
    factor = min(1.0, _LONG_SIDE_PX / max(image.shape))
    small = np.asarray(cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    edges = edge_strength(small)
    shapes = closed_shapes(edges)
    if corners_px is not None:
        block_px = (corners_px + 0.5) * factor - 0.5
        found = find_grid(edges, shapes, find_lattices(shapes))
        # What is found by itself knows more than four corners, if it is the same.
        is_same = found is not None and lies_between(found, block_px)
        grid = found if found is not None and is_same else grid_between(edges, shapes, block_px)
    else:
        grid = _proven(find_grid(edges, shapes, find_lattices(shapes)), name)
    straight, grid, rest = straightened(grid, shapes)
    fields = fields_of(grid, straight)
    edges = np.array([(field.x, field.y, field.x + field.w, field.y + field.h) for field in fields])
    printed = np.array([*edges[:, :2].min(axis=0), *edges[:, 2:].max(axis=0)])
    aspect = aspect_of(grid.frame.homography, (small.shape[1], small.shape[0]))
    paper = find_paper(small, straight, grid, printed, page_ratio, aspect)
    return SeenSheet(image, name, grid, straight.at_scale(1 / factor), rest, fields, paper, aspect)


def _proven(grid: Grid | None, name: str) -> Grid:
    if grid is not None and grid.evidence >= _LEAST_EVIDENCE and grid.seen_share >= _LEAST_SEEN:
        return grid
    seen = "nothing like it" if grid is None else f"{round(grid.seen_share * 72)} of 72 spaces"
    raise CalibrationError(
        f"{name}: no eight columns of nine spaces found, {seen}",
        "photograph one sheet from above, whole and sharp, or say with --corners where its spaces are",
    )
