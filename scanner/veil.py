"""Blank cells that were photographed themselves, with the contrast that the photo beside them has.

The picture of a calibrated pad is a photo: glare, haze and the phone's own tone curve have made its print paler or
darker in places than another photo shows it. Light alone is a factor, and the reader takes that out; contrast is not.
So the print of each cell is stretched about its paper until it is as deep as in the photo, as far as there is print to
tell.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scanner.bare import BORDER_SHARE
from scanner.types import ImageU8

F32 = NDArray[np.float32]

_STEP = 2
"""Every second pixel in both directions is enough for a slope; borders, which blur, are left out."""

_INK = 14.0
"""Grey levels darker than the fit from which a pixel is ink; it is left out of the next one."""

_ROUNDS = 3
"""Fits, each without what looked like ink in the last one."""

_FLAT = 10.0
"""Deviation of a blank cell in grey levels at which print and plain light have the same say: noise has 3, icons 20."""

_LEAST, _MOST = 0.55, 1.9
"""How much paler or deeper print may become; more is something else that lies there."""

_PAPER_SHARE = 0.8
"""Quantile of a blank cell's brightness that is its paper, about which it is stretched."""


def unveiled(images: ImageU8, blanks: ImageU8) -> ImageU8:
    """The blanks, each with its print as deep as its photo shows it.

    Args:
        images: photographed cells, uint8 (N, S, S, 3), BGR.
        blanks: the same cells of the blank sheet, same shape.

    Returns:
        uint8 (N, S, S, 3).
    """
    rim = round(images.shape[1] * BORDER_SHARE)
    some = (slice(None), slice(rim, -rim, _STEP), slice(rim, -rim, _STEP))
    seen, printed = (cells[some].astype(np.float32).mean(axis=-1).reshape(len(cells), -1) for cells in (images, blanks))
    depth = _depths(np.asarray(seen, np.float32), np.asarray(printed, np.float32))[:, None, None, None]
    paper = np.quantile(blanks[some].reshape(len(blanks), -1, 3), _PAPER_SHARE, axis=1)[:, None, None, :]
    return np.asarray(np.clip(paper + (blanks - paper) * depth + 0.5, 0, 255), dtype=np.uint8)


def _depths(seen: F32, printed: F32) -> F32:
    """How deep print is in each photo, (N,), 1 for as deep as in the blank under its light."""
    kept = np.ones(seen.shape, np.float32)
    depth = np.ones((len(seen), 1), np.float32)
    for _ in range(_ROUNDS):
        count = np.maximum(kept.sum(axis=1, keepdims=True), 1)
        seen_mean, printed_mean = ((kept * side).sum(axis=1, keepdims=True) / count for side in (seen, printed))
        light = seen_mean / np.maximum(printed_mean, 1)
        aside = printed - printed_mean
        power = (kept * aside**2).sum(axis=1, keepdims=True) / count
        product = (kept * aside * (seen - seen_mean)).sum(axis=1, keepdims=True) / count
        slope = (product + _FLAT**2 * light) / (power + _FLAT**2)
        depth = np.clip(slope / np.maximum(light, 1e-3), _LEAST, _MOST)
        kept = (seen - seen_mean - slope * aside > -_INK).astype(np.float32)
    return np.asarray(depth[:, 0], dtype=np.float32)
