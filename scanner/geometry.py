"""What a homography from page to photo says about the page."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from layouts import SheetLayout
from scanner.types import Points


@lru_cache(maxsize=16)
def cell_corners_mm(layout: SheetLayout) -> Points:
    """Corners (N, 4, 2) of the readable cells in page millimetres, clockwise from top left; read-only."""
    corners_mm = np.array([cell.corners_mm for cell in layout.read_cells], np.float64)
    corners_mm.setflags(write=False)
    return corners_mm


def page_corners(homography: Points, layout: SheetLayout) -> Points:
    """The page's corners (4, 2) in pixels, clockwise from its own top left."""
    width_mm, height_mm = layout.page_mm
    corners_mm = np.array([[0, 0], [width_mm, 0], [width_mm, height_mm], [0, height_mm]], np.float64)
    return np.asarray(cv2.perspectiveTransform(corners_mm[None], homography)[0], dtype=np.float64)


def seen_from_front(homography: Points, layout: SheetLayout) -> bool:
    """Whether the whole page lies before the camera and is seen from its front, not mirrored."""
    width_mm, height_mm = layout.page_mm
    corners = np.array([[0, 0, 1], [width_mm, 0, 1], [width_mm, height_mm, 1], [0, height_mm, 1]], np.float64)
    depths = corners @ homography[2]
    quad = page_corners(homography, layout).astype(np.float32)
    return bool((depths > 0).all() and cv2.contourArea(quad, oriented=True) > 0)


def resolution(homography: Points, layout: SheetLayout) -> float:
    """Pixels per millimetre where the sheet is coarsest, over the centres of its readable cells.

    The local scale of a homography is the square root of its Jacobian's determinant, which for
    p = (x, y) is det(H) / (h31 x + h32 y + h33)^3.
    """
    centres = cell_corners_mm(layout).mean(axis=1)
    depths = np.column_stack([centres, np.ones(len(centres))]) @ homography[2]
    determinants = np.linalg.det(homography) / depths**3
    return float(np.sqrt(np.abs(determinants)).min())
