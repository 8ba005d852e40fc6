"""Files spoilt by chance: whatever is wrong with them, it is said where, and nothing breaks."""

import json
import random

import pytest

from tests.cli.test_cards import LEGAL, TOML

SHEET = {
    "player": "Ana",
    "red": {"numbers": [1, 3, 3, 5], "double": True, "bridge": False},
    "dice": {"marks": [True, True]},
    "artifacts": {"marks": 1},
    "written": {"red": 10, "total": -30},
}
LINE = 'player "Ana" | red 1 3 . 5 x2 | blue - | artifacts 4 | dice X . X b | written red -10 total 143'
SHEET_TOML = 'player = "Ana"\nred = {numbers = [1, ".", 3], double = true}\n[dice]\nmarks = 4\n'
RULES = "bridge_points = 10\ndice_points = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]\n"
RULES += '[severity]\ngap = "warning"\n[cards]\nrounds = 2\n'
SEEDS = range(150)
# Letters that mean something to one of the forms, and some that nobody expects.
LETTERS = '{}[]",:|=.?-xb 019\n\t\\\0\x85\u2028\ud7ffé🦊'


def spoilt(text: str, chance: random.Random) -> bytes:
    """The text with a few letters, or bytes, taken out, put in, changed or repeated."""
    letters = list(text)
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(letters) + 1)
        kind = chance.choice(["drop", "insert", "change", "repeat", "cut"])
        if kind == "drop":
            del letters[place : place + chance.randint(1, 5)]
        elif kind == "insert":
            letters.insert(place, chance.choice(LETTERS))
        elif kind == "change":
            letters[place : place + 1] = chance.choice(LETTERS)
        elif kind == "repeat":
            letters[place:place] = letters[place : place + 10] * chance.choice([1, 3])
        elif chance.random() < 0.2:
            del letters[place:]
    data = bytearray("".join(letters).encode())
    if chance.random() < 0.1:
        data.insert(chance.randrange(len(data) + 1), chance.randrange(128, 256))
    return bytes(data)


KINDS = {
    "sheet.json": (json.dumps(SHEET), ["score", "{}"]),
    "indented.json": (json.dumps([SHEET, SHEET], indent=1), ["score", "{}"]),
    "sheets.jsonl": (f"{json.dumps(SHEET)}\n{json.dumps(SHEET)}\n", ["score", "{}", "--game"]),
    "sheet.toml": (SHEET_TOML, ["score", "{}"]),
    "sheets.txt": (f"{LINE}\n{LINE}\n", ["score", "{}", "--explain"]),
    "rules.toml": (RULES, ["rules", "--rules", "{}"]),
    "cards.json": (json.dumps(LEGAL), ["cards", "{}"]),
    "cards.toml": (TOML, ["cards", "{}"]),
}


@pytest.mark.parametrize("name", KINDS)
def test_spoilt_files_are_named_with_the_place_and_break_nothing(run, tmp_path, name):
    text, command = KINDS[name]
    path = tmp_path / name
    wrong = 0
    for seed in SEEDS:
        path.write_bytes(spoilt(text, random.Random(f"{name} {seed}")))
        result = run(*[part.replace("{}", str(path)) for part in command])
        if result.exit_code in (0, 1):
            continue
        wrong += 1
        assert result.exit_code == (2 if name == "rules.toml" else 3)
        said = " ".join(result.stderr.split())
        assert str(path) in said
        assert "unexpected" not in said
    # Some spoilt files are right by chance; most are not.
    assert wrong >= len(SEEDS) / 3


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"red": {"numbers": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}}', "red.numbers[9]: expected at most 9 numbers"),
        ('{"red": {"numbers": [1, "2"]}}', 'red.numbers[1]: expected a whole number, "?" or null, found "2"'),
        ('{"red": {"numbers": [1.0]}}', 'red.numbers[0]: expected a whole number, "?" or null, found 1.0'),
        ('{"red": {"numbers": [NaN]}}', 'red.numbers[0]: expected a whole number, "?" or null, found nan'),
        ('{"red": {"numbrs": []}}', 'red: unknown key "numbrs", did you mean numbers?'),
        ('{"rde": {}}', 'unknown key "rde", did you mean red?'),
        ('{"dice": {"marks": 10}}', "dice.marks: expected a count from 0 to 9, found 10"),
        ('{"dice": {"marks": 2, "double": true}}', 'dice: unknown key "double"'),
        ('{"written": {"red": "x"}}', 'written.red: expected a whole number, found "x"'),
        ("red 1 2 3 4 5 6 7 8 9 10", "line 1: red[9]: expected at most 9 numbers"),
        ("red 1 b x3", "red: expected nothing but x2 and b at the end, each once"),
        ("red", "red: expected what is in the column, or - for nothing"),
        ("red 1 | red 2", "red: this part stands there twice"),
        ("player", "player: expected a name"),
        ("dice 12", "dice: expected a count from 0 to 9, found 12"),
    ],
)
def test_wrong_sheets_say_the_place_and_what_was_expected(run, text, said):
    result = run("score", "-", input=text)
    assert result.exit_code == 3
    assert said in result.stderr
    assert result.stderr.startswith("rollwrite: <stdin>")
