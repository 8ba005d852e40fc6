"""Games as files: the sheets of each, where arrows are, and what the game shows, counted by hand."""

from pathlib import Path

import pytest

from scoring import audit_game, parse_sheet

GAMES = sorted(Path(__file__).with_name("games").glob("*.txt"))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_game(path):
    sheets, arrows, expected = [], {}, []
    for line in path.read_text("utf-8").splitlines():
        key, _, value = line.partition(": ")
        if key == "sheet":
            sheets.append(parse_sheet(value, path.name))
        elif key == "arrows":
            column, *spaces = value.split()
            arrows[column] = {int(space): "arrow" for space in spaces}
        elif key == "violation":
            code, severity, players = value.split(" ", 2)
            everybody = tuple(sheet.player for sheet in sheets)
            expected.append((code, severity, everybody if players == "-" else tuple(players.split(", "))))
        else:
            assert line.startswith("#"), line
    found = audit_game(sheets, specials=arrows)
    assert [(violation.code, violation.severity, violation.players) for violation in found] == expected
