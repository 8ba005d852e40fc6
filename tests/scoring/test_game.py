import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import RuleSet, Sheet, audit_game, parse_sheet, player_names, rank

SEVEN = "1 2 3 4 5 6 7"


def audit(*lines):
    return audit_game([parse_sheet(line) for line in lines])


def found(*lines):
    return [(violation.code, violation.column, violation.players) for violation in audit(*lines)]


def test_equal_totals_share_a_place():
    places = [(r.player, r.place) for r in rank([("Ana", 10), ("Ben", 30), ("Cleo", 10), ("Dan", -5), ("Eve", 30)])]
    assert places == [("Ben", 1), ("Eve", 1), ("Ana", 3), ("Cleo", 3), ("Dan", 5)]


@given(st.lists(st.tuples(st.text(), st.integers())))
def test_place_is_one_more_than_the_number_of_better_players(totals):
    ranking = rank(totals)
    assert sorted((r.player, r.total) for r in ranking) == sorted(totals)
    assert all(r.place == 1 + sum(total > r.total for _, total in totals) for r in ranking)


def test_rank_as_json():
    assert rank([("Ana", 7)])[0].to_dict() == {"player": "Ana", "total": 7, "place": 1}


def test_players_without_a_name_are_counted():
    sheets = [Sheet(player="Ana"), Sheet(), Sheet(player="")]
    assert player_names(sheets) == ("Ana", "player 2", "player 3")


def test_finished_game_shows_nothing():
    assert (
        found(
            f"player Ana | red {SEVEN} b | blue {SEVEN} b | green {SEVEN} b | artifacts 7 b",
            f"player Ben | yellow {SEVEN} b | purple {SEVEN} b | orange {SEVEN} b | red {SEVEN} | dice 7 b",
        )
        == []
    )


def test_bridge_claimed_by_two():
    (violation,) = audit(f"player Ana | red {SEVEN} b | dice 9 b", f"player Ben | red {SEVEN} 8 b | dice 9")
    assert (violation.code, violation.severity, violation.column) == (
        "bridge-claimed-twice",
        "warning",
        "red",
    )
    assert violation.players == ("Ana", "Ben")
    assert violation.message == (
        "red: Ana and Ben claim the bridge; only the first to reach space 7 gets it, several only if "
        "they reach it in the same turn [rules: bridge_space = 7]"
    )
    assert violation.to_dict()["players"] == ["Ana", "Ben"]


def test_bridge_claimed_by_one_of_two_who_crossed_it():
    assert found(f"red {SEVEN} b | dice 9 b", f"red {SEVEN} | dice 9") == []


def test_bridge_claimed_by_nobody():
    assert found("player Ana | artifacts 7 | dice 9 b", "player Ben | dice 9") == [
        ("bridge-unclaimed", "artifacts", ("Ana",))
    ]


def test_bridge_reached_by_nobody():
    assert found("red 1 2 3 4 5 6 | dice 9 b", "dice 9") == []


def test_game_not_over():
    (violation,) = audit("player Ana | dice 9 b", "player Ben | red 1 | dice 8")
    assert (violation.code, violation.severity, violation.column) == ("game-not-over", "warning", None)
    assert violation.players == ("Ana", "Ben")
    assert violation.message.startswith("the game was not over: 1 of 8 bridges reached and 1 of 2 players exhausted")


def test_game_with_seven_bridges_is_not_over():
    columns = ("red", "orange", "yellow", "green", "blue", "purple")
    rest = " | ".join(f"{column} {SEVEN} b" for column in columns)
    # 42 turns each, no copies.
    short = " | ".join(f"{column} 1 2 3 4 5 6" for column in columns)
    assert found(f"{rest} | artifacts 7 b", f"{short} | dice 6") == [("game-not-over", None, ("player 1", "player 2"))]
    assert found(f"{rest} | artifacts 7 b", f"{short.removesuffix(' 6')} | dice 7 b") == []


@pytest.mark.parametrize(("players", "legal"), [(0, False), (1, False), (2, True), (5, True), (6, False)])
def test_number_of_players(players, legal):
    codes = [violation.code for violation in audit(*["dice 9"] * players)]
    assert ("player-count" not in codes) == legal
    assert "game-not-over" not in codes


def test_bridges_come_first_in_the_order_of_the_sheet():
    codes = found(f"red {SEVEN} | dice 7 b | artifacts 7")
    assert [code for code, _, _ in codes] == [
        "bridge-unclaimed",
        "bridge-unclaimed",
        "game-not-over",
        "player-count",
    ]


def test_rules_decide():
    rules = RuleSet.from_toml("bridge_space = 8\nexhausting_dice = 8\nfewest_players = 1")
    assert audit_game([parse_sheet("red 1 2 3 4 5 6 7 | dice 8 b")], rules) == ()
