import json
import pickle
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from layouts.model import COLUMNS
from scoring import Expedition, InputError, RulesError, Sheet, SheetError, Track
from scoring.plain import shown
from tests.scoring.strategies import outcome, sheets


@given(sheets)
def test_json_round_trip(sheet):
    assert Sheet.from_dict(json.loads(json.dumps(sheet.to_dict()))) == sheet


@given(sheets, st.randoms())
def test_order_of_columns_does_not_matter(sheet, rng):
    entries = list(sheet.to_dict().items())
    rng.shuffle(entries)
    assert Sheet.from_dict(dict(entries)) == sheet


@given(sheets)
def test_equal_sheets_have_equal_hashes_and_travel_between_processes(sheet):
    twin = pickle.loads(pickle.dumps(sheet))
    assert twin == sheet
    assert hash(twin) == hash(sheet)


@given(sheets)
def test_columns_by_name(sheet):
    assert Sheet.of(sheet.columns, sheet.player, sheet.written) == sheet
    assert [sheet[column] for column in COLUMNS] == list(sheet.columns.values())
    assert sheet.expeditions == {k: v for k, v in sheet.columns.items() if isinstance(v, Expedition)}


@given(sheets)
def test_sheet_from_its_cells(sheet):
    cells = list(sheet.cells())
    random.Random(1).shuffle(cells)
    assert Sheet.from_cells(cells, sheet.player) == Sheet.of(sheet.columns, sheet.player)


def test_cells_stand_in_the_order_of_the_sheet():
    sheet = Sheet(red=Expedition.of([7], double=True), dice=Track.of(1, bridge=True))
    cells = list(sheet.cells())
    assert len(cells) == 6 * (9 + 1 + 1) + 2 * (9 + 1)
    assert cells[:2] == [(("red", "number", 1), 7), (("red", "number", 2), None)]
    assert cells[9:11] == [(("red", "double", None), True), (("red", "bridge", None), False)]
    assert cells[-10] == (("dice", "mark", 1), True)
    assert cells[-1] == (("dice", "bridge", None), True)


def test_form_of_the_json():
    sheet = Sheet(
        player="Ana",
        red=Expedition.of([1, 3, None, "?"], double=True),
        artifacts=Track.of(4, bridge=True),
        written={"total": 143},
    )
    data = sheet.to_dict()
    assert list(data) == ["player", *COLUMNS, "written"]
    assert data["player"] == "Ana"
    assert data["red"] == {
        "numbers": [1, 3, None, "?", None, None, None, None, None],
        "double": True,
        "bridge": False,
    }
    assert data["artifacts"] == {"marks": [True] * 4 + [False] * 5, "bridge": True}
    assert data["written"] == {"total": 143}
    assert list(Sheet().to_dict()) == list(COLUMNS)


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ({}, {column: {} for column in COLUMNS}),
        ({"dice": {"marks": 4}}, {"dice": {"marks": [True] * 4 + [False] * 5}}),
        ({"dice": {"marks": [True, None]}}, {"dice": {"marks": [True] + [False] * 8}}),
        ({"dice": {"marks": 0}}, {"dice": {"marks": [], "bridge": False}}),
        ({"red": {"numbers": [1, 3]}}, {"red": {"numbers": [1, 3] + [None] * 7, "double": False}}),
        ({"player": None, "written": {}}, {}),
    ],
)
def test_what_may_be_left_out(short, full):
    assert Sheet.from_dict(short) == Sheet.from_dict(full)


