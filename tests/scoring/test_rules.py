import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import RulesError, RuleSet
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
        ("[severity]\ngpa = 'error'", 'my.toml: severity: unknown code "gpa", did you mean gap?'),
        ("[severity]\ngap = 'bad'", 'my.toml: severity.gap: expected error or warning, found "bad"'),
        ("[severity]\ngap = []", "my.toml: severity.gap: expected error or warning, found a list of 0"),
        ("bridge_points =", "my.toml: not TOML ("),
        ("a = " + "[" * 100_000, "my.toml: not TOML ("),
    ],
)
def test_wrong_rules_name_the_path_and_what_was_expected(text, message):
    with pytest.raises(RulesError) as caught:
        RuleSet.from_toml(text, "my.toml")
    assert str(caught.value).startswith(message)


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
