"""Numbers by Tesseract: what the rest of the program makes of its answers, with a stand-in for it and with itself."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from layouts import SheetLayout
from scanner import reader
from scanner.cells import CELL_PX, cut_cells
from scanner.errors import TesseractFailed
from scanner.nets import NUMBER_VALUES
from scanner.rectify import Blank, RectifiedSheet
from scanner.tesseract import call_tesseract, read_cells, require_tesseract
from scanner.types import Cells, ImageU8
from scanner.warp import Bend

needs_tesseract = pytest.mark.skipif(shutil.which("tesseract") is None, reason="Tesseract is not installed")

WRITTEN = {"red/1": "3", "red/2": "5", "orange/1": "2", "green/1": "7", "green/2": "10", "blue/1": "4", "blue/2": "8"}
Fake = Callable[[Callable[[ImageU8], str]], None]


@pytest.fixture
def cells(layout: SheetLayout, blank: Blank) -> Cells:
    """A flat sheet with printed figures in some of its spaces."""
    image = blank.image.copy()
    to_canvas = blank.canvas.page_to_canvas
    for box in layout.read_cells:
        text = WRITTEN.get(box.key)
        if text is not None:
            size_wh, _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.9, 2)
            middle_mm = np.array([box.x_mm + box.w_mm / 2, box.y_mm + box.h_mm / 2, 1])
            x, y = (to_canvas @ middle_mm)[:2]
            start = int(x - size_wh[0] / 2), int(y + size_wh[1] / 2)
            cv2.putText(image, text, start, cv2.FONT_HERSHEY_SIMPLEX, 0.9, (60, 30, 20), 2, cv2.LINE_AA)
    coarse = blank.canvas.at_scale(2.0)
    flat = RectifiedSheet(image, blank.canvas, to_canvas, 8.0)
    bend = Bend(np.zeros((coarse.size_wh[1], coarse.size_wh[0], 2), np.float32), coarse)
    photo: Any = SimpleNamespace(in_full_px=lambda points_px: points_px)
    return cut_cells(photo, flat, bend, blank, layout)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Fake:
    """Puts a stand-in in pytesseract's place that answers a page with what it is given."""

    def install(answer: Callable[[ImageU8], str]) -> None:
        module = SimpleNamespace(
            TesseractNotFoundError=FileNotFoundError,
            TesseractError=RuntimeError,
            image_to_pdf_or_hocr=lambda page, **_: answer(page).encode(),
        )
        monkeypatch.setitem(sys.modules, "pytesseract", module)

    return install


def figure(place: int, text: str, percent: float) -> str:
    """One figure at a place of the contact sheet, as Tesseract's hOCR says it."""
    x, y = 60 * (place % 9 + 1), 70 * (place // 9 + 1)
    return (
        f"<span class='ocrx_cinfo' title='x_bboxes {x - 10} {y - 18} {x + 10} {y + 18}; x_conf {percent}'>{text}</span>"
    )


def numbers_of(cells: Cells) -> dict[str, Any]:
    readings = read_cells(cells)
    return {box.key: reading for box, reading in zip(cells.boxes, readings, strict=True) if box.kind == "number"}


def test_figures_go_back_to_the_spaces_they_are_from(cells: Cells, fake: Fake) -> None:
    # In the order of the layout; the 10 has two places.
    fake(lambda page: "".join(figure(place, text, 99.5) for place, text in enumerate("352710 48".replace(" ", ""))))
    found = numbers_of(cells)
    assert {key: str(found[key].value) for key in WRITTEN} == WRITTEN
    assert all(found[key].value is None for key in found if key not in WRITTEN)


def test_what_tesseract_leaves_out_is_no_number_and_doubtful(cells: Cells, fake: Fake) -> None:
    fake(lambda page: figure(0, "3", 99.5))
    found = numbers_of(cells)
    assert found["red/1"].value == 3
    assert found["red/2"].value == "?"
    assert found["red/2"].confidence < 0.9


@pytest.mark.parametrize("text", ["0", "77", "01"])
def test_figures_that_are_no_number_of_the_game_are_none(cells: Cells, fake: Fake, text: str) -> None:
    fake(lambda page: "".join(figure(0, letter, 99.5) for letter in text))
    assert numbers_of(cells)["red/1"].value == "?"


def test_alternatives_are_all_values_and_sum_to_one(cells: Cells, fake: Fake) -> None:
    fake(lambda page: figure(0, "3", 40) + figure(1, "5", 100))
    found = numbers_of(cells)
    for key in WRITTEN:
        values, chances = zip(*found[key].alternatives, strict=True)
        assert set(values) == set(NUMBER_VALUES)
        assert sum(chances) == pytest.approx(1)
        assert min(chances[:-1]) > 0
        assert list(chances) == sorted(chances, reverse=True)
    assert found["red/1"].confidence < found["red/2"].confidence


def test_marks_and_empty_spaces_stay_with_the_net(cells: Cells, fake: Fake) -> None:
    fake(lambda page: "")
    by_net = reader.read_cells(cells)
    for box, mine, its in zip(cells.boxes, read_cells(cells), by_net, strict=True):
        if box.kind != "number" or its.value is None:
            assert mine == its
        else:
            assert dict(mine.alternatives)[None] == pytest.approx(dict(its.alternatives)[None])


def test_one_call_reads_all_spaces_and_none_an_empty_sheet(
    cells: Cells, fake: Fake, layout: SheetLayout, blank: Blank
) -> None:
    pages: list[ImageU8] = []

    def answer(page: ImageU8) -> str:
        pages.append(page)
        return ""

    fake(answer)
    read_cells(cells)
    assert len(pages) == 1
    assert pages[0].min() < 60
    assert (pages[0][0] == 255).all()
    blanks = cells.blanks
    read_cells(Cells(cells.boxes, blanks, blanks, cells.corners_px, cells.print_scores, cells.covered))
    assert len(pages) == 1


def test_a_missing_program_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch, cells: Cells) -> None:
    pytest.importorskip("pytesseract")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(TesseractFailed, match="the program tesseract is not installed; install it"):
        read_cells(cells)
    with pytest.raises(TesseractFailed, match="not installed"):
        require_tesseract()


def test_a_missing_package_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pytesseract", None)
    with pytest.raises(TesseractFailed, match="pip install pytesseract"):
        require_tesseract()


def test_tesseract_keeps_to_one_thread_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch, fake: Fake) -> None:
    fake(lambda page: "")
    monkeypatch.delenv("OMP_THREAD_LIMIT", raising=False)
    call_tesseract(lambda pytesseract: None)
    assert os.environ["OMP_THREAD_LIMIT"] == "1"
    monkeypatch.setenv("OMP_THREAD_LIMIT", "4")
    call_tesseract(lambda pytesseract: None)
    assert os.environ["OMP_THREAD_LIMIT"] == "4"


def test_nobody_pays_for_it_who_does_not_ask() -> None:
    code = "import sys, scanner, commands.scan; print('pytesseract' in sys.modules, 'PIL' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.split() == ["False", "False"]


@needs_tesseract
def test_tesseract_itself_reads_most_printed_figures(cells: Cells) -> None:
    found = numbers_of(cells)
    right = [key for key in WRITTEN if str(found[key].value) == WRITTEN[key]]
    assert len(right) >= len(WRITTEN) - 2
    assert cells.images.shape[1] == CELL_PX
