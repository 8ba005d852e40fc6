"""The order of a column as evidence: laws of probability, and both ways it must not fail."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import weigh_column
from scoring.plain import Number

VALUES: tuple[Number, ...] = (None, *range(1, 11), "?")
BROKEN = 0.02


def sure(value: Number) -> dict[Number, float]:
    return {other: float(other == value) for other in VALUES}


def between(one: Number, other: Number, share: float = 0.5) -> dict[Number, float]:
    return {value: share if value == one else 1 - share if value == other else 0.0 for value in VALUES}


@st.composite
def readings(draw):
    weights = draw(st.lists(st.integers(1, 1000), min_size=len(VALUES), max_size=len(VALUES)))
    return {value: weight / sum(weights) for value, weight in zip(VALUES, weights, strict=True)}


columns = st.lists(readings(), min_size=1, max_size=9)


def prior(numbers, broken):
    """Of a column's values, straight from the model's words."""
    chance, last = 1.0, None
    for number in numbers:
        if not isinstance(number, int):
            continue
        if last is not None and last > 1:
            chance *= broken / (last - 1) if number < last else (1 - broken) / (11 - last)
        else:
            chance *= 1 / 10
        last = number
    return chance


@given(columns)
def test_probabilities_stay_probabilities(column):
    for before, after in zip(column, weigh_column(column, BROKEN), strict=True):
        assert set(after) == set(before)
        assert sum(after.values()) == pytest.approx(1)
        assert all(probability >= 0 for probability in after.values())


@given(columns)
def test_empty_and_unreadable_are_left_to_the_reader(column):
    for before, after in zip(column, weigh_column(column, BROKEN), strict=True):
        assert (after[None], after["?"]) == (before[None], before["?"])


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.sampled_from(range(1, 11)), st.sampled_from(range(1, 11)), st.floats(0.05, 0.95)),
        min_size=2,
        max_size=5,
    ),
    st.floats(0.001, 0.4),
)
def test_marginals_are_those_of_every_combination(choices, broken):
    column = [between(one, other, share) if one != other else sure(one) for one, other, share in choices]
    weighed = weigh_column(column, broken)
    joint = {}
    for values in product(*[[value for value, p in reading.items() if p] for reading in column]):
        chance = prior(values, broken)
        for reading, value in zip(column, values, strict=True):
            chance *= reading[value]
        joint[values] = chance
    total = sum(joint.values())
    for place, after in enumerate(weighed):
        for value, probability in after.items():
            expected = sum(chance for values, chance in joint.items() if values[place] == value) / total
            assert probability == pytest.approx(expected, abs=1e-9)


def test_a_three_or_eight_above_a_five_is_an_eight():
    assert weigh_column([sure(5), between(3, 8)], BROKEN)[1][8] > 0.9


def test_a_clear_three_above_a_five_stays_a_three():
    assert weigh_column([sure(5), between(3, 8, 0.999)], BROKEN)[1][3] > 0.9


def test_a_number_below_is_weighed_by_those_above():
    assert weigh_column([between(3, 8), sure(5)], BROKEN)[0][3] > 0.9


def test_an_empty_space_between_changes_nothing():
    near = weigh_column([sure(5), between(3, 8)], BROKEN)[1]
    assert weigh_column([sure(5), sure(None), between(3, 8)], BROKEN)[2] == pytest.approx(near)


def test_a_column_without_a_number_below_is_left_alone():
    assert weigh_column([between(3, 8, 0.6)], BROKEN)[0] == pytest.approx(between(3, 8, 0.6))
