"""The command: a stack goes in, a folder of results comes out, and whatever is wrong is said at once and in words."""

from __future__ import annotations

import csv
import errno
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from batch.place import alone
from bench.spoilt import spoil
from tests.batch.conftest import Dying, record_of

ROOT = Path(__file__).parents[2]


@pytest.fixture
def few(small_photos, tmp_path) -> Path:
    """A folder of its own with three photos."""
    folder = tmp_path / "photos"
    folder.mkdir()
    for number in (1, 2, 3):
        (folder / f"IMG_{number}.jpg").write_bytes((small_photos / f"IMG_{number}.jpg").read_bytes())
    return folder


@pytest.fixture
def batch(run, inline):
    """The command with its work in this process."""
    inline()
    return lambda *arguments: run("batch", *arguments)


def codes(out: Path) -> dict[str, str | None]:
    return {Path(line["source"]["path"]).name: line.get("error", {}).get("code") for line in record_of(out)}


def test_good_and_broken_files_each_have_a_result(run, few, tmp_path, small_photos):
    for number in range(4, 11):
        (few / f"IMG_{number}.jpg").write_bytes((small_photos / f"IMG_{number}.jpg").read_bytes())
    broken = spoil(few, (few / "IMG_1.jpg").read_bytes(), 10)
    (few / "notes.txt").write_text("not a photo")
    result = run("batch", few, "-o", few / "out", "--jobs", 2)
    assert result.exit_code == 3
    expected = {Path(path).name: code for path, code in broken.items()}
    assert codes(few / "out") == {**expected, **{f"IMG_{number}.jpg": None for number in range(1, 11)}}
    for path in broken:
        assert sum(line.startswith(f"rollwrite: {path}") for line in result.stderr.splitlines()) == 1
    assert "notes.txt" in result.stderr
    rows = list(csv.DictReader((few / "out" / "results.csv").read_text("utf-8-sig").splitlines()))
    assert [row["status"] for row in rows].count("ok") == 10
    for line in record_of(few / "out"):
        picture = line["batch"]["picture"]
        assert (picture is None) == (line["status"] == "error")
        if picture:
            flat = cv2.imread(str(few / "out" / picture))
            assert flat is not None
            assert (few / "out" / "overlays" / Path(picture).name).exists()


def test_a_line_is_what_scan_prints_and_a_little_more(run, batch, few, tmp_path):
    batch(few, "-o", tmp_path / "out")
    scanned = json.loads(run("scan", *sorted(few.iterdir()), "--format", "json").stdout)
    lines = record_of(tmp_path / "out")
    for line in lines:
        batched = line.pop("batch")
        assert (batched["input"], batched["part"], batched["parts"]) == (line["source"]["path"], 1, 1)
    for entry in scanned:
        entry.pop("timing_ms")
    assert lines == scanned


def test_pages_of_a_document_stay_together(batch, few, tmp_path):
    sheets = [cv2.imread(str(few / f"IMG_{number}.jpg")) for number in (1, 2)]
    cv2.imwritemulti(str(few / "scan.tif"), [sheets[0], np.zeros_like(sheets[0]), sheets[1]])
    assert batch(few / "scan.tif", "-o", tmp_path / "out").exit_code == 3
    lines = record_of(tmp_path / "out")
    assert [(line["source"]["page"], line["status"], line["batch"]["part"]) for line in lines] == [
        (1, "ok", 1),
        (2, "error", 2),
        (3, "ok", 3),
    ]
    assert len({line["batch"]["picture"] for line in lines}) == 3


def test_exit_codes_are_those_of_scan(run, batch, small_photos, tmp_path):
    for number in range(1, 6):
        photo = small_photos / f"IMG_{number}.jpg"
        assert batch(photo, "-o", tmp_path / str(number)).exit_code == run("scan", photo).exit_code
        strict = batch(photo, "-o", tmp_path / f"strict{number}", "--strict").exit_code
        assert strict == run("scan", photo, "--strict").exit_code


def test_a_folder_with_results_needs_a_word_to_go_on(batch, few, tmp_path):
    out = tmp_path / "out"
    assert batch(few, "-o", out).exit_code in (0, 1)
    before = (out / "results.jsonl").read_bytes()
    refused = batch(few, "-o", out)
    assert refused.exit_code == 2
    assert "--resume" in refused.stderr
    again = batch(few, "-o", out, "--resume")
    assert again.exit_code in (0, 1)
    assert "3 files read before" in again.stderr
    assert (out / "results.jsonl").read_bytes() == before


