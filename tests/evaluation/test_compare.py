"""The comparator itself: a perfect reading scores full marks, a defaced one exactly what was defaced."""

from dataclasses import replace

import pytest

from evaluation.alignment import percentile
from evaluation.compare import compare_sheet
from evaluation.measures import calibration_error
from evaluation.text import figures_text
from evaluation.truth import TruthSheet
from layouts import load_layout
from scanner import SheetNotFound
from scoring import parse_sheet, score
from tests.readings import PX_PER_MM, reading_of, true_corners

SHEET = parse_sheet("red 1 2 3 | yellow 4 5 ? | artifacts 2 | dice 4")
CELLS = len(load_layout().read_cells)


def test_perfect_reading(figures):
    found = figures((SHEET.to_dict(), (reading_of(SHEET),)))
    assert found["cells"]["all"] == {"right": CELLS, "of": CELLS, "share": 1.0}
    assert found["cells"]["numbers"]["of"] == 54
    assert found["cells"]["numbers_where_filled"]["of"] == 6
    assert found["cells"]["marks"]["of"] == 18
    assert (found["totals"]["right"], found["whole_sheets"]["right"]) == (1, 1)
    assert found["violations"]["recall"]["share"] == found["violations"]["precision"]["share"] == 1
    assert found["wrong"] == []
    assert found["timing_ms"]["total"] == 80


def test_each_wrong_cell_is_counted_in_its_kind(figures):
    read = parse_sheet("red 1 7 3 | yellow 4 5 ? | artifacts 2 b | dice 5")
    found = figures((SHEET.to_dict(), (reading_of(read),)))
    assert found["cells"]["all"]["right"] == CELLS - 3
    assert found["cells"]["numbers_where_filled"]["right"] == 5
    assert found["cells"]["filled_or_empty"]["right"] == 54
    assert found["cells"]["marks"]["right"] == 17
    assert found["cells"]["bridges"]["right"] == 7
    assert found["totals"]["right"] == found["whole_sheets"]["right"] == 0
    assert found["unflagged_wrong_totals"] == ["IMG_0.jpg"]
    (wrong,) = found["wrong"]
    assert {cell["cell"] for cell in wrong["cells"]} == {"red/2", "artifacts/bridge", "dice/5"}


def test_wrong_number_leaves_the_total_right(figures):
    read = parse_sheet("red 1 1 3 | yellow 4 5 ? | artifacts 2 | dice 4")
    found = figures((SHEET.to_dict(), (reading_of(read),)))
    assert (found["totals"]["right"], found["whole_sheets"]["right"]) == (1, 0)


def test_doubt_excuses_violations_of_its_column_only():
    # Read as 3 1 instead of 3 7: a false finding; asked about, it is open instead.
    truth = TruthSheet(parse_sheet("red 3 7 | dice 4"))
    read = parse_sheet("red 3 1 | dice 4")
    silent = compare_sheet("a", truth, reading_of(read))
    asked = compare_sheet("a", truth, reading_of(read, {"red/2": ((1, 0.6), (7, 0.4))}))
    elsewhere = compare_sheet("a", truth, reading_of(read, {"dice/1": ((True, 0.6), (False, 0.4))}))
    assert (silent.violations_false, asked.violations_false, elsewhere.violations_false) == (1, 0, 1)


def test_written_totals_are_right_wrong_open_or_invented(figures):
    written = {"red": -10, "dice": 20, "total": 5}
    truth = replace(SHEET, written=written)
    read = replace(reading_of(SHEET), sheet=replace(SHEET, written={"red": -10, "dice": 70, "blue": 0}))
    found = figures((truth.to_dict(), (read,)))["written"]
    assert [found[key]["right"] for key in ("right", "wrong", "open")] == [1, 1, 1]
    assert found["right"]["of"] == 3
    assert found["invented"] == 1


