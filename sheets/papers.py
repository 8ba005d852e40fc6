"""Sheets on paper: pages of exactly the sheet's size, or as many as fit at full scale, with cut marks."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

from layouts import LayoutError, SheetLayout, blank_picture
from sheets.page import draw_sheet
from sheets.pen import MM, Ink, Pen

PAPERS_MM = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
PAPERS = ("sheet", *PAPERS_MM)
MAX_COPIES = 1000  # far above any game night; keeps a slip of the keyboard from filling a disk
# Cut marks: short hairlines outside the sheets, a little off their corners so that none shows after the cut.
_MARK_MM = 4.0
_MARK_GAP_MM = 1.0
_FORM = "sheet"
_MARK_INK = Ink(line="#000000", width_mm=0.1)
_CUT_INK = Ink(line="#808080", width_mm=0.1, dash_mm=(1.5, 1.5))


class PaperError(ValueError):
    """A paper that cannot be printed on; the message names cause and remedy."""


@dataclass(frozen=True, slots=True)
class Imposition:
    """A page and the top left corners of the sheets on it, mm from its top left."""

    page_mm: tuple[float, float]
    places_mm: tuple[tuple[float, float], ...]


def impose(sheet_mm: tuple[float, float], paper: str) -> Imposition:
    """As many upright sheets as fit on the paper at full scale, whichever way the paper is turned holds more.

    Raises:
        PaperError: unknown paper, or the sheet is larger than the paper.
    """
    if paper == "sheet":
        return Imposition(sheet_mm, ((0.0, 0.0),))
    if paper not in PAPERS_MM:
        raise PaperError(f"unknown paper {paper!r}; choose one of {', '.join(PAPERS)}")
    width, height = PAPERS_MM[paper]
    fits = [_grid(sheet_mm, page) for page in ((width, height), (height, width))]
    best = max(fits, key=lambda fit: len(fit.places_mm))
    if not best.places_mm:
        raise PaperError(
            f"a sheet of {sheet_mm[0]:g} x {sheet_mm[1]:g} mm is larger than {paper} "
            f"({width:g} x {height:g} mm); use --paper sheet and a larger paper in the printer"
        )
    return best


def draw_pdf(layout: SheetLayout, copies: int | None = None, paper: str = "sheet") -> bytes:
    """The blank sheet as a vector PDF; the same arguments give the same bytes.

    Args:
        layout: what to draw.
        copies: how many sheets, at least 1; None fills one page.
        paper: `sheet` for one page of exactly the layout's size per copy; `a4` or `letter` for as many
            sheets a page as fit at 100 %, with cut marks.

    Raises:
        PaperError: unknown paper, a sheet larger than the paper, or copies out of range.
        LayoutError: the layout names a symbol or tag that cannot be drawn, or has nothing to draw and no picture.
    """
    from reportlab.pdfgen.canvas import Canvas

    plan = impose(layout.page_mm, paper)
    copies = len(plan.places_mm) if copies is None else copies
    if not 1 <= copies <= MAX_COPIES:
        raise PaperError(f"{copies} copies; ask for 1 to {MAX_COPIES}")
    out = io.BytesIO()
    width, height = (side * MM for side in plan.page_mm)
    canvas = Canvas(out, pagesize=(width, height), invariant=1, pageCompression=1)
    canvas.setTitle(layout.title)
    canvas.setCreator("rollwrite")
    canvas.setViewerPreference("PrintScaling", "None")
    # The sheet is described once and placed as often as wanted: a hundred copies weigh little more than one.
    canvas.beginForm(_FORM)
    if layout.art:
        draw_sheet(Pen(canvas, 0, layout.page_mm[1] * MM), layout)
    else:
        _draw_picture(canvas, layout)
    canvas.endForm()
    for first in range(0, copies, len(plan.places_mm)):
        for place in plan.places_mm[: copies - first]:
            _place(canvas, layout.page_mm, place, plan.page_mm)
        if paper != "sheet":
            with Pen(canvas, 0, height).sheet() as pen:
                _cut_marks(pen, layout.page_mm, plan)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _grid(sheet_mm: tuple[float, float], page_mm: tuple[float, float]) -> Imposition:
    (w, h), (page_w, page_h) = sheet_mm, page_mm
    across, down = int(page_w // w), int(page_h // h)
    left, top = (page_w - across * w) / 2, (page_h - down * h) / 2
    places = tuple((left + i * w, top + j * h) for j in range(down) for i in range(across))
    return Imposition(page_mm, places)


def _draw_picture(canvas: Any, layout: SheetLayout) -> None:
    """The picture of the blank sheet as the page, for a layout that says nothing of how to draw it."""
    from reportlab.lib.utils import ImageReader

    width, height = (side * MM for side in layout.page_mm)
    try:
        canvas.drawImage(ImageReader(io.BytesIO(blank_picture(layout))), 0, 0, width, height)
    except (OSError, ValueError) as error:
        raise LayoutError(f"{layout.name}: the picture of the blank sheet is damaged") from error


def _place(
    canvas: Any, sheet_mm: tuple[float, float], place_mm: tuple[float, float], page_mm: tuple[float, float]
) -> None:
    canvas.saveState()
    canvas.translate(place_mm[0] * MM, (page_mm[1] - place_mm[1] - sheet_mm[1]) * MM)
    canvas.doForm(_FORM)
    canvas.restoreState()


def _cut_marks(pen: Pen, sheet_mm: tuple[float, float], page: Imposition) -> None:
    """Marks in the margins at every edge of a sheet, and a dashed line where two sheets share an edge."""
    (width, height), (page_w, page_h) = sheet_mm, page.page_mm
    lefts, tops = sorted({x for x, _ in page.places_mm}), sorted({y for _, y in page.places_mm})
    top, bottom, left, right = tops[0], tops[-1] + height, lefts[0], lefts[-1] + width
    for x in sorted({*lefts, *(x + width for x in lefts)}):
        _mark(pen, (x, top), (0, -1), top)
        _mark(pen, (x, bottom), (0, 1), page_h - bottom)
        if left < x < right:
            pen.path(f"M{x} {top}L{x} {bottom}", _CUT_INK)
    for y in sorted({*tops, *(y + height for y in tops)}):
        _mark(pen, (left, y), (-1, 0), left)
        _mark(pen, (right, y), (1, 0), page_w - right)
        if top < y < bottom:
            pen.path(f"M{left} {y}L{right} {y}", _CUT_INK)


def _mark(pen: Pen, start_mm: tuple[float, float], outward: tuple[int, int], room_mm: float) -> None:
    (x, y), (dx, dy) = start_mm, outward
    end = min(_MARK_GAP_MM + _MARK_MM, room_mm)
    if end > 2 * _MARK_GAP_MM:
        near = f"{x + dx * _MARK_GAP_MM} {y + dy * _MARK_GAP_MM}"
        pen.path(f"M{near}L{x + dx * end} {y + dy * end}", _MARK_INK)
