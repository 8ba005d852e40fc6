"""Simulated games keep the rules, and a fault put into a sheet is the only one found."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from layouts import COLUMNS, load_layout
from scoring import Expedition, RuleSet, Sheet, audit_game, score, validate
from synth.faults import FAULTS, with_violation
from synth.games import play_game, player_names, with_written_totals

SPECIALS = load_layout().specials


def games(count: int, turns: bool = False) -> list[tuple[Sheet, ...]]:
    found = []
    for seed in range(count):
        rng = np.random.default_rng([7, seed])
        limit = int(rng.integers(1, 30)) if turns else None
        found.append(play_game(rng, int(rng.integers(2, 6)), turns=limit))
    return found


def test_finished_games_have_no_violation() -> None:
    for sheets in games(200):
        for sheet in sheets:
            assert validate(sheet) == ()


def test_games_broken_off_have_no_violation() -> None:
    for sheets in games(200, turns=True):
        for sheet in sheets:
            assert validate(sheet) == ()


def test_a_finished_game_is_over() -> None:
    for sheets in games(100):
        crossed = {column for sheet in sheets for column in COLUMNS if sheet[column].filled >= 7}
        assert crossed == set(COLUMNS) or all(sheet.dice.filled == 9 for sheet in sheets)


def test_whoever_crosses_first_claims_the_bridge() -> None:
    for sheets in games(100):
        for column in COLUMNS:
            crossed = any(sheet[column].filled >= 7 for sheet in sheets)
            assert any(sheet[column].bridge for sheet in sheets) == crossed


def test_over_a_whole_game_only_shared_bridges_draw_a_warning() -> None:
    for sheets in games(60):
        assert {violation.code for violation in audit_game(sheets)} <= {"bridge-claimed-twice"}


def test_columns_reach_every_height() -> None:
    heights = {
        content.filled
        for turns in (False, True)
        for sheets in games(60, turns)
        for sheet in sheets
        for content in sheet.expeditions.values()
    }
    assert heights == set(range(10))


def test_one_turn_is_at_most_one_action_and_its_accelerations() -> None:
    for seed in range(100):
        for sheet in play_game(np.random.default_rng(seed), 3, turns=1):
            numbers = sum(content.filled for content in sheet.expeditions.values())
            doubles = sum(content.double for content in sheet.expeditions.values())
            assert numbers + doubles + sheet.dice.filled == 1


def test_the_same_seed_plays_the_same_game() -> None:
    assert play_game(np.random.default_rng(5)) == play_game(np.random.default_rng(5))


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_another_process_plays_the_same_game(hash_seed: str) -> None:
    """Sets of strings are walked in another order in each process."""
    code = "import numpy as np; from synth.games import play_game; print(play_game(np.random.default_rng(5), 3))"
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)}
    played = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert played.stdout.strip() == str(play_game(np.random.default_rng(5), 3))


def test_names_go_to_the_sheets() -> None:
    sheets = play_game(np.random.default_rng(5), 2, names=("Ana", "Ben"))
    assert [sheet.player for sheet in sheets] == ["Ana", "Ben"]
    names = player_names(np.random.default_rng(0), 5)
    assert len(set(names)) == 5


@pytest.mark.parametrize("players", [1, 6])
def test_a_wrong_number_of_players_is_refused(players: int) -> None:
    with pytest.raises(ValueError, match=f"2 to 5 players, not {players}"):
        play_game(np.random.default_rng(0), players)


def test_names_must_fit_the_players() -> None:
    with pytest.raises(ValueError, match="3 players, but 2 names"):
        play_game(np.random.default_rng(0), 3, names=("Ana", "Ben"))


@pytest.mark.parametrize("columns_too", [False, True])
def test_written_totals_are_right(columns_too: bool) -> None:
    sheet = with_written_totals(games(1)[0][0], columns_too)
    assert sheet.written["total"] == score(sheet).total
    assert validate(sheet) == ()
    assert (set(sheet.written) > {"total"}) == columns_too


def test_there_is_a_fault_for_every_code_of_a_single_sheet() -> None:
    over_games = {
        "bridge-claimed-twice",
        "bridge-unclaimed",
        "sheet-twice",
        "turn-count",
        "game-not-over",
        "player-count",
    }
    assert set(FAULTS) == set(RuleSet.default().severity) - over_games


@pytest.mark.parametrize("code", FAULTS)
def test_a_fault_is_the_only_violation(code: str) -> None:
    made = 0
    for seed, sheets in enumerate(games(40, turns=True)):
        sheet = with_violation(sheets[0], code, np.random.default_rng(seed), SPECIALS)
        if sheet is not None:
            assert [violation.code for violation in validate(sheet)] == [code]
            made += 1
    assert made >= 8


def test_a_sheet_without_room_for_a_fault_gives_none() -> None:
    assert with_violation(Sheet(), "descending", np.random.default_rng(0)) is None


def test_a_fault_leaves_the_given_sheet_alone() -> None:
    sheet = Sheet.of({"red": Expedition.of([1, 2, 3])}, player="Ana")
    changed = with_violation(sheet, "gap", np.random.default_rng(0), specials={})
    assert changed is not None
    assert changed.player == "Ana"
    assert sheet.red.numbers[:4] == (1, 2, 3, None)


def test_an_unknown_fault_is_named_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"'typo'.*gap"):
        with_violation(Sheet(), "typo", np.random.default_rng(0))