def test_going_on_under_other_conditions_is_refused_and_says_which(batch, few, tmp_path):
    batch(few, "-o", tmp_path / "out")
    rules = tmp_path / "mine.toml"
    rules.write_text("bridge_points = 30")
    refused = batch(few, "-o", tmp_path / "out", "--resume", "--rules", rules)
    assert refused.exit_code == 2
    assert "--rules" in refused.stderr
    assert "--layout" not in refused.stderr.split("Error:")[1]
    # Which sheets make a game changes no reading.
    assert batch(few, "-o", tmp_path / "out", "--resume", "--players-per-game", 3).exit_code in (0, 1)
    assert (tmp_path / "out" / "games.csv").exists()
    assert batch(few, "-o", tmp_path / "out", "--resume").exit_code in (0, 1)
    assert (tmp_path / "out" / "games.csv").exists()


def test_a_changed_photo_is_read_again_and_a_touched_one_is_not(batch, few, tmp_path, small_photos):
    out = tmp_path / "out"
    batch(few, "-o", out)
    os.utime(few / "IMG_1.jpg")
    (few / "IMG_2.jpg").write_bytes((small_photos / "IMG_7.jpg").read_bytes())
    (few / "IMG_4.jpg").write_bytes((small_photos / "IMG_4.jpg").read_bytes())
    told = batch(few, "-o", out, "--resume")
    assert "2 files read before" in told.stderr
    rows = list(csv.DictReader((out / "results.csv").read_text("utf-8-sig").splitlines()))
    assert [Path(row["path"]).name for row in rows] == [f"IMG_{number}.jpg" for number in (1, 2, 3, 4)]
    batch(few, "-o", tmp_path / "fresh")
    fresh = list(csv.DictReader((tmp_path / "fresh" / "results.csv").read_text("utf-8-sig").splitlines()))
    assert rows == fresh


def test_the_same_files_by_another_path_are_known(batch, few, tmp_path, monkeypatch):
    batch(few, "-o", tmp_path / "out")
    monkeypatch.chdir(few)
    assert "3 files read before" in batch(".", "-o", tmp_path / "out", "--resume").stderr
    assert len(record_of(tmp_path / "out")) == 3


def test_what_failed_outside_of_the_photo_is_tried_again(batch, inline, few, tmp_path):
    out, missing = tmp_path / "out", few / "IMG_4.jpg"
    inline(Dying("IMG_2"))
    assert batch(few, missing, "-o", out).exit_code == 3
    assert codes(out) == {"IMG_1.jpg": None, "IMG_2.jpg": "crashed", "IMG_3.jpg": None, "IMG_4.jpg": "not-found"}
    before = (out / "results.jsonl").read_bytes()
    assert batch(few, missing, "-o", out, "--resume").exit_code == 3
    assert (out / "results.jsonl").read_bytes() == before
    inline()
    missing.write_bytes((few / "IMG_1.jpg").read_bytes() + b"\0")
    assert batch(few, missing, "-o", out, "--resume").exit_code in (0, 1)


def test_the_same_photo_twice_counts_once(batch, few, tmp_path):
    (few / "copy.jpg").write_bytes((few / "IMG_1.jpg").read_bytes())
    result = batch(few, "-o", tmp_path / "out", "--players-per-game", 3)
    assert "1 duplicate" in result.stderr
    rows = list(csv.DictReader((tmp_path / "out" / "results.csv").read_text("utf-8-sig").splitlines()))
    assert [Path(row["duplicate_of"]).name for row in rows] == ["", "copy.jpg", "", ""]
    games = list(csv.DictReader((tmp_path / "out" / "games.csv").read_text("utf-8-sig").splitlines()))
    assert len(games) == 3


