"""Pages: sizes in millimetres, how many sheets, cut marks, bytes."""

import io
import subprocess
import sys
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pypdfium2
import pytest

from layouts import SheetLayout, load_layout
from sheets import PaperError, draw_pdf, render_pdf
from sheets.papers import impose

LAYOUT = load_layout("expedition-a5")
A5, A4, LETTER = (148.0, 210.0), (210.0, 297.0), (215.9, 279.4)
PX_PER_MM = 5.0
DARK = 60


def sizes_mm(pdf: bytes) -> list[tuple[float, float]]:
    with pypdfium2.PdfDocument(pdf) as document:
        return [tuple(side / 72 * 25.4 for side in page.get_size()) for page in document]


def pixels(png: bytes) -> npt.NDArray[np.uint8]:
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(png)), np.uint8)


@pytest.mark.parametrize("page_mm", [A5, (148.5, 209.7), (105.0, 148.0)])
def test_a_sheet_is_a_page_of_exactly_its_size(page_mm: tuple[float, float]) -> None:
    small = replace(LAYOUT, page_mm=page_mm) if page_mm[0] >= A5[0] else scaled(page_mm[0] / A5[0])
    (size,) = sizes_mm(draw_pdf(small))
    assert size == pytest.approx(small.page_mm, abs=1e-3)


def scaled(factor: float) -> SheetLayout:
    """Our sheet on smaller paper."""
    cells = [
        replace(c, x_mm=c.x_mm * factor, y_mm=c.y_mm * factor, w_mm=c.w_mm * factor, h_mm=c.h_mm * factor)
        for c in LAYOUT.cells
    ]
    page = (A5[0] * factor, A5[1] * factor)
    return replace(LAYOUT, page_mm=page, cells=tuple(cells), fiducials=(), art={})


@pytest.mark.parametrize(
    ("paper", "copies", "pages", "size_mm"),
    [
        ("sheet", None, 1, A5),
        ("sheet", 3, 3, A5),
        ("a4", None, 1, A4[::-1]),
        ("a4", 1, 1, A4[::-1]),
        ("a4", 2, 1, A4[::-1]),
        ("a4", 5, 3, A4[::-1]),
        ("letter", 2, 2, LETTER),
    ],
)
def test_pages_for_copies(paper: str, copies: int | None, pages: int, size_mm: tuple[float, float]) -> None:
    sizes = sizes_mm(draw_pdf(LAYOUT, copies, paper))
    assert len(sizes) == pages
    assert all(size == pytest.approx(size_mm, abs=1e-3) for size in sizes)


@pytest.mark.parametrize(
    ("sheet_mm", "paper", "count"),
    [
        (A5, "a4", 2),
        (A5, "letter", 1),
        ((105.0, 148.0), "a4", 4),
        ((100.0, 60.0), "letter", 8),
        (A4, "a4", 1),
    ],
)
def test_as_many_sheets_as_fit(sheet_mm: tuple[float, float], paper: str, count: int) -> None:
    plan = impose(sheet_mm, paper)
    assert len(plan.places_mm) == count
    for x, y in plan.places_mm:
        assert 0 <= x <= x + sheet_mm[0] <= plan.page_mm[0] + 1e-9
        assert 0 <= y <= y + sheet_mm[1] <= plan.page_mm[1] + 1e-9


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_on_other_papers_the_sheet_is_the_same_and_full_size(paper: str) -> None:
    page = pixels(render_pdf(draw_pdf(LAYOUT, paper=paper), PX_PER_MM)[0]).astype(int)
    alone = pixels(render_pdf(draw_pdf(LAYOUT), PX_PER_MM)[0]).astype(int)
    inset = 10  # the dashed line of a cut may lie on the very edge; sheets lie on fractions of pixels
    for x, y in impose(LAYOUT.page_mm, paper).places_mm:
        left, top = round(x * PX_PER_MM), round(y * PX_PER_MM)
        part = page[top : top + alone.shape[0], left : left + alone.shape[1]]
        difference = np.abs(part - alone)[inset:-inset, inset:-inset]
        assert difference.mean() < 6


def test_cut_marks_lie_in_line_with_the_edges_and_outside_the_sheet() -> None:
    page = pixels(render_pdf(draw_pdf(LAYOUT, paper="letter"), 10.0)[0]).min(axis=2)
    ((left, top),) = impose(LAYOUT.page_mm, "letter").places_mm
    sheet = [round(edge * 10) for edge in (left, top, left + A5[0], top + A5[1])]
    outside = np.ones(page.shape, bool)
    outside[sheet[1] : sheet[3], sheet[0] : sheet[2]] = False
    rows, columns = np.nonzero((page < 200) & outside)
    on_vertical = (np.abs(columns - sheet[0]) <= 2) | (np.abs(columns - sheet[2]) <= 2)
    on_horizontal = (np.abs(rows - sheet[1]) <= 2) | (np.abs(rows - sheet[3]) <= 2)
    assert len(rows) > 0
    assert np.all(on_vertical | on_horizontal)
    assert min(np.sum(on_vertical), np.sum(on_horizontal)) > 4 * 3 * 10  # four marks each way, over 3 mm long


def test_a_shared_edge_is_a_dashed_line() -> None:
    page = pixels(render_pdf(draw_pdf(LAYOUT, paper="a4"), 10.0)[0]).min(axis=2)
    middle = page[20:-20, page.shape[1] // 2 - 3 : page.shape[1] // 2 + 3].min(axis=1)
    assert 0.3 < np.mean(middle < 250) < 0.7


@pytest.mark.parametrize("paper", ["sheet", "a4", "letter"])
def test_the_same_request_gives_the_same_bytes(paper: str) -> None:
    assert draw_pdf(LAYOUT, 2, paper) == draw_pdf(LAYOUT, 2, paper)


def test_a_hundred_copies_weigh_little_more_than_one() -> None:
    assert len(draw_pdf(LAYOUT, 100)) < 2 * len(draw_pdf(LAYOUT))


def test_everything_is_vectors() -> None:
    pdf = draw_pdf(LAYOUT)
    assert b"/Subtype /Image" not in pdf
    with pypdfium2.PdfDocument(pdf) as document:
        text = document[0].get_textpage().get_text_range()
    assert "EXPEDITION" in text
    assert "50 mm" in text


@pytest.mark.parametrize(
    ("layout", "copies", "paper", "message"),
    [
        (LAYOUT, 1, "a3", "unknown paper 'a3'; choose one of sheet, a4, letter"),
        (replace(LAYOUT, page_mm=(300.0, 300.0)), 1, "a4", "larger than a4 .* use --paper sheet"),
        (LAYOUT, 0, "sheet", "0 copies; ask for 1 to"),
        (LAYOUT, -1, "a4", "-1 copies"),
        (LAYOUT, 10**6, "a4", "1000000 copies"),
    ],
)
def test_papers_that_do_not_work(layout: SheetLayout, copies: int, paper: str, message: str) -> None:
    with pytest.raises(PaperError, match=message):
        draw_pdf(layout, copies, paper)


def test_importing_the_printer_loads_nothing_heavy() -> None:
    heavy = ("cv2", "numpy", "reportlab", "pypdfium2")
    code = f"import sys, sheets; print([name for name in {heavy} if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_printing_needs_neither_opencv_nor_numpy() -> None:
    code = (
        "import sys; sys.modules['cv2'] = None; sys.modules['numpy'] = None\n"
        "import sheets, layouts; print(len(sheets.draw_pdf(layouts.load_layout())) > 0)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "True"
