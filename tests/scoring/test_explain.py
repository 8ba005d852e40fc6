from hypothesis import given

from layouts.model import COLUMNS
from scoring import RuleSet, explain, parse_sheet, score
from tests.scoring.strategies import sheets


def texts(line, rules=None):
    return {part.column: part.text for part in explain(score(parse_sheet(line), rules), rules)}


def test_words_of_each_kind_of_column():
    found = texts("red 1 3 3 x2 b | orange 5 | yellow - x2 | artifacts 4 | dice 9")
    assert found == {
        "red": "3 spaces filled: -10; the double circle doubles that: -20",
        "orange": "1 space filled: -20",
        "yellow": "the double circle is marked, but the column holds no number: 0",
        "green": "not started: 0",
        "blue": "not started: 0",
        "purple": "not started: 0",
        "artifacts": "4 artifacts marked: 10",
        "dice": "9 dice marked, so the player is exhausted: 0",
        "bridges": "1 bridge claimed, 20 each: 20",
        "total": "-20 - 20 + 10 + 20 = -10",
    }


def test_words_of_an_empty_sheet():
    found = texts("red -")
    assert found["artifacts"] == found["dice"] == "none marked: 0"
    assert (found["bridges"], found["total"]) == ("none claimed: 0", "0")


def test_words_follow_the_rules():
    rules = RuleSet.from_toml("double_factor = 3\nbridge_points = 7\nlone_double_points = -100")
    found = texts("red 1 x2 b | blue - x2", rules)
    assert found["red"] == "1 space filled: -20; the double circle multiplies that by 3: -60"
    assert found["blue"] == "the double circle is marked, but the column holds no number: -100"
    assert found["bridges"] == "1 bridge claimed, 7 each: 7"


@given(sheets)
def test_explained_are_all_points_in_the_order_of_the_sheet(sheet):
    card = score(sheet)
    parts = explain(card)
    assert [(part.column, part.points) for part in parts] == list(card.to_dict().items())
    assert [part.column for part in parts] == [*COLUMNS, "bridges", "total"]
    assert all(part.text.endswith(str(part.points)) for part in parts)
    assert parts[0].to_dict() == {"column": "red", "points": parts[0].points, "text": parts[0].text}
