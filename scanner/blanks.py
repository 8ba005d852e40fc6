"""The picture of a layout's blank sheet, decoded."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from layouts import LayoutError, SheetLayout, blank_picture
from scanner.errors import ScanError
from scanner.formats import inspect
from scanner.types import ImageU8

_ASPECT_SHARE = 0.02
"""By how much width to height may differ between picture and page: 4 mm on an A5 page, a third of a space. Rounding to
pixels is far below it, a picture of something else above."""


@lru_cache(maxsize=1)
def blank_page(layout: SheetLayout) -> ImageU8:
    """The whole page as its picture has it, uint8 (H, W, 3), BGR, read-only.

    It takes as long to decode as a photo, and 13 MB: `cache_clear` it when all that is needed has been cut from it.

    Raises:
        LayoutError: the layout has no picture, or it cannot be decoded, or is of another shape than the page.
    """
    decoded = cv2.imdecode(np.frombuffer(blank_picture(layout), np.uint8), cv2.IMREAD_COLOR)
    if decoded is None:
        raise _damaged(layout)
    _require_aspect(layout, decoded.shape[1], decoded.shape[0])
    page = np.asarray(decoded, dtype=np.uint8)
    page.setflags(write=False)
    return page


def picture_error(layout: SheetLayout, whole: bool = False) -> LayoutError | None:
    """Why a layout's picture cannot be the blank sheet.

    Args:
        layout: whose picture to check.
        whole: whether to decode it; else only its head is looked at, which takes no time.
    """
    try:
        facts = inspect(blank_picture(layout), layout.name)
        _require_aspect(layout, facts.width, facts.height)
        if whole:
            blank_page(layout)
    except LayoutError as error:
        return error
    except ScanError:
        return _damaged(layout)
    return None


def _require_aspect(layout: SheetLayout, width: int, height: int) -> None:
    page_w, page_h = layout.page_mm
    if abs(width / height * page_h / page_w - 1) > _ASPECT_SHARE:
        raise LayoutError(
            f"{layout.name}: the picture of the blank sheet has {width} x {height} pixels, which is another shape than "
            f"the page's {page_w:g} x {page_h:g} mm"
        )


def _damaged(layout: SheetLayout) -> LayoutError:
    return LayoutError(f"{layout.name}: the picture of the blank sheet is damaged")


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
