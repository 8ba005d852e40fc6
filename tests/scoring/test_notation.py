import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import Expedition, Sheet, SheetError, Track, format_sheet, parse_sheet
from tests.scoring.strategies import outcome, sheets


@given(sheets)
def test_round_trip(sheet):
    line = format_sheet(sheet)
    assert parse_sheet(line) == sheet
    assert line.splitlines() == [line]


@given(sheets, st.randoms())
def test_order_of_parts_does_not_matter(sheet, rng):
    parts = format_sheet(sheet.named(None)).split(" | ")
    rng.shuffle(parts)
    assert parse_sheet(" | ".join(parts)) == sheet.named(None)


def test_form_of_the_line():
    sheet = Sheet(
        player='A "b" | c',
        red=Expedition.of([1, 3, 3, 5], double=True, bridge=True),
        yellow=Expedition.of([1, None, "?", 10]),
        artifacts=Track.of(4),
        dice=Track.of([True, False, True], bridge=True),
        written={"red": -10, "total": 143},
    )
    assert format_sheet(sheet) == (
        'player "A \\"b\\" | c" | red 1 3 3 5 x2 b | orange - | yellow 1 . ? 10 | green - | blue - | '
        "purple - | artifacts 4 | dice X . X b | written red -10 total 143"
    )


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("RED 1 3 X2 B", "red 1 3 x2 b"),
        ("red 1 3 b x2", "red 1 3 x2 b"),
        ("  red\t1  3|dice x", "red 1 3 | dice 1"),
        ("red 1 . .", "red 1"),
        ("red x2", "red - x2"),
        ("dice 0 b", "dice - b"),
        ("dice b", "dice - b"),
        ("artifacts X X .", "artifacts 2"),
        ("player  Ana Lee | red 1", 'player "Ana Lee" | red 1'),
    ],
)
def test_other_ways_to_write_it(text, same):
    assert parse_sheet(text) == parse_sheet(same)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", 'a.txt: expected a column and what is in it, found nothing in ""'),
        ("red 1 | | dice 3", "a.txt: expected a column and what is in it, found nothing in "),
        ("rde 1", 'a.txt: unknown column "rde", did you mean red?'),
        ("red 1 | red 2", "a.txt: red: this part stands there twice"),
        ("red", "a.txt: red: expected what is in the column, or - for nothing"),
        ("red 1 two", 'a.txt: red: space 2: expected a number, ? or ., found "two"'),
        ("red 1 -", 'a.txt: red: space 2: expected a number, ? or ., found "-"'),
        ("red 9999999", 'a.txt: red: space 1: expected a number, ? or ., found "9999999"'),
        ("red ٣", 'a.txt: red: space 1: expected a number, ? or ., found "٣"'),
        ("red 1 2 3 4 5 6 7 8 9 10", "a.txt: red[9]: expected at most 9 numbers"),
        ("red 1 x2 2", 'a.txt: red: expected nothing but x2 and b at the end, each once, found "2"'),
        ("red 1 b b", 'a.txt: red: expected nothing but x2 and b at the end, each once, found "b"'),
        ("dice 3 x2", "a.txt: dice: space 1: expected a count from 0 to 9, or X and . space by space"),
        ("dice 10", "a.txt: dice: expected a count from 0 to 9, found 10"),
        ("dice X X X X X X X X X X", "a.txt: dice[9]: expected at most 9 marks"),
        ("player", 'a.txt: player: expected a name, as in player "Ana", found ""'),
        ('player A"b"', "a.txt: player: expected a name, as in"),
        ('player "Ana" Lee', "a.txt: player: expected a name as in"),
        ('player "A\\x"', "a.txt: player: expected a name as in"),
        ('player "Ana', 'a.txt: expected a closing quote after ""Ana"'),
        ('player "\\ud800"', "a.txt: player: expected text, found half of a surrogate pair"),
        ("written", "a.txt: written: expected pairs of a name and a total"),
        ("written red", "a.txt: written: expected pairs of a name and a total"),
        ("written red 1 red 2", "a.txt: written.red: this total stands there twice"),
        ("written red x", 'a.txt: written: expected the total of "red", found "x"'),
        ("written rde 3", 'a.txt: written: unknown key "rde", did you mean red?'),
    ],
)
def test_wrong_lines_name_the_part_and_what_was_expected(text, message):
    with pytest.raises(SheetError) as caught:
        parse_sheet(text, "a.txt")
    assert str(caught.value).startswith(message)


WORDS = [
    "red",
    "dice",
    "player",
    "written",
    "total",
    "|",
    "x2",
    "b",
    "-",
    ".",
    "?",
    "X",
    "3",
    "12",
    '"',
    '"A"',
    "\\",
]


@given(st.lists(st.sampled_from(WORDS)).map(" ".join) | st.text())
def test_whatever_comes_it_is_a_sheet_or_a_sheet_error(text):
    sheet, error = outcome(lambda: parse_sheet(text, "a.txt"), SheetError)
    assert error.startswith("a.txt: ") if sheet is None else parse_sheet(format_sheet(sheet)) == sheet
