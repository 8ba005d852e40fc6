"""Whether each column shows its own print, and not that of a neighbour or of itself one space further.

Columns and spaces have the same outlines, so a grid that is off by one of them, a sheet that was torn and put together
again, or the sheet of another edition can pass by its edges. What tells them apart is colour, and where arrows and
artifact boxes stand: each column's cells are compared as they are, edges of their neighbours included, with their own
print and with that of the places beside.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from layouts import SheetLayout
from scanner.cells import CELL_PX, blank_cells
from scanner.errors import SheetNotFound
from scanner.rectify import Blank
from scanner.types import Cells, ImageU8

F32 = NDArray[np.float32]
Indices = NDArray[np.intp]

_SIDE_PX = CELL_PX // 3
"""Size at which cells are compared: arrows are five pixels wide then, and pen strokes hardly one."""

_LIT_SHARE = 0.9
"""Percentile of each channel that is taken as the light: paper is the brightest tenth."""

_LIT_STEP = 5
"""Every fifth pixel is enough for that."""

_ALIKE = 0.97
"""Prints that correlate more than this are the same: a track's spaces tell nothing about a shift along it."""

_FEW = 4
"""Fewer cells of a column that are not covered by ink say too little."""

_BESIDE = -0.075
"""By how much (correlation) a column's own print has to fit better than that of the next column. On 265 photos of whole
sheets, half of them in half shadow, grey or hard, the least was -0.055; with columns reversed, left out or added
-0.12."""

_TOGETHER = 0.0
"""The same as a leaning, of all columns at once to their neighbours on one side: where columns differ in little but
their shade, as on a dark pad, correlations hardly differ. On 950 sheets of nine pads, grey, hard, shaded and glaring
ones among them, the least was 0.07 on the dark pad and 0.74 on all others; with the grid moved by a column it was below
-0.04 wherever the cells' edges did not give it away."""

_ALONG = 0.05
"""How far what a column shows has to lean to its own print and away from that of one space further: 1 is all the way,
-1 is a column moved by a space, 0 is neither. On 60 photos of seven pads the least was 0.2, in faint print under a
lamp; a margin in correlation would depend on how many spaces have icons, and how strongly they are printed."""

_FAINTEST = 0.1
"""Least strength of a column's print, as a share of the blank's, that its leaning is measured with."""


def require_own_columns(cells: Cells, blank: Blank, layout: SheetLayout) -> None:
    """Refuses a sheet on which a column shows the print of another place.

    Args:
        cells: the cells of a sheet.
        blank: the blank sheet that it should be.
        layout: the sheet.

    Raises:
        SheetNotFound: `no-sheet`, naming the column and what it looks like.
    """
    prints = _prints(blank, layout)
    seen = _normalised(cells.images)
    products, powers = seen @ prints.T, (seen * seen).sum(axis=1)
    print_products = _print_products(blank, layout)
    sides = {-1: np.zeros(2), 1: np.zeros(2)}
    for rivalry in _rivalries(blank, layout):
        shows = ~cells.covered[rivalry.here]
        if shows.sum() < _FEW:
            continue
        here, there = rivalry.here[shows], rivalry.there[shows]
        towards_own, apart = _leaning(products, print_products, here, there)
        if rivalry.aside:
            sides[rivalry.aside] += towards_own, apart
            doubtful = _advantage(products, print_products, powers, here, there) < _BESIDE
        else:
            doubtful = towards_own < _ALONG * apart
        if doubtful:
            raise _stranger(
                f"where the {rivalry.column} column should be, the print looks like {rivalry.looks_like}", layout
            )
    for aside, (towards_own, apart) in sides.items():
        if towards_own < _TOGETHER * apart:
            side = "left" if aside < 0 else "right"
            raise _stranger(f"where each column should be, the print looks like the one to its {side}", layout)


def _stranger(message: str, layout: SheetLayout) -> SheetNotFound:
    remedy = f"photograph a whole {layout.name} sheet, in one piece; sheets of other editions need their layout"
    return SheetNotFound("no-sheet", message, remedy)


