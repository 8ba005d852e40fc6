"""What the comparison of readers counts of players' names, and that its page shows both readers' figures."""

import json
from dataclasses import replace

import pytest

import bench.readers
from bench.readers import Names, names_in, page
from evaluation.compare import compare_sheet
from evaluation.outcomes import PhotoOutcome
from evaluation.truth import TruthSheet
from scanner import ScanOptions
from scoring import parse_sheet
from tests.readings import reading_of


@pytest.mark.parametrize(
    ("written", "read", "expected"),
    [
        ("Ana", "Ana", Names(1, 1, 0, 0)),
        ("Ana", "Ida", Names(1, 0, 1, 0)),
        ("Ana", None, Names(1, 0, 0, 0)),
        (None, "Ida", Names(0, 0, 0, 1)),
        (None, None, Names()),
    ],
)
def test_names_are_right_wrong_left_out_or_invented(tmp_path, monkeypatch, written, read, expected):
    sheet = parse_sheet("red 1 3")
    (tmp_path / "a.json").write_text(json.dumps(sheet.named(written).to_dict()))
    reading = reading_of(sheet)
    named = replace(reading, sheet=reading.sheet.named(read))
    monkeypatch.setattr(bench.readers, "scan_photo", lambda photo, options: (named,))
    assert names_in(tmp_path / "a.jpg", ScanOptions(names=True)) == expected


def test_the_page_has_both_readers_side_by_side():
    truth = TruthSheet(parse_sheet("red 1 3 | dice 2"))

    def outcome(line, time_ms):
        sheet = compare_sheet("a.jpg", truth, reading_of(parse_sheet(line)))
        return PhotoOutcome("a.jpg", (sheet,), (), 0, {"total": time_ms})

    text = page(
        "make it", 7, [outcome("red 1 3 | dice 2", 50.0)], [outcome("red 1 8 | dice 2", 125.0)], Names(3, 1, 0, 0)
    )
    assert "| numbers right, of the filled spaces | 100.0 % (2 of 2) | 50.0 % (1 of 2) |" in text
    assert "| time of a photo, median, in this run | 1 | 2.5 |" in text
    assert "`make it`" in text
    assert "--seed 7" in text
    assert "2 left out as uncertain" in text
