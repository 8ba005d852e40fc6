"""Scanning through the command line: a real photo of a printed sheet among inputs that cannot be read."""

import csv
import hashlib
import io
import json
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

import scanner.pipeline
from layouts import blank_picture, layout_to_dict, load_layout
from report.certainty import total_confidence
from scoring import RuleSet, parse_sheet
from tests.readings import reading_of

SAMPLES = Path(__file__).parents[2] / "samples"

SCAN_KEYS = {
    "schema",
    "source",
    "status",
    "layout",
    "sheet",
    "cells",
    "score",
    "violations",
    "review",
    "confidence",
    "quality",
    "timing_ms",
}


@pytest.fixture(scope="module")
def sheet_photo(tmp_path_factory):
    """A printed sheet that nobody has written on, seen at an angle on a wooden-brown table."""
    page = cv2.imdecode(np.frombuffer(blank_picture(load_layout()), np.uint8), cv2.IMREAD_COLOR)
    height, width = page.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    seen = np.array([[210, 160], [1410, 190], [1450, 1890], [170, 1860]], np.float32)
    table = np.full((2048, 1600, 3), (70, 105, 150), np.uint8)
    to_photo = cv2.getPerspectiveTransform(corners, seen)
    cv2.warpPerspective(
        cv2.resize(page, (width, height)), to_photo, (1600, 2048), table, borderMode=cv2.BORDER_TRANSPARENT
    )
    path = tmp_path_factory.mktemp("photos") / "Blatt Jürgen.jpg"
    path.write_bytes(cv2.imencode(".jpg", cv2.GaussianBlur(table, (3, 3), 0))[1].tobytes())
    return path


@pytest.fixture
def fake_scan(monkeypatch):
    """Lets scans return given readings by file name; other names raise what is given."""

    def install(results):
        def scan_sheets(source, layout=None, options=None, debug=None):
            result = results[str(source)]
            if isinstance(result, BaseException):
                raise result
            yield from result

        monkeypatch.setattr(scanner.pipeline, "scan_sheets", scan_sheets)

    return install


@pytest.fixture
def bad_inputs(tmp_path):
    """One of each kind of input that is no photo of a sheet, with the code that names its cause."""
    (tmp_path / "text.jpg").write_text("this is no picture, whatever its name says")
    (tmp_path / "empty.jpg").write_bytes(b"")
    (tmp_path / "folder.jpg").mkdir()
    noise = np.random.default_rng(1).integers(60, 160, (150, 200, 3), dtype=np.uint8)
    table = cv2.resize(noise, (1600, 1200), interpolation=cv2.INTER_CUBIC)
    (tmp_path / "table.jpg").write_bytes(cv2.imencode(".jpg", table)[1].tobytes())
    return {
        tmp_path / "text.jpg": "not-an-image",
        tmp_path / "empty.jpg": "not-an-image",
        tmp_path / "folder.jpg": "not-an-image",
        tmp_path / "table.jpg": "no-sheet",
        tmp_path / "missing.jpg": "not-found",
    }


def test_bad_inputs_are_named_and_the_good_photo_scored(run, sheet_photo, bad_inputs):
    paths = list(bad_inputs)
    result = run("scan", *paths[:2], sheet_photo, *paths[2:], "--format", "json")
    assert result.exit_code == 3
    entries = json.loads(result.stdout)
    good = entries.pop(2)
    assert (good["status"], good["score"]["total"]) == ("ok", 0)
    assert [entry["error"]["code"] for entry in entries] == list(bad_inputs.values())
    assert [entry["source"]["path"] for entry in entries] == [str(path) for path in paths]
    assert all(entry["error"]["message"] and entry["error"]["remedy"] for entry in entries)
    messages = result.stderr.splitlines()
    assert len(messages) == len(paths)
    assert all(message.startswith(f"rollwrite: {path}") for path, message in zip(paths, messages, strict=True))


def test_table_names_what_was_not_read(run, sheet_photo, bad_inputs):
    result = run("scan", *bad_inputs, sheet_photo)
    assert result.exit_code == 3
    for path, code in bad_inputs.items():
        assert f"{path}: not read ({code})" in result.stdout
    assert ["total", "0"] in [line.split()[:2] for line in result.stdout.splitlines()]


