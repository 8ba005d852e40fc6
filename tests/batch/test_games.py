"""Games of a stack: by folder, by table, by counting; rankings, checks and the league over all of them."""

from __future__ import annotations

import csv
from dataclasses import replace

import pytest

from batch.assign import unmatched
from batch.games import league, played_games
from batch.record import read_record
from batch.run import GameChoice
from batch.tables import write_tables
from tests.batch.stacks import RUN, lines_of, refused, sheet, stack

LOW, HIGH = "red 1 2 | dice 1", "red 1 2 3 4 5 6 | dice 1"


def record_of(folder, choice, *entries):
    return read_record(stack(folder, [lines_of(entry) for entry in entries], replace(RUN, games=choice)))


def members(record):
    return {game.name: [result.title for result in game.results] for game in played_games(record)}


def test_a_folder_is_a_game_called_by_what_tells_it_from_the_others(tmp_path):
    paths = ["x/May 1/ana.jpg", "x/May 1/ben.jpg", "x/May 2/late/ana.jpg", "x/alone.jpg"]
    record = record_of(tmp_path, GameChoice("folder"), *(sheet(LOW, path) for path in paths))
    assert members(record) == {"x": ["alone"], "May 1": ["ana", "ben"], "May 2/late": ["ana"]}


def test_the_only_folder_is_called_by_its_name(tmp_path):
    record = record_of(tmp_path, GameChoice("folder"), sheet(LOW, "x/May 1/a.jpg"), sheet(LOW, "x/May 1/b.jpg"))
    assert members(record) == {"May 1": ["a", "b"]}


def test_counting_gives_a_place_to_what_could_not_be_read_and_none_to_copies(tmp_path):
    original = sheet(LOW, "IMG_1.jpg")
    copy = replace(original, path="IMG_2.jpg")
    others = [sheet(LOW, "IMG_9.jpg"), refused("IMG_10.jpg"), sheet(LOW, "IMG_11.jpg"), sheet(LOW, "IMG_12.jpg")]
    record = record_of(tmp_path, GameChoice("count", players=2), original, copy, *others)
    assert members(record) == {
        "game 1": ["IMG_1", "IMG_9"],
        "game 2": ["IMG_10", "IMG_11"],
        "game 3": ["IMG_12"],
    }
    assert [game.complete for game in played_games(record)] == [True, False, True]


def test_a_table_names_games_and_players(tmp_path):
    rows = (
        ("a.jpg", "May", "Ana"),
        ("./x\\b.jpg", "May", "Bén"),
        ("two.pdf", "June", "Ana"),
        ("two.pdf", "July", "Bén"),
        ("gone.jpg", "July", "Ana"),
    )
    pages = [sheet(LOW, "y/two.pdf", page=page) for page in (1, 2)]
    texts = [lines_of(sheet(LOW, "x/a.jpg")), lines_of(sheet(HIGH, "x/b.jpg")), lines_of(*pages)]
    texts.append(lines_of(sheet(LOW, "z/b.jpg")))
    record = read_record(stack(tmp_path, texts, replace(RUN, games=GameChoice("table", rows))))
    assert members(record) == {"May": ["Ana", "Bén"], "June": ["Ana"], "July": ["Bén"]}
    assert unmatched(record.results, rows) == ("gone.jpg",)
    assert [record.entry(result).sheet.player for result in record.results] == [  # type: ignore[union-attr]
        "Ana",
        "Bén",
        "Ana",
        "Bén",
        None,
    ]


def test_checks_of_a_game_see_all_of_its_sheets(tmp_path):
    sheets = [sheet("red 1 2 3 4 5 6 7 b", "x/a.jpg"), sheet("red 1 1 1 1 1 1 1 b", "x/b.jpg")]
    (game,) = played_games(record_of(tmp_path, GameChoice("folder"), *sheets))
    assert "bridge-claimed-twice" in [violation.code for violation in game.violations]


