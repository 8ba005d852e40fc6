"""A dot among crosses is doubtful; dots among dots are the way somebody marks."""

from __future__ import annotations

import numpy as np
import pytest

from layouts import SheetLayout
from scanner.cells import blank_cells
from scanner.dots import stray_dots
from scanner.rectify import Blank
from scanner.types import ImageU8


@pytest.fixture
def marks(blank: Blank, layout: SheetLayout) -> ImageU8:
    kinds = np.array([box.kind for box in layout.read_cells])
    return blank_cells(blank, layout)[kinds == "mark"]


def inked(cells: ImageU8, which: slice, span_px: int) -> None:
    first = 24 - span_px // 2
    cells[which, first : first + span_px, 22:26] = 40


EVERYWHERE = np.ones(18, np.bool_)


def test_a_dot_among_strokes_is_doubtful(marks: ImageU8) -> None:
    photo = marks.copy()
    inked(photo, slice(0, 17), 24)
    inked(photo, slice(17, 18), 7)
    assert np.flatnonzero(stray_dots(photo, marks, EVERYWHERE)).tolist() == [17]
    assert not stray_dots(photo, marks, EVERYWHERE & (np.arange(18) < 17)).any()


def test_who_marks_with_dots_means_them(marks: ImageU8) -> None:
    photo = marks.copy()
    inked(photo, slice(0, 18), 7)
    assert not stray_dots(photo, marks, EVERYWHERE).any()


@pytest.mark.parametrize("light", [0.3, 0.8])
def test_light_makes_no_dots(marks: ImageU8, light: float) -> None:
    photo = marks.copy()
    inked(photo, slice(0, 18), 24)
    assert not stray_dots((photo * light).astype(np.uint8), marks, EVERYWHERE).any()
    assert not stray_dots(marks, marks, EVERYWHERE).any()
