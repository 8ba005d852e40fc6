"""`rollwrite calibrate`: from a photo to a layout that a scan can use, and every wrong word refused before any work."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from layouts import load_layout
from tests.calibrate.drawn import PAGE_MM, box_mm, corners_mm, in_photo, page, photographed


@pytest.fixture(scope="module")
def blank(tmp_path_factory):
    """A photo of a blank sheet, with the block's corners in it."""
    file = tmp_path_factory.mktemp("pad") / "blank.jpg"
    photo, homography = photographed(page(), 4, 0.05)
    cv2.imwrite(str(file), photo)
    truth = corners_mm()
    block = in_photo(np.array([truth[0, 0, 0], truth[-1, 0, 1], truth[-1, -1, 2], truth[0, -1, 3]]), homography)
    return file, " ".join(f"{x:.1f},{y:.1f}" for x, y in block)


def test_a_photo_becomes_a_layout_and_a_picture_of_it(run, blank, tmp_path):
    target = tmp_path / "mine.layout"
    result = run(
        "calibrate",
        blank[0],
        "-o",
        target,
        "--page-mm",
        "150x200",
        "--icon",
        "c=artifact",
        "--arrows",
        "red:7 orange:4",
    )
    assert result.exit_code == 0, result.stderr
    assert result.stdout == ""
    assert "72 of 72 seen" in result.stderr
    assert "red, orange, yellow, green, blue, purple, artifacts, dice" in result.stderr
    layout = load_layout(str(target))
    assert layout.page_mm == PAGE_MM
    assert layout.specials["red"] == {3: "artifact", 7: "arrow"}
    assert layout.specials_known
    left, top, _, _ = box_mm(0, 8)
    assert layout.cell("red/1").x_mm == pytest.approx(left, abs=0.6)
    assert layout.cell("red/1").y_mm == pytest.approx(top, abs=0.6)
    found = cv2.imread(str(tmp_path / "mine-found.png"))
    assert found.shape[1] / found.shape[0] == pytest.approx(PAGE_MM[0] / PAGE_MM[1], rel=0.01)


def test_told_corners_give_the_same_layout(run, blank, tmp_path):
    target = tmp_path / "mine.layout"
    assert run("calibrate", blank[0], "-o", target, "--page-mm", "150x200", "--corners", blank[1]).exit_code == 0
    left, top, right, bottom = box_mm(7, 0)
    dice = load_layout(str(target)).cell("dice/9")
    assert np.array(dice.corners_mm)[[0, 2]].ravel() == pytest.approx([left, top, right, bottom], abs=0.6)


def test_what_nobody_named_is_not_checked_and_that_is_said(run, blank, tmp_path):
    target = tmp_path / "mine.layout"
    result = run("calibrate", blank[0], "-o", target)
    assert "nobody has said which spaces have arrows" in result.stderr
    assert not load_layout(str(target)).specials_known
    assert json.loads(target.read_text("utf-8"))["specials_known"] is False


def test_a_name_alone_puts_it_where_scans_look(run, blank, tmp_path, monkeypatch):
    monkeypatch.setenv("ROLLWRITE_LAYOUTS", str(tmp_path / "layouts"))
    assert run("calibrate", blank[0], "--name", "my pad").exit_code == 0
    assert load_layout("my pad").name == "my pad"
    assert "my pad" in run("layouts").stdout


def test_a_photo_without_a_sheet_costs_only_itself(run, blank, tmp_path):
    table = tmp_path / "table.jpg"
    cv2.imwrite(str(table), np.full((900, 700, 3), 150, np.uint8))
    target = tmp_path / "mine.layout"
    result = run("calibrate", table, blank[0], tmp_path / "gone.jpg", "-o", target)
    assert result.exit_code == 3
    assert "table.jpg: no eight columns of nine spaces found" in result.stderr
    assert "gone.jpg" in result.stderr
    assert load_layout(str(target)).cells


def test_nothing_is_written_where_no_photo_shows_a_sheet(run, tmp_path):
    table = tmp_path / "table.jpg"
    cv2.imwrite(str(table), np.full((900, 700, 3), 150, np.uint8))
    target = tmp_path / "mine.layout"
    assert run("calibrate", table, "-o", target).exit_code == 3
    assert not target.exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--page-mm", "A5"], "width x height in millimetres"),
        (["--page-mm", "15x21"], "50 to 1000"),
        (["--corners", "1,2 3,4"], "four outer corners"),
        (["--corners", "0,0 0,100 100,100 100,0"], "clockwise"),
        (["--columns", "red,orange"], "each of red,orange,yellow"),
        (["--arrows", "red:10"], "expected an expedition and its spaces"),
        (["--artifacts", "dice:1"], "expected an expedition and its spaces"),
        (["--icon", "B=bridge"], "a letter and arrow or artifact"),
        (["--icon", "Z=arrow"], "no spaces look like 'Z' here"),
        (["--page-mm", "200x150"], "1.33 times as wide as high, the page in the photo about 0.7"),
        (["--corners", "0,0 9999,0 9999,9999 0,9999"], "a corner lies outside of it"),
        (["--arrows", "red:3", "--artifacts", "red:3"], "red:3 is among --arrows too"),
        (["--name", ""], "letters, digits"),
        (["--name", "expedition-a5"], "a layout of the program's own"),
        (["--name", "../up"], "letters, digits"),
        (["--corners", "0,0 9,0 9,9 0,9", "--corners", "0,0 9,0 9,9 0,9"], "once for each photo"),
    ],
)
def test_wrong_words_are_wrong_usage(run, blank, tmp_path, options, message):
    target = tmp_path / "mine.layout"
    result = run("calibrate", blank[0], "-o", target, *options)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())
    assert not target.exists()


def test_a_photo_given_twice_counts_once(run, blank, tmp_path):
    result = run("calibrate", blank[0], blank[0], "-o", tmp_path / "mine.layout")
    assert result.exit_code == 0
    assert "counts once" in result.stderr
    assert "from 1 photo" in result.stderr


def test_a_layout_is_replaced_and_that_is_said_but_nothing_else_is(run, blank, tmp_path):
    target = tmp_path / "mine.layout"
    assert run("calibrate", blank[0], "-o", target).exit_code == 0
    assert "instead of the one that was there" in run("calibrate", blank[0], "-o", target).stderr
    target.write_text("a letter")
    assert run("calibrate", blank[0], "-o", target).exit_code == 2
    assert target.read_text() == "a letter"


def test_neither_file_nor_name_is_wrong_usage(run, blank):
    assert run("calibrate", blank[0]).exit_code == 2


def test_a_photo_is_not_written_over(run, blank):
    before = blank[0].read_bytes()
    assert run("calibrate", blank[0], "-o", blank[0]).exit_code == 2
    assert blank[0].read_bytes() == before


def test_a_layout_whose_picture_is_damaged_is_refused_by_that_and_not_by_the_photo(run, blank, tmp_path):
    target = tmp_path / "mine.layout"
    assert run("calibrate", blank[0], "-o", target).exit_code == 0
    data = json.loads(target.read_text("utf-8")) | {"picture": "bm8gcGljdHVyZQ=="}
    target.write_text(json.dumps(data), "utf-8")
    result = run("scan", blank[0], "--layout", target)
    assert result.exit_code == 2
    assert "picture of the blank sheet is damaged" in " ".join(result.stderr.split())
