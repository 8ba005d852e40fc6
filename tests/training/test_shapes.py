"""Digits drawn by rule keep their rule: size, and what tells a 1 from a 7."""

from __future__ import annotations

import numpy as np
import pytest

from training.scribe import Scribe, usual_place
from training.shapes import SHAPES, shape
from training.sources import Sources


@pytest.mark.parametrize("digit", sorted(SHAPES))
def test_digits_are_about_one_high(digit: str) -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        points = np.concatenate(shape(digit, rng))
        assert 0.85 < np.ptp(points[:, 1]) < 1.25
        assert np.ptp(points[:, 0]) < 1.2


def test_the_first_stroke_of_a_one_falls_more_steeply_than_that_of_a_seven() -> None:
    rng = np.random.default_rng(2)

    def falls(digit: str) -> list[float]:
        found = []
        for _ in range(200):
            first = shape(digit, rng)[0]
            start, apex = first[0], first[4]  # five points to the corner, where there is a flag or a plain bar
            if apex[1] < 0.1 and len(first) == 9:
                found.append(float(np.degrees(np.arctan2(start[1] - apex[1], apex[0] - start[0]))))
        return found

    assert np.percentile(falls("1"), 2) > np.percentile(falls("7"), 98)


def test_a_text_with_other_digits_is_not_written_by_rule(sources: Sources) -> None:
    rng = np.random.default_rng(3)
    scribe, place = Scribe(sources), usual_place(rng)
    assert scribe.text("10", place, 2.0, rng, "shapes").any()
    with pytest.raises(KeyError):
        scribe.text("12", place, 2.0, rng, "shapes")
