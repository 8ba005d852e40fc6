"""Cells that show only their print: misplaced or badly lit print is no ink, the faintest stroke is."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from scanner.bare import bare

SIDE = 48
SHIFTS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]


def printed() -> np.ndarray:
    """Four cells as a printer might fill them: white, with an arrow, with a vase in colour, on a tint."""
    cells = np.full((4, SIDE, SIDE, 3), 255, np.uint8)
    for cell in cells:
        cv2.rectangle(cell, (6, 6), (41, 41), (60, 40, 160), 2)
    cv2.arrowedLine(cells[1], (24, 36), (24, 12), (60, 200, 240), 4, cv2.LINE_AA, tipLength=0.5)
    cv2.ellipse(cells[2], (24, 24), (7, 11), 0, 0, 360, (150, 190, 220), -1, cv2.LINE_AA)
    cells[3, 9:39, 9:39] = (225, 240, 250)
    return cells


def lit(cells: np.ndarray, level: float) -> np.ndarray:
    return (cells * level).astype(np.uint8)


@pytest.mark.parametrize("level", [1.0, 0.8, 0.5, 0.25])
def test_print_alone_is_bare_in_any_light(level: float) -> None:
    assert bare(lit(printed(), level), printed()).all()


@pytest.mark.parametrize("shift", SHIFTS)
def test_print_a_pixel_aside_is_bare(shift: tuple[int, int]) -> None:
    moved = np.roll(printed(), shift, (1, 2))
    assert bare(lit(moved, 0.8), printed()).all()


def test_softer_print_is_bare() -> None:
    soft = np.stack([cv2.GaussianBlur(cell, (0, 0), 0.8) for cell in printed()])
    assert bare(lit(soft, 0.8), printed()).all()


@pytest.mark.parametrize("darkness", [0.25, 0.5, 0.9])
@pytest.mark.parametrize("shift", SHIFTS)
def test_a_thin_stroke_is_ink_even_on_print_and_aside(darkness: float, shift: tuple[int, int]) -> None:
    cells = np.roll(printed(), shift, (1, 2)).astype(np.float32)
    layer = np.ones((SIDE, SIDE, 1), np.float32)
    cv2.line(layer, (20, 16), (27, 32), 1 - darkness, 1, cv2.LINE_AA)
    assert not bare(lit(cells * layer, 0.6), printed()).any()


def test_a_box_filled_with_ink_is_not_bare() -> None:
    cells = printed()
    cells[:, 8:40, 8:40] //= 4
    assert not bare(cells, printed()).any()


def test_a_circle_around_the_box_counts_where_boxes_are_encircled() -> None:
    cells = printed()
    for cell in cells:
        cv2.circle(cell, (24, 24), 22, (110, 80, 70), 1, cv2.LINE_AA)
    assert not bare(cells, printed(), np.ones(4, np.bool_)).any()
    assert bare(printed(), printed(), np.ones(4, np.bool_)).all()
    assert bare(cells, printed(), np.array([True, False, False, True])).tolist() == [False, True, True, False]


def test_each_cell_is_judged_by_itself() -> None:
    cells = printed()
    cv2.line(cells[1], (16, 16), (32, 32), (90, 80, 80), 1, cv2.LINE_AA)
    assert bare(cells, printed()).tolist() == [True, False, True, True]
    assert [bool(bare(cells[i : i + 1], printed()[i : i + 1])[0]) for i in range(4)] == [True, False, True, True]


def test_no_cells_give_none() -> None:
    assert bare(printed()[:0], printed()[:0]).shape == (0,)
