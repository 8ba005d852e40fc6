"""Two nets, one answer: the second is asked for unclear cells only, and then counts with its share."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from scanner.nets import MARK_CLASSES, NUMBER_VALUES, SECOND_SHARE, SURE, Nets, softmax, unsure
from scanner.reader import CELL_PX, PLANES

NUMBERS, OUTPUTS = len(NUMBER_VALUES), len(NUMBER_VALUES) + len(MARK_CLASSES)


class Told:
    """A net whose answers are known: the logits at the place that the first pixel of each cell names."""

    def __init__(self, answers: np.ndarray) -> None:
        self._answers = answers
        self.asked: list[int] = []

    def setInput(self, planes: np.ndarray) -> None:
        self.asked = planes[:, 0, 0, 0].astype(int).tolist()

    def forward(self) -> np.ndarray:
        return self._answers[self.asked]


def logits(number: dict[int, float], mark: dict[int, float]) -> np.ndarray:
    """A row with these values and zeros."""
    row = np.zeros(OUTPUTS, np.float32)
    for place, value in number.items():
        row[place] = value
    for place, value in mark.items():
        row[NUMBERS + place] = value
    return row


def cells(count: int) -> np.ndarray:
    """Planes of cells that name themselves."""
    planes = np.zeros((count, PLANES, CELL_PX, CELL_PX), np.float32)
    planes[:, 0, 0, 0] = np.arange(count)
    return planes


CLEAR, UNCLEAR = {4: 20.0}, {4: 2.0, 9: 1.5}
MARKED, PERHAPS = {1: 20.0}, {0: 1.0, 1: 1.2}


@pytest.mark.parametrize("numeric", [True, False])
def test_second_net_sees_only_what_is_unclear_in_the_head_asked_for(numeric: bool) -> None:
    first = Told(np.stack([logits(CLEAR, PERHAPS), logits(UNCLEAR, MARKED), logits(CLEAR, MARKED)]))
    second = Told(np.stack([logits({7: 30.0}, {2: 30.0})] * 3))
    said = Nets(first, second, threading.Lock()).logits(cells(3), np.full(3, numeric))
    again = 1 if numeric else 0
    assert second.asked == [again]
    for place, row in enumerate(said):
        own = first.forward()[place]
        expected = own + SECOND_SHARE * (second.forward()[0] - own) if place == again else own
        assert np.allclose(row, expected)


def test_nobody_looks_again_where_all_is_clear() -> None:
    first, second = Told(np.stack([logits(CLEAR, MARKED)] * 2)), Told(np.zeros((2, OUTPUTS), np.float32))
    Nets(first, second, threading.Lock()).logits(cells(2), np.ones(2, np.bool_))
    assert second.asked == []


def test_claimed_or_struck_is_no_doubt_about_a_mark() -> None:
    rows = np.stack([logits(CLEAR, {1: 12.0, 2: 12.0}), logits(CLEAR, {0: 12.0, 1: 12.0})])
    assert unsure(rows, np.zeros(2, np.bool_)).tolist() == [False, True]


def test_limit_of_doubt_is_where_it_says() -> None:
    odds = np.log(SURE / (1 - SURE) * (NUMBERS - 1))
    rows = np.stack([logits({3: odds - 0.01}, MARKED), logits({3: odds + 0.01}, MARKED)])
    assert unsure(rows, np.ones(2, np.bool_)).tolist() == [True, False]


def test_softmax_of_large_logits_is_finite() -> None:
    assert softmax(np.array([[1000.0, 0.0], [-1000.0, -1000.0]], np.float32)).tolist() == [[1, 0], [0.5, 0.5]]
