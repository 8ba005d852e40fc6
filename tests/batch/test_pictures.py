"""Pictures of sheets: flat ones lie on the layout's millimetres."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from batch.inputs import Item
from batch.pictures import PX_PER_MM, flat_picture, flat_sheet
from batch.work import Work, picture_name, read_photo
from layouts import load_layout
from report.scanned import scored_reading
from scanner.blanks import blank_page_at
from scanner.options import ScanOptions
from scanner.pipeline import scan_pages
from scoring import RuleSet
from synth import make_one

WORK = Work(("expedition-a5",), RuleSet.default(), ScanOptions())


@pytest.fixture(scope="module", params=["plain", "curl", "mirrored"])
def flat(request):
    made = make_one(3, 2, only=request.param, size=(1600, 1200), namespace="sample")
    ((page, (reading,)),) = scan_pages(made.jpeg)
    return flat_sheet(page, scored_reading("a.jpg", reading, RuleSet.default()))


def shift_px(one, other):
    """How far one grey picture lies beside another."""
    window = cv2.createHanningWindow(one.shape[::-1], cv2.CV_64F)
    (x, y), _ = cv2.phaseCorrelate(one.astype(np.float64), other.astype(np.float64), window)
    return float(np.hypot(x, y))


def test_a_flat_sheet_lies_on_the_millimetres_of_the_layout(flat):
    layout = load_layout()
    blank = cv2.cvtColor(blank_page_at(layout, PX_PER_MM), cv2.COLOR_BGR2GRAY)
    grey = cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY)
    assert grey.shape == blank.shape == tuple(round(side * PX_PER_MM) for side in layout.page_mm[::-1])
    # Around single cells, all over the sheet: their printed rims are where the blank has them.
    moved = []
    for box in layout.read_cells:
        if box.space in (1, 5, 9):
            x, y, w, h = (round(side * PX_PER_MM) for side in (box.x_mm - 3, box.y_mm - 3, box.w_mm + 6, box.h_mm + 6))
            moved.append(shift_px(blank[y : y + h, x : x + w], grey[y : y + h, x : x + w]))
    assert np.median(moved) < 0.3 * PX_PER_MM


def test_a_flat_picture_is_small(flat):
    assert len(flat_picture(flat)) <= 90_000
    noise = np.random.default_rng(1).integers(0, 255, (300, 300, 3), dtype=np.uint8)
    assert len(flat_picture(noise)) <= 90_000


def test_names_of_pictures_never_meet():
    names = [picture_name(path, "") for path in ("a/IMG_1.jpg", "b/IMG_1.jpg", "a/IMG_1.png", "ä.jpg", "ö.jpg", ".jpg")]
    assert len(set(names)) == len(names)
    assert all(name.isascii() and "/" not in name and not name.startswith(".") for name in names)
    assert picture_name("x" * 300, "-p2-3").endswith("-p2-3.jpg")
    assert len(picture_name("x" * 300, "-p2-3")) < 100


def test_the_same_bytes_give_the_same(small_photos):
    photo = (small_photos / "IMG_1.jpg").read_bytes()
    one, other = (read_photo(Item("a.jpg", "a.jpg"), photo, WORK) for _ in range(2))
    assert one.pictures == other.pictures
    assert set(one.pictures) == {f"pictures/{picture_name('a.jpg', '')}", f"overlays/{picture_name('a.jpg', '')}"}
    assert [outcome.kind for outcome in one.outcomes] == [outcome.kind for outcome in other.outcomes]


def test_a_picture_that_cannot_be_made_costs_no_reading(small_photos, monkeypatch):
    def broken(*_):
        raise ValueError("a test")

    monkeypatch.setattr("batch.work.flat_sheet", broken)
    done = read_photo(Item("a.jpg", "a.jpg"), (small_photos / "IMG_1.jpg").read_bytes(), WORK)
    assert done.pictures == {}
    assert '"status": "ok"' in done.lines[0]
    assert '"picture": null' in done.lines[0]
