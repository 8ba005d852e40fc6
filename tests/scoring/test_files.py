import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import Expedition, Sheet, SheetError, Track, format_sheet, iter_sheets, load_sheets
from tests.scoring.strategies import outcome, sheets

ANA = Sheet(player="Ana", red=Expedition.of([1, None, 3], double=True), dice=Track.of(4))
BEN = Sheet(player="Ben")
ANA_JSON, BEN_JSON = json.dumps(ANA.to_dict()), json.dumps(BEN.to_dict())
ANA_TOML = """
player = "Ana"
red = {numbers = [1, ".", 3], double = true}
[dice]
marks = 4
"""
TOML_LIST = """
[[sheets]]
player = "Ana"
[sheets.red]
numbers = [1, ".", 3]
double = true
[sheets.dice]
marks = 4
[[sheets]]
player = "Ben"
"""


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        (ANA_JSON, "-", [ANA]),
        (json.dumps(ANA.to_dict(), indent=2), "-", [ANA]),
        ("\ufeff" + ANA_JSON, "ana.json", [ANA]),
        (f"[{ANA_JSON},\n{BEN_JSON}]", "-", [ANA, BEN]),
        (f"{ANA_JSON}\r\n\r\n{BEN_JSON}\r\n", "-", [ANA, BEN]),
        (f"{ANA_JSON}\n{BEN_JSON}", "game.json", [ANA, BEN]),
        (ANA_JSON, "ana.jsonl", [ANA]),
        (ANA_TOML, "-", [ANA]),
        ("# Ana\n" + ANA_TOML, "ana.TOML", [ANA]),
        ("[dice]\nmarks = 4", "-", [Sheet(dice=Track.of(4))]),
        (TOML_LIST, "game.toml", [ANA, BEN]),
        (TOML_LIST, "-", [ANA, BEN]),
        (f"# a game\n{format_sheet(ANA)}\n\n{format_sheet(BEN)}\n", "-", [ANA, BEN]),
        ('player "a=b" | red 1', "-", [Sheet(player="a=b", red=Expedition.of([1]))]),
    ],
)
def test_every_form_is_recognised(text, name, expected):
    assert load_sheets(text, name) == expected


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("", "a.txt", "a.txt: expected a sheet, found none"),
        ("[]", "-", "-: expected a sheet, found none"),
        ("# nothing", "-", "-: expected a sheet, found none"),
        ("\n", "a.jsonl", "a.jsonl: expected a sheet, found none"),
        ("", "a.json", "a.json: not JSON at column 1 (Expecting value)"),
        ("", "a.toml", "a.toml: expected a sheet, found none"),
        ('{"red": }', "-", "-: not JSON at column 9 (Expecting value)"),
        ("{\n3", "-", "-: not JSON at line 2, column 1"),
        ("red 1", "a.json", "a.json: not JSON at column 1 (Expecting value)"),
        ("3", "a.json", "a.json: expected an object, found 3"),
        ("[1]", "-", "-: [0]: expected an object, found 1"),
        ('[{}, {"red": {"numbers": ["a"]}}]', "-", "-: [1].red.numbers[0]: expected a whole number"),
        ('{"red": {}, "red": {}}', "-", '-: expected each key once, found "red" twice in one object'),
        ('{}\n{"red": 3}', "-", "-, line 2: red: expected an object, found 3"),
        ('{}\n{"red"', "-", "-, line 2: not JSON at column 7"),
        ("[" * 100_000, "-", "-: not JSON that can be read ("),
        ('{"red": {"numbers": [' + "1" * 5000 + "]}}", "-", "-: not JSON that can be read ("),
        ("red = 3", "-", "-: red: expected an object, found 3"),
        ("red = ", "-", "-: not TOML ("),
        ("a = " + "[" * 100_000, "-", "-: not TOML ("),
        ("sheets = 3", "-", "-: sheets: expected nothing beside a list of tables [[sheets]]"),
        ("player = 'Ana'\n[[sheets]]", "-", "-: sheets: expected nothing beside a list of tables [[sheets]]"),
        ("[[sheets]]\n[[sheets]]\nred = 3", "-", "-: sheets[1].red: expected an object, found 3"),
        ("sheets = [1]", "-", "-: sheets[0]: expected an object, found 1"),
        ("red = {numbers = [2020-01-01]}", "-", "-: red.numbers[0]: expected a whole number"),
        ("red = {numbers = ['x']}", "-", "-: red.numbers[0]: expected a whole number"),
        (".".join(["red"] * 5000) + " = 1", "-", "-: red: unknown key"),
        ("red 1\nrde 2", "-", '-, line 2: unknown column "rde", did you mean red?'),
    ],
)
def test_wrong_files_name_the_place_and_what_was_expected(text, name, message):
    with pytest.raises(SheetError) as caught:
        load_sheets(text, name)
    assert str(caught.value).startswith(message)


def test_one_bad_line_loses_no_other():
    for good, bad in ((ANA_JSON, '{"rde": 1}'), (format_sheet(ANA), "rde 1")):
        first, error, last = iter_sheets(f"{good}\n{bad}\n{good}", "-")
        assert first == last == ANA
        assert str(error).startswith("-, line 2: unknown ")


def test_one_bad_entry_of_a_list_loses_no_other():
    error, good = iter_sheets(f"[3, {ANA_JSON}]", "-")
    assert good == ANA
    assert str(error).startswith("-: [0]: expected an object")


@given(st.lists(sheets, min_size=1, max_size=4))
def test_lines_of_json_and_of_notation_round_trip(many):
    for form in (format_sheet, lambda sheet: json.dumps(sheet.to_dict(), ensure_ascii=False)):
        assert load_sheets("\n".join(map(form, many)), "-") == many


BASES = [ANA_JSON, f"{ANA_JSON}\n{BEN_JSON}", f"[{ANA_JSON}]", ANA_TOML, TOML_LIST, format_sheet(ANA)]


@given(
    st.sampled_from(BASES),
    st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 5), st.text(max_size=3)), min_size=1, max_size=4),
    st.sampled_from(["-", "a.json", "a.jsonl", "a.toml", "a.txt"]),
)
def test_a_spoilt_file_gives_sheets_or_a_sheet_error(text, changes, name):
    for start, length, replacement in changes:
        place = start % (len(text) + 1)
        text = text[:place] + replacement + text[place + length :]
    found, error = outcome(lambda: load_sheets(text, name), SheetError)
    assert error.startswith(name) if found is None else found
