"""`rollwrite cards`: games of the card game from files and stdin, in every format."""

import csv
import io
import json

import pytest

COLOURS = ("yellow", "blue", "white", "green", "red")
LEGAL = {
    "players": ["Ana", "Ben"],
    "expeditions": 5,
    "rounds": [
        {"Ana": {"yellow": ["w", "w", 2, 5, 8]}, "Ben": {"red": [2, 3, 4]}},
        {"Ana": {}, "Ben": {"blue": [10]}},
        {"Ana": {"red": [9, 10]}, "Ben": {}},
    ],
}
# Ana: -15, 0, -1. Ben: -11, -10, 0.
TOTALS = {"Ana": -16, "Ben": -21}
BROKEN = {**LEGAL, "rounds": [{"Ana": {"yellow": [5, 4]}, "Ben": {}}, {}, {}]}
TOML = """
players = ["Ana", "Ben"]
[[rounds]]
Ana.yellow = ["w", "w", 2, 5, 8]
Ben.red = [2, 3, 4]
[[rounds]]
Ben.blue = [10]
[[rounds]]
Ana.red = [9, 10]
"""


@pytest.fixture
def games(tmp_path):
    """Writes a game into a file of that name."""

    def write(data, name="game.json"):
        path = tmp_path / name
        path.write_text(data if isinstance(data, str) else json.dumps(data), "utf-8")
        return path

    return write


def scored(run, *args, **options):
    return json.loads(run("cards", *args, "--format", "json", **options).stdout)


def test_json_has_the_agreed_shape(run, games):
    result = run("cards", games(LEGAL), "--format", "json")
    assert (result.exit_code, result.stderr) == (0, "")
    data = json.loads(result.stdout)
    assert data["schema"] == "rollwrite.cards/1"
    assert data["rounds"][0] == {
        "Ana": {**dict.fromkeys(COLOURS, 0), "yellow": -15, "total": -15},
        "Ben": {**dict.fromkeys(COLOURS, 0), "red": -11, "total": -11},
    }
    assert data["totals"] == TOTALS
    assert data["ranking"] == [
        {"player": "Ana", "total": -16, "place": 1},
        {"player": "Ben", "total": -21, "place": 2},
    ]
    assert (data["next_starter"], data["violations"]) == ("Ana", [])


def test_toml_and_stdin_give_the_same(run, games):
    expected = scored(run, games(LEGAL))
    for path, text in ((games(TOML, "game.toml"), None), ("-", json.dumps(LEGAL)), ("-", TOML)):
        assert {**scored(run, path, input=text), "source": None} == {**expected, "source": None}


def test_a_violation_ends_with_1(run, games):
    result = run("cards", games(BROKEN), "--format", "json")
    assert result.exit_code == 1
    (violation,) = json.loads(result.stdout)["violations"]
    assert (violation["code"], violation["severity"], violation["round"]) == ("not-rising", "error", 1)
    assert (violation["player"], violation["expedition"]) == ("Ana", "yellow")
    assert "4 lies on 5" in violation["message"]


def test_a_warning_alone_ends_with_0(run, games):
    result = run("cards", games({**LEGAL, "rounds": LEGAL["rounds"][:1]}), "--format", "json")
    assert result.exit_code == 0
    (violation,) = json.loads(result.stdout)["violations"]
    assert (violation["code"], violation["round"], violation["player"]) == ("round-count", None, None)


def test_table_shows_points_ranking_and_violations(run, games):
    result = run("cards", games(BROKEN))
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["round", "player", *COLOURS, "total"] in lines
    assert ["1", "Ana", "-11", "0", "0", "0", "0", "-11"] in lines
    assert ["1.", "0", "Ben"] in lines
    assert ["2.", "-11", "Ana"] in lines
    assert "Ben has more points and starts the next round" in result.stdout
    assert "error    round 1, Ana, yellow: 4 lies on 5" in result.stdout


def test_table_of_equals_leaves_open_who_starts(run, games):
    result = run("cards", games({**LEGAL, "rounds": [{}, {}, {}]}))
    assert "equal: who starts next is open" in result.stdout


def test_table_shows_expeditions_that_the_game_does_not_have(run, games):
    result = run("cards", games({**LEGAL, "rounds": [{"Ana": {"purple": [2]}}, {}, {}]}))
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["round", "player", *COLOURS, "purple", "total"] in lines
    assert result.exit_code == 1


