"""Copies of a photo are known, and two sheets are never taken for one, however alike their photos are."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from batch.duplicates import likeness_of
from batch.fingerprint import SIDE, differing
from batch.inputs import Item
from batch.record import read_record
from batch.work import Work, read_photo
from layouts import load_layout
from scanner.options import ScanOptions
from scoring import RuleSet, parse_sheet
from synth.hands import hand_for
from synth.kinds import draw
from synth.writing import render
from tests.batch.stacks import stack

WORK = Work(("expedition-a5",), RuleSet.default(), ScanOptions())
FILLED = "red 1 3 3 5 x2 | orange 2 4 | yellow 4 6 7 | blue 1 2 9 | artifacts 1 | dice 2"


def flatbed(line, writing=1, hand=3):
    """A sheet laid on one spot, as a scanner would see it; `writing` is what differs when a hand writes it again."""
    recipe = draw("plain", np.random.default_rng(4))
    rng = np.random.default_rng(writing)
    return render([parse_sheet(line)], [hand_for("sample", hand)], recipe, load_layout(), rng, (1200, 900)).jpeg


def stored_again(jpeg, scale=1.0, quality=60):
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


@pytest.fixture(scope="module")
def lines():
    """The lines of photos in the record, scanned once each."""
    known: dict[tuple[str, bytes], str] = {}

    def scanned(name, jpeg):
        if (name, jpeg) not in known:
            (known[name, jpeg],) = read_photo(Item(name, name), jpeg, WORK).lines
        return known[name, jpeg] + "\n"

    return scanned


def duplicates(tmp_path, lines, photos):
    record = read_record(stack(tmp_path, [lines(name, jpeg) for name, jpeg in photos.items()]))
    assert all(result.summary for result in record.results)
    return {result.input: result.duplicate_of for result in record.results if result.duplicate_of}


@pytest.fixture(scope="module")
def filled():
    return flatbed(FILLED)


def test_a_photo_stored_again_is_known(tmp_path, lines, filled):
    photos = {"a.jpg": filled, "b.jpg": stored_again(filled), "c.jpg": stored_again(filled, 0.8, 85), "d.jpg": filled}
    assert duplicates(tmp_path, lines, photos) == {"b.jpg": "a.jpg", "c.jpg": "a.jpg", "d.jpg": "a.jpg"}


def test_the_first_in_order_is_the_original_whichever_ended_first(tmp_path, lines, filled):
    photos = {"b.jpg": stored_again(filled), "a.jpg": filled}
    assert duplicates(tmp_path, lines, photos) == {"b.jpg": "a.jpg"}


def test_the_same_numbers_by_the_same_hand_on_the_same_spot_are_two_sheets(tmp_path, lines, filled):
    photos = {"a.jpg": filled, "b.jpg": flatbed(FILLED, writing=2)}
    first, second = (json.loads(lines(name, jpeg)) for name, jpeg in photos.items())
    assert likeness_of(first) == likeness_of(second) != ""
    assert duplicates(tmp_path, lines, photos) == {}


def test_sheets_that_differ_in_one_number_are_two(tmp_path, lines, filled):
    photos = {"a.jpg": filled, "b.jpg": flatbed(FILLED.replace("red 1", "red 2"))}
    assert duplicates(tmp_path, lines, photos) == {}


def test_all_but_empty_sheets_look_alike_and_are_never_taken_for_copies(tmp_path, lines):
    empty = flatbed("dice 1")
    assert duplicates(tmp_path, lines, {"a.jpg": empty, "b.jpg": stored_again(empty)}) == {}


def test_the_same_sheet_seen_from_elsewhere_is_no_copy(tmp_path, lines, filled):
    image = cv2.imdecode(np.frombuffer(filled, np.uint8), cv2.IMREAD_COLOR)
    moved = cv2.copyMakeBorder(image, 0, 0, 60, 0, cv2.BORDER_REPLICATE)[:, :-60]
    other = cv2.imencode(".jpg", moved)[1].tobytes()
    assert duplicates(tmp_path, lines, {"a.jpg": filled, "b.jpg": other}) == {}


def test_fingerprints_that_cannot_be_compared_differ():
    one_cell = "00" * (SIDE * SIDE // 8)
    cells = np.array([True])
    assert differing(one_cell, one_cell, cells) == 0
    assert differing(one_cell, "ff" * (SIDE * SIDE // 8), cells) == 1
    assert differing(one_cell, one_cell * 2, cells) == 1
    assert differing(one_cell, one_cell, np.array([False])) == 1
    assert differing("00" * (SIDE * SIDE // 8 - 1) + "01", one_cell, cells) == 1 / (SIDE * SIDE)
