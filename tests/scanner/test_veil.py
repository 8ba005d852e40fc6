"""A blank that was photographed in haze gets the contrast of the photo beside it, whatever the light and the ink."""

from __future__ import annotations

import numpy as np
import pytest

from scanner.veil import unveiled


def _cell(paper, print_level):
    cell = np.full((1, 48, 48, 3), paper, np.float64)
    cell[:, 16:32, 18:30] = print_level
    return cell


@pytest.mark.parametrize("light", [0.5, 0.9, 1.0])
@pytest.mark.parametrize("print_level", [70, 120, 160])
def test_print_becomes_as_deep_as_in_the_photo(light, print_level):
    photo, hazy = _cell(230, print_level) * light, _cell(230, 150)
    cleared = unveiled(photo.astype(np.uint8), hazy.astype(np.uint8)).astype(float)
    expected = 230 + (print_level - 230)
    assert cleared[0, 24, 24].mean() == pytest.approx(expected, abs=10)
    assert cleared[0, 2, 2].mean() == pytest.approx(230, abs=2)


def test_what_is_as_deep_already_stays_as_it_is():
    blank = _cell(230, 120).astype(np.uint8)
    assert np.abs(unveiled((blank * 0.7).astype(np.uint8), blank).astype(int) - blank).max() <= 4


def test_ink_is_not_taken_for_print():
    photo, blank = _cell(230, 150).astype(np.uint8), _cell(230, 150).astype(np.uint8)
    photo[:, 12:36, 23:26] = 30
    assert np.abs(unveiled(photo, blank).astype(int) - blank).max() <= 12


def test_plain_paper_stays_plain_under_noise():
    rng = np.random.default_rng(5)
    blank, photo = (np.clip(rng.normal(220, 3, (4, 48, 48, 3)), 0, 255).astype(np.uint8) for _ in range(2))
    assert np.abs(unveiled(photo, blank).astype(int) - blank).max() <= 8
