"""The card game: points and violations, counted by hand from its rules."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import CardGame, CardsError, RuleSet, load_card_game, score_cards
from tests.scoring.strategies import outcome

FIVE = ("yellow", "blue", "white", "green", "red")
RULES = RuleSet.default()
RUSSIAN = RuleSet.from_toml("[cards]\nbonus_counts = 'numbers'\nlone_investments = 'not-counted'\nrounds = 0")


def game(ana, ben=None, rounds=3, expeditions=5):
    played = [{"Ana": ana, "Ben": ben or {}}] + [{"Ana": {}, "Ben": {}}] * (rounds - 1)
    return CardGame.from_dict({"players": ["Ana", "Ben"], "expeditions": expeditions, "rounds": played})


def points(cards, rules=RULES):
    return score_cards(game({"red": cards}), rules).rounds[0]["Ana"]["red"]


def codes(*args, **options):
    return [(v.code, v.player, v.expedition) for v in score_cards(game(*args, **options)).violations]


# --- points -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ([], 0),
        ([2], -18),
        ([10], -10),
        (["w"], -40),
        (["w", "w"], -60),
        (["w", "w", "w"], -80),
        (["w", "w", 2, 5, 8], -15),
        ([5, 6, 9], 0),
        (["w", 5, 6, 9], 0),
        (["w", "w", "w", 2], -72),
        ([2, 3, 4, 5, 6, 7, 8], 15),
        ([2, 3, 4, 5, 6, 7, 8, 9], 24 + 20),
        ([2, 3, 4, 5, 6, 7, 8, 9, 10], 34 + 20),
        (["w", 2, 3, 4, 5, 6, 7, 8], 15 * 2 + 20),
        (["w", "w", "w", 2, 3, 4, 5, 6], 0 * 4 + 20),
        (["w", "w", "w", 2, 3, 4, 5], -6 * 4),
        (["w", "w", "w", 2, 3, 4, 5, 6, 7, 8, 9, 10], 34 * 4 + 20),
    ],
)
def test_points_of_an_expedition(cards, expected):
    assert points(cards) == expected


def test_extremes():
    assert points(["w", "w", "w"]) == -80
    assert points(["w", "w", "w", *range(2, 11)]) == 156


legal_expeditions = st.tuples(st.integers(0, 3), st.sets(st.integers(2, 10)))


@given(legal_expeditions)
def test_a_legal_expedition_lies_between_the_extremes_and_follows_the_formula(laid):
    investments, numbers = laid
    cards = ["w"] * investments + sorted(numbers)
    found = points(cards)
    assert -80 <= found <= 156
    if cards:
        bonus = 20 if len(cards) >= 8 else 0
        assert found == (sum(numbers) - 20) * (1 + investments) + bonus
    assert codes({"red": cards}) == []


@given(legal_expeditions, st.randoms())
def test_points_do_not_depend_on_the_order(laid, rng):
    cards = ["w"] * laid[0] + sorted(laid[1])
    shuffled = rng.sample(cards, len(cards))
    assert points(shuffled) == points(cards)


@given(st.dictionaries(st.sampled_from(FIVE), legal_expeditions, max_size=5))
def test_a_round_is_the_sum_of_its_expeditions(laid):
    cards = {colour: ["w"] * investments + sorted(numbers) for colour, (investments, numbers) in laid.items()}
    result = score_cards(game(cards))
    assert list(result.rounds[0]["Ana"]) == [*FIVE, "total"]
    assert result.rounds[0]["Ana"]["total"] == sum(points(entry) for entry in cards.values())
    assert set(result.rounds[0]["Ben"].values()) == {0}


def test_the_descriptions_differ_in_what_counts_for_the_bonus():
    cards = ["w", "w", "w", 2, 3, 4, 5, 6]
    assert (points(cards), points(cards, RUSSIAN)) == (20, 0)
    numbers = [2, 3, 4, 5, 6, 7, 8, 9]
    assert points(numbers) == points(numbers, RUSSIAN) == 44


def test_the_descriptions_differ_in_investments_without_a_number():
    assert (points(["w", "w"]), points(["w", "w"], RUSSIAN)) == (-60, 0)
    assert points(["w", 2]) == points(["w", 2], RUSSIAN) == -36
    assert points([], RUSSIAN) == 0


def test_the_descriptions_differ_in_rounds():
    assert [v.code for v in score_cards(game({}, rounds=2)).violations] == ["round-count"]
    assert [v.code for v in score_cards(game({}, rounds=4)).violations] == ["round-count"]
    for rounds in (1, 2, 3, 4):
        assert score_cards(game({}, rounds=rounds), RUSSIAN).violations == ()


def test_every_number_is_a_setting():
    rules = RuleSet.from_toml("[cards]\nexpedition_cost = 10\nbonus_cards = 2\nbonus_points = 7")
    assert points(["w", 5], rules) == -5 * 2 + 7


# --- a whole game -----------------------------------------------------------------------------------------------------


def three_rounds(*pairs):
    rounds = [{"Ana": {"red": ana}, "Ben": {"blue": ben}} for ana, ben in pairs]
    return score_cards(CardGame.from_dict({"players": ["Ana", "Ben"], "rounds": rounds}))


def test_totals_ranking_and_who_starts():
    result = three_rounds(([2], [10]), ([5, 6, 10], [3]), ([], [9, 10]))
    assert result.totals == {"Ana": -18 + 1, "Ben": -10 - 17 - 1}
    assert [(place.player, place.place) for place in result.ranking] == [("Ana", 1), ("Ben", 2)]
    assert result.next_starter == "Ana"
    assert result.violations == ()


def test_equal_totals_share_a_place_and_nobody_starts():
    result = three_rounds(([2], [2]), ([], []), ([], []))
    assert [(place.player, place.place) for place in result.ranking] == [("Ana", 1), ("Ben", 1)]
    assert result.next_starter is None


def test_the_sixth_expedition():
    cards = {"purple": ["w", "w", "w", *range(2, 11)]}
    result = score_cards(game(cards, expeditions=6))
    assert result.rounds[0]["Ana"] == {**dict.fromkeys(FIVE, 0), "purple": 156, "total": 156}
    assert result.violations == ()
    five = score_cards(game(cards))
    assert [violation.code for violation in five.violations] == ["unknown-expedition"]
    assert five.rounds[0]["Ana"]["total"] == 156


def test_as_json():
    data = score_cards(game({"yellow": ["w", "w", 2, 5, 8, 8]}, rounds=3)).to_dict()
    assert json.loads(json.dumps(data)) == data
    assert data["rounds"][0]["Ana"]["yellow"] == 9
    assert data["totals"] == {"Ana": 9, "Ben": 0}
    assert data["ranking"][0] == {"player": "Ana", "total": 9, "place": 1}
    assert data["next_starter"] == "Ana"
    assert data["violations"][0] == {
        "code": "not-rising",
        "severity": "error",
        "round": 1,
        "player": "Ana",
        "expedition": "yellow",
        "message": "round 1, Ana, yellow: 8 lies on 8; legal is a number higher than 8 "
        "[rules: cards.severity.not-rising]",
        "rule": "cards.severity.not-rising",
    }


# --- violations -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ana", "ben", "expected"),
    [
        ({"red": [5, 3]}, {}, [("not-rising", "Ana", "red")]),
        ({"red": [5, 3, 4, 2]}, {}, [("not-rising", "Ana", "red")] * 2),
        ({"red": [5, "w"]}, {}, [("investment-after-number", "Ana", "red")]),
        ({"red": ["w", 5, "w", 6, "w"]}, {}, [("investment-after-number", "Ana", "red")] * 2),
        ({"red": [1, 2]}, {}, [("card-out-of-range", "Ana", "red")]),
        ({"red": [2, 11]}, {}, [("card-out-of-range", "Ana", "red")]),
        ({"red": [5]}, {"red": [5]}, [("card-twice", "Ben", "red")]),
        ({"red": [5]}, {"blue": [5]}, []),
        ({"red": ["w", "w"]}, {"red": ["w", "w"]}, [("too-many-investments", "Ben", "red")]),
        ({"red": ["w", "w", "w", "w"]}, {}, [("too-many-investments", "Ana", "red")]),
        ({"red": ["w", "w"]}, {"red": ["w"]}, []),
        ({"pink": [2]}, {}, [("unknown-expedition", "Ana", "pink")]),
        ({"purple": [2]}, {}, [("unknown-expedition", "Ana", "purple")]),
        ({"red": [5, 5]}, {}, [("not-rising", "Ana", "red"), ("card-twice", "Ana", "red")]),
        (
            {"pink": [5, 4, "w"], "blue": [0]},
            {"red": [3, 3]},
            [
                ("card-out-of-range", "Ana", "blue"),
                ("unknown-expedition", "Ana", "pink"),
                ("not-rising", "Ana", "pink"),
                ("investment-after-number", "Ana", "pink"),
                ("not-rising", "Ben", "red"),
                ("card-twice", "Ben", "red"),
            ],
        ),
    ],
)
def test_violations(ana, ben, expected):
    assert codes(ana, ben) == expected


def test_every_code_is_found_in_some_case():
    found = {v.code for v in score_cards(game({"pink": [1, 1, "w"]}, {"red": ["w"] * 4}, rounds=1)).violations}
    assert found == set(RULES.cards.severity)


def test_each_round_has_its_own_cards():
    result = three_rounds(([2], [3]), ([2], [3]), ([2], [3]))
    assert result.violations == ()


@pytest.mark.parametrize(
    ("ana", "ben", "message"),
    [
        ({"red": [5, "w"]}, {}, "an investment lies on 5; legal are investments before the first number only"),
        ({"red": [1]}, {}, "there is no card 1; legal is 2..10 [rules: cards.lowest_card = 2]"),
        ({"red": [12]}, {}, "there is no card 12; legal is 2..10 [rules: cards.highest_card = 10]"),
        ({"red": [4]}, {"red": [4]}, "4 was laid twice, by Ana and Ben; each number card exists once"),
        ({"red": [4, 4]}, {"red": [4]}, "4 was laid 3 times, by Ana and Ben; each number card exists once"),
        (
            {"red": ["w"] * 4},
            {},
            "4 investments were laid, by Ana; there are 3 of a colour [rules: cards.investments = 3]",
        ),
        (
            {"pink": []},
            {},
            "this game has no such expedition; legal are yellow, blue, white, green and red; its points are counted "
            "all the same",
        ),
    ],
)
def test_messages_name_the_place_what_was_laid_and_what_would_be_legal(ana, ben, message):
    violation = score_cards(game(ana, ben)).violations[-1]
    assert violation.message.startswith(f"round 1, {violation.player}, {violation.expedition}: {message}")
    assert f"[rules: {violation.rule}" in violation.message


def test_the_number_of_rounds_says_both():
    (violation,) = score_cards(game({}, rounds=1)).violations
    assert violation.message == "there is 1 round; a game has 3 [rules: cards.rounds = 3]"
    assert (violation.severity, violation.round, violation.player, violation.expedition) == ("warning", *[None] * 3)


@given(legal_expeditions, legal_expeditions)
def test_two_players_share_the_cards_of_a_colour(first, second):
    cards = [["w"] * investments + sorted(numbers) for investments, numbers in (first, second)]
    found = codes({"red": cards[0]}, {"red": cards[1]})
    shared = len(first[1] & second[1])
    assert found.count(("card-twice", "Ben", "red")) == shared
    assert (("too-many-investments", "Ben", "red") in found) == (first[0] + second[0] > 3)
    assert len(found) == shared + (first[0] + second[0] > 3)


# --- input ------------------------------------------------------------------------------------------------------------

GAME = {"players": ["Ana", "Ben"], "expeditions": 5, "rounds": [{"Ana": {"yellow": ["w", 2]}, "Ben": {}}]}
GAME_TOML = """
# one evening
players = ["Ana", "Ben"]
expeditions = 5
[[rounds]]
Ana = {yellow = ["w", 2]}
Ben = {}
"""


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (json.dumps(GAME), "-"),
        (json.dumps(GAME, indent=1), "a.json"),
        ("\ufeff" + json.dumps(GAME), "a.txt"),
        (GAME_TOML, "-"),
        (GAME_TOML, "a.TOML"),
    ],
)
def test_json_and_toml_are_recognised(text, name):
    assert load_card_game(text, name) == CardGame.from_dict(GAME)


def test_expeditions_and_players_who_laid_nothing_may_be_left_out():
    assert CardGame.from_dict({"players": ["Ana", "Ben"], "rounds": [{"Ana": {"yellow": ["w", 2]}}]}) == (
        CardGame.from_dict(GAME)
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"players": ["Ana"]}, "g.json: players: expected a list of 2 names, found a list of 1"),
        ({"players": "Ana"}, 'g.json: players: expected a list of 2 names, found "Ana"'),
        ({"players": ["Ana", 3]}, "g.json: players[1]: expected a name as text, found 3"),
        ({"players": ["Ana", " "]}, 'g.json: players[1]: expected a name as text, found " "'),
        ({"players": ["Ana", "\ud800"]}, "g.json: players[1]: expected a name as text"),
        ({"players": ["Ana", "Ana"]}, 'g.json: players: expected two different names, found "Ana" twice'),
        ({"expeditions": 4}, "g.json: expeditions: expected 5 or 6, found 4"),
        ({"expeditions": 7}, "g.json: expeditions: expected 5 or 6, found 7"),
        ({"expeditions": True}, "g.json: expeditions: expected 5 or 6, found true"),
        ({"rounds": {}}, "g.json: rounds: expected a list of rounds, at least one, found an object"),
        ({"rounds": []}, "g.json: rounds: expected a list of rounds, at least one, found an empty list"),
        ({"rounds": [3]}, "g.json: rounds[0]: expected an object, found 3"),
        ({"rounds": [{"Bne": {}}]}, 'g.json: rounds[0]: unknown player "Bne", '),
        ({"rounds": [{"Ana": []}]}, "g.json: rounds[0].Ana: expected an object, found a list of 0"),
        ({"rounds": [{"Ana": {"red": 3}}]}, "g.json: rounds[0].Ana.red: expected a list of cards, found 3"),
        ({"rounds": [{"Ana": {"red": ["x"]}}]}, 'g.json: rounds[0].Ana.red[0]: expected a whole number or "w"'),
        ({"rounds": [{"Ana": {"red": [2, 3.5]}}]}, 'g.json: rounds[0].Ana.red[1]: expected a whole number or "w"'),
        ({"rounds": [{"Ana": {"red": [True]}}]}, 'g.json: rounds[0].Ana.red[0]: expected a whole number or "w"'),
        ({"rounds": [{"Ana": {"red": [10**7]}}]}, 'g.json: rounds[0].Ana.red[0]: expected a whole number or "w"'),
        ({"rounds": [{"Ana": {"total": [2]}}]}, 'g.json: rounds[0].Ana: expected expeditions only, found "total"'),
        ({"player": []}, 'g.json: unknown key "player", did you mean players?'),
    ],
)
def test_wrong_games_name_the_place_and_what_was_expected(changes, message):
    with pytest.raises(CardsError) as caught:
        CardGame.from_dict({**GAME, **changes}, "g.json")
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("", "-", "-: not JSON at column 1"),
        ("", "a.toml", "a.toml: expected the key players, found an empty object"),
        ("[]", "-", "-: expected an object, found a list of 0"),
        ('{"players": ["Ana", "Ben"]}', "-", "-: expected the key rounds, found only players"),
        ('{"players": 1, "players": 2}', "-", '-: expected each key once, found "players" twice'),
        ("{\n3", "a.json", "a.json: not JSON at line 2, column 1"),
        ("players = ", "-", "-: not TOML ("),
        ("players = 3", "a.json", "a.json: not JSON at column 1"),
        ("[" * 100_000, "-", "-: not JSON that can be read ("),
    ],
)
def test_wrong_texts_name_the_place(text, name, message):
    with pytest.raises(CardsError) as caught:
        load_card_game(text, name)
    assert str(caught.value).startswith(message)


BASES = [json.dumps(GAME), json.dumps(GAME, indent=1), GAME_TOML]


@given(
    st.sampled_from(BASES),
    st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 5), st.text(max_size=3)), min_size=1, max_size=4),
    st.sampled_from(["-", "a.json", "a.toml"]),
)
def test_a_spoilt_file_gives_a_result_or_an_error_that_names_it(text, changes, name):
    for start, length, replacement in changes:
        place = start % (len(text) + 1)
        text = text[:place] + replacement + text[place + length :]
    found, error = outcome(lambda: score_cards(load_card_game(text, name)).to_dict(), CardsError)
    assert error.startswith(f"{name}: ") if found is None else found
