"""The proof by play: games that keep the rules, with every option taken by somebody, never raise a false alarm."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from click.testing import CliRunner

from bench.audit import main as audit_command
from layouts import COLUMNS, EXPEDITIONS, load_layout
from scoring import RuleSet, audit_game, validate
from scoring.turns import turn_bounds
from synth.play import Game, Player
from synth.whims import Whims, play_whims

RULES = RuleSet.default()
SPECIALS = load_layout().specials


def games(count: int) -> list[Game]:
    """Games of 2 to 5 players, every third broken off."""
    found = []
    for seed in range(count):
        rng = np.random.default_rng([17, seed])
        turns = 2000 if seed % 3 else int(rng.integers(1, 45))
        found.append(play_whims(rng, 2 + seed % 4, turns=turns))
    return found


@pytest.fixture(scope="module")
def played() -> list[Game]:
    return games(300)


def lone_circles(player: Player) -> list[str]:
    return [colour for colour in EXPEDITIONS if colour in player.doubles and not player.columns[colour]]


def test_sheets_of_legal_games_show_lone_circles_and_nothing_else(played: list[Game]) -> None:
    for game in played:
        for player in game.players:
            found = [(violation.code, violation.column) for violation in validate(player.sheet())]
            assert found == [("double-without-expedition", colour) for colour in lone_circles(player)]


def test_games_show_what_happened_in_them_and_nothing_else(played: list[Game]) -> None:
    for game in played:
        found = [(violation.code, violation.column) for violation in audit_game([p.sheet() for p in game.players])]
        expected = [("bridge-claimed-twice", column) for column in COLUMNS if column in game.shared]
        assert found == expected + ([] if game.over else [("game-not-over", None)])


def test_the_turns_that_were_played_lie_within_the_bounds(played: list[Game]) -> None:
    for game in played:
        for player in game.players:
            bounds = turn_bounds(player.sheet(), RULES, SPECIALS)
            assert bounds is not None
            assert player.turns == game.players[0].turns
            assert bounds.allows(player.turns)


def test_the_same_holds_where_special_spaces_are_not_known(played: list[Game]) -> None:
    for game in played:
        codes = {violation.code for violation in audit_game([p.sheet() for p in game.players], specials=None)}
        assert "turn-count" not in codes


def test_the_games_reach_every_corner_of_the_rules(played: list[Game]) -> None:
    seen: Counter[str] = Counter()
    for game in played:
        exhausted = [player.dice == 9 for player in game.players]
        seen["ended by exhaustion"] += game.over and all(exhausted)
        seen["ended by bridges"] += game.over and not all(exhausted)
        seen["broken off"] += not game.over
        for player in game.players:
            bounds = turn_bounds(player.sheet(), RULES, SPECIALS)
            assert bounds is not None
            seen["turns at the lower bound"] += player.turns == bounds.fewest
            seen["turns at the upper bound"] += player.turns == bounds.most
            seen["turns between"] += bounds.fewest < player.turns < (bounds.most or 0)
            seen["exhausted players play on"] += player.dice == 9 and player.turns > bounds.fewest
            seen["idle turns of the exhausted"] += player.dice == 9 and player.idle > 0
            seen["idle turns with all artifacts marked"] += player.dice < 9 and player.idle > 0
            seen["artifacts from full columns"] += bounds.artifacts_fewest > 0
            seen["copies"] += player.turns - player.idle < bounds.numbers + bounds.circles + bounds.dice
    assert all(seen.values()), seen


class Scripted:
    """A player who takes what is written down for each turn, and each arrow alike."""

    def __init__(self, takes: list, arrows: list) -> None:
        self.takes, self.arrows = iter(takes), iter(arrows)

    def take(self, player: Player, offers: object) -> tuple[int, str] | None:
        return next(self.takes)

    def accelerate(self, player: Player, arrow: str) -> str | None:
        return next(self.arrows)


def play(takes: list, arrows: list, specials: dict) -> Player:
    chooser = Scripted(takes, arrows)
    game = Game(np.random.default_rng(0), specials, RULES, [chooser])
    player = game.players[0]
    for _ in takes:
        # The dice do not matter here: the player takes what is written down.
        game._move(player, [0], ["red"])
    return player


def test_arrows_chain_across_columns_and_into_artifact_boxes() -> None:
    specials = {"red": {2: "arrow"}, "blue": {2: "arrow"}, "green": {2: "artifact"}}
    player = play([(3, "red"), (5, "blue"), (7, "green"), (4, "red")], ["blue", "green"], specials)
    assert player.columns["red"] == [3, 4]
    assert player.columns["blue"] == [5, 5]
    assert player.columns["green"] == [7, 7]
    assert (player.artifacts, player.turns) == (1, 4)


def test_an_arrow_may_be_left_and_an_empty_column_has_nothing_to_copy() -> None:
    specials = {"red": {1: "arrow", 2: "arrow"}}
    player = play([(3, "red"), (3, "red")], [None, "blue"], specials)
    assert (player.columns["red"], player.columns["blue"]) == ([3, 3], [])


def test_zeros_mark_the_circle_of_an_empty_column_and_count_ten_in_a_started_one() -> None:
    player = play([(0, "red"), (0, "red"), (4, "red"), (0, "red"), (9, "red")], [], {})
    assert player.doubles == {"red"}
    assert player.columns["red"] == [4, 10]
    # The second zero and the nine are not legal: declined.
    assert player.dice == 2


def test_full_columns_earn_artifacts_by_dice_and_by_arrows_up_to_nine() -> None:
    takes = [(1, "red")] * 9 + [(1, "red")] * 9
    player = play([*takes, (1, "red"), (2, "blue")], ["red"], {"blue": {1: "arrow"}})
    assert (player.artifacts, player.dice, player.turns, player.idle) == (9, 0, 20, 1)
    player = play([*takes[:9], (2, "blue")], ["red"], {"blue": {1: "arrow"}})
    assert player.artifacts == 1


def test_the_exhausted_decline_without_a_mark() -> None:
    player = play([None] * 12, [], {})
    assert (player.dice, player.turns, player.idle) == (9, 12, 3)


def test_whims_are_probabilities_and_reach_both_ends() -> None:
    drawn = [Whims.drawn(np.random.default_rng(seed), RULES) for seed in range(200)]
    for name in ("declines", "accelerates", "stays", "patient", "builds"):
        values = [getattr(whims, name) for whims in drawn]
        assert (min(values), max(values)) == (0.0, 1.0)


def test_the_command_prints_alarms_and_shares() -> None:
    result = CliRunner().invoke(audit_command, ["-n", "8", "--faulty", "2"], catch_exceptions=False)
    lines = result.output.splitlines()
    assert lines[0] == "8 legal games, 28 sheets: 0 false alarms"
    assert lines[1].startswith("turns outside the bounds of their sheet: 0;")
    assert sum(line.count("%") for line in lines) == 2 * 4 * 8
