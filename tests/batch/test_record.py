"""The record of a stack: what is read back is what was written, and corrections change all that follows from them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from batch.errors import BatchError
from batch.lines import CellId, Correction, SheetId
from batch.order import natural
from batch.record import read_record
from batch.run import GameChoice, Run, read_run, write_run
from report.curves import p_filled
from report.data import SCAN_SCHEMA, entry_data
from report.entries import ScannedSheet
from report.scanned import scored_reading
from scoring import RuleSet
from tests.batch.stacks import RUN, lines_of, reading_from, refused, sheet, stack
from tests.readings import Alternatives

ONE_OR_SEVEN: Alternatives = ((7, 0.55), (1, 0.44), (None, 0.01))
DOUBTFUL = "red 3 7 4 | yellow 4 6 x2 b | artifacts 1 | dice 2"


def correction(entry, key, value, was=None):
    assert isinstance(entry, ScannedSheet)
    (cell,) = (cell for cell in entry.reading.cells if cell.box.key == key)
    source = SheetId(entry.reading.source.sha256, entry.page, entry.index)
    return Correction(source, CellId(str(cell.box.column), cell.box.space, cell.box.kind), value, was)


def line(told):
    return json.dumps(told.to_dict()) + "\n"


def test_what_is_read_back_is_what_was_written(tmp_path):
    entries = [sheet(DOUBTFUL, "a.jpg", {"red/2": ONE_OR_SEVEN}), refused("b.jpg")]
    record = read_record(stack(tmp_path, [lines_of(entry) for entry in entries]))
    assert [entry_data(record.entry(result), SCAN_SCHEMA) for result in record.results] == [
        entry_data(entry, SCAN_SCHEMA) for entry in entries
    ]
    assert [record.data(result) for result in record.results] == [record.stored(result) for result in record.results]


def test_results_stand_in_the_order_that_people_count_in(tmp_path):
    names = ["IMG_10.jpg", "img_9.jpg", "IMG_9b.jpg", "b/1.jpg", "IMG_9.jpg"]
    record = read_record(stack(tmp_path, [lines_of(sheet("dice 1", name)) for name in names]))
    assert [result.input for result in record.results] == [
        "b/1.jpg",
        "IMG_9.jpg",
        "img_9.jpg",
        "IMG_9b.jpg",
        "IMG_10.jpg",
    ]


@pytest.mark.parametrize("text", ["", "7", "a", "a7", "7a", "²", "7²", "١", "a10b2"])
def test_any_names_can_be_compared(text):
    assert natural(text) == natural(text)
    for other in ("", "1", "b", "1b", "b1"):
        assert (natural(text) < natural(other)) or (natural(text) >= natural(other))


def test_a_correction_changes_all_that_follows(tmp_path):
    scanned = sheet(DOUBTFUL, "a.jpg", {"red/2": ONE_OR_SEVEN})
    told = [correction(scanned, "red/2", 9, 7), correction(scanned, "red/2", 3, 9), correction(scanned, "dice/3", True)]
    record = read_record(stack(tmp_path, [lines_of(scanned), *map(line, told)]))
    (result,) = record.results
    entry = record.entry(result)
    true = scored_reading(
        "a.jpg", reading_from("red 3 3 4 | yellow 4 6 x2 b | artifacts 1 | dice 3", "a.jpg"), RUN.rules
    )
    assert isinstance(entry, ScannedSheet)
    assert (entry.sheet, entry.card, entry.violations) == (true.sheet, true.card, true.violations)
    assert (entry.low, entry.high, entry.reading.review) == (true.card.total, true.card.total, ())
    assert entry.confidence == pytest.approx(1)
    assert result.corrections == 2
    assert result.summary is not None
    assert (result.summary.total, result.summary.errors) == (true.card.total, 1)  # the bridge of yellow
    cell = next(cell for cell in record.data(result)["cells"] if (cell["column"], cell["space"]) == ("red", 2))
    assert (cell["value"], cell["confidence"], cell["alternatives"]) == (3, 1.0, [])


def test_doubts_elsewhere_stay_after_a_correction(tmp_path):
    doubts: dict[str, Alternatives] = {"red/2": ONE_OR_SEVEN, "blue/1": ((4, 0.6), (None, 0.4))}
    scanned = sheet(DOUBTFUL + " | blue 4", "a.jpg", doubts)
    record = read_record(stack(tmp_path, [lines_of(scanned), line(correction(scanned, "red/2", 3))]))
    entry = record.entry(record.results[0])
    assert isinstance(entry, ScannedSheet)
    assert [cell.box.key for cell, _ in entry.reading.review] == ["blue/1"]
    assert entry.low < entry.high
    (left,) = entry.reading.review
    assert entry.confidence == pytest.approx(p_filled(*left))


def test_a_correction_of_a_sheet_that_is_not_there_changes_nothing(tmp_path):
    other = correction(sheet(DOUBTFUL, "b.jpg"), "red/2", 3)
    record = read_record(stack(tmp_path, [lines_of(sheet(DOUBTFUL, "a.jpg")), line(other)]))
    assert record.data(record.results[0]) == record.stored(record.results[0])


@pytest.mark.parametrize("value", [11, 0, True, "3", 2.5, [3]])
def test_a_correction_to_what_no_number_can_be_is_no_correction(tmp_path, value):
    scanned = sheet(DOUBTFUL, "a.jpg")
    record = read_record(stack(tmp_path, [lines_of(scanned), line(correction(scanned, "red/2", value))]))
    assert record.results[0].corrections == 0


def test_the_last_whole_set_of_an_input_counts(tmp_path):
    old = [sheet("dice 1", "a.pdf"), sheet("dice 2", "a.pdf", page=2)]
    new = [sheet("dice 3", "a.pdf"), sheet("dice 4", "a.pdf", page=2)]
    whole = lines_of(*new)
    record = read_record(stack(tmp_path, [lines_of(*old), whole]))
    assert [record.entry(result).sheet.dice.filled for result in record.results] == [3, 4]  # type: ignore[union-attr]
    for torn in (whole[:-1], whole[: whole.index("\n") + 1], whole[:40], "\x00" * 99, "{}\n", "[1]\n", "\xff\n"):
        record = read_record(stack(tmp_path, [lines_of(*old), torn]))
        assert [record.entry(result).sheet.dice.filled for result in record.results] == [1, 2]  # type: ignore[union-attr]


def test_damage_in_the_middle_costs_only_the_photo_that_it_hits(tmp_path):
    texts = [lines_of(sheet("dice 1", f"{name}.jpg")) for name in "abc"]
    texts[1] = "\x00" * 200 + texts[1][200:]
    record = read_record(stack(tmp_path, texts))
    assert [result.input for result in record.results] == ["a.jpg", "c.jpg"]


def test_the_same_bytes_are_one_sheet(tmp_path):
    first = reading_from(DOUBTFUL, "b.jpg")
    twin = replace(first, source=replace(first.source, path="a.jpg"))
    texts = [lines_of(scored_reading(reading.source.path, reading, RUN.rules)) for reading in (first, twin)]
    record = read_record(stack(tmp_path, texts))
    assert [(result.input, result.duplicate_of, result.counted) for result in record.results] == [
        ("a.jpg", None, True),
        ("b.jpg", "a.jpg", False),
    ]


def test_a_run_is_read_back_as_it_was(tmp_path):
    rules = RuleSet.from_toml("bridge_points = 25\n[severity]\ngap = 'warning'\n[cards]\nrounds = 2\n")
    run = Run(("expedition-a5",), rules, "tesseract", True, GameChoice("table", (("a.jpg", "1", "Änne"),), 3))
    write_run(tmp_path, run)
    assert read_run(tmp_path) == run
    assert read_run(tmp_path).rules.to_dict() == rules.to_dict()
    assert run.differences(RUN) == ("--rules", "--reader", "--names")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": "rollwrite.batch/2"}', "\x00"])
def test_a_folder_that_is_no_batch_folder_is_refused(tmp_path, text):
    with pytest.raises(BatchError, match="no batch folder"):
        read_record(tmp_path)
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(BatchError, match="cannot be used"):
        read_record(tmp_path)
