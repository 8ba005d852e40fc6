"""The blur of a photo, measured on its print: true for known blurs, whatever is written, lit or noisy."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
import pytest

from layouts import SheetLayout
from scanner.rectify import Blank
from scanner.sharpness import blur_of, is_soft, nothing_sharp
from scanner.types import Cells, ImageU8
from tests.scanner.test_cells import constant_bend, cut

SIGMAS_MM = (0.2, 0.3, 0.4, 0.5, 0.6, 0.8)


def cells_of(image: ImageU8, blank: Blank, layout: SheetLayout) -> Cells:
    return cut(blank, layout, constant_bend(blank), image)


def softened(image: ImageU8, blank: Blank, sigma_mm: float) -> ImageU8:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma_mm * blank.canvas.px_per_mm), np.uint8)


def shaken(image: ImageU8, blank: Blank, sigma_mm: float, along: bool) -> ImageU8:
    """Moved evenly in one direction during the exposure: a box of the same deviation."""
    length_px = round(np.sqrt(12) * sigma_mm * blank.canvas.px_per_mm)
    return np.asarray(cv2.blur(image, (1, length_px) if along else (length_px, 1)), np.uint8)


def noisy(image: ImageU8) -> ImageU8:
    return np.clip(image + np.random.default_rng(3).normal(0, 8, image.shape), 0, 255).astype(np.uint8)


def written(image: ImageU8) -> ImageU8:
    """Thick strokes all over, as sharp or soft as whatever comes after."""
    inked = image.copy()
    for y in range(40, inked.shape[0], 50):
        cv2.line(inked, (0, y), (inked.shape[1], y + 30), (70, 40, 30), 2)
    return inked


@pytest.mark.parametrize("sigma_mm", SIGMAS_MM)
def test_a_known_blur_is_recovered(blank: Blank, layout: SheetLayout, sigma_mm: float) -> None:
    found_mm = blur_of(cells_of(softened(blank.image, blank, sigma_mm), blank, layout), blank, layout)
    assert found_mm == pytest.approx(sigma_mm, rel=0.15)


def test_the_blank_sheet_itself_is_sharp(blank: Blank, layout: SheetLayout) -> None:
    assert blur_of(cells_of(blank.image, blank, layout), blank, layout) == pytest.approx(0, abs=0.02)


@pytest.mark.parametrize("along", [True, False])
@pytest.mark.parametrize("sigma_mm", [0.8, 1.2, 2.0])
def test_a_shake_in_one_direction_counts_in_full(
    blank: Blank, layout: SheetLayout, along: bool, sigma_mm: float
) -> None:
    image = shaken(blank.image, blank, sigma_mm, along)
    assert blur_of(cells_of(image, blank, layout), blank, layout) > 0.7


def test_more_blur_measures_as_more(blank: Blank, layout: SheetLayout) -> None:
    found = [blur_of(cells_of(softened(blank.image, blank, s), blank, layout), blank, layout) for s in SIGMAS_MM]
    assert all(less < more for less, more in pairwise(found))


@pytest.mark.parametrize("sigma_mm", [0.3, 0.6])
def test_light_noise_and_ink_change_little(blank: Blank, layout: SheetLayout, sigma_mm: float) -> None:
    soft = softened(blank.image, blank, sigma_mm)
    shade = np.linspace(0.4, 0.9, soft.shape[1])[None, :, None]
    inked = softened(written(blank.image), blank, sigma_mm)
    for image in ((soft * shade).astype(np.uint8), noisy(soft), inked):
        assert blur_of(cells_of(image, blank, layout), blank, layout) == pytest.approx(sigma_mm, abs=0.08)


@pytest.mark.parametrize("seed", range(3))
def test_where_nothing_is_printed_nothing_is_blurred(blank: Blank, layout: SheetLayout, seed: int) -> None:
    plain = np.full_like(blank.image, 220)
    noise = np.random.default_rng(seed).integers(0, 255, blank.image.shape, dtype=np.uint8)
    for image in (plain, noise, softened(noise, blank, 0.8)):
        assert blur_of(cells_of(image, blank, layout), blank, layout) == float("inf")


def test_soft_pictures_are_told_from_sharp_ones_whatever_they_show(blank: Blank, layout: SheetLayout) -> None:
    noise = np.random.default_rng(5).integers(0, 255, blank.image.shape, dtype=np.uint8)
    for image in (blank.image, written(blank.image), blank.image[::-1], noisy(blank.image)):
        picture = np.ascontiguousarray(image)
        assert not is_soft(cells_of(picture, blank, layout))
        assert is_soft(cells_of(noisy(softened(picture, blank, 1.5)) // 2 + 60, blank, layout))
    assert not is_soft(cells_of(noise, blank, layout))


def test_a_picture_is_sharp_where_anything_in_it_is(page: ImageU8) -> None:
    small = np.asarray(cv2.resize(page, (700, 1000), interpolation=cv2.INTER_AREA), np.uint8)
    soft = np.asarray(cv2.GaussianBlur(small, (0, 0), 6), np.uint8)
    assert not nothing_sharp(small)
    assert nothing_sharp(soft)
    partly = soft.copy()
    partly[:300] = small[:300]
    assert not nothing_sharp(partly)
    assert not nothing_sharp(np.full((400, 300, 3), 200, np.uint8))  # nothing there that could be sharp
