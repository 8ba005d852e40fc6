"""Layouts of the user's own: listed, printed, chosen by scans without being named, and never in the way."""

import base64
import json

import cv2
import numpy as np
import pypdfium2
import pytest

from layouts import load_layout
from layouts.known import FOLDER_VARIABLE
from tests.pads import photo_of, write


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The user's folder of layouts, with one pad in it."""
    place = tmp_path / "layouts"
    place.mkdir()
    monkeypatch.setenv(FOLDER_VARIABLE, str(place))
    write("rings", place)
    return place


@pytest.fixture
def photo(tmp_path):
    """A photo of a sheet of that pad."""
    path = tmp_path / "rings.jpg"
    cv2.imwrite(str(path), photo_of("rings"))
    return path


def change(path, **entries):
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **entries}), "utf-8")


def test_they_are_listed_after_the_programs_own_with_their_files(run, folder):
    result = run("layouts")
    assert result.exit_code == 0
    own, rings = result.stdout.splitlines()
    assert own.endswith("(built in)")
    assert rings == f"rings  160 x 180 mm  A night pad with round spaces, 160 x 180 mm  ({folder / 'rings.layout'})"
    assert result.stderr == ""


def test_they_are_called_as_their_files_are(run, folder):
    (folder / "rings.layout").rename(folder / "night.layout")
    assert run("layouts").stdout.splitlines()[1].startswith("night ")
    assert load_layout("night").name == "night"


def test_shown_without_their_picture(run, folder):
    shown = json.loads(run("layouts", "--show", "rings").stdout)
    assert shown["name"] == "rings"
    assert "picture" not in shown


DEFECTS = {
    "broken": ("{", "line 1: not JSON"),
    "no picture": ({"picture": None}, "no picture of the blank sheet beside the layout"),
    "text for a picture": ({"picture": base64.b64encode(b"hello").decode()}, "picture of the blank sheet is damaged"),
    "wide": ({"page": {"width": 168.0, "height": 180.0}}, "another shape than the page's 168 x 180 mm"),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_one_that_cannot_be_used_is_named_and_harms_nothing_else(run, folder, photo, name):
    defect, said = DEFECTS[name]
    bad = write("rings", folder, "bad")
    bad.write_text(defect, "utf-8") if isinstance(defect, str) else change(bad, **defect)
    listed = run("layouts")
    assert listed.exit_code == 3
    assert [line.split()[0] for line in listed.stdout.splitlines()] == ["expedition-a5", "rings"]
    assert str(bad) in listed.stderr
    assert said in listed.stderr
    scanned = run("scan", photo, "--format", "jsonl")
    assert json.loads(scanned.stdout)["layout"] == "rings"
    assert said in scanned.stderr
    assert run("layouts", "--show", "rings").exit_code == 0


def test_one_that_has_the_name_of_ours_is_named_and_ours_is_taken(run, folder):
    theirs = write("rings", folder, "expedition-a5")
    listed = run("layouts")
    assert listed.exit_code == 3
    assert [line.split()[0] for line in listed.stdout.splitlines()] == ["expedition-a5", "rings"]
    assert f"{theirs}: expedition-a5 is the name of the program's own layout" in listed.stderr
    assert json.loads(run("layouts", "--show", "expedition-a5").stdout)["page"] == {"width": 148.0, "height": 210.0}


def test_a_picture_of_a_hair_another_shape_is_taken(run, folder):
    change(folder / "rings.layout", page={"width": 162.0, "height": 180.0})
    assert run("layouts").exit_code == 0


def test_a_picture_cut_off_is_refused_when_it_is_listed(run, folder):
    data = json.loads((folder / "rings.layout").read_text("utf-8"))
    change(folder / "rings.layout", picture=data["picture"][: len(data["picture"]) // 8 * 4])
    assert "picture of the blank sheet is damaged" in run("layouts").stderr


def test_scans_say_which_of_several_layouts_a_sheet_has(run, folder, photo):
    assert "layout   rings, A night pad" in run("scan", photo).stdout
    assert "rings, A night pad" not in run("scan", photo, "--layout", "rings").stdout


def test_what_a_layout_does_not_know_is_said_and_not_checked(run, folder, photo):
    known = json.loads(run("scan", photo, "--format", "jsonl").stdout)
    assert "notes" not in known
    change(folder / "rings.layout", specials_known=False, notes=["the paper was bent"])
    entry = json.loads(run("scan", photo, "--format", "jsonl").stdout)
    assert entry["notes"][0] == "the paper was bent"
    assert "nobody has said where this pad has its arrows and artifact boxes" in entry["notes"][1]
    assert entry["sheet"] == known["sheet"]
    table = run("scan", photo, "--layout", "rings").stdout
    assert "  layout   the paper was bent" in table
    assert "so artifacts are not checked" in table


def test_typed_sheets_are_not_checked_for_what_a_layout_does_not_know(run, folder, tmp_path):
    sheet = tmp_path / "sheet.txt"
    sheet.write_text("red 1 2 | artifacts 5")
    assert "artifacts-surplus" in run("score", sheet, "--layout", "rings").stdout
    change(folder / "rings.layout", specials_known=False)
    assert "artifacts-surplus" not in run("score", sheet, "--layout", "rings").stdout


def test_their_picture_is_printed_as_the_page(run, folder, tmp_path):
    target = tmp_path / "rings.pdf"
    assert run("print", "-o", target, "--layout", "rings").exit_code == 0
    document = pypdfium2.PdfDocument(target)
    printed = document[0].render(scale=2).to_numpy()
    document.close()
    blank = cv2.imdecode(np.frombuffer(load_layout("rings").embedded, np.uint8), cv2.IMREAD_COLOR)
    height, width = printed.shape[:2]
    assert width / height == pytest.approx(160 / 180, abs=0.01)
    difference = cv2.absdiff(cv2.resize(blank, (width, height), interpolation=cv2.INTER_AREA), printed[..., :3])
    assert difference.mean() < 4


def test_a_layout_with_nothing_to_print_is_refused(run, folder, tmp_path):
    change(folder / "rings.layout", picture=base64.b64encode(b"hello").decode())
    result = run("print", "-o", tmp_path / "rings.pdf", "--layout", "rings")
    assert result.exit_code == 2
    assert "the picture of the blank sheet is damaged" in result.stderr
    assert not (tmp_path / "rings.pdf").exists()