def test_json_of_a_real_scan_has_the_agreed_shape(run, sheet_photo):
    (entry,) = json.loads(run("scan", sheet_photo, "--format", "json").stdout)
    assert set(entry) == SCAN_KEYS
    assert entry["schema"] == "rollwrite.scan/1"
    assert entry["source"] == {
        "path": str(sheet_photo),
        "page": 1,
        "index": 1,
        "sha256": hashlib.sha256(sheet_photo.read_bytes()).hexdigest(),
        "width": 1600,
        "height": 2048,
    }
    assert len(entry["cells"]) == len(load_layout().read_cells)
    for cell in entry["cells"]:
        assert set(cell) == {"column", "space", "kind", "value", "confidence", "alternatives", "corners"}
        assert cell["kind"] in ("number", "mark", "double", "bridge")
        assert len(cell["corners"]) == 4
    assert set(entry["score"]) >= {"red", "dice", "artifacts", "bridges", "total", "low", "high"}
    assert set(entry["quality"]) == {"sharpness", "glare", "px_per_mm", "warnings"}
    assert entry["timing_ms"]["total"] > 0


def test_corners_run_clockwise_from_the_cells_top_left(run, sheet_photo):
    (entry,) = json.loads(run("scan", sheet_photo, "--format", "json").stdout)
    for cell in entry["cells"]:
        (x0, y0), (x1, y1), (x2, y2), (x3, y3) = cell["corners"]
        assert x0 < x1
        assert x3 < x2
        assert y0 < y3
        assert y1 < y2


def test_overlay_and_debug_pictures_are_written_and_named(run, sheet_photo, tmp_path):
    overlay, debug = tmp_path / "a" / "overlay", tmp_path / "debug"
    result = run("scan", sheet_photo, "--overlay", overlay, "--debug", debug)
    (picture,) = overlay.iterdir()
    assert f"overlay: {picture}" in result.stderr
    drawn = cv2.imdecode(np.fromfile(picture, np.uint8), cv2.IMREAD_COLOR)
    assert drawn.shape == (2048, 1600, 3)
    stages = sorted(path.name for path in (debug / sheet_photo.stem).iterdir())
    assert stages[0] == "01-photo.jpg"
    assert len(stages) >= 4


def test_overlay_beside_the_photos_leaves_them_alone(run, sheet_photo, tmp_path):
    photo = tmp_path / "a.jpg"
    photo.write_bytes(sheet_photo.read_bytes())
    run("scan", photo, "--overlay", tmp_path)
    assert photo.read_bytes() == sheet_photo.read_bytes()
    assert len(list(tmp_path.iterdir())) == 2


def test_photos_of_one_name_get_an_overlay_each(run, sheet_photo, tmp_path):
    photos = [tmp_path / folder / "a.jpg" for folder in ("one", "two")]
    for photo in photos:
        photo.parent.mkdir()
        photo.write_bytes(sheet_photo.read_bytes())
    run("scan", *photos, "--overlay", tmp_path / "out")
    assert len(list((tmp_path / "out").iterdir())) == 2


def test_pictures_that_cannot_be_written_cost_no_result(run, sheet_photo, tmp_path):
    photos = [tmp_path / name for name in ("a.jpg", "b.jpg")]
    for photo in photos:
        photo.write_bytes(sheet_photo.read_bytes())
    out = tmp_path / "out"
    (out / "a-overlay.jpg").mkdir(parents=True)
    (out / "a").write_text("a file where the folder would be")
    result = run("scan", *photos, "--overlay", out, "--debug", out, "--format", "json")
    assert result.exit_code == 3
    assert [entry["status"] for entry in json.loads(result.stdout)] == ["ok", "ok"]
    assert result.stderr.splitlines() == [
        f"rollwrite: overlay: {out / 'b-overlay.jpg'}",
        f"rollwrite: cannot write {out / 'a'}: File exists; choose another place for it",
        f"rollwrite: cannot write {out / 'a-overlay.jpg'}: Is a directory; choose another place for it",
    ]
    assert len(list((out / "b").iterdir())) >= 4


