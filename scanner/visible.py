"""Whether a cell's print shows, with light and ink allowed for.

The edge of a shadow that crosses a cell, and ink over its border, disturb the plain comparison of its rim with the
print as much as a thing that lies on it does. Here brightness is taken as its logarithm, in which light only adds
something: a smooth surface (a quadratic polynomial) is fitted to the rim together with the print, so that shade drops
out. What is left agrees with the print or does not, and by how much the print stands out says how washed out it is.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from scanner.cells import CELL_PX, rim_pixels
from scanner.types import ImageU8, Points

F32 = NDArray[np.float32]

_STEP = 2
"""Every second pixel of the rim is enough."""

_DARK = 8.0
"""Grey levels added before the logarithm, so that noise in the dark is not blown up."""

_LOGARITHMS = np.log(np.arange(256, dtype=np.float32) + np.float32(_DARK))
"""Of every grey level."""

_INK_DEPTH = 0.25
"""Darker than the rest of the rim's paper by this share is ink, where ink may be left out."""

_LIT_SHARE = 0.9
"""Percentile of the light (photo / print) that is taken as that of the paper between ink."""

_CLEAR_SCORE = 0.85
"""Agreement, light allowed for, that leaves no room for anything on the cell. Most cells with the edge of a shadow keep
0.87 to 0.99; under a slip over half of them, whose edge a smooth surface cannot follow, it is 0.76 at most."""

_PLAIN_SCORE = 0.5
"""Agreement between ink that is beyond chance: heavy marks over the border of a box keep 0.55 to 0.94 on 300 photos,
and what lies over a whole cell leaves none."""

_PALEST = 0.5
"""Least contrast of a good sheet's print, as a share of the blank's: faint prints and copies have 0.6."""

_LEAST_LEFT = 0.4
"""Share of a rim that has to be free of ink to say whether the print shows: a scribble over the border leaves half."""


def visibility(
    images: ImageU8, blanks: ImageU8, print_scores: Points, filled: NDArray[np.bool_]
) -> tuple[Points, Points]:
    """How well each cell's print can be seen, and how strongly.

    Args:
        images: photographed cells, uint8 (N, CELL_PX, CELL_PX, 3).
        blanks: the same cells of the blank sheet, same shape.
        print_scores: (N,), how well they agree as they are, see `cells.print_scores`.
        filled: (N,), which of them are read as filled, where ink may cover print.

    Returns:
        Scores (N,), -1 to 1, at least those given; contrasts (N,), 1 for the middle cell of the sheet. On a sheet that
        is washed out all over, 1 stands for half the blank's contrast: worn printers give no less.
    """
    agreement, contrasts = shown_prints(images, blanks)
    scores = np.where(agreement >= _CLEAR_SCORE, np.maximum(print_scores, agreement), print_scores)
    for i in np.flatnonzero(filled & (scores < _PLAIN_SCORE)):
        between = shown_between_ink(images[i], blanks[i])
        scores[i] = max(scores[i], between if between >= _PLAIN_SCORE else -1)
    return scores, contrasts / max(float(np.median(contrasts)), _PALEST)


def shown_prints(images: ImageU8, blanks: ImageU8) -> tuple[Points, Points]:
    """How well the rims of cells agree with their print, and how strongly it shows, whatever the light.

    Args:
        images: photographed cells, uint8 (N, CELL_PX, CELL_PX, 3).
        blanks: the same cells of the blank sheet, same shape.

    Returns:
        Correlations (N,), -1 to 1, and contrasts (N,), 1 for print as strong as the blank's.
    """
    seen, printed = (_apart_from_light(_logarithms(stack), _smooth_basis()) for stack in (images, blanks))
    products, powers = (np.einsum("np,np->n", printed, other) for other in (seen, printed))
    lengths = np.sqrt(powers * np.einsum("np,np->n", seen, seen))
    return (products / np.maximum(lengths, 1e-6)).astype(float), (products / np.maximum(powers, 1e-6)).astype(float)


def shown_between_ink(image: ImageU8, blank: ImageU8) -> float:
    """How well the rim of one cell agrees with its print where no ink covers it, -1 to 1; 0 where too little is left.

    Args:
        image: the photographed cell, uint8 (CELL_PX, CELL_PX, 3).
        blank: the same cell of the blank sheet.
    """
    seen, printed = _logarithms(image[None])[0], _logarithms(blank[None])[0]
    light = seen - printed
    free = light > np.quantile(light, _LIT_SHARE) + np.log(1 - _INK_DEPTH)
    if free.mean() < _LEAST_LEFT:
        return 0.0
    basis = np.linalg.qr(_smooth_basis()[free])[0]
    first, second = (_apart_from_light(values[None, free], basis)[0] for values in (seen, printed))
    length = np.sqrt(np.vdot(first, first) * np.vdot(second, second))
    return float(np.vdot(first, second) / max(float(length), 1e-6))


def _logarithms(images: ImageU8) -> F32:
    """Logarithm of the green brightness of each cell's rim, float32 (N, P)."""
    green = images.reshape(len(images), -1, 3)[:, _pixels(), 1]
    return np.asarray(_LOGARITHMS[green], dtype=np.float32)


def _apart_from_light(values: F32, basis: F32) -> F32:
    return np.asarray(values - (values @ basis) @ basis.T, dtype=np.float32)


@lru_cache(maxsize=1)
def _pixels() -> NDArray[np.intp]:
    return rim_pixels()[::_STEP]


@lru_cache(maxsize=1)
def _smooth_basis() -> F32:
    """Orthonormal columns (P, 6) that span the quadratic polynomials on a cell's rim."""
    y, x = (along / (CELL_PX / 2) - 1 for along in np.divmod(_pixels(), CELL_PX))
    powers = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)
    return np.linalg.qr(powers)[0].astype(np.float32)
