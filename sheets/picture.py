"""The blank sheet as a picture: the PDF rendered by pdfium, so that print and picture cannot differ."""

from __future__ import annotations

import io

from layouts import SheetLayout
from sheets.papers import draw_pdf

# The resolution of the blank pictures beside the layouts: 0.083 mm a pixel, a 0.25 mm line is three pixels.
BLANK_PX_PER_MM = 12.0


class PictureError(RuntimeError):
    """A picture cannot be made here; the message names the remedy."""


def render_png(layout: SheetLayout, px_per_mm: float = BLANK_PX_PER_MM) -> bytes:
    """The blank sheet as an RGB PNG of exactly page size times `px_per_mm` pixels.

    Raises:
        PictureError: pypdfium2 is not installed.
        LayoutError: the layout names a symbol or tag that cannot be drawn.
    """
    return render_pdf(draw_pdf(layout), px_per_mm)[0]


def render_pdf(pdf: bytes, px_per_mm: float) -> tuple[bytes, ...]:
    """Each page of a PDF as an RGB PNG.

    Raises:
        PictureError: pypdfium2 is not installed.
    """
    try:
        import pypdfium2
        import pypdfium2.raw as raw
    except ImportError as error:
        raise PictureError("pictures of a PDF need pypdfium2: pip install 'rollwrite[pdf]'") from error
    pictures = []
    with pypdfium2.PdfDocument(pdf) as document:
        for page in document:
            # The size in points is not exact in binary; the public render() would round it up by a pixel.
            width, height = (round(side / 72 * 25.4 * px_per_mm) for side in page.get_size())
            bitmap = pypdfium2.PdfBitmap.new_native(width, height, raw.FPDFBitmap_BGR)
            bitmap.fill_rect((255, 255, 255, 255), 0, 0, width, height)
            raw.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, raw.FPDF_ANNOT)
            out = io.BytesIO()
            bitmap.to_pil().convert("RGB").save(out, "PNG", optimize=True)
            pictures.append(out.getvalue())
    return tuple(pictures)
