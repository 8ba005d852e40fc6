"""Hands: the same every time, different from one another, and none shared between namespaces."""

from __future__ import annotations

import numpy as np
import pytest

from synth.curves import bounds, extend, soften, spline, wobble
from synth.glyphs import DIGITS, glyphs_of
from synth.hands import NAMESPACES, hand_for
from synth.letters import LETTERS
from synth.marks import MARKS, mark_strokes, strike_strokes


def shape_of(namespace: str, n: int, text: str) -> bytes:
    strokes = hand_for(namespace, n).strokes(text, np.random.default_rng(0))
    return np.concatenate(strokes).tobytes()


def test_every_digit_has_several_forms_and_every_name_can_be_written() -> None:
    assert all(len(DIGITS[digit]) >= 6 for digit in "0123456789")
    assert set(LETTERS) >= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")


def test_every_glyph_fits_the_height_of_a_digit() -> None:
    for digit in "0123456789":
        for glyph in glyphs_of(digit):
            x0, y0, x1, y1 = bounds([stroke.points for stroke in glyph.strokes])
            assert -0.05 <= y0 <= 0.1
            assert 0.9 <= y1 <= 1.1
            assert x1 - x0 <= 0.8


def test_a_hand_writes_the_same_with_the_same_chance() -> None:
    assert shape_of("eval", 7, "10") == shape_of("eval", 7, "10")


def test_a_hand_never_writes_quite_the_same_twice() -> None:
    hand, rng = hand_for("eval", 7), np.random.default_rng(0)
    first, second = (np.concatenate(hand.strokes("3", rng)) for _ in range(2))
    assert first.shape != second.shape or not np.allclose(first, second)


def test_no_hand_is_in_two_namespaces() -> None:
    seeds = [hand_for(namespace, n).seed for namespace in NAMESPACES for n in range(500)]
    assert len(set(seeds)) == len(seeds)
    shapes = [shape_of(namespace, n, "8") for namespace in NAMESPACES for n in range(50)]
    assert len(set(shapes)) == len(shapes)


def test_an_unknown_namespace_is_named_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"'test'.*train, eval, sample"):
        hand_for("test", 0)


def test_ten_is_a_one_and_a_zero_side_by_side() -> None:
    for n in range(60):
        hand = hand_for("train", n)
        wide = bounds(hand.strokes("10", np.random.default_rng(n)))
        one = bounds(hand.strokes("1", np.random.default_rng(n)))
        assert wide[2] > one[2] + 0.15, n


def test_text_starts_at_the_origin_and_is_about_one_high() -> None:
    heights = []
    for n in range(100):
        x0, y0, _, y1 = bounds(hand_for("train", n).strokes("5", np.random.default_rng(n)))
        assert (x0, y0) == (0.0, 0.0)
        heights.append(y1)
    assert 0.9 < np.median(heights) < 1.1
    assert min(heights) > 0.7


def test_a_hand_keeps_mostly_to_one_mark() -> None:
    assert set(MARKS) >= {hand_for("train", n).mark for n in range(200)}
    assert len({hand_for("train", n).mark for n in range(200)}) == len(MARKS)


@pytest.mark.parametrize("style", MARKS)
def test_every_mark_crosses_the_box_it_marks(style: str) -> None:
    for n in range(20):
        strokes = mark_strokes(hand_for("train", n), np.random.default_rng(n), style)
        x0, y0, x1, y1 = bounds(strokes)
        assert 0.1 < (x0 + x1) / 2 < 0.9
        assert 0.1 < (y0 + y1) / 2 < 0.9


def test_a_strike_covers_what_it_strikes() -> None:
    for n in range(40):
        x0, _, x1, _ = bounds(strike_strokes((2.0, 3.0, 6.0, 9.0), hand_for("train", n), np.random.default_rng(n)))
        assert x0 < 3.5
        assert x1 > 4.5


class TestCurves:
    points = np.array([[0.0, 0.0], [1.0, 0.5], [0.5, 1.0], [0.0, 2.0]])

    def test_a_spline_passes_through_its_points(self) -> None:
        for corners in ([False] * 4, [False, True, False, False]):
            path = spline(self.points, np.array(corners))
            for point in self.points:
                assert np.abs(path - point).sum(axis=1).min() < 1e-9

    def test_full_tension_gives_straight_lines(self) -> None:
        path = spline(self.points, np.zeros(4, dtype=np.bool_), tension=1.0)
        first = path[:11]
        assert np.allclose(first[:, 1], 0.5 * first[:, 0])

    def test_softening_and_wobbling_nothing_changes_nothing(self) -> None:
        path = spline(self.points, np.zeros(4, dtype=np.bool_))
        assert soften(path, 0) is path
        assert wobble(path, 0.0, 0.5, np.random.default_rng(0)) is path

    def test_softening_keeps_the_ends_and_a_straight_line(self) -> None:
        line = np.column_stack([np.linspace(0, 1, 20), np.linspace(0, 2, 20)])
        assert np.allclose(soften(line, 3), line)

    def test_extending_goes_straight_on(self) -> None:
        line = np.column_stack([np.linspace(0, 1, 11), np.zeros(11)])
        assert np.allclose(extend(line, 0.25)[-1], [1.25, 0.0])
        assert extend(line, -0.3)[-1, 0] == pytest.approx(0.7)