def test_csv_has_a_row_for_each_player_of_a_round_and_for_the_totals(run, games, tmp_path):
    rows = list(csv.DictReader(io.StringIO(run("cards", games(BROKEN), "--format", "csv").stdout)))
    assert len(rows) == 3 * 2 + 2
    assert (rows[0]["round"], rows[0]["player"], rows[0]["yellow"]) == ("1", "Ana", "-11")
    assert rows[0]["violations"] == "not-rising"
    assert [(row["player"], row["total"], row["place"]) for row in rows[-2:]] == [
        ("Ben", "0", "1"),
        ("Ana", "-11", "2"),
    ]
    target = tmp_path / "out.csv"
    run("cards", games(BROKEN), "--format", "csv", "-o", target)
    assert target.read_bytes().startswith(b"\xef\xbb\xbf")


def test_several_files_are_a_list_and_the_wrong_ones_are_named(run, games, tmp_path):
    wrong = games({**LEGAL, "players": ["Ana"]}, "wrong.json")
    (tmp_path / "bytes").write_bytes(b"\xff\xff\xff")
    paths = [games(LEGAL), wrong, tmp_path / "missing", tmp_path, tmp_path / "bytes"]
    for form in ("json", "jsonl"):
        result = run("cards", *paths, "--format", form)
        assert result.exit_code == 3
        lines = result.stdout.splitlines()
        good, *bad = json.loads(result.stdout) if form == "json" else [json.loads(line) for line in lines]
        assert good["totals"] == TOTALS
        assert [entry["error"]["code"] for entry in bad] == [
            "invalid-game",
            "not-found",
            "invalid-game",
            "invalid-game",
        ]
        assert {entry["schema"] for entry in (good, *bad)} == {"rollwrite.cards/1"}
        messages = result.stderr.splitlines()
        assert "wrong.json: players: expected a list of 2 names" in messages[0]
        assert all(str(path) in message for path, message in zip(paths[1:], messages, strict=True))
    table = run("cards", *paths).stdout
    assert f"{wrong}: not read (invalid-game)" in table
    rows = list(csv.DictReader(io.StringIO(run("cards", *paths, "--format", "csv").stdout)))
    assert [row["status"] for row in rows] == ["ok"] * 8 + ["error"] * 4


def test_the_descriptions_give_different_totals(run, games):
    lone = {"players": ["Ana", "Ben"], "rounds": [{"Ana": {"red": ["w", "w"]}}, {}, {}]}
    eight = {"players": ["Ana", "Ben"], "rounds": [{"Ana": {"red": ["w", "w", "w", 2, 3, 4, 5, 6]}}, {}, {}]}
    totals = {
        (): (-60, 20),
        ("--lone-investments", "counted", "--bonus-counts", "all"): (-60, 20),
        ("--lone-investments", "not-counted"): (0, 20),
        ("--bonus-counts", "numbers"): (-60, 0),
    }
    for options, expected in totals.items():
        found = tuple(scored(run, games(data), *options)["totals"]["Ana"] for data in (lone, eight))
        assert found == expected, options


def test_rounds_are_a_setting(run, games):
    one = games({**LEGAL, "rounds": LEGAL["rounds"][:1]})
    assert [v["code"] for v in scored(run, one)["violations"]] == ["round-count"]
    assert scored(run, one, "--rounds", 1)["violations"] == []
    assert scored(run, one, "--rounds", 0)["violations"] == []


def test_settings_of_a_file_hold_unless_an_option_says_otherwise(run, games, tmp_path):
    rules = tmp_path / "rules.toml"
    rules.write_text("[cards]\nlone_investments = 'not-counted'\nexpedition_cost = 10\n")
    path = games({**LEGAL, "rounds": [{"Ana": {"red": ["w"], "blue": [2]}}, {}, {}]})
    assert scored(run, path, "--rules", rules)["totals"]["Ana"] == -8
    assert scored(run, path, "--rules", rules, "--lone-investments", "counted")["totals"]["Ana"] == -20 - 8


def test_results_never_overwrite_the_game(run, games):
    path = games(LEGAL)
    result = run("cards", path, "-o", path)
    assert result.exit_code == 2
    assert json.loads(path.read_text()) == LEGAL


def test_names_cannot_steer_the_terminal(run, games):
    data = {"players": ["A\x1b[2J", "Ben"], "rounds": [{}, {}, {}]}
    assert "\x1b" not in run("cards", games(data)).stdout
