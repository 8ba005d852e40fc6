"""A dog-ear on a page: the corner folded over, its back showing on what it covers."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from synth.paper import Ear

ImageU8 = NDArray[np.uint8]
Points = NDArray[np.float64]

_THROUGH = 0.12  # how much of the print shows through the paper's back
_SHADOW_MM = 1.4
_ROUND_MM = 3.0  # beside the crease the paper curves away from the light


def flap_mm(ear: Ear, page_mm: tuple[float, float]) -> Points:
    """What the folded corner covers: the ends of the crease and where the corner lies now, (3, 2) page millimetres."""
    corner = ear.corner_mm(page_mm)
    beyond, across = ear.beyond_mm(corner[None], page_mm)
    return np.stack([*ear.crease_mm(page_mm), corner - 2 * beyond[0] * across])


def fold_ear(page: ImageU8, ear: Ear, page_mm: tuple[float, float], paper_bgr: tuple[float, float, float]) -> None:
    """Draws the folded corner on a page, in place.

    What lies beyond the crease stays as it is: `synth.paper.Paper.outline` ends there.

    Args:
        page: uint8 (H, W, 3), BGR, the whole page.
        ear: which corner, how far.
        page_mm: the page's size.
        paper_bgr: colour of the paper's back, 1 is white.
    """
    px_per_mm = page.shape[1] / page_mm[0]
    flap = np.zeros(page.shape[:2], dtype=np.uint8)
    corners_px = np.rint(flap_mm(ear, page_mm) * px_per_mm * 16).astype(np.int32)
    cv2.fillPoly(flap, [corners_px], 255, cv2.LINE_AA, 4)
    rows, columns = (np.flatnonzero(flap.any(axis=axis)) for axis in (1, 0))
    pad = int(4 * _SHADOW_MM * px_per_mm)
    top, left = max(0, rows[0] - pad), max(0, columns[0] - pad)
    here = (slice(top, rows[-1] + pad), slice(left, columns[-1] + pad))
    back = _back(page, ear, page_mm, paper_bgr)[here]
    share = (flap[here] / np.float32(255))[..., None]
    soft = cv2.GaussianBlur(flap[here], (0, 0), _SHADOW_MM * px_per_mm).astype(np.float32)[..., None] / 255
    page[here] = (page[here] * (1 - 0.55 * soft) * (1 - share) + back * share).astype(np.uint8)


def _back(page: ImageU8, ear: Ear, page_mm: tuple[float, float], paper_bgr: tuple[float, float, float]) -> ImageU8:
    """The paper's back over the whole page: what lies beyond the crease, mirrored at it and shining through faintly."""
    px_per_mm = page.shape[1] / page_mm[0]
    first, second = (end * px_per_mm for end in ear.crease_mm(page_mm))
    along = (second - first) / np.linalg.norm(second - first)
    mirror = 2 * np.outer(along, along) - np.eye(2)
    matrix = np.column_stack([mirror, first - mirror @ first])
    through = cv2.warpAffine(page, matrix, page.shape[1::-1], borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    yy, xx = np.mgrid[0 : page.shape[0], 0 : page.shape[1]].astype(np.float32)
    depth_mm = np.abs((xx - first[0]) * along[1] - (yy - first[1]) * along[0]) / px_per_mm
    light = 0.97 - 0.14 * np.exp(-depth_mm / _ROUND_MM)
    blank = np.array(paper_bgr, dtype=np.float32) * 250
    mixed = (blank * (1 - _THROUGH) + through * _THROUGH) * light[..., None].astype(np.float32)
    return np.asarray(np.clip(mixed, 0, 255), dtype=np.uint8)