def test_a_photo_that_is_gone_when_its_overlay_is_drawn_costs_no_result(run, fake_scan, tmp_path):
    fake_scan({"gone.jpg": (reading_of(parse_sheet("dice 1")),)})
    result = run("scan", "gone.jpg", "--overlay", tmp_path, "--format", "json")
    assert result.exit_code == 3
    assert json.loads(result.stdout)[0]["status"] == "ok"
    assert result.stderr.startswith("rollwrite: no overlay of gone.jpg: ")


def test_doubt_widens_the_total_and_fails_when_strict(run, fake_scan):
    # The fourth of five numbers may be no number: 5 points for four instead of 10 for five.
    sheet = parse_sheet("red 1 2 3 4 5")
    reading = reading_of(sheet, {"red/5": ((5, 0.6), (None, 0.3), (6, 0.1))})
    fake_scan({"a.jpg": (reading,)})
    result = run("scan", "a.jpg", "--format", "json")
    (entry,) = json.loads(result.stdout)
    assert result.exit_code == 0
    assert (entry["score"]["low"], entry["score"]["total"], entry["score"]["high"]) == (5, 10, 10)
    assert entry["confidence"] == pytest.approx(total_confidence(reading, RuleSet.default()), abs=1e-4)
    (review,) = entry["review"]
    assert (review["column"], review["space"], review["value"], review["reason"]) == ("red", 5, 5, "faint")
    assert run("scan", "a.jpg", "--strict").exit_code == 1


def test_table_shows_doubt(run, fake_scan):
    reading = reading_of(parse_sheet("red 1 7"), {"red/2": ((7, 0.61), (1, 0.32), (None, 0.07))})
    fake_scan({"a.jpg": (reading,)})
    text = run("scan", "a.jpg").stdout
    assert ["red", "1", "~7", *".......", "2", "-15"] in [line.split() for line in text.splitlines()]
    assert "check    red, space 2: read as 7 with 61%; faint" in text
    assert f"-20 to -15, {total_confidence(reading, RuleSet.default()):.1%} sure" in text


def test_several_sheets_in_one_photo(run, fake_scan):
    sheets = (reading_of(parse_sheet("dice 1")), reading_of(parse_sheet("dice 2"), index=2))
    fake_scan({"a.jpg": sheets})
    entries = json.loads(run("scan", "a.jpg", "--format", "json").stdout)
    assert [entry["source"]["index"] for entry in entries] == [1, 2]
    assert "a-2  (a.jpg)" in run("scan", "a.jpg").stdout


def test_names_stay_with_their_photos_when_one_cannot_be_read(run, fake_scan):
    fake_scan(
        {
            "1.jpg": (reading_of(parse_sheet("dice 1")),),
            "2.jpg": scanner.SheetNotFound("no-sheet", "2.jpg: no sheet found", "photograph the whole sheet"),
            "3.jpg": (reading_of(parse_sheet("dice 4")),),
        }
    )
    result = run("scan", "1.jpg", "2.jpg", "3.jpg", "--game", "--players", "Ana,Ben,Cleo", "--format", "json")
    assert result.exit_code == 3
    assert [place["player"] for place in json.loads(result.stdout)["ranking"]] == ["Cleo", "Ana"]


def test_violation_ends_with_1_and_unread_wins_over_it(run, fake_scan):
    broken = (reading_of(parse_sheet("red 3 1")),)
    fake_scan({"a.jpg": broken, "b.jpg": scanner.UnreadableFile("truncated", "b.jpg: cut off", "copy it again")})
    assert run("scan", "a.jpg").exit_code == 1
    assert run("scan", "a.jpg", "b.jpg").exit_code == 3


def test_a_fault_of_the_program_costs_one_photo_and_shows_no_traceback(run, fake_scan, monkeypatch):
    monkeypatch.delenv("ROLLWRITE_TRACEBACK", raising=False)
    fake_scan({"a.jpg": ZeroDivisionError("oops"), "b.jpg": (reading_of(parse_sheet("dice 1")),)})
    result = run("scan", "a.jpg", "b.jpg", "--format", "json")
    assert result.exit_code == 3
    failure, good = json.loads(result.stdout)
    assert good["status"] == "ok"
    assert failure["error"]["code"] == "unexpected"
    assert result.stderr.splitlines() == [
        "rollwrite: a.jpg: unexpected ZeroDivisionError: oops; set ROLLWRITE_TRACEBACK=1 to see where, and report it"
    ]


