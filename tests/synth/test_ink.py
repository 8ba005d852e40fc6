"""Ink: where the pen goes it gets darker, nowhere else, and never lighter."""

from __future__ import annotations

import numpy as np
import pytest

from synth.ink import PENS, draw_strokes, pen_for

LINE_MM = np.column_stack([np.linspace(5, 15, 40), np.full(40, 10.0)])


def drawn(kind: str, px_per_mm: float, paper: int = 250) -> np.ndarray:
    page = np.full((int(20 * px_per_mm), int(20 * px_per_mm), 3), paper, dtype=np.uint8)
    rng = np.random.default_rng(3)
    draw_strokes(page, [LINE_MM * px_per_mm], pen_for(rng, kind), px_per_mm, rng)
    return page


@pytest.mark.parametrize("kind", PENS)
@pytest.mark.parametrize("px_per_mm", [3.0, 12.0])
def test_a_line_lies_where_it_was_drawn(kind: str, px_per_mm: float) -> None:
    ink = 250 - drawn(kind, px_per_mm).min(axis=2).astype(float)
    y, x = np.nonzero(ink > 20)
    weights = ink[y, x]
    assert np.average(y + 0.5, weights=weights) / px_per_mm == pytest.approx(10.0, abs=0.1)
    assert np.average(x + 0.5, weights=weights) / px_per_mm == pytest.approx(10.0, abs=0.7)
    assert (x.min() / px_per_mm, (x.max() + 1) / px_per_mm) == pytest.approx((5.0, 15.0), abs=0.9)


@pytest.mark.parametrize("kind", ["blue biro", "pencil", "black felt"])
def test_the_same_line_has_the_same_width_at_every_scale(kind: str) -> None:
    widths = []
    for px_per_mm in (4.0, 8.0, 16.0):
        ink = 250 - drawn(kind, px_per_mm).min(axis=2).astype(float)
        widths.append(ink.sum() / ink.max() / px_per_mm**2 / 10.0)
    assert max(widths) < 1.6 * min(widths)


@pytest.mark.parametrize("kind", PENS)
def test_ink_only_ever_darkens(kind: str) -> None:
    rng = np.random.default_rng(1)
    page = rng.integers(0, 256, (120, 120, 3)).astype(np.uint8)
    before = page.copy()
    draw_strokes(page, [LINE_MM * 6], pen_for(rng, kind), 6.0, rng)
    assert (page <= before).all()
    assert (page < before).any()


def test_nothing_changes_far_from_the_line() -> None:
    page = drawn("black felt", 8.0)
    assert (page[:60] == 250).all()
    assert (page[100:] == 250).all()


def test_strokes_may_leave_the_picture_and_may_be_none() -> None:
    page = np.full((30, 30, 3), 200, dtype=np.uint8)
    rng = np.random.default_rng(0)
    pen = pen_for(rng, "blue biro")
    draw_strokes(page, [], pen, 6.0, rng)
    draw_strokes(page, [np.array([[-500.0, -500.0], [-400.0, -450.0]])], pen, 6.0, rng)
    assert (page == 200).all()
    draw_strokes(page, [np.array([[-20.0, 15.0], [50.0, 15.0]])], pen, 6.0, rng)
    assert (page[14:16, 5:25] < 200).any()


def test_faint_pencil_is_fainter_than_felt() -> None:
    assert drawn("faint pencil", 8.0).min() > drawn("black felt", 8.0).min() + 40


def test_colours_are_what_they_are_called() -> None:
    for kind, channel in (("blue biro", 0), ("green biro", 1), ("red biro", 2)):
        page = drawn(kind, 8.0)
        darkest = page[78:82, 60:100].reshape(-1, 3).astype(int)
        assert int(darkest.mean(axis=0).argmax()) == channel


def test_an_unknown_pen_is_named_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"'crayon'.*pencil"):
        pen_for(np.random.default_rng(0), "crayon")
