"""The order of the numbers as evidence for what was written: a small probabilistic model of one column.

A reader of handwriting gives each space its probabilities as if all numbers were equally likely there. They are not: in
a column each number is the same as the one below it or higher, but for players' mistakes. With `last` the nearest
number below, the model says that the next number is below `last` with probability `broken`, all such numbers alike, and
otherwise one of `last` to 10, all alike. Whether a space is empty or unreadable is left to the reader.

By Bayes' rule the joint probability of a column is the product of the reader's probabilities and these; the marginal of
each space follows from one pass upwards and one downwards over `last` (the forward-backward algorithm, Baum 1972).
docs/decisions/0007-rules-as-evidence.md has the derivation and two examples.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from scoring.plain import UNREADABLE, Number

LOWEST, HIGHEST = 1, 10

Steps = Mapping[int, Mapping[Number, float]]

_NEGLIGIBLE = 1e-4
"""Reader's probabilities below this are taken as nothing: they cannot win, and there are ten in every space."""


def weigh_column(readings: Sequence[Mapping[Number, float]], broken: float) -> tuple[dict[Number, float], ...]:
    """What each space of a column holds, in the light of the spaces around it.

    Args:
        readings: per space, bottom to top, the reader's probability of each value; they sum to 1.
        broken: prior probability that a number is lower than the one below it, 0 < broken < 1.

    Returns:
        Per space the posterior probability of each value, the same values, summing to 1.

    Example:
        >>> five, unsure = {5: 1.0}, {3: 0.5, 8: 0.5}
        >>> weighed = weigh_column([five, unsure], broken=0.02)[1]
        >>> weighed[8] > 0.95
        True
    """
    steps = _steps(broken)
    upward = _upward(readings, steps)
    downward = _downward(readings, steps)
    weighed = []
    for reading, below, above in zip(readings, upward, downward, strict=True):
        joint = {value: 0.0 for value in reading}
        for value, probability in reading.items():
            if probability >= _NEGLIGIBLE and isinstance(value, int):
                prior = sum(weight * steps[last][value] for last, weight in below.items())
                joint[value] = probability * prior * above[value]
        weighed.append(_normalised(joint, reading))
    return tuple(weighed)


def _upward(readings: Sequence[Mapping[Number, float]], steps: Steps) -> list[dict[int, float]]:
    """Before each space: the weight of every `last` (0 before the first number), given the spaces below."""
    weights = {0: 1.0}
    passed = []
    for reading in readings:
        passed.append(weights)
        following: dict[int, float] = {}
        for last, weight in weights.items():
            for value, probability in reading.items():
                if probability >= _NEGLIGIBLE:
                    after = _after(last, value)
                    following[after] = following.get(after, 0.0) + weight * probability * steps[last][value]
        total = sum(following.values())
        weights = {last: weight / total for last, weight in following.items()}
    return passed


def _downward(readings: Sequence[Mapping[Number, float]], steps: Steps) -> list[dict[int, float]]:
    """After each space: how well every `last` that there may be explains the spaces above."""
    lasts = {0}.union(
        *([v for v, p in reading.items() if p >= _NEGLIGIBLE and isinstance(v, int)] for reading in readings)
    )
    weights = {last: 1.0 for last in lasts}
    passed = []
    for reading in reversed(readings):
        passed.append(weights)
        likely = [(value, probability) for value, probability in reading.items() if probability >= _NEGLIGIBLE]
        explained = {
            last: sum(p * steps[last][value] * weights[_after(last, value)] for value, p in likely) for last in lasts
        }
        total = sum(explained.values())
        weights = {last: weight / total for last, weight in explained.items()}
    return passed[::-1]


def _after(last: int, value: Number) -> int:
    """The nearest number below the next space."""
    return value if isinstance(value, int) else last


@lru_cache(maxsize=16)
def _steps(broken: float) -> Steps:
    """By the last number (0 for none), the prior of each value above it; see `_step`."""
    values: tuple[Number, ...] = (None, UNREADABLE, *range(LOWEST, HIGHEST + 1))
    return {last: {value: _step(last, value, broken) for value in values} for last in range(HIGHEST + 1)}


def _step(last: int, value: Number, broken: float) -> float:
    """Prior probability of a value above `last`, times the count of numbers, so that 1 means no opinion."""
    if not isinstance(value, int) or last <= LOWEST:
        return 1.0
    count = HIGHEST - LOWEST + 1
    lower = last - LOWEST
    return count * broken / lower if value < last else count * (1 - broken) / (count - lower)


def _normalised(joint: Mapping[Number, float], reading: Mapping[Number, float]) -> dict[Number, float]:
    """The joint weights as probabilities, with empty and unreadable kept at what the reader says of them."""
    numbers = {value: weight for value, weight in joint.items() if isinstance(value, int)}
    total = sum(numbers.values())
    share = sum(probability for value, probability in reading.items() if isinstance(value, int))
    if total <= 0:
        return dict(reading)
    return {
        value: numbers[value] / total * share if isinstance(value, int) else probability
        for value, probability in reading.items()
    }
