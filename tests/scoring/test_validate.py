import subprocess
import sys

import pytest
from hypothesis import given

from layouts import load_layout
from layouts.model import COLUMNS, EXPEDITIONS
from scoring import DEFAULT, Expedition, RuleSet, Sheet, Track, parse_sheet, validate
from tests.scoring.strategies import expedition_names, expeditions, legal_numbers, sheets, tracks


def codes(sheet, **options):
    return [violation.code for violation in validate(sheet, **options)]


@given(legal_numbers, expedition_names)
def test_taking_the_top_number_off_a_legal_column_leaves_it_in_order(numbers, column):
    for count in range(len(numbers) + 1):
        found = set(codes(Sheet.of({column: Expedition.of(numbers[:count])}), specials={}))
        assert found <= {"starts-with-ten"}
        assert ("starts-with-ten" in found) == (numbers[:1] == [10] and count > 0)


@given(sheets)
def test_violations_do_not_depend_on_the_name(sheet):
    assert validate(sheet.named("Ben")) == validate(sheet.named(None)) == validate(sheet)


@given(expeditions)
def test_spaces_are_judged_as_the_rules_put_it(content):
    found = {(v.code, v.space) for v in validate(Sheet(red=content), specials={}) if v.space}
    numbers = dict(enumerate(content.numbers, 1))
    expected = set()
    for space, number in numbers.items():
        below = [numbers[s] for s in range(1, space) if isinstance(numbers[s], int)]
        if number is not None and space > 1 and numbers[space - 1] is None:
            expected.add(("gap", space))
        if number == "?":
            expected.add(("unreadable", space))
        if isinstance(number, int) and number not in range(1, 11):
            expected.add(("out-of-range", space))
        if isinstance(number, int) and below and below[-1] > number:
            expected.add(("descending", space))
    if numbers[1] == 10:
        expected.add(("starts-with-ten", 1))
    assert found == expected


@given(tracks)
def test_marks_are_judged_as_the_rules_put_it(content):
    found = validate(Sheet(dice=content), specials={})
    gaps = [s for s in range(2, 10) if content.marks[s - 1] and not content.marks[s - 2]]
    assert [v.space for v in found if v.code == "gap"] == gaps
    assert any(v.code == "bridge-not-reached" for v in found) == (content.bridge and sum(content.marks) < 7)


@given(sheets)
def test_order_is_by_column_then_space(sheet):
    order = (*COLUMNS, "bridges", "total")
    places = [(order.index(v.column), v.space or 10) for v in validate(sheet)]
    assert places == sorted(places)


@given(sheets)
def test_every_message_names_its_column_and_space(sheet):
    for violation in validate(sheet):
        where = {"total": "the whole sheet", "bridges": "the bridges"}.get(violation.column, violation.column)
        assert violation.message.startswith(where)
        if violation.space is not None:
            assert f"{violation.column}, space {violation.space}:" in violation.message