def test_a_wrong_total_that_is_left_open_is_missed_and_doubt_anywhere_excuses_a_false_one():
    wrong = TruthSheet(replace(SHEET, written={"total": 7}))
    assert compare_sheet("a", wrong, reading_of(SHEET)).violations_missed == 1
    total = score(SHEET).total
    truth = TruthSheet(replace(SHEET, written={"total": total}))
    for doubts, false in (({}, 1), ({"dice/5": ((True, 0.6), (False, 0.4))}, 0)):
        read = reading_of(parse_sheet("red 1 2 3 | yellow 4 5 ? | artifacts 2 | dice 5"), doubts)
        found = compare_sheet("a", truth, replace(read, sheet=replace(read.sheet, written={"total": total})))
        assert found.violations_false == false


def test_missed_violation_is_counted():
    outcome = compare_sheet("a", TruthSheet(parse_sheet("red 3 1")), reading_of(parse_sheet("red 3 7")))
    assert outcome.violations_missed == 1


def test_refused_photos_count_with_their_code(figures):
    refusal = SheetNotFound("no-sheet", "no sheet", "photograph it")
    found = figures(
        (SHEET.to_dict(), refusal), (SHEET.to_dict(), (reading_of(SHEET),)), (SHEET.to_dict(), ZeroDivisionError())
    )
    assert found["refused"]["right"] == 2
    assert found["refused"]["codes"] == {"no-sheet": 1, "unexpected ZeroDivisionError": 1}
    assert found["totals"]["of"] == 1


def test_sheets_are_matched_by_place_and_not_by_order(figures):
    left, right = parse_sheet("dice 1"), parse_sheet("dice 2")
    truths = [
        {"sheet": left.to_dict(), "corners": true_corners()},
        {"sheet": right.to_dict(), "corners": true_corners((2000, 0))},
    ]
    readings = (reading_of(right, shift_px=(2000, 0)), reading_of(left, index=2))
    found = figures((truths, readings))
    assert found["totals"] == {"right": 2, "of": 2, "share": 1.0}


def test_missed_and_phantom_sheets(figures):
    truths = [{"sheet": SHEET.to_dict(), "corners": true_corners((2000 * n, 0))} for n in range(2)]
    assert figures((truths, (reading_of(SHEET),)))["refused"]["codes"] == {"missed": 1}
    assert figures((SHEET.to_dict(), (reading_of(SHEET), reading_of(SHEET, index=2))))["phantom_sheets"] == 1


@pytest.mark.parametrize(("shift_mm", "misplaced"), [(0.3, False), (2.0, False), (3.0, True)])
def test_corner_error_is_in_millimetres(figures, shift_mm, misplaced):
    truth = {"sheet": SHEET.to_dict(), "corners": true_corners((shift_mm * PX_PER_MM, 0))}
    found = figures((truth, (reading_of(SHEET),)))
    assert found["corner_error_mm"]["median"] == pytest.approx(shift_mm)
    assert bool(found["misplaced_sheets"]) is misplaced


def test_calibration_error_of_known_cases():
    assert calibration_error([]) is None
    assert calibration_error([(0.75, True)] * 3 + [(0.75, False)]) == pytest.approx(0)
    assert calibration_error([(0.9, True), (0.9, False)]) == pytest.approx(0.4)
    # Two bins, off by 0.1 up and down: distances do not cancel.
    assert calibration_error([(0.9, True), (0.1, False)]) == pytest.approx(0.1)


def test_percentile_is_a_value_that_occurs():
    assert percentile(list(range(100)), 95) == 95
    assert percentile([7.0], 95) == 7


def test_text_holds_every_figure(figures):
    read = parse_sheet("red 1 7 3 | yellow 4 5 ? | artifacts 2 | dice 5")
    text = figures_text(figures((SHEET.to_dict(), (reading_of(read),))))
    assert "IMG_0.jpg: total" in text
    assert "  dice/5: read True (100%), right is False" in text
    assert "totals right                        0.00%  0 of 1" in text