@pytest.mark.parametrize(("picture", "said"), [(None, "no picture"), (b"", "is empty"), (b"no PNG", "is damaged")])
def test_a_layout_without_its_picture_is_named_with_a_remedy(tmp_path, sheet_photo, picture, said):
    layout = tmp_path / "mine.json"
    layout.write_text(json.dumps(layout_to_dict(load_layout())), "utf-8")
    if picture is not None:
        layout.with_suffix(".png").write_bytes(picture)
    # A process of its own: a thread's traceback would go past the runner.
    command = [sys.executable, "-m", "cli", "scan", sheet_photo, "--layout", layout, "--format", "json"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 3
    (entry,) = json.loads(result.stdout)
    assert entry["error"]["code"] == "unknown-layout"
    assert "PNG of the blank sheet" in entry["error"]["remedy"]
    (line,) = result.stderr.splitlines()
    assert said in line


def test_interrupt_is_quiet(run, fake_scan):
    fake_scan({"a.jpg": KeyboardInterrupt()})
    result = run("scan", "a.jpg")
    assert (result.exit_code, result.output) == (130, "")


def test_json_lines_written_before_an_interrupt_are_kept(run, fake_scan, tmp_path):
    fake_scan({"a.jpg": (reading_of(parse_sheet("dice 1")),), "b.jpg": KeyboardInterrupt()})
    target = tmp_path / "results.jsonl"
    run("scan", "a.jpg", "b.jpg", "--format", "jsonl", "-o", target)
    (line,) = target.read_text("utf-8").splitlines()
    assert json.loads(line)["source"]["path"] == "a.jpg"


def test_csv_of_a_scan(run, fake_scan):
    doubts = {"red/2": ((7, 0.61), (1, 0.32), (None, 0.07))}
    reading = reading_of(parse_sheet("red 1 7"), doubts)
    fake_scan({"a.jpg": (reading,)})
    (row,) = csv.DictReader(io.StringIO(run("scan", "a.jpg", "--format", "csv").stdout))
    assert (row["total"], row["low"], row["high"], row["review"]) == ("-15", "-20", "-15", "1")
    assert float(row["confidence"]) == pytest.approx(total_confidence(reading, RuleSet.default()), abs=1e-4)


@pytest.mark.parametrize(
    ("raised", "remedy"),
    [
        (
            "ImportError('libGL.so.1: cannot open shared object file: No such file or directory')",
            "apt-get install libgl1",
        ),
        ("ModuleNotFoundError('No module named cv2', name='cv2')", "pip install --force-reinstall opencv-python"),
    ],
)
def test_missing_opencv_names_the_remedy(raised, remedy):
    script = f"""
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name == "cv2":
            raise {raised}
sys.meta_path.insert(0, Missing())
from cli import main
main(["scan", "a.jpg"])
"""
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert result.returncode == 3
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert remedy in line


def test_an_overlay_is_never_drawn_over_a_photo(run, tmp_path):
    photo, other = tmp_path / "ana.jpg", tmp_path / "ana-overlay.jpg"
    for path in (photo, other):
        path.write_bytes((SAMPLES / "game-1" / "ana.jpg").read_bytes())
    result = run("scan", photo, other, "--overlay", tmp_path)
    assert result.exit_code == 3
    assert other.read_bytes() == photo.read_bytes()
    assert "ana-overlay.jpg: it is there already" in result.stderr


def test_overlays_are_drawn_again_and_are_no_photos(run, tmp_path):
    (tmp_path / "ana.jpg").write_bytes((SAMPLES / "game-1" / "ana.jpg").read_bytes())
    for _ in range(2):
        assert run("scan", tmp_path / "ana.jpg", "--overlay", tmp_path).exit_code != 3
    (entry,) = json.loads(run("scan", tmp_path / "ana-overlay.jpg", "--format", "json").stdout)
    assert entry["error"]["code"] == "unsupported-format"
    assert "annotated" in entry["error"]["message"]