WHOLE = 'expected a whole number, "?" or null'
FLAG = "expected true or false"
KEYS = "expected one of"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "a.json: expected an object, found a list of 0"),
        (None, "a.json: expected an object, found null"),
        ({"red": {"numbers": [1] * 10}}, "a.json: red.numbers[9]: expected at most 9 numbers"),
        ({"dice": {"marks": [True] * 10}}, "a.json: dice.marks[9]: expected at most 9 marks"),
        ({"red": {"numbers": [1, "3"]}}, f'a.json: red.numbers[1]: {WHOLE}, found "3"'),
        (
            {"red": {"numbers": [1, "12345" * 20]}},
            f'a.json: red.numbers[1]: {WHOLE}, found "{"12345" * 7}12..."',
        ),
        ({"red": {"numbers": [1, True]}}, f"a.json: red.numbers[1]: {WHOLE}, found true"),
        ({"red": {"numbers": [1.0]}}, f"a.json: red.numbers[0]: {WHOLE}, found 1.0"),
        ({"red": {"numbers": [[1]]}}, f"a.json: red.numbers[0]: {WHOLE}, found a list of 1"),
        ({"red": {"numbers": [10**6]}}, f"a.json: red.numbers[0]: {WHOLE}, found a number beyond 999999"),
        ({"red": {"numbers": None}}, "a.json: red.numbers: expected a list of at most 9 numbers, found null"),
        ({"red": {"numbers": 4}}, "a.json: red.numbers: expected a list of at most 9 numbers, found 4"),
        ({"red": {"numbres": []}}, 'a.json: red: unknown key "numbres", did you mean numbers?'),
        ({"red": {"marks": 4}}, f'a.json: red: unknown key "marks", {KEYS} numbers, double, bridge'),
        ({"dice": {"double": True}}, f'a.json: dice: unknown key "double", {KEYS} marks, bridge'),
        ({"red": [1, 3]}, "a.json: red: expected an object, found a list of 2"),
        ({"red": None}, "a.json: red: expected an object, found null"),
        ({"red": {"double": 1}}, f"a.json: red.double: {FLAG}, found 1"),
        ({"dice": {"bridge": "yes"}}, f'a.json: dice.bridge: {FLAG}, found "yes"'),
        ({"dice": {"marks": 10}}, "a.json: dice.marks: expected a count from 0 to 9, found 10"),
        ({"dice": {"marks": -1}}, "a.json: dice.marks: expected a count from 0 to 9, found -1"),
        (
            {"dice": {"marks": True}},
            "a.json: dice.marks: expected a list of true and false, or a count, found true",
        ),
        ({"dice": {"marks": [True, 1]}}, f"a.json: dice.marks[1]: {FLAG}, found 1"),
        ({"player": 3}, "a.json: player: expected the player's name as text, found 3"),
        ({"player": "\ud800"}, "a.json: player: expected text, found half of a surrogate pair"),
        ({"rde": {}}, 'a.json: unknown key "rde", did you mean red?'),
        ({"": {}}, f'a.json: unknown key "", {KEYS} player, red'),
        ({"a\nb": {}}, 'a.json: unknown key "a\\nb", '),
        ({7: {}}, "a.json: unknown key 7, "),
        ({"written": 3}, "a.json: written: expected an object, found 3"),
        ({"written": {"totl": 3}}, 'a.json: written: unknown key "totl", did you mean total?'),
        ({"written": {"total": "3"}}, 'a.json: written.total: expected a whole number, found "3"'),
        (
            {"written": {"total": -(10**6)}},
            "a.json: written.total: expected a whole number, found a number beyond",
        ),
        ({"written": {"total": {}}}, "a.json: written.total: expected a whole number, found an object"),
    ],
)
def test_wrong_input_names_file_path_and_what_was_expected(data, message):
    with pytest.raises(SheetError) as caught:
        Sheet.from_dict(data, "a.json")
    assert str(caught.value).startswith(message)
    assert caught.value.where == "a.json"


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["?", 4]),
    lambda inner: (
        st.lists(inner, max_size=11)
        | st.dictionaries(st.sampled_from(["numbers", "marks", "double", "bridge", "player", "x"]), inner)
    ),
)


@given(st.dictionaries(st.sampled_from([*COLUMNS, "player", "written", "x"]), PLAIN) | PLAIN)
def test_whatever_comes_it_is_a_sheet_or_a_sheet_error(data):
    sheet, error = outcome(lambda: Sheet.from_dict(data, "a.json"), SheetError)
    if sheet is None:
        assert error.startswith("a.json: ")
        assert "\n" not in error
    else:
        assert Sheet.from_dict(sheet.to_dict()) == sheet


@pytest.mark.parametrize(
    "make",
    [
        lambda: Expedition((1, 2)),
        lambda: Track((True,)),
        lambda: Sheet.of({"rde": Expedition()}),
        lambda: Sheet.of({"red": Track()}),
        lambda: Sheet.of({"dice": Expedition()}),
        lambda: Sheet.from_cells([(("red", "number", 0), 1)]),
        lambda: Sheet.from_cells([(("red", "number", 10), 1)]),
        lambda: Sheet.from_cells([(("red", "mark", 1), True)]),
        lambda: Sheet.from_cells([(("dice", "double", None), True)]),
        lambda: Sheet.from_cells([(("total", "number", 1), 1)]),
    ],
)
def test_no_sheet_of_another_shape(make):
    with pytest.raises(SheetError):
        make()


def test_unknown_column_is_a_key_error():
    with pytest.raises(KeyError):
        Sheet()["player"]


def test_errors_survive_a_process_boundary():
    error = pickle.loads(pickle.dumps(SheetError("problem", "red", "a.json")))
    assert str(error) == "a.json: red: problem"
    assert isinstance(error, InputError)
    assert issubclass(RulesError, ValueError)


def test_values_are_shown_in_the_words_of_json():
    assert [shown(value) for value in (None, True, False, 1.5, "a", {}, [1])] == [
        "null",
        "true",
        "false",
        "1.5",
        '"a"',
        "an object",
        "a list of 1",
    ]
