"""Photos that hold no readable sheet: refused with the right code, with a wrong one, or read all the same."""

from evaluation.text import figures_text
from scanner import SheetNotFound
from scanner.errors import PoorPhoto
from scoring import parse_sheet
from tests.readings import reading_of, true_corners

SHEET = parse_sheet("red 1 2 3 | dice 4")
NO_SHEET = SheetNotFound("no-sheet", "no sheet", "photograph it")
BLURRED = PoorPhoto("blurred", "blurred", "hold still")


def empty(code, kind="none"):
    return {"sheets": [], "refused": code, "kind": kind, "seed": 1}


def test_refusals_are_counted_by_the_code_that_is_due(figures):
    found = figures(
        (empty("no-sheet"), NO_SHEET),
        (empty("no-sheet"), BLURRED),
        (empty("blurred"), BLURRED),
        (empty("sheet-cut-off"), (reading_of(SHEET), reading_of(SHEET, index=2))),
        (empty(["blurred", "no-sheet"]), NO_SHEET),
    )
    refusals = found["refusals"]
    assert refusals["all"] == {"right": 3, "of": 5, "share": 0.6}
    assert {code: (part["right"], part["of"]) for code, part in refusals["codes"].items()} == {
        "no-sheet": (1, 2), "blurred": (1, 1), "sheet-cut-off": (0, 1), "blurred or no-sheet": (1, 1),
    }  # fmt: skip
    assert refusals["wrong"] == [
        {"photo": "IMG_1.jpg", "due": ["no-sheet"], "code": "blurred", "invented": 0},
        {"photo": "IMG_3.jpg", "due": ["sheet-cut-off"], "code": None, "invented": 2},
    ]
    assert found["invented"] == {"sheets": 2, "photos": ["IMG_3.jpg"]}
    assert (found["sheets"], found["phantom_sheets"], found["refused"]["right"]) == (0, 0, 0)
    assert found["aligned"]["of"] == 0


def test_a_fault_of_the_program_is_no_right_refusal(figures):
    found = figures((empty("no-sheet"), ZeroDivisionError()))
    assert found["refusals"]["wrong"][0]["code"] == "unexpected ZeroDivisionError"


def test_a_sheet_too_many_beside_a_true_one_is_not_an_invented_one(figures):
    truth = {"sheet": SHEET.to_dict(), "corners": true_corners()}
    found = figures((truth, (reading_of(SHEET), reading_of(SHEET, index=2, shift_px=(3000, 0)))))
    assert (found["phantom_sheets"], found["invented"]["sheets"]) == (1, 0)
    assert found["misplaced_sheets"] == []


def test_kinds_have_their_own_figures(figures):
    sheet = {"sheet": SHEET.to_dict(), "corners": true_corners(), "kind": "desk"}
    wrong = parse_sheet("red 1 2 | dice 4")
    found = figures(
        (sheet, (reading_of(SHEET),)), (sheet, (reading_of(wrong),)), (sheet, NO_SHEET), (empty("no-sheet"), NO_SHEET)
    )
    desk, none = found["kinds"]["desk"], found["kinds"]["none"]
    assert (desk["photos"], desk["sheets"], desk["refused"], desk["unflagged_wrong_totals"]) == (3, 3, 1, 1)
    assert (desk["aligned"]["right"], desk["aligned"]["of"]) == (2, 3)
    assert (none["photos"], none["sheets"], none["rightly_refused"]["right"], none["invented"]) == (1, 0, 1, 0)


def test_text_says_it_all_in_few_lines(figures):
    sheet = {"sheet": SHEET.to_dict(), "corners": true_corners(), "kind": "desk"}
    pairs = [(sheet, (reading_of(SHEET),)), (empty("no-sheet"), (reading_of(SHEET),))]
    text = figures_text(figures(*pairs, *[(empty("blurred", "soft"), NO_SHEET)] * 40))
    lines = text.splitlines()
    assert "41 photos" not in text
    assert lines[0] == "42 photos, 1 sheets"
    assert "photos without a sheet refused      0.00%  0 of 41" in lines
    assert "  as no-sheet                       0.00%  0 of 1" in lines
    assert "sheets invented there                   1  IMG_1.jpg" in lines
    assert "wrongly refused: IMG_1.jpg: 1 sheets read, right is no-sheet" in lines
    assert "and 16 more" in lines
    assert len(lines) < 70
    row = next(line for line in lines if line.startswith("desk"))
    assert row.split() == ["desk", "1", "1", "0", "100.0%", "0", "0"]
    assert next(line for line in lines if line.startswith("soft")).split() == ["soft", "40", "0.0%", "0"]


def test_one_kind_needs_no_table(figures):
    assert "kind " not in figures_text(figures((empty("no-sheet"), NO_SHEET)))
