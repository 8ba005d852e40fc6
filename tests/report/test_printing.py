import io
import json
import re

import pytest
from rich.console import Console

from commands.output import wants_colour
from layouts import COLUMNS, load_layout
from report.coloured import print_coloured
from report.data import dumps
from report.entries import Failure, Game, Report, ScoredSheet, ranking, title
from report.plain import plain_text
from scoring import audit_game, parse_sheet, score, validate


class Terminal(io.TextIOWrapper):
    def __init__(self, encoding="utf-8"):
        super().__init__(io.BytesIO(), encoding=encoding, errors="replace", write_through=True)

    def isatty(self):
        return True

    @property
    def text(self):
        return self.buffer.getvalue().decode(self.encoding)


def scored_sheet(line, path="a.txt", index=1, player=None):
    sheet = parse_sheet(line).named(player)
    return ScoredSheet(path, index, sheet, score(sheet), validate(sheet))


def report_of(*entries):
    sheets = [entry.sheet.named(title(entry)) for entry in entries if isinstance(entry, ScoredSheet)]
    return Report(entries, Game(ranking(entries), audit_game(sheets)))


def coloured(report, encoding="utf-8"):
    terminal = Terminal(encoding)
    print_coloured(report, load_layout().colours, terminal)
    return terminal.text


@pytest.fixture
def terminal_of_256_colours(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("COLORTERM", raising=False)


REPORT = report_of(
    scored_sheet("red 3 1 b | dice 4", player="Ana"),
    scored_sheet("green 2", "b.txt"),
    Failure("c.txt", "not-found", "no such file", "check the path"),
)


def test_both_tables_say_the_same(terminal_of_256_colours):
    plain, rich = plain_text(REPORT), coloured(REPORT)
    for word in ("Ana", "b.txt", "c.txt: not read (not-found)", "descending", "bridge-not-reached", "game-not-over"):
        assert word in plain
        assert word in rich
    for column in COLUMNS:
        assert plain.count(column) >= 2
        assert rich.count(column) >= 2


def test_plain_has_no_escapes_and_only_ascii():
    assert plain_text(REPORT).isascii()
    assert "\x1b" not in plain_text(REPORT)


def test_every_column_has_a_colour_of_its_own(terminal_of_256_colours):
    lines = [line for line in coloured(REPORT).splitlines() if "\x1b[48;5;" in line][: len(COLUMNS)]
    colours = {line.split("\x1b[48;5;")[1].split("m")[0] for line in lines}
    assert len(colours) == len(COLUMNS)


def test_a_terminal_of_16_colours_tells_the_columns_apart_too(terminal_of_256_colours, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    assert Console(file=Terminal()).color_system == "standard"
    lines = [line for line in coloured(REPORT).splitlines() if "m  \x1b[0m" in line][: len(COLUMNS)]
    assert len({line.split("m  \x1b[0m")[0] for line in lines}) == len(COLUMNS)


def test_narrow_encoding_gets_plain_lines(terminal_of_256_colours):
    text = coloured(REPORT, "cp1252")
    assert "+--" in text
    assert "?" not in text.replace("(?)", "")


@pytest.mark.parametrize(
    ("variables", "terminal", "expected"),
    [
        ({}, True, True),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"TERM": "dumb"}, True, False),
        ({}, False, False),
    ],
)
def test_colours_only_where_they_are_wanted(monkeypatch, variables, terminal, expected):
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert wants_colour(Terminal() if terminal else io.StringIO()) is expected


def test_names_of_players_are_no_markup(terminal_of_256_colours):
    assert "[bold]Ana[/]" in coloured(report_of(scored_sheet("red 1", player="[bold]Ana[/]")))


def test_title_is_the_player_or_the_file():
    assert title(scored_sheet("red 1", "photos/IMG_1.jpg")) == "IMG_1"
    assert title(scored_sheet("red 1", "photos/IMG_1.jpg", index=2)) == "IMG_1-2"
    assert title(scored_sheet("red 1", player="Ana")) == "Ana"


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "ascii", None])
def test_json_survives_every_encoding(encoding):
    data = {"name": "Łucja 🦊", "path": "caf\udce9.jpg"}
    text = dumps(data, encoding)
    assert json.loads(text.encode(encoding or "ascii")) == data


def test_exit_codes_by_what_was_found():
    legal, odd, broken = scored_sheet("dice 4"), scored_sheet("red 10"), scored_sheet("red 3 1")
    failure = Failure("x", "not-found", "no such file", "check the path")
    assert Report((legal, odd)).exit_code() == 0
    assert Report((legal, broken)).exit_code() == 1
    assert Report((legal, broken, failure)).exit_code() == 3
    assert Report(()).exit_code() == 0


def test_names_neither_break_lines_nor_steer_the_terminal():
    report = report_of(scored_sheet("dice 1", path="a\r\nb.txt", player="A\x1b[2Jna\n"), Failure("\x07", "no", "", ""))
    for text in (plain_text(report), coloured(report)):
        assert "A?[2Jna?" in text
        assert "a??b.txt" in text
        assert "?: not read (no)" in text
        assert "\x1b[2J" not in text


@pytest.mark.parametrize("columns", [20, 50, 66, 72, 80])
def test_a_narrow_terminal_hides_nothing(monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    text = coloured(report_of(scored_sheet("purple 1 2 3 4 5 6 7 8 10 x2 b")))
    text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    (purple,) = (line.split() for line in text.splitlines() if line.split()[:1] == ["purple"])
    assert purple == ["purple", *"12345678", "10", "9", "100", "x2", "20"]
    assert ["total", "120"] in (line.split() for line in text.splitlines())
