"""The picture of a layout's blank sheet, decoded."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from layouts import LayoutError, SheetLayout, blank_picture
from scanner.types import ImageU8


@lru_cache(maxsize=1)
def blank_page(layout: SheetLayout) -> ImageU8:
    """The whole page as its picture has it, uint8 (H, W, 3), BGR, read-only.

    It takes as long to decode as a photo, and 13 MB: `cache_clear` it when all that is needed has been cut from it.

    Raises:
        LayoutError: the layout has no picture, or it cannot be decoded.
    """
    decoded = cv2.imdecode(np.frombuffer(blank_picture(layout), np.uint8), cv2.IMREAD_COLOR)
    if decoded is None:
        raise LayoutError(f"{layout.name}: the picture of the blank sheet is damaged")
    page = np.asarray(decoded, dtype=np.uint8)
    page.setflags(write=False)
    return page


@lru_cache(maxsize=16)
def blank_page_at(layout: SheetLayout, px_per_mm: float) -> ImageU8:
    """The whole page at a scale no larger than its picture's, uint8 (h, w, 3), BGR, read-only.

    Raises:
        LayoutError: the layout has no picture, or it cannot be decoded.
    """
    size_wh = [round(side_mm * px_per_mm) for side_mm in layout.page_mm]
    page = np.asarray(cv2.resize(blank_page(layout), size_wh, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    page.setflags(write=False)
    return page
