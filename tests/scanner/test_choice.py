"""Of several known layouts each sheet gets its own, without being told, or none."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import scanner.locate
from layouts import SheetLayout, load_layout
from scanner import RefusedSheet, ScanError, SheetReading, scan_photo, scan_sheets
from scanner.choice import leaves_room
from tests.pads import known, photo_of

OWN = load_layout()
ALL = (OWN, known("rings"), known("touching"))


def swapped(layout: SheetLayout, one: str, other: str) -> SheetLayout:
    """The same pad by somebody who took one column for another."""
    names = {one: other, other: one}
    cells = tuple(replace(cell, column=names.get(str(cell.column), cell.column)) for cell in layout.cells)
    return replace(layout, name=f"{layout.name}-swapped", cells=cells)


@pytest.mark.parametrize("pad", ["rings", "touching"])
def test_each_pad_is_read_by_its_own_layout(pad: str) -> None:
    (chosen,) = scan_photo(photo_of(pad), ALL)
    (named,) = scan_photo(photo_of(pad), known(pad))
    assert chosen.layout is known(pad)
    assert chosen.sheet == named.sheet


def test_our_sheet_with_its_tags_covered_is_known_among_others() -> None:
    (reading,) = scan_photo(photo_of(None, "tags-covered"), ALL)
    assert reading.layout is OWN


def test_a_sheet_found_by_its_tags_is_compared_with_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    photo = photo_of(None)
    (named,) = scan_photo(photo, OWN)
    monkeypatch.setattr(scanner.locate, "find_each_by_print", lambda *_: pytest.fail("looked for print"))
    monkeypatch.setattr(scanner.locate, "find_by_print", lambda *_: pytest.fail("looked for print"))
    (chosen,) = scan_photo(photo, ALL)
    assert chosen.sheet == named.sheet
    assert chosen.layout is OWN


def test_sheets_of_several_pads_in_one_photo_get_theirs() -> None:
    side_by_side = np.hstack([photo_of("rings"), photo_of(None), photo_of("touching")])
    readings = scan_photo(side_by_side, ALL)
    assert [reading.layout for reading in readings] == [known("rings"), OWN, known("touching")]
    assert [reading.index for reading in readings] == [1, 2, 3]
    assert readings[1].sheet == scan_photo(photo_of(None))[0].sheet


@pytest.mark.parametrize("knows_more", [0, 1])
def test_one_pad_calibrated_twice_is_read_by_the_layout_that_knows_more(knows_more: int) -> None:
    twins = [replace(known("rings"), name=name, specials_known=False) for name in ("mine", "ours")]
    twins[knows_more] = replace(twins[knows_more], specials_known=True)
    (reading,) = scan_photo(photo_of("rings"), (OWN, *twins))
    assert reading.layout is twins[knows_more]


def test_a_pad_that_two_layouts_read_differently_is_refused() -> None:
    rings = known("rings")
    (outcome,) = scan_sheets(photo_of("rings"), (OWN, rings, swapped(rings, "red", "blue")))
    assert isinstance(outcome, RefusedSheet)
    assert outcome.error.code == "unknown-layout"
    assert "rings or rings-swapped" in outcome.error.message
    assert outcome.error.remedy == "say which it is: --layout rings or --layout rings-swapped"
    (reading,) = scan_sheets(photo_of("rings"), (OWN, rings))
    assert isinstance(reading, SheetReading)


def test_other_marks_for_a_bridge_are_another_reading_too() -> None:
    rings = known("rings")
    other = replace(rings, name="other", bridge_marks={"tick": "circle", "circle": "tick"}[rings.bridge_marks])
    with pytest.raises(ScanError, match="other or rings") as refusal:
        scan_photo(photo_of("rings"), (rings, other))
    assert refusal.value.code == "unknown-layout"


def test_a_pad_that_nobody_calibrated_is_not_taken_for_another() -> None:
    with pytest.raises(ScanError, match=r"no sheet of a known layout found \(expedition-a5, rings\)") as refusal:
        scan_photo(photo_of("touching"), (OWN, known("rings")))
    assert refusal.value.code == "no-sheet"


def test_no_layout_at_all_is_a_mistake_of_the_program_that_asks() -> None:
    with pytest.raises(ValueError, match="at least one layout"):
        scan_photo(photo_of("rings"), ())


@pytest.mark.parametrize(("left_px", "room"), [(0, True), (150, True), (180, False), (225, False), (450, True)])
def test_there_is_room_where_another_sheet_fits(left_px: int, room: bool) -> None:
    """Beside a sheet 350 wide in a photo of 800 x 500 pixels, a circle of 280 has to fit, on one side or the other."""
    quad = np.array([[left_px, 0], [left_px + 350, 0], [left_px + 350, 500], [left_px, 500]], np.float64)
    source = SimpleNamespace(width=800, height=500)
    photo = SimpleNamespace(source=source, in_full_px=lambda points_px: points_px)
    attempt = SimpleNamespace(photo=photo, outline=SimpleNamespace(corners_px=quad))
    assert leaves_room([attempt]) == room  # type: ignore[list-item]
