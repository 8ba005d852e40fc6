"""Sheets on paper: pages of exactly the sheet's size, or as many as fit at full scale, with cut marks."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from layouts import SheetLayout
from sheets.page import draw_sheet
from sheets.pen import MM, Ink, Pen

PAPERS_MM = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
PAPERS = ("sheet", *PAPERS_MM)
MAX_COPIES = 1000  # far above any game night; keeps a slip of the keyboard from filling a disk
# Cut marks: short hairlines outside the sheets, a little off their corners so that none shows after the cut.
_MARK_MM = 4.0
_MARK_GAP_MM = 1.0
_MARK_INK = Ink(line="#000000", width_mm=0.1)


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


def draw_pdf(layout: SheetLayout, copies: int = 1, paper: str = "sheet") -> bytes:
    """The blank sheet as a vector PDF; the same arguments give the same bytes.

    Args:
        layout: what to draw.
        copies: how many sheets, at least 1.
        paper: `sheet` for one page of exactly the layout's size per copy; `a4` or `letter` for as many
            sheets a page as fit at 100 %, with cut marks.

    Raises:
        PaperError: unknown paper, a sheet larger than the paper, or copies out of range.
        LayoutError: the layout names a symbol or tag that cannot be drawn.
    """
    from reportlab.pdfgen.canvas import Canvas

    if not 1 <= copies <= MAX_COPIES:
        raise PaperError(f"{copies} copies; ask for 1 to {MAX_COPIES}")
    plan = impose(layout.page_mm, paper)
    out = io.BytesIO()
    width, height = (side * MM for side in plan.page_mm)
    canvas = Canvas(out, pagesize=(width, height), invariant=1, pageCompression=1)
    canvas.setTitle(layout.title)
    canvas.setCreator("rollwrite")
    canvas.setViewerPreference("PrintScaling", "None")
    for first in range(0, copies, len(plan.places_mm)):
        places = plan.places_mm[: copies - first]
        _draw_page(canvas, layout, places, height, marks=paper != "sheet")
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _grid(sheet_mm: tuple[float, float], page_mm: tuple[float, float]) -> Imposition:
    (w, h), (page_w, page_h) = sheet_mm, page_mm
    across, down = int(page_w // w), int(page_h // h)
    left, top = (page_w - across * w) / 2, (page_h - down * h) / 2
    places = tuple((left + i * w, top + j * h) for j in range(down) for i in range(across))
    return Imposition(page_mm, places)


def _draw_page(
    canvas: Any, layout: SheetLayout, places_mm: Sequence[tuple[float, float]], height_pt: float, marks: bool
) -> None:
    for left, top in places_mm:
        pen = Pen(canvas, left * MM, height_pt - top * MM)
        draw_sheet(pen, layout)
        if marks:
            with pen.sheet():
                _cut_marks(pen, layout.page_mm)


def _cut_marks(pen: Pen, sheet_mm: tuple[float, float]) -> None:
    width, height = sheet_mm
    for x, outward_x in ((0.0, -1), (width, 1)):
        for y, outward_y in ((0.0, -1), (height, 1)):
            near_x, far_x = x + outward_x * _MARK_GAP_MM, x + outward_x * (_MARK_GAP_MM + _MARK_MM)
            near_y, far_y = y + outward_y * _MARK_GAP_MM, y + outward_y * (_MARK_GAP_MM + _MARK_MM)
            pen.path(f"M{near_x} {y}L{far_x} {y}M{x} {near_y}L{x} {far_y}", _MARK_INK)
