"""Corrections by a person, and reports made again."""

from __future__ import annotations

import csv
import json

import cv2
import numpy as np
import pytest

from batch.record import read_record
from tests.batch.stacks import lines_of, sheet, stack
from tests.readings import Alternatives

UNSURE: Alternatives = ((7, 0.55), (None, 0.45))


@pytest.fixture
def folder(tmp_path):
    doubts = {"red/2": UNSURE, "dice/2": ((True, 0.6), (False, 0.4))}
    line = lines_of(sheet("red 3 7 | dice 2", "ana.jpg", doubts), picture="pictures/ana.jpg")
    made = stack(tmp_path / "out", [line])
    (made / "pictures").mkdir()
    cv2.imwrite(str(made / "pictures" / "ana.jpg"), np.full((630, 444, 3), 200, np.uint8))
    return made


def told(folder):
    lines = [json.loads(line) for line in (folder / "results.jsonl").read_text("utf-8").splitlines()]
    return {line["cell"]["column"]: line["value"] for line in lines if line["schema"] == "rollwrite.correction/1"}


def test_answers_are_kept_and_everything_follows(run, folder):
    before = read_record(folder).results[0].summary
    assert before.low < before.high
    result = run("review", str(folder), input=".\n-\n")
    assert told(folder) == {"red": None, "dice": False}
    after = read_record(folder).results[0].summary
    assert (after.low, after.high, after.review) == (after.total, after.total, 0)
    assert after.total < before.total
    assert str(after.total) in (folder / "results.csv").read_text("utf-8-sig")
    assert "corrected from 7 to empty" in (folder / "report.html").read_text("utf-8")
    assert result.exit_code in (0, 1)


def test_enter_confirms_skip_skips_and_stop_stops(run, folder):
    run("review", str(folder), input="\ns\n")
    assert told(folder) == {"red": 7}
    run("review", str(folder), input="q\n")
    assert told(folder) == {"red": 7}
    assert read_record(folder).results[0].summary.review == 1


def test_nonsense_is_explained_and_asked_again(run, folder):
    result = run("review", str(folder), input="11\nx\nyes\n5\nq\n")
    assert result.output.count("is none of") == 3
    assert told(folder) == {"red": 5}


def test_the_end_of_input_ends_it_and_loses_nothing(run, folder):
    run("review", str(folder), input="4\n")
    assert told(folder) == {"red": 4}


def test_no_batch_folder_is_wrong_usage(run, tmp_path):
    for command in ("review", "report"):
        result = run(command, str(tmp_path))
        assert result.exit_code == 2
        assert "no batch folder" in result.output
        result = run(command, str(tmp_path / "nowhere"))
        assert result.exit_code == 2
        assert "no such folder" in result.output


def test_report_makes_again_what_is_gone(run, folder):
    run("report", str(folder))
    pages = {name: (folder / name).read_bytes() for name in ("report.html", "results.csv")}
    for name in pages:
        (folder / name).unlink()
    run("report", str(folder))
    assert {name: (folder / name).read_bytes() for name in pages} == pages


def test_corrections_can_be_exported(run, folder, tmp_path):
    run("review", str(folder), input=".\nq\n")
    result = run("review", str(folder), "--export", str(tmp_path / "training"))
    assert result.exit_code == 0
    with (tmp_path / "training" / "labels.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["kind"], row["says"], row["was_read_as"]) for row in rows] == [("number", "empty", "7")]
    assert min(cv2.imread(str(tmp_path / "training" / rows[0]["file"])).shape[:2]) > 30
