import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import RulesError, RuleSet
from scoring.rulefile import format_rules
from scoring.rules import default_text
from tests.scoring.strategies import outcome


def test_a_file_holds_only_what_differs():
    rules = RuleSet.from_toml("bridge_points = 10\n[severity]\ngap = 'warning'")
    default = RuleSet.default()
    assert (rules.bridge_points, default.bridge_points) == (10, 20)
    assert rules.severity == {**default.severity, "gap": "warning"}
    assert rules.dice_points == default.dice_points
    assert hash(RuleSet.from_toml("")) == hash(default)
    assert RuleSet.from_toml("") == default


def test_points_can_be_corrected():
    ladder = (0, -1, -2, -3, 4, 5, 6, 7, 8, 9)
    rules = RuleSet.from_toml(f"expedition_points = {list(ladder)}")
    assert rules.points_of("red") == rules.points_of("purple") == ladder
    assert rules.points_of("artifacts") == RuleSet.default().artifacts_points
    assert rules.points_of("dice") == RuleSet.default().dice_points


def test_rules_as_plain_values():
    data = RuleSet.default().to_dict()
    assert data["artifacts_points"] == [0, -40, -30, -20, 10, 20, 30, 60, 70, 100]
    assert data["lone_double_points"] == 0
    assert data["severity"]["gap"] == "error"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bridge_point = 3", 'my.toml: unknown key "bridge_point", did you mean bridge_points?'),
        ("bridge_points = 2.5", "my.toml: bridge_points: expected a whole number, found 2.5"),
        ("bridge_points = true", "my.toml: bridge_points: expected a whole number, found true"),
        ("bridge_points = 1000000", "my.toml: bridge_points: expected a whole number, found a number beyond"),
        ("bridge_space = 10", "my.toml: bridge_space: expected a whole number from 1 to 9, found 10"),
        ("dice_points = 3", "my.toml: dice_points: expected a list of 10 whole numbers"),
        ("dice_points = [1, 2]", "my.toml: dice_points: expected a list of 10 whole numbers"),
        (f"dice_points = {[0] * 9 + ['x']}", 'my.toml: dice_points[9]: expected a whole number, found "x"'),
        ("severity = 'error'", 'my.toml: severity: expected a table, found "error"'),
        ("[severity]\ngpa = 'error'", 'my.toml: severity: unknown key "gpa", did you mean gap?'),
        ("[severity]\ngap = 'bad'", 'my.toml: severity.gap: expected error or warning, found "bad"'),
        ("[severity]\ngap = []", "my.toml: severity.gap: expected error or warning, found a list of 0"),
        ("cards = 3", "my.toml: cards: expected a table, found 3"),
        ("[cards]\nbonus = 3", 'my.toml: cards: unknown key "bonus", did you mean bonus_cards?'),
        ("[cards]\nrounds = -1", "my.toml: cards.rounds: expected a whole number from 0 to 100, found -1"),
        ("[cards]\nbonus_counts = 3", "my.toml: cards.bonus_counts: expected all or numbers, found 3"),
        ("[cards.severity]\ncard-twice = true", "my.toml: cards.severity.card-twice: expected error or warning"),
        ("bridge_points =", "my.toml: not TOML ("),
        ("a = " + "[" * 100_000, "my.toml: not TOML ("),
    ],
)
def test_wrong_rules_name_the_path_and_what_was_expected(text, message):
    with pytest.raises(RulesError) as caught:
        RuleSet.from_toml(text, "my.toml")
    assert str(caught.value).startswith(message)


def test_the_file_of_the_rules_gives_them_again():
    default = RuleSet.default()
    assert format_rules(default) == default_text()
    assert RuleSet.from_toml(format_rules(default)) == default


def test_every_value_of_the_file_has_a_comment_that_says_where_it_comes_from():
    commented = False
    for line in format_rules(RuleSet.default()).splitlines():
        if line.startswith("#"):
            commented = True
        elif not line:
            commented = False
        elif "=" in line:
            assert commented, line


def test_changed_values_stand_in_the_place_of_the_default_and_say_so():
    rules = RuleSet.from_toml("dice_points = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n[severity]\ngap = 'warning'")
    lines = format_rules(rules, "my\n.toml").splitlines()
    assert len(lines) == len(default_text().splitlines()) + 2
    at = lines.index("dice_points = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]")
    assert lines[at - 1] == "# Changed by my .toml; the default is [0, -40, -30, -20, 10, 20, 30, 60, 70, 0]."
    assert lines[lines.index('gap = "warning"') - 1] == '# Changed by my .toml; the default is "error".'
    assert format_rules(rules).count("# Changed; the default is") == 2


@st.composite
def rule_sets(draw):
    """Rule sets with any values in any places."""
    values = RuleSet.default().to_dict()
    cards = values.pop("cards")
    severities = st.sampled_from(["error", "warning"])
    lines = [f"{key} = {value}" for key, value in draw(_numbers(values)).items()]
    lines += ["[severity]", *(f"{code} = '{draw(severities)}'" for code in values["severity"])]
    lines += ["[cards]", *(f"{key} = {value}" for key, value in draw(_numbers(cards)).items())]
    lines += [f"bonus_counts = '{draw(st.sampled_from(['all', 'numbers']))}'", "[cards.severity]"]
    lines += [f"{code} = '{draw(severities)}'" for code in cards["severity"]]
    return RuleSet.from_toml("\n".join(lines))


def _numbers(values):
    small = st.integers(1, 9)
    ladders = st.lists(st.integers(-999, 999), min_size=10, max_size=10)
    kinds = {key: ladders if isinstance(value, list) else small for key, value in values.items()}
    return st.fixed_dictionaries(
        {}, optional={key: kinds[key] for key, value in values.items() if isinstance(value, int | list)}
    )


@given(rule_sets(), st.text())
def test_every_rule_set_round_trips_as_toml(rules, source):
    assert RuleSet.from_toml(format_rules(rules, source)) == rules


KEYS = [*RuleSet.default().to_dict(), "x"]
VALUES = st.sampled_from(
    ["1", "-3", "true", "'a'", "[]", "[1, 2]", "{gap = 'error'}", "{gap = 1}", "1.5", "", str([0] * 10)]
)


@given(st.dictionaries(st.sampled_from(KEYS), VALUES))
def test_whatever_comes_it_is_a_rule_set_or_a_rules_error(entries):
    text = "\n".join(f"{key} = {value}" for key, value in entries.items())
    rules, error = outcome(lambda: RuleSet.from_toml(text, "my.toml"), RulesError)
    if rules is None:
        assert error.startswith("my.toml: ")
    else:
        assert set(entries) <= set(rules.to_dict())
