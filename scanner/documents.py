"""Pages of a PDF, through the extra `pdf`: the photo that a scanner put there as it is, or else the page as drawn."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import numpy as np

from scanner.errors import ScanError, UnreadableFile, damaged, too_large
from scanner.jpeg import with_orientation
from scanner.options import ScanOptions
from scanner.orientation import Direction, followed_by, orientation_of
from scanner.types import ImageU8

_QUARTER_TURNS_CLOCKWISE = {0: 1, 90: 6, 180: 3, 270: 8}
_INVISIBLE = 3
"""Text render mode of what programs that recognise text lay over a scanned page."""

_ALIGNED = 0.02
"""How far, in parts of its size, a picture may be askew, out of proportion or over the edge of its page, and still be
taken as it is: pages are rounded to whole points or pixels, which moves sides by less than this."""


def pdf_pages(data: bytes, name: str, options: ScanOptions) -> Iterator[bytes | ImageU8 | ScanError]:
    """The pages of a PDF, one at a time.

    Yields:
        The bytes of a JPEG that is all there is on a page, its orientation set to how the page shows it; else the page
        as drawn, uint8 (H, W, 3), BGR, its long side `keep_long_side_px`; or why it cannot be had.

    Raises:
        UnreadableFile: unsupported-format without the extra; encrypted; not-an-image if it is damaged or has no pages.
    """
    pdfium = _library(name)
    with closing(_opened(pdfium, data, name)) as document:
        if document.get_formtype():
            document.init_forms()
        for number in range(len(document)):
            page_name = f"{name}, page {number + 1}"
            try:
                with closing(document[number]) as page:
                    content = _content(pdfium, page, page_name, options)
            except (pdfium.PdfiumError, ValueError, OverflowError):
                content = damaged(page_name, "PDF")
            except ScanError as refusal:
                content = refusal
            yield content


def _library(name: str) -> Any:
    try:
        import pypdfium2
        import pypdfium2.raw
    except ImportError:
        raise UnreadableFile(
            "unsupported-format",
            f"{name}: reading PDF files needs an extra",
            "pip install 'rollwrite[pdf]', or export the pages as pictures",
        ) from None
    return pypdfium2


def _opened(pdfium: Any, data: bytes, name: str) -> Any:
    try:
        return pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        locked = error.err_code in (pdfium.raw.FPDF_ERR_PASSWORD, pdfium.raw.FPDF_ERR_SECURITY)
    # A document without pages sets no cause, and that of an earlier one is left standing.
    if locked and b"/Encrypt" in data:
        raise UnreadableFile(
            "encrypted", f"{name}: the PDF is protected by a password", "save it without one, or print it to a new PDF"
        )
    raise UnreadableFile("not-an-image", f"{name}: a damaged PDF, or one without pages", "scan or export it again")


def _content(pdfium: Any, page: Any, name: str, options: ScanOptions) -> bytes | ImageU8 | ScanError:
    _check_pictures(pdfium, page, name, options)
    return _only_photo(pdfium, page, name) or _drawn(page, name, options)


def _check_pictures(pdfium: Any, page: Any, name: str, options: ScanOptions) -> None:
    """Refuses a page with a picture that would take too much memory, however small it is shown."""
    max_pixels = options.max_megapixels * 1e6
    for picture in page.get_objects([pdfium.raw.FPDF_PAGEOBJ_IMAGE]):
        width, height = picture.get_px_size()
        if width * height > max_pixels:
            raise too_large(name, width, height, max_pixels)


def _only_photo(pdfium: Any, page: Any, name: str) -> bytes | None:
    """The JPEG that is all there is to see on a page, whole and undistorted; None for any other page."""
    raw = pdfium.raw
    if raw.FPDFPage_GetAnnotCount(page):
        return None
    seen = [item for item in page.get_objects(max_depth=1) if not _is_invisible(raw, item)]
    if len(seen) != 1 or not isinstance(seen[0], pdfium.PdfImage):
        return None
    (picture,) = seen
    filters = picture.get_filters(skip_simple=True)
    clipped = raw.FPDFClipPath_CountPaths(raw.FPDFPageObj_GetClipPath(picture)) > 0
    if filters != ["DCTDecode"] or clipped or raw.FPDFPageObj_HasTransparency(picture):
        return None
    orientation = _placement(picture, page)
    data = bytes(picture.get_data(decode_simple=True))
    if orientation is None or not data.startswith(b"\xff\xd8\xff") or not _has_plain_colours(raw, picture):
        return None
    return with_orientation(data, orientation, name)


def _is_invisible(raw: Any, item: Any) -> bool:
    return bool(item.type == raw.FPDF_PAGEOBJ_TEXT and raw.FPDFTextObj_GetTextRenderMode(item) == _INVISIBLE)


def _has_plain_colours(raw: Any, picture: Any) -> bool:
    """Whether the colours are those that the JPEG itself says: print inks may stand for their opposite in a PDF."""
    plain = (
        raw.FPDF_COLORSPACE_DEVICEGRAY,
        raw.FPDF_COLORSPACE_DEVICERGB,
        raw.FPDF_COLORSPACE_CALGRAY,
        raw.FPDF_COLORSPACE_CALRGB,
        raw.FPDF_COLORSPACE_ICCBASED,
    )
    facts = picture.get_metadata()
    return facts.colorspace in plain and facts.bits_per_pixel in (8, 24)


def _placement(picture: Any, page: Any) -> int | None:
    """How the page turns a picture, as an orientation; None if it shows part of it, or askew, or out of proportion."""
    a, b, c, d, *_ = picture.get_matrix().get()
    width_px, height_px = picture.get_px_size()
    right_pt, down_pt = (a, -b), (-c, d)
    across, along = math.hypot(*right_pt), math.hypot(*down_pt)
    if not across * along * width_px * height_px:
        return None
    # What is not a number compares as neither more nor less, so each test asks for what is right.
    if not abs((across / width_px) / (along / height_px) - 1) <= _ALIGNED:
        return None
    right, down = _axis(right_pt, across), _axis(down_pt, along)
    left, bottom, end, top = picture.get_bounds()
    box_left, box_bottom, box_end, box_top = page.get_cropbox()
    slack = _ALIGNED * max(box_end - box_left, box_top - box_bottom)
    over = max(box_left - left, box_bottom - bottom, end - box_end, top - box_top)
    if right is None or down is None or not over <= slack:
        return None
    try:
        return followed_by(orientation_of(right, down), _QUARTER_TURNS_CLOCKWISE[page.get_rotation()])
    except KeyError:
        return None


def _axis(vector: tuple[float, float], length: float) -> Direction | None:
    x, y = vector[0] / length, vector[1] / length
    return (round(x), round(y)) if min(abs(x), abs(y)) <= _ALIGNED else None


def _drawn(page: Any, name: str, options: ScanOptions) -> ImageU8 | ScanError:
    """The page as drawn at the size that reading needs, however large or small it is meant to be printed."""
    width_pt, height_pt = page.get_size()
    if not (0 < width_pt < math.inf and 0 < height_pt < math.inf):
        return damaged(name, "PDF")
    # A hair less, as both sides are rounded up to whole pixels.
    scale = (options.keep_long_side_px - 1e-3) / max(width_pt, height_pt)
    with closing(page.render(scale=scale)) as bitmap:
        return np.array(bitmap.to_numpy()[..., :3], dtype=np.uint8, order="C")
