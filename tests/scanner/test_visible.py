"""Whether print shows: light and ink are told from things that lie on it."""

from __future__ import annotations

import numpy as np
import pytest

from layouts import SheetLayout
from scanner.cells import CELL_PX, blank_cells
from scanner.rectify import Blank
from scanner.types import ImageU8
from scanner.visible import shown_between_ink, shown_prints, visibility


@pytest.fixture
def printed(blank: Blank, layout: SheetLayout) -> ImageU8:
    return blank_cells(blank, layout)


def lit(cells: ImageU8, light: object) -> ImageU8:
    return (cells * np.asarray(light)).astype(np.uint8)


@pytest.mark.parametrize("darkest", [0.3, 0.6])
def test_the_edge_of_a_shadow_hides_no_print(printed: ImageU8, darkest: float) -> None:
    across = np.linspace(1, darkest, CELL_PX)[:, None]
    agreement, contrasts = shown_prints(lit(printed, across), printed)
    assert agreement.min() > 0.9
    assert contrasts == pytest.approx(1, abs=0.2)


def test_print_fades_where_light_bounces_off_and_nowhere_else(printed: ImageU8) -> None:
    """A veil of light over some cells takes more than half of their contrast; shade and exposure take next to none."""
    veiled = printed.astype(np.float64)
    veiled[10:20] = 0.4 * veiled[10:20] + 0.6 * 255
    veiled[30:40] *= 0.35
    _, contrasts = visibility(lit(veiled, 0.8), printed, np.ones(len(printed)), np.zeros(len(printed), np.bool_))
    assert contrasts[10:20].max() < 0.5
    assert contrasts[np.r_[0:10, 20:86]] == pytest.approx(1.0, abs=0.12)


@pytest.mark.parametrize("tone", [40, 120, 180, 250])
@pytest.mark.parametrize("share", [0.5, 0.7, 1.0])
@pytest.mark.parametrize("upright", [True, False])
def test_a_slip_over_a_cell_read_as_empty_is_seen(printed: ImageU8, tone: int, share: float, upright: bool) -> None:
    covered = printed.copy()
    (covered if upright else covered.swapaxes(1, 2))[:, : int(CELL_PX * share)] = tone
    scores, contrasts = visibility(covered, printed, np.full(len(printed), -1.0), np.zeros(len(printed), np.bool_))
    assert np.all((scores < 0.65) | (contrasts < 0.6))


def test_ink_over_the_border_hides_no_print_and_a_thing_over_all_does(printed: ImageU8) -> None:
    scribbled, covered = printed.copy(), printed.copy()
    scribbled[:, 4:36, 12:40] = 30
    covered[:] = 30
    everywhere = np.ones(len(printed), np.bool_)
    nothing = np.full(len(printed), -1.0)
    assert visibility(scribbled, printed, nothing, everywhere)[0].min() > 0.5
    assert visibility(covered, printed, nothing, everywhere)[0].max() < 0.25


def test_too_little_between_ink_says_nothing(printed: ImageU8) -> None:
    nearly = printed[0].copy()
    nearly[2:46, 2:46] = 20
    assert shown_between_ink(nearly, printed[0]) == 0


def test_what_was_seen_before_is_never_taken_back(printed: ImageU8) -> None:
    noise = np.random.default_rng(5).integers(0, 255, printed.shape, np.uint8)
    scores, _ = visibility(noise, printed, np.full(len(printed), 0.8), np.zeros(len(printed), np.bool_))
    assert scores.min() >= 0.8