@pytest.mark.parametrize(
    ("text", "message", "observed", "expected", "rule"),
    [
        ("red 5 3", "red, space 2: 3 stands above 5; legal is 5 or higher", 3, ">= 5", "severity.descending"),
        (
            "red 3 11",
            "red, space 2: 11 is no number of this game; legal is 1..10",
            11,
            "1..10",
            "highest_number = 10",
        ),
        ("red 0", "red, space 1: 0 is no number of this game; legal is 1..10", 0, "1..10", "lowest_number = 1"),
        (
            "red ?",
            "red, space 1: there is ink that is no number (?); legal is 1..10",
            "?",
            "1..10",
            "severity.unreadable",
        ),
        (
            "red 1 . . 4",
            "red, space 4: 4 stands above an empty space; space 2 has to be filled first",
            4,
            "space 2 filled first",
            "severity.gap",
        ),
        (
            "dice . X",
            "dice, space 2: a mark stands above an empty space; space 1 has to be filled first",
            "mark",
            "space 1 filled first",
            "severity.gap",
        ),
        (
            "red 10",
            "red, space 1: 10 starts the column, although a 0 cannot start one; legal is 1..9",
            10,
            "1..9",
            "highest_first_number = 9",
        ),
        (
            "red - x2",
            "red: the double circle is marked, but the column holds no number; it counts 0",
            0,
            ">= 1 space filled",
            "lone_double_points = 0",
        ),
        (
            "dice 1 b",
            "dice: the bridge is claimed with 1 space filled; it is reached with 7",
            1,
            ">= 7",
            "bridge_space = 7",
        ),
        (
            "artifacts 1",
            "artifacts: 1 is marked, but numbers stand on no artifact box and no expedition is full; "
            "legal is at most 0",
            1,
            "<= 0",
            "severity.artifacts-surplus",
        ),
        (
            "dice 4 | written dice 5",
            "dice: 5 is written as the total, but it comes to 10",
            5,
            10,
            "dice_points",
        ),
        (
            "dice 4 | written total 5",
            "the whole sheet: 5 is written as the total, but it comes to 10",
            5,
            10,
            "severity.written-total-wrong",
        ),
    ],
)
def test_message_says_what_stands_there_what_would_be_legal_and_why(text, message, observed, expected, rule):
    (violation,) = validate(parse_sheet(text), specials={})
    assert violation.message == f"{message} [rules: {rule}]"
    assert (violation.observed, violation.expected, violation.rule) == (observed, expected, rule.split()[0])


def test_missing_artifacts_say_how_many_could_be_marked():
    (violation,) = validate(parse_sheet("red 1 1"), specials={"red": {1: "artifact", 2: "arrow"}})
    assert violation.message == (
        "artifacts: none are marked, but numbers stand on 1 artifact box; 1 could be marked, points were left behind "
        "[rules: severity.artifacts-missing]"
    )
    assert (violation.observed, violation.expected) == (0, ">= 1")


def test_as_json():
    (violation,) = validate(parse_sheet("red 5 3"), specials={})
    assert violation.to_dict() == {
        "code": "descending",
        "severity": "error",
        "column": "red",
        "space": 2,
        "message": "red, space 2: 3 stands above 5; legal is 5 or higher [rules: severity.descending]",
        "observed": 3,
        "expected": ">= 5",
        "rule": "severity.descending",
    }


@given(sheets)
def test_every_violation_names_its_place_in_the_rule_set(sheet):
    rules = RuleSet.default().to_dict()
    for violation in validate(sheet):
        place = rules
        for key in violation.rule.split("."):
            place = place[key]
        assert f"[rules: {violation.rule}" in violation.message


def test_unknown_special_spaces_switch_the_artifact_checks_off():
    sheet = parse_sheet("red 1 2 3 4 5 6 7 8 | artifacts 8")
    assert codes(sheet, specials={}) == ["artifacts-surplus"]
    assert codes(sheet, specials={"red": {space: "artifact" for space in range(1, 10)}}) == []
    assert codes(sheet, specials=None) == []


def test_default_special_spaces_are_those_of_the_default_layout():
    full = Sheet.of({column: Expedition.of([1] * 8) for column in EXPEDITIONS})
    boxes = sum(list(spaces.values()).count("artifact") for spaces in load_layout().specials.values())
    (missing,) = validate(full)
    assert (missing.code, missing.expected) == ("artifacts-missing", f">= {min(9, boxes)}")
    assert validate(full, specials=DEFAULT) == validate(full, specials=load_layout().specials)


def test_rules_decide_what_is_legal_and_how_bad():
    rules = RuleSet.from_toml("highest_first_number = 10\n[severity]\ndescending = 'warning'")
    found = validate(parse_sheet("red 10 9"), rules, specials={})
    assert [(violation.code, violation.severity) for violation in found] == [("descending", "warning")]


def test_unknown_marks_of_artifacts_do_not_hide_the_order():
    sheet = Sheet(artifacts=Track.of([True, False, True]))
    assert codes(sheet, specials=None) == ["gap"]


def test_scoring_needs_no_pictures():
    code = "import scoring, sys; print(*({'numpy', 'cv2', 'scanner'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