def test_a_game_that_cannot_be_is_broken(tmp_path):
    sheets = [sheet("red 1 2 3 4 5 6 7 8 9 | blue 1 2 3 4 5 6 7 8 9", "x/a.jpg"), sheet("dice 1", "x/b.jpg")]
    (game,) = played_games(record_of(tmp_path, GameChoice("folder"), *sheets))
    assert [violation.code for violation in game.violations if violation.severity == "error"] == ["turn-count"]
    assert game.broken


def test_a_game_with_a_sheet_missing_is_ranked_but_not_judged(tmp_path):
    (game,) = played_games(record_of(tmp_path, GameChoice("folder"), sheet(LOW, "a.jpg"), refused("b.jpg")))
    assert (game.complete, game.violations, [place.player for place in game.ranking]) == (False, (), ["a"])


def test_the_league_adds_up(tmp_path):
    sheets = {
        "1/ana.jpg": HIGH,
        "1/ben.jpg": LOW,
        "2/ana.jpg": LOW,
        "2/ben.jpg": LOW,
        "3/ana.jpg": LOW,
        "3/chloe.jpg": "red 1 2 3 4 5 6 7 8 9 x2 | dice 1",
    }
    record = record_of(
        tmp_path, GameChoice("folder"), *(sheet(line, path) for path, line in sheets.items()), refused("4/ana.jpg")
    )
    totals = {result.input: result.summary.total for result in record.results if result.summary}
    games = tuple(played_games(record))
    standings = {row.player: row for row in league(games)}
    assert next(iter(standings)) == "ana"
    ana, ben, chloe = (standings[name] for name in ("ana", "ben", "chloe"))
    assert (ana.games, ana.wins) == (3, 2)  # the second one shared; the fourth, unread one is no game
    assert (ben.games, ben.wins) == (2, 1)
    assert (chloe.games, chloe.wins) == (1, 1)
    assert ana.points == totals["1/ana.jpg"] + totals["2/ana.jpg"] + totals["3/ana.jpg"]
    assert ana.mean == pytest.approx(ana.points / 3)
    assert ben.best_total == max(totals["1/ben.jpg"], totals["2/ben.jpg"])
    assert (chloe.best_column, chloe.best_column_points) == ("red", 100)  # nine spaces are 50, doubled


def test_tables_say_the_same_for_spreadsheets(tmp_path):
    entries = [sheet(HIGH, "1/Jürgen.jpg"), sheet(LOW, "1/ben.jpg"), refused("2/x.jpg"), sheet(LOW, "2/ben.jpg")]
    twin = replace(entries[1], path="2/copy.jpg")
    record = record_of(tmp_path, GameChoice("folder"), *entries, twin)
    games = tuple(played_games(record))
    write_tables(record, games, league(games))
    tables = {}
    for name in ("results", "games", "league"):
        text = (tmp_path / f"{name}.csv").read_bytes()
        assert text.startswith(b"\xef\xbb\xbf")
        tables[name] = list(csv.DictReader(text.decode("utf-8-sig").splitlines()))
    assert [(row["path"], row["game"], row["place"], row["duplicate_of"]) for row in tables["results"]] == [
        ("1/ben.jpg", "1", "2", ""),
        ("1/Jürgen.jpg", "1", "1", ""),
        ("2/ben.jpg", "2", "1", ""),
        ("2/copy.jpg", "", "", "1/ben.jpg"),
        ("2/x.jpg", "2", "", ""),
    ]
    assert [(row["game"], row["place"], row["player"], row["status"]) for row in tables["games"]] == [
        ("1", "1", "Jürgen", "ok"),
        ("1", "2", "ben", "ok"),
        ("2", "1", "ben", "ok"),
        ("2", "", "x", "no-sheet"),
    ]
    assert [(row["player"], row["games"], row["wins"]) for row in tables["league"]] == [
        ("Jürgen", "1", "1"),
        ("ben", "1", "0"),
    ]
    write_tables(replace(record, run=RUN), (), ())
    assert not (tmp_path / "games.csv").exists()
