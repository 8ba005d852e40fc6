"""The player's name: found where it stands, and kept to oneself where it is not certain."""

from __future__ import annotations

import shutil
import sys
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from layouts import SheetLayout
from scanner import ScanOptions, scan_photo
from scanner.names import line_of_ink
from scanner.types import ImageU8
from tests.scanner.pictures import GoodPhoto

needs_tesseract = pytest.mark.skipif(shutil.which("tesseract") is None, reason="Tesseract is not installed")
NAMES = ScanOptions(names=True)


def field(text: str = "", paper: int = 200, ink: int = 40) -> ImageU8:
    """Plain paper, darker towards one side, with a name on it."""
    shade = np.linspace(1.0, 0.7, 368)[None, :, None]
    picture = np.asarray(np.full((53, 368, 3), paper) * shade, np.uint8)
    cv2.putText(picture, text, (60, 40), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (ink, ink, ink), 2, cv2.LINE_AA)
    return picture


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Puts a stand-in in pytesseract's place that reads these words with these confidences."""

    def install(*words: tuple[str, float]) -> list[ImageU8]:
        seen: list[ImageU8] = []

        def image_to_data(line: ImageU8, **_: object) -> dict[str, list[Any]]:
            seen.append(line)
            return {"text": ["", *(text for text, _ in words)], "conf": [-1, *(sure for _, sure in words)]}

        module = SimpleNamespace(
            TesseractNotFoundError=FileNotFoundError, TesseractError=RuntimeError, image_to_data=image_to_data
        )
        monkeypatch.setitem(sys.modules, "pytesseract", module)
        return seen

    return install


@pytest.fixture(scope="module")
def named_photo(plain: GoodPhoto, layout: SheetLayout) -> ImageU8:
    """The easy photo with a name printed over the player's field."""
    box = next(cell for cell in layout.cells if cell.kind == "player")
    known = {cell.key: cell.corners_mm for cell in layout.read_cells}
    here = np.concatenate([known[key] for key in plain.corners_px]).astype(np.float64)
    there = np.concatenate(list(plain.corners_px.values())).astype(np.float64)
    to_photo, _ = cv2.findHomography(here, there)
    scale = 12
    label = np.full((round(box.h_mm * scale), round(box.w_mm * scale)), 255, np.uint8)
    cv2.putText(label, "Ana", (120, 80), cv2.FONT_HERSHEY_SIMPLEX, 2.4, 0, 6, cv2.LINE_AA)
    from_label = to_photo @ np.array([[1 / scale, 0, box.x_mm], [0, 1 / scale, box.y_mm], [0, 0, 1]])
    size_wh = plain.image.shape[1], plain.image.shape[0]
    printed, inside = (
        cv2.warpPerspective(picture, from_label, size_wh, flags=cv2.INTER_AREA)[..., None]
        for picture in (label, np.ones_like(label))
    )
    return np.asarray(np.where(inside == 1, printed * 0.8, plain.image), np.uint8)


def test_empty_paper_has_no_line_of_ink_whatever_the_light() -> None:
    assert line_of_ink(field()) is None
    assert line_of_ink(field(paper=90)) is None


@pytest.mark.parametrize(("paper", "ink"), [(200, 40), (90, 20), (200, 120)])
def test_a_line_of_ink_is_cut_at_its_ink_and_black(paper: int, ink: int) -> None:
    line = line_of_ink(field("Ana", paper, ink))
    assert line is not None
    assert line.shape[0] == 80
    assert line.min() == 0
    assert (line[:20] == 255).all()
    assert (line[20:60] < 128).any(axis=1).mean() > 0.9


def test_a_sure_name_names_the_sheet(named_photo: ImageU8, answer: Any) -> None:
    seen = answer(("Ana", 95.0))
    (reading,) = scan_photo(named_photo, options=NAMES)
    assert reading.sheet.player == "Ana"
    assert len(seen) == 1
    assert "name" in reading.timing_ms


@pytest.mark.parametrize(
    "words",
    [
        (),
        (("Ana", 70.0),),
        (("A1a", 95.0),),
        (("ana", 95.0),),
        (("AnA", 95.0),),
        (("A", 95.0),),
        (("Ana", 95.0), ("x", 20.0)),
    ],
)
def test_an_uncertain_name_is_none(named_photo: ImageU8, answer: Any, words: tuple[tuple[str, float], ...]) -> None:
    answer(*words)
    (reading,) = scan_photo(named_photo, options=NAMES)
    assert reading.sheet.player is None


def test_no_name_is_looked_for_unless_asked(named_photo: ImageU8, answer: Any) -> None:
    seen = answer(("Ana", 95.0))
    (reading,) = scan_photo(named_photo)
    assert (reading.sheet.player, seen) == (None, [])
    assert "name" not in reading.timing_ms


@needs_tesseract
def test_tesseract_itself_reads_a_printed_name(named_photo: ImageU8) -> None:
    (reading,) = scan_photo(named_photo, options=NAMES)
    assert reading.sheet.player == "Ana"
