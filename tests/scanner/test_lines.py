"""What a line's columns say, weighed as whole numbers."""

from __future__ import annotations

from itertools import groupby, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from scanner.ink import LINE_HEIGHT_PX, LINE_WIDTH_PX
from scanner.lines import CHARACTERS, OTHER, _log_chances, load_line_net, number_chances


def columns_of(*said: str | dict[str, float]) -> NDArray[np.float64]:
    """Log probabilities of one line whose columns say a character for certain, or several with their probabilities."""
    chances = np.full((len(said), len(CHARACTERS)), 1e-12)
    for row, column in zip(chances, said, strict=True):
        for character, chance in (column if isinstance(column, dict) else {column: 1.0}).items():
            row[CHARACTERS.index(character)] = chance
    return np.asarray(np.log(chances / chances.sum(axis=1, keepdims=True))[None], dtype=np.float64)


@pytest.mark.parametrize(
    ("said", "number"),
    [
        (("", "-", "", "2", "2", "0", ""), -20),
        (("1", "", "0", "", "0"), 100),
        (("1", "0", "0"), 10),
        (("0",), 0),
        (("", "9", "3", "0"), 930),
    ],
)
def test_what_is_plain_is_read(said: tuple[str, ...], number: int) -> None:
    (chances,) = number_chances(columns_of(*said))
    assert chances[number] == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("said", [("", ""), ("-",), (OTHER,), ("0", "", "5"), ("1", "2", "3", "4"), ("1", "-", "2")])
def test_what_is_no_whole_number_of_three_digits_is_none(said: tuple[str, ...]) -> None:
    assert sum(number_chances(columns_of(*said))[0].values()) < 1e-6


def test_each_reading_of_an_unclear_figure_has_its_share() -> None:
    (chances,) = number_chances(columns_of({"1": 0.7, "7": 0.3}, "", "5"))
    assert chances[15] == pytest.approx(0.7, abs=1e-6)
    assert chances[75] == pytest.approx(0.3, abs=1e-6)


def test_a_faint_minus_may_be_there_or_not() -> None:
    (chances,) = number_chances(columns_of({"-": 0.4, "": 0.6}, "", "2", "0"))
    assert chances[-20] == pytest.approx(0.4, abs=1e-6)
    assert chances[20] == pytest.approx(0.6, abs=1e-6)


def test_a_figure_that_changes_its_mind_is_one_figure_or_two() -> None:
    (chances,) = number_chances(columns_of({"1": 0.6, "7": 0.4}, {"7": 0.6, "1": 0.4}, "", "5"))
    assert chances[75] == pytest.approx(0.24, abs=1e-6)
    assert chances[15] == pytest.approx(0.24, abs=1e-6)
    assert chances[175] == pytest.approx(0.36, abs=1e-6)


def test_a_number_asked_for_is_weighed_however_unlikely() -> None:
    columns = columns_of("1", "0")
    assert 35 not in number_chances(columns)[0]
    assert 0 <= number_chances(columns, (35,))[0][35] < 1e-9


def test_lines_are_weighed_each_by_itself() -> None:
    said = [("-", "", "4", "0"), ("3", "", "3", "0"), ("", "", "", ""), ("7", "7", "", "")]
    together = number_chances(np.concatenate([columns_of(*line) for line in said]), (1, 2, 3, 4))
    apart = [number_chances(columns_of(*line), (number,))[0] for line, number in zip(said, (1, 2, 3, 4), strict=True)]
    for one, alone in zip(together, apart, strict=True):
        assert one == pytest.approx(alone)
    assert max(together[1], key=lambda number: together[1][number]) == 330


@given(st.integers(0, 2**32 - 1), st.sampled_from(["", "1", "10", "11", "-5", "100"]))
@settings(max_examples=15, deadline=None)
def test_a_text_has_the_probability_of_all_ways_to_lay_it_along_the_line(seed: int, text: str) -> None:
    """By trying every way: each column says a character, repeated ones count once, then what is nothing is left out."""
    chances = np.random.default_rng(seed).dirichlet(np.ones(len(CHARACTERS)), 5)
    used = [0, *sorted({CHARACTERS.index(character) for character in text})]
    total = 0.0
    for path in product(used, repeat=len(chances)):
        if "".join(CHARACTERS[place] for place, _ in groupby(path)) == text:
            total += float(np.prod([chances[column, place] for column, place in enumerate(path)]))
    found = float(np.exp(_log_chances(np.log(chances)[None], [text])[0]))
    assert found == pytest.approx(total, rel=1e-9, abs=1e-12)


def test_the_net_gives_probabilities_for_each_line() -> None:
    lines = np.random.default_rng(1).random((3, LINE_HEIGHT_PX, LINE_WIDTH_PX)).astype(np.float32)
    columns = load_line_net().columns(lines)
    assert columns.shape[::2] == (3, len(CHARACTERS))
    assert np.exp(columns).sum(axis=2) == pytest.approx(1)
    assert load_line_net().columns(lines[1:2]) == pytest.approx(columns[1:2], abs=1e-4)
