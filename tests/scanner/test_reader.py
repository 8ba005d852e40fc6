"""The reader: laws that hold whatever it was trained on, and writing by hands it has never seen."""

from __future__ import annotations

import hashlib
import json
import math
from importlib import resources

import cv2
import numpy as np
import pytest

from layouts import CellBox, blank_picture, load_layout
from layouts.model import READ_KINDS
from scanner.nets import FIRST_FILE, NUMBER_VALUES, SECOND_FILE, load_net
from scanner.reader import CELL_PX, PLANES, normalise, read_cells, read_marks, read_numbers
from scanner.types import CellReading, Cells
from synth.hands import hand_for
from synth.ink import draw_strokes, pen_for
from synth.marks import MARKS, mark_strokes

BOX_PX = 84  # a printed box; with a fifth of it as margin on each side a crop has 118 pixels
MARGIN_PX = 17
CROP_PX = BOX_PX + 2 * MARGIN_PX
PX_PER_MM = BOX_PX / 12.7
CERTAIN = 0.95  # well above the confidence below which a reading goes to review


@pytest.fixture(scope="module")
def blanks() -> list[tuple[CellBox, np.ndarray]]:
    """Every cell of our own sheet, as printed, with its margin."""
    layout = load_layout()
    page = cv2.imdecode(np.frombuffer(blank_picture(layout), np.uint8), cv2.IMREAD_COLOR)
    scale = page.shape[1] / layout.page_mm[0]
    crops = []
    for cell in layout.cells:
        if cell.kind in READ_KINDS:
            x0, x1 = cell.x_mm - 0.2 * cell.w_mm, cell.x_mm + 1.2 * cell.w_mm
            y0, y1 = cell.y_mm - 0.2 * cell.h_mm, cell.y_mm + 1.2 * cell.h_mm
            crop = page[round(y0 * scale) : round(y1 * scale), round(x0 * scale) : round(x1 * scale)]
            crops.append((cell, cv2.resize(crop, (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA)))
    return crops


def written(blank: np.ndarray, n: int, text: str) -> np.ndarray:
    """A number by the n-th hand of the samples in the box of a blank."""
    rng = np.random.default_rng([n, 17])
    hand = hand_for("sample", n)
    strokes = hand.strokes(text, rng)
    points = np.concatenate(strokes)
    scale = min(hand.height(rng) * PX_PER_MM / points[:, 1].max(), 0.95 * BOX_PX / points[:, 0].max())
    low = CROP_PX / 2 - points.max(0) * scale / 2 + hand.off_centre * BOX_PX * 0.5
    crop = blank.copy()
    kind = str(rng.choice(["blue biro", "black biro", "black gel", "pencil", "black felt"]))
    draw_strokes(crop, [line * scale + low for line in strokes], pen_for(rng, kind), PX_PER_MM, rng)
    return crop


def marked(blank: np.ndarray, n: int, style: str) -> np.ndarray:
    """A mark by the n-th hand of the samples in the box of a blank."""
    rng = np.random.default_rng([n, 18])
    strokes = mark_strokes(hand_for("sample", n), rng, style)
    crop = blank.copy()
    pen = pen_for(rng, str(rng.choice(["blue biro", "black biro", "pencil", "red felt"])))
    draw_strokes(crop, [line * BOX_PX + MARGIN_PX for line in strokes], pen, PX_PER_MM, rng)
    return crop


def share_right(readings: tuple[CellReading, ...], expected: list[object]) -> float:
    return sum(reading.value == value for reading, value in zip(readings, expected, strict=True)) / len(expected)


def test_model_files_load_and_are_described() -> None:
    folder = resources.files("scanner").joinpath("models")
    card = json.loads(folder.joinpath("cells.json").read_text("utf-8"))
    assert card["numbers"] == list(NUMBER_VALUES)
    files = {model["file"]: folder.joinpath(model["file"]).read_bytes() for model in card["models"]}
    assert list(files) == [FIRST_FILE, SECOND_FILE]
    assert sum(map(len, files.values())) <= 600_000
    for model in card["models"]:
        data = files[model["file"]]
        assert (model["bytes"], model["sha256"]) == (len(data), hashlib.sha256(data).hexdigest())
        net = load_net(data)
        net.setInput(np.zeros((3, PLANES, CELL_PX, CELL_PX), np.float32))
        assert net.forward().shape == (3, len(NUMBER_VALUES) + len(card["marks"]))


def test_probabilities_fall_and_sum_to_one(blanks: list[tuple[CellBox, np.ndarray]]) -> None:
    crops = [written(blanks[i][1], i, str(1 + i % 10)) for i in range(12)]
    for reading in (*read_numbers(crops), *read_marks(crops)):
        chances = [probability for _, probability in reading.alternatives]
        assert chances == sorted(chances, reverse=True)
        assert math.isclose(sum(chances), 1, abs_tol=1e-9)
        assert (reading.value, reading.confidence) == reading.alternatives[0]
    assert {value for value, _ in read_numbers(crops[:1])[0].alternatives} == set(NUMBER_VALUES)
    assert {value for value, _ in read_marks(crops[:1])[0].alternatives} == {True, False}


def test_one_by_one_equals_all_at_once(blanks: list[tuple[CellBox, np.ndarray]]) -> None:
    crops = [written(blanks[i][1], i, str(1 + i % 10)) for i in range(9)]
    prints = [blanks[i][1] if i % 2 else None for i in range(9)]
    together = read_numbers(crops, prints)
    for crop, blank, reading in zip(crops, prints, together, strict=True):
        alone = read_numbers([crop], [blank])[0]
        assert alone.value == reading.value
        assert math.isclose(alone.confidence, reading.confidence, abs_tol=1e-4)


@pytest.mark.parametrize("light", [1.0, 0.75, 0.5, 0.3, (0.8, 0.95, 1.0), (1.0, 0.9, 0.7)])
def test_printed_cells_alone_are_empty_in_any_light(
    blanks: list[tuple[CellBox, np.ndarray]], light: float | tuple[float, ...]
) -> None:
    prints = [blank for _, blank in blanks]
    photos = [(blank * np.array(light)).astype(np.uint8) for blank in prints]
    numbers = [i for i, (cell, _) in enumerate(blanks) if cell.kind == "number"]
    marks = [i for i, (cell, _) in enumerate(blanks) if cell.kind != "number"]
    for reading in read_numbers([photos[i] for i in numbers], [prints[i] for i in numbers]):
        assert reading.value is None
        assert reading.confidence > CERTAIN
    for reading in read_marks([photos[i] for i in marks], [prints[i] for i in marks]):
        assert reading.value is False
        assert reading.confidence > CERTAIN


def test_light_does_not_change_what_the_net_sees(blanks: list[tuple[CellBox, np.ndarray]]) -> None:
    print_ = cv2.resize(blanks[0][1], (CELL_PX, CELL_PX), interpolation=cv2.INTER_AREA)[None]
    dim = (print_ * np.array([0.5, 0.6, 0.7])).astype(np.uint8)
    known = np.ones(1, np.bool_)
    difference = normalise(dim, print_, known) - normalise(print_, print_, known)
    assert np.abs(difference).max() < 0.03


def test_numbers_of_unknown_hands_are_read(blanks: list[tuple[CellBox, np.ndarray]]) -> None:
    spaces = [blank for cell, blank in blanks if cell.kind == "number"]
    prints = [spaces[n % len(spaces)] for n in range(300)]
    expected: list[object] = [1 + n % 10 for n in range(300)]
    crops = [written(blank, n, str(1 + n % 10)) for n, blank in enumerate(prints)]
    assert share_right(read_numbers(crops, prints), expected) >= 0.95
    assert share_right(read_numbers(crops), expected) >= 0.93


@pytest.mark.parametrize("style", sorted(MARKS))
def test_every_way_of_marking_is_seen(blanks: list[tuple[CellBox, np.ndarray]], style: str) -> None:
    prints = [blank for cell, blank in blanks if cell.kind == "mark"]
    crops = [marked(blank, n, style) for n, blank in enumerate(prints)]
    assert share_right(read_marks(crops, prints), [True] * len(crops)) >= 0.94


def test_mark_in_the_colour_of_the_print_is_seen(blanks: list[tuple[CellBox, np.ndarray]]) -> None:
    circles = [(cell, blank) for cell, blank in blanks if cell.kind == "double"]
    for cell, blank in circles:
        colour = load_layout().colours[cell.column or ""]
        bgr = tuple(int(colour[i : i + 2], 16) for i in (5, 3, 1))
        crop = blank.copy()
        cv2.line(crop, (35, 40), (85, 80), bgr, 4, cv2.LINE_AA)
        cv2.line(crop, (85, 40), (35, 80), bgr, 4, cv2.LINE_AA)
        assert read_marks([crop], [blank])[0].value is True


def test_a_sheet_is_read_by_kind(blanks: list[tuple[CellBox, np.ndarray]]) -> None:
    prints = np.stack([cv2.resize(blank, (CELL_PX, CELL_PX), interpolation=cv2.INTER_AREA) for _, blank in blanks])
    boxes = tuple(cell for cell, _ in blanks)
    cells = Cells(
        boxes, prints, prints, np.zeros((len(boxes), 4, 2)), np.ones(len(boxes)), np.zeros(len(boxes), np.bool_)
    )
    readings = read_cells(cells)
    assert [reading.value for reading in readings] == [None if box.kind == "number" else False for box in boxes]


def test_struck_bridge_is_lost_only_where_bridges_are_circled() -> None:
    blank = np.full((CELL_PX, CELL_PX, 3), 255, np.uint8)
    cv2.rectangle(blank, (7, 7), (41, 41), (90, 60, 160), 1)
    struck = blank.copy()
    for start, end in (((10, 10), (38, 38)), ((38, 10), (10, 38))):
        cv2.line(struck, start, end, (110, 50, 30), 2, cv2.LINE_AA)
    box = CellBox("red", None, "bridge", 0, 0, 6, 6)
    cells = Cells((box,), struck[None], blank[None], np.zeros((1, 4, 2)), np.ones(1), np.zeros(1, np.bool_))
    assert read_cells(cells)[0].value is True
    assert read_cells(cells, bridge_marks="circle")[0].value is False


def test_nothing_gives_nothing() -> None:
    assert read_numbers([]) == ()
    assert read_marks([], []) == ()
    empty = np.zeros((0, CELL_PX, CELL_PX, 3), np.uint8)
    assert read_cells(Cells((), empty, empty, np.zeros((0, 4, 2)), np.zeros(0), np.zeros(0, np.bool_))) == ()


@pytest.mark.parametrize(
    ("crop", "told"),
    [
        (np.zeros((20, 20), np.uint8), r"crop 0.*\(H, W, 3\).*uint8 \(20, 20\)"),
        (np.zeros((20, 20, 4), np.uint8), r"crop 0.*\(20, 20, 4\)"),
        (np.zeros((20, 20, 3), np.float32), "crop 0.*float32"),
        (np.zeros((0, 20, 3), np.uint8), "crop 0.*empty"),
        ("cell.png", "crop 0.*found str"),
    ],
)
def test_wrong_crops_are_refused_with_what_was_expected(crop: np.ndarray, told: str) -> None:
    with pytest.raises(TypeError, match=told):
        read_numbers([crop])


def test_crops_and_blanks_may_be_one_array_each() -> None:
    crops = np.full((3, 30, 30, 3), 200, np.uint8)
    assert read_numbers(crops, crops) == read_numbers(list(crops), list(crops))


def test_blanks_must_match() -> None:
    crop = np.full((30, 30, 3), 200, np.uint8)
    with pytest.raises(ValueError, match="each of the 2 crops, found 1"):
        read_numbers([crop, crop], [crop])
    with pytest.raises(TypeError, match="blank 0"):
        read_marks([crop], [crop[..., 0]])
