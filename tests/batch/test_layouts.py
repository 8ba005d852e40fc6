"""A stack of sheets of several pads: each is read, drawn and counted by its own layout, now and on going on."""

import json

import cv2
import pytest

from batch.errors import BatchError
from batch.games import played_games
from batch.record import read_record
from batch.run import Run, read_run, write_run
from layouts import common_specials, load_layout
from layouts.known import FOLDER_VARIABLE
from scoring import RuleSet, audit_game
from tests.pads import known, photo_of, write


@pytest.fixture
def folder(tmp_path, monkeypatch):
    place = tmp_path / "layouts"
    place.mkdir()
    monkeypatch.setenv(FOLDER_VARIABLE, str(place))
    write("rings", place)
    return place


@pytest.fixture
def photos(tmp_path):
    place = tmp_path / "photos"
    place.mkdir()
    cv2.imwrite(str(place / "1-rings.jpg"), photo_of("rings"))
    cv2.imwrite(str(place / "2-own.jpg"), photo_of(None))
    return place


def lines_of(out):
    return [json.loads(line) for line in (out / "results.jsonl").read_text("utf-8").splitlines()]


def layouts_of(out):
    return {line["batch"]["input"].rsplit("/", 1)[-1]: line["layout"] for line in lines_of(out)}


def test_each_sheet_of_a_stack_has_its_own_layout(run, folder, photos, tmp_path):
    out = tmp_path / "out"
    assert run("batch", photos, "-o", out, "--jobs", 1, "--players-per-game", 2).exit_code in (0, 1)
    assert layouts_of(out) == {"1-rings.jpg": "rings", "2-own.jpg": "expedition-a5"}
    assert read_run(out).layout_names == ("expedition-a5", "rings")
    record = read_record(out)
    for result, entry in record:
        assert entry.reading.layout is load_layout("rings" if "rings" in result.input else "expedition-a5")
        flat = cv2.imread(str(out / result.picture))
        assert flat.shape[:2] == tuple(round(3 * side) for side in reversed(entry.reading.layout.page_mm))
    # Arrows stand elsewhere on the other pad, so any space of the game may have one.
    (game,) = played_games(record)
    found = audit_game([entry.sheet.named(result.title) for result, entry in record], None, None)
    assert set(game.violations) == set(found)

    assert "layout rings" in (out / "report.html").read_text("utf-8")

    before = (out / "results.jsonl").read_bytes()
    write("touching", folder)
    again = run("batch", photos, "-o", out, "--jobs", 1, "--resume")
    assert again.exit_code in (0, 1)
    assert "2 files read before" in again.stderr
    assert (out / "results.jsonl").read_bytes() == before
    assert read_run(out).layout_names == ("expedition-a5", "rings")

    refused = run("batch", photos, "-o", out, "--jobs", 1, "--resume", "--layout", "rings")
    assert refused.exit_code == 2
    assert "had another --layout" in refused.stderr

    (folder / "rings.layout").unlink()
    with pytest.raises(BatchError, match="put the layout file back"):
        read_record(out)


@pytest.mark.parametrize("names", [("expedition-a5",), ("expedition-a5", "rings")])
def test_a_run_keeps_which_sheets_it_looks_for(tmp_path, names):
    run = Run(names, RuleSet.default())
    write_run(tmp_path, run)
    assert read_run(tmp_path) == run


def test_runs_with_other_layouts_differ(folder):
    one, two = Run(("expedition-a5",), RuleSet.default()), Run(("expedition-a5", "rings"), RuleSet.default())
    assert one.differences(two) == ("--layout",)
    assert two.differences(two) == ()


def test_a_run_file_without_any_layout_is_refused(tmp_path):
    write_run(tmp_path, Run(("expedition-a5",), RuleSet.default()))
    path = tmp_path / "run.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "layout": []}))
    with pytest.raises(BatchError, match="no layout"):
        read_run(tmp_path)


def test_sheets_of_pads_that_differ_have_no_specials_in_common():
    own, rings = load_layout(), known("rings")
    assert common_specials([own, own]) == own.specials
    assert common_specials([own, rings]) is None
    assert common_specials([]) is None