def _advantage(products: F32, print_products: F32, powers: F32, here: Indices, there: Indices) -> float:
    """By how much cells correlate better with their own prints than with those of another place."""
    own, other = (
        products[here, place].sum() / np.sqrt(powers[here].sum() * print_products[place, place].sum() + 1e-9)
        for place in (here, there)
    )
    return float(own - other)


def _leaning(products: F32, print_products: F32, here: Indices, there: Indices) -> tuple[float, float]:
    """Where cells stand between the prints of another place (-1) and their own (1), counting only what differs.

    What is seen, at the strength of the cells' own print, is projected on the difference of both prints.

    Returns:
        How far they lean to their own, and how far apart both prints are; the first over the second is the leaning.
    """
    own, other = print_products[here, here].sum(), print_products[there, there].sum()
    apart = own + other - 2 * print_products[here, there].sum()
    towards_own = products[here, here].sum() - products[here, there].sum()
    strength = max(products[here, here].sum() / (own + 1e-9), _FAINTEST)
    return float(2 * towards_own - strength * (own - other)), float(strength * apart)


@dataclass(frozen=True, slots=True, eq=False)
class _Rivalry:
    """A column's cells and those of another place that they may show instead, as indices of equal length.

    Attributes:
        column: its name.
        looks_like: the other place, in words.
        aside: 0 for another space of the same column, -1 and 1 for the column to its left and right.
        here: indices of its cells.
        there: what each of them may show instead.
    """

    column: str
    looks_like: str
    aside: int
    here: Indices
    there: Indices


@lru_cache(maxsize=16)
def _prints(blank: Blank, layout: SheetLayout) -> F32:
    return _normalised(blank_cells(blank, layout))


@lru_cache(maxsize=16)
def _print_products(blank: Blank, layout: SheetLayout) -> F32:
    prints = _prints(blank, layout)
    return np.asarray(prints @ prints.T, dtype=np.float32)


@lru_cache(maxsize=16)
def _rivalries(blank: Blank, layout: SheetLayout) -> tuple[_Rivalry, ...]:
    """Every column against itself a space up and down, and against its neighbours, where their prints differ."""
    # From the left: a pad may have its columns in another order than its file.
    spaces = sorted(enumerate(layout.read_cells), key=lambda numbered: numbered[1].x_mm)
    places = {(box.column, box.space): i for i, box in spaces if box.space is not None}
    columns = list(dict.fromkeys(column for column, _ in places))
    prints, rivalries = _prints(blank, layout), []
    for number, column in enumerate(columns):
        beside = [(columns[number + aside], aside, 0) for aside in (-1, 1) if 0 <= number + aside < len(columns)]
        for other, aside, up in [(column, 0, 1), (column, 0, -1), *beside]:
            pairs = [
                (here, places[other, space + up])
                for (name, space), here in places.items()
                if name == column and space is not None and (other, space + up) in places
            ]
            words = f"the {other} one" if aside else "itself a space further"
            if pairs and _correlation(prints, pairs) < _ALIKE:
                rivalries.append(_Rivalry(str(column), words, aside, *np.array(pairs, np.intp).T))
    return tuple(rivalries)


def _correlation(prints: F32, pairs: list[tuple[int, int]]) -> float:
    first, second = (prints[list(side)].ravel() for side in zip(*pairs, strict=True))
    return float(np.vdot(first, second) / np.sqrt(np.vdot(first, first) * np.vdot(second, second) + 1e-9))


def _normalised(images: ImageU8) -> F32:
    """Cells (N, S, S, 3) as rows (N, P): small, each channel's light divided out and its mean taken off."""
    small = cv2.resize(images.reshape(-1, CELL_PX, 3), (_SIDE_PX, len(images) * _SIDE_PX), interpolation=cv2.INTER_AREA)
    pixels = small.reshape(len(images), -1, 3).astype(np.float32)
    some = np.ascontiguousarray(pixels[:, ::_LIT_STEP].transpose(0, 2, 1))
    rank = int(_LIT_SHARE * some.shape[2])
    lit = np.partition(some, rank, axis=2)[..., rank]
    pixels /= np.maximum(lit, 8.0)[:, None, :]
    pixels -= pixels.mean(axis=1, keepdims=True)
    return pixels.reshape(len(images), -1)
