"""Sheets typed by hand, from every form to every format."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

# 3 and 4 numbers: -10 and 5, doubled 10; two dice: -30.
LEGAL = "red 1 2 3 | blue 1 1 1 1 x2 | dice 2"
TOTAL = -10 + 10 - 30
BROKEN = "red 3 1"


@pytest.fixture
def sheets(tmp_path):
    """Writes the lines into a file of that name."""

    def write(text, name="sheets.txt"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_legal_sheet_ends_with_0(run, sheets):
    result = run("score", sheets(LEGAL))
    assert (result.exit_code, result.stderr) == (0, "")
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["red", "1", "2", "3", *"......", "3", "-10"] in lines
    assert ["blue", "1", "1", "1", "1", *".....", "4", "10", "x2"] in lines
    assert ["dice", "x", "x", *".......", "2", "-30"] in lines
    assert ["total", str(TOTAL)] in lines


def test_error_ends_with_1_and_names_the_place(run, sheets):
    result = run("score", sheets(BROKEN))
    assert result.exit_code == 1
    assert "red, space 2" in result.stdout
    assert "(descending)" in result.stdout


def test_warning_alone_ends_with_0(run, sheets):
    result = run("score", sheets("red 10"))
    assert result.exit_code == 0
    assert "(starts-with-ten)" in result.stdout


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", '{"red": {"numbers": [1, 2, 3]}, "dice": {"marks": 2}}'),
        ("a.jsonl", '{"red": {"numbers": [1, 2, 3]}, "dice": {"marks": 2}}\n'),
        ("a.toml", "red.numbers = [1, 2, 3]\ndice.marks = 2\n"),
        ("a.txt", "red 1 2 3 | dice 2"),
    ],
)
def test_every_form_gives_the_same(run, sheets, name, text):
    result = run("score", sheets(text, name), "--format", "json")
    (entry,) = json.loads(result.stdout)
    assert entry["status"] == "ok"
    assert entry["score"]["total"] == -10 - 30


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_stdin_in_the_encodings_that_shells_write(run, encoding):
    result = run("score", "-", "--format", "json", input='{"player": "Jürgen", "dice": {"marks": 2}}'.encode(encoding))
    (entry,) = json.loads(result.stdout)
    assert entry["source"] == {"path": "<stdin>", "index": 1}
    assert entry["sheet"]["player"] == "Jürgen"


def test_json_has_the_agreed_shape(run, sheets):
    path = sheets(f"{LEGAL}\n{BROKEN}")
    result = run("score", path, "--format", "json")
    first, second = json.loads(result.stdout)
    assert set(first) == {"schema", "source", "status", "sheet", "score", "violations"}
    assert first["schema"] == "rollwrite.score/1"
    assert (first["source"], second["source"]) == ({"path": str(path), "index": 1}, {"path": str(path), "index": 2})
    assert first["sheet"]["red"] == {"numbers": [1, 2, 3] + [None] * 6, "double": False, "bridge": False}
    assert first["score"]["total"] == TOTAL
    (violation,) = (entry for entry in second["violations"] if entry["severity"] == "error")
    assert (violation["code"], violation["column"], violation["space"]) == ("descending", "red", 2)
    assert violation["observed"] == 1


def test_jsonl_is_one_object_a_line(run, sheets):
    result = run("score", sheets(f"{LEGAL}\n{LEGAL}"), "--format", "jsonl")
    assert [json.loads(line)["source"]["index"] for line in result.stdout.splitlines()] == [1, 2]


def test_csv_has_a_row_a_sheet(run, sheets):
    result = run("score", sheets(f"{LEGAL}\n{BROKEN}\nnonsense"), "--format", "csv")
    first, second, third = csv.DictReader(io.StringIO(result.stdout))
    assert (first["status"], first["total"], first["errors"]) == ("ok", str(TOTAL), "0")
    assert second["errors"] == "1"
    assert second["violations"].split("; ")[0] == "descending red/2"
    assert (third["status"], third["code"], third["total"]) == ("error", "invalid-sheet", "")
    assert result.exit_code == 3


def test_csv_file_opens_in_a_spreadsheet(run, tmp_path):
    target = tmp_path / "out.csv"
    result = run("score", "-", "--format", "csv", "-o", target, input='{"player": "Jürgen"}')
    assert result.stdout == ""
    assert target.read_bytes().startswith(b"\xef\xbb\xbf")
    assert "Jürgen" in target.read_text("utf-8-sig")


@pytest.mark.parametrize("form", ["table", "json", "jsonl", "csv"])
def test_file_gets_what_stdout_would(run, sheets, tmp_path, form):
    target = tmp_path / "out"
    target.write_text("older results, longer than the new ones" * 1000)
    path = sheets(f"{LEGAL}\n{BROKEN}")
    printed = run("score", path, "--format", form)
    written = run("score", path, "--format", form, "-o", target)
    assert written.exit_code == printed.exit_code == 1
    assert written.stdout == ""
    assert target.read_text("utf-8-sig") == printed.stdout


def test_wrong_ones_are_named_and_the_others_scored(run, sheets, tmp_path):
    good, bad = sheets(LEGAL), sheets('{"red": {"numbers": [1, "x"]}}', "bad.json")
    (tmp_path / "bytes.txt").write_bytes(b"\xff\xff\xff")
    paths = [bad, tmp_path / "missing.json", tmp_path, tmp_path / "bytes.txt", good]
    result = run("score", *paths, "--format", "json")
    assert result.exit_code == 3
    *failures, entry = json.loads(result.stdout)
    assert [failure["error"]["code"] for failure in failures] == [
        "invalid-sheet",
        "not-found",
        "invalid-sheet",
        "invalid-sheet",
    ]
    assert all(failure["error"]["message"] and failure["error"]["remedy"] for failure in failures)
    assert entry["score"]["total"] == TOTAL
    messages = result.stderr.splitlines()
    assert len(messages) == 4
    assert "bad.json: red.numbers[1]: expected a whole number" in messages[0]
    assert all(str(path) in message for path, message in zip(paths, messages, strict=False))


def test_one_wrong_sheet_in_a_file_costs_only_itself(run, sheets):
    result = run("score", sheets(f"{LEGAL}\nviolet 3\n{LEGAL}"), "--format", "jsonl")
    entries = [json.loads(line) for line in result.stdout.splitlines()]
    assert [entry["status"] for entry in entries] == ["ok", "error", "ok"]
    assert [entry["source"]["index"] for entry in entries] == [1, 2, 3]
    assert "line 2" in result.stderr


def test_game_ranks_with_shared_places(run, sheets):
    path = sheets("\n".join(["dice 5", "dice 8", "dice 5", "red 1"]))
    result = run("score", path, "--game", "--players", "Ana,Ben,Cleo,Dan", "--format", "json")
    game = json.loads(result.stdout)
    assert game["schema"] == "rollwrite.game/1"
    assert game["ranking"] == [
        {"player": "Ben", "total": 70, "place": 1},
        {"player": "Ana", "total": 20, "place": 2},
        {"player": "Cleo", "total": 20, "place": 2},
        {"player": "Dan", "total": -20, "place": 4},
    ]
    assert [entry["sheet"]["player"] for entry in game["sheets"]] == ["Ana", "Ben", "Cleo", "Dan"]
    assert "game-not-over" in [violation["code"] for violation in game["violations"]]


def test_game_table_and_csv_show_the_places(run, sheets):
    path = sheets("dice 5\ndice 8\ndice 5")
    table = run("score", path, "--game", "--players", "Ana,Ben,Cleo").stdout
    ranking = table[table.index("ranking") :].splitlines()[1:4]
    assert [line.split() for line in ranking] == [["1.", "70", "Ben"], ["2.", "20", "Ana"], ["2.", "20", "Cleo"]]
    rows = csv.DictReader(io.StringIO(run("score", path, "--game", "--format", "csv").stdout))
    assert [row["place"] for row in rows] == ["2", "1", "2"]


def test_game_as_json_lines_is_one_object(run, sheets):
    result = run("score", sheets("dice 5\ndice 8"), "--game", "--format", "jsonl")
    (line,) = result.stdout.splitlines()
    assert json.loads(line)["schema"] == "rollwrite.game/1"


def test_a_sheet_missing_from_a_game_leaves_the_game_checks_out(run, sheets):
    result = run("score", sheets("dice 5\nnonsense\ndice 4"), "--game", "--players", "Ana,Ben,Cleo", "--format", "json")
    game = json.loads(result.stdout)
    assert result.exit_code == 3
    assert [place["player"] for place in game["ranking"]] == ["Ana", "Cleo"]
    assert game["violations"] == []
    assert "checks over the whole game are left out" in result.stderr


def test_names_that_do_not_match_the_sheets_are_said(run, sheets):
    result = run("score", sheets("dice 5\ndice 4"), "--players", "Ana")
    assert result.exit_code == 0
    assert "--players names 1, but there are 2 sheets" in result.stderr


def test_own_rules_change_the_points(run, sheets, tmp_path):
    rules = tmp_path / "rules.toml"
    rules.write_text("bridge_points = 7")
    result = run("score", sheets("red 1 1 1 1 1 1 1 b"), "--rules", rules, "--format", "json")
    assert json.loads(result.stdout)[0]["score"]["bridges"] == 7


def in_shell(args, encoding="utf-8", text=LEGAL, **variables):
    environment = {"PATH": "", "PYTHONIOENCODING": encoding, **variables}
    return subprocess.run(
        [sys.executable, "-m", "cli", *args], input=text.encode(), capture_output=True, check=False, env=environment
    )


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
@pytest.mark.parametrize("form", ["table", "json", "csv"])
def test_narrow_consoles_do_not_crash(encoding, form):
    result = in_shell(["score", "-", "--format", form], encoding, '{"player": "Łucja 🦊"}')
    assert (result.returncode, result.stderr) == (0, b"")
    if form == "json":
        assert json.loads(result.stdout)[0]["sheet"]["player"] == "Łucja 🦊"


def test_closed_pipe_is_quiet():
    command = f"{sys.executable} -m cli score - --format json | head -n 1"
    sheets = "\n".join([LEGAL] * 2000)
    result = subprocess.run(["bash", "-c", command], input=sheets.encode(), capture_output=True, check=False)
    assert (result.stdout, result.stderr) == (b"[\n", b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("form", ["table", "jsonl"])
def test_a_full_disk_is_said(run, sheets, form):
    result = run("score", sheets(LEGAL), "--format", form, "-o", "/dev/full")
    assert result.exit_code == 3
    (line,) = result.stderr.splitlines()
    assert "No space left on device; choose another place" in line


def explained(run, line, *options):
    result = run("score", "-", "--explain", "--format", "json", *options, input=line)
    (entry,) = json.loads(result.stdout)
    return {part["column"]: (part["points"], part["text"]) for part in entry["explanation"]}


def test_explanations_say_how_points_came_about(run):
    parts = explained(run, "red 1 3 3 x2 b | orange 5 | yellow - x2 | artifacts 4 | dice 9 b | blue 1 2 3 4 5 6 7")
    assert parts == {
        "red": (-20, "3 spaces filled: -10; the double circle doubles that: -20"),
        "orange": (-20, "1 space filled: -20"),
        "yellow": (0, "the double circle is marked, but the column holds no number: 0"),
        "green": (0, "not started: 0"),
        "blue": (30, "7 spaces filled: 30"),
        "purple": (0, "not started: 0"),
        "artifacts": (10, "4 artifacts marked: 10"),
        "dice": (0, "9 dice marked, so the player is exhausted: 0"),
        "bridges": (40, "2 bridges claimed, 20 each: 40"),
        "total": (40, "-20 - 20 + 30 + 10 + 40 = 40"),
    }


def test_explanations_of_an_empty_sheet_and_of_other_rules(run, tmp_path):
    rules = tmp_path / "rules.toml"
    rules.write_text("double_factor = 3\nexhausting_dice = 1")
    parts = explained(run, "red 1 x2 | dice 1", "--rules", rules)
    assert parts["red"] == (-60, "1 space filled: -20; the double circle multiplies that by 3: -60")
    assert parts["dice"] == (-40, "1 die marked, so the player is exhausted: -40")
    assert (parts["artifacts"], parts["bridges"]) == ((0, "none marked: 0"), (0, "none claimed: 0"))
    assert explained(run, "red -")["total"] == (0, "0")


def test_the_table_shows_explanations_below(run):
    lines = run("score", "-", "--explain", input="red 1 3 3 5 x2").stdout.splitlines()
    assert "  red         4 spaces filled: 5; the double circle doubles that: 10" in lines
    assert "  total       10" in lines
    assert not any("not started" in line for line in run("score", "-", input="red 1").stdout.splitlines())


def test_a_turn_too_many_is_told_to_the_players(run, sheets):
    path = sheets("player Ana | red 1 2 3 4\nplayer Ben | blue 5 | dice 1")
    result = run("score", path, "--game")
    assert result.exit_code == 1
    assert "no number of turns fits everybody: Ana's sheet takes 4 turns, Ben's 2 turns" in result.stdout


def test_a_sheet_twice_is_told(run, sheets):
    line = "red 1 2 3 | blue 4 5 6 | dice 9"
    result = run("score", sheets(f"{line}\n{line}"), "--game", "--players", "Ana,Ben", "--format", "json")
    (found,) = (entry for entry in json.loads(result.stdout)["violations"] if entry["code"] == "sheet-twice")
    assert (found["severity"], found["players"]) == ("warning", ["Ana", "Ben"])