def test_games_by_a_table_as_a_spreadsheet_writes_it(batch, few, tmp_path):
    table = tmp_path / "games.csv"
    table.write_bytes(
        "\ufeffPhoto;Game;Player\r\nIMG_1.jpg;May;Jürgen\r\nIMG_2.jpg;May;Ben\r\ngone.jpg;May;X\r\n".encode()
    )
    result = batch(few, "-o", tmp_path / "out", "--games", table)
    assert "gone.jpg" in result.stderr
    assert "Jürgen" in result.stdout
    rows = list(csv.DictReader((tmp_path / "out" / "league.csv").read_text("utf-8-sig").splitlines()))
    assert {row["player"] for row in rows} == {"Jürgen", "Ben"}


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--games", "gone.csv"), "gone.csv"),
        (("--games", "folder", "--players-per-game", "2"), "one"),
        (("--layout", "other"), "other"),
        (("--jobs", "0"), "--jobs"),
        (("--timeout", "0"), "--timeout"),
    ],
)
def test_wrong_options_are_wrong_usage_before_any_work(batch, few, tmp_path, arguments, word):
    result = batch(few, "-o", tmp_path / "out", *arguments)
    assert result.exit_code == 2
    assert word in result.stderr
    assert not (tmp_path / "out" / "results.jsonl").exists()


def test_dask_is_asked_for_by_name_where_it_is_missing(run, few, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "batch.engines.dask", raising=False)
    result = run("batch", few, "-o", tmp_path / "out", "--engine", "dask")
    assert result.exit_code == 2
    assert "pip install 'rollwrite[dask]'" in result.stderr


def test_a_table_without_its_columns_is_wrong_usage(batch, few, tmp_path):
    (tmp_path / "t.csv").write_text("photo,player\na,b\n")
    result = batch(few, "-o", tmp_path / "out", "--games", tmp_path / "t.csv")
    assert result.exit_code == 2
    assert "game" in result.stderr


def test_folders_that_cannot_take_results_are_refused_at_once(batch, few, tmp_path):
    (tmp_path / "file").write_text("")
    other = tmp_path / "other"
    other.mkdir()
    (other / "results.csv").write_text("mine")
    for out in (tmp_path / "file", tmp_path / "file" / "out", other, ""):
        assert batch(few, "-o", out).exit_code == 2
    assert (other / "results.csv").read_text() == "mine"
    (tmp_path / "empty").mkdir()
    assert batch(tmp_path / "empty", "-o", tmp_path / "out").exit_code == 2


def test_two_runs_cannot_write_to_one_folder(batch, few, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    with alone(out):
        result = batch(few, "-o", out)
    assert result.exit_code == 2
    assert "at work" in result.stderr
    assert batch(few, "-o", out).exit_code in (0, 1)


def test_a_full_disk_is_said_and_costs_nothing_that_was_written(batch, few, tmp_path, monkeypatch):
    out = tmp_path / "out"
    write, room = os.write, 30_000

    def write_until_full(file, data):
        nonlocal room
        if len(data) < 1000:
            return write(file, data)
        if room <= 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        written = write(file, data[:room])
        room -= written
        return written

    with monkeypatch.context() as patch:
        patch.setattr("batch.writer.os.write", write_until_full)
        result = batch(few, "-o", out)
    assert result.exit_code == 3
    assert "the disk is full" in result.stderr
    assert "--resume" in result.stderr
    assert len(record_of(out)) == 1  # the second one was cut off again
    assert batch(few, "-o", out, "--resume").exit_code in (0, 1)
    assert len(record_of(out)) == 3


def test_a_terminal_sees_a_bar(few, tmp_path):
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "cli", "batch", str(few), "-o", str(tmp_path / "out"), "--jobs", "1"],
        cwd=ROOT,
        stderr=follower,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "120", "OMP_NUM_THREADS": "1"},
    )
    os.close(follower)
    seen = b""
    try:
        while part := os.read(leader, 4096):
            seen += part
    except OSError:
        pass  # how Linux says that nobody writes there any more
    os.close(leader)
    assert process.wait(timeout=30) in (0, 1)
    assert b"3/3" in seen
    assert b"/s" in seen


def test_a_console_of_256_letters_gets_question_marks(few, tmp_path):
    bad = few / "größe \U0001f600.jpg"
    bad.write_text("no picture")
    result = subprocess.run(
        [sys.executable, "-m", "cli", "batch", str(bad), "-o", str(tmp_path / "out"), "--jobs", "1"],
        cwd=ROOT,
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "cp1252", "OMP_NUM_THREADS": "1"},
        check=False,
    )
    assert result.returncode == 3
    assert "größe ?.jpg: not a picture" in result.stderr.decode("cp1252")
