"""Distortion moves cell and print together, and changes only what it should."""

from __future__ import annotations

import numpy as np

from training.augment import distorted, jittered


def test_cell_and_print_are_distorted_alike() -> None:
    rng = np.random.default_rng(1)
    cells = rng.integers(0, 256, (40, 48, 48, 3), dtype=np.uint8)
    images, blanks = distorted(cells, cells, rng)
    assert np.array_equal(images, blanks)
    changed = (images != cells).any(axis=(1, 2, 3))
    assert 10 < changed.sum() < 40


def test_inputs_stay_as_they_are() -> None:
    cells = np.random.default_rng(2).integers(0, 256, (8, 48, 48, 3), dtype=np.uint8)
    before = cells.copy()
    distorted(cells, cells, np.random.default_rng(3))
    assert np.array_equal(cells, before)


def test_jitter_leaves_print_and_colour_but_for_the_shift() -> None:
    planes = np.random.default_rng(4).random((6, 4, 48, 48), np.float32)
    out = jittered(planes.copy(), np.random.default_rng(5))
    assert out.shape == planes.shape
    for plane in (1, 2, 3):
        assert np.array_equal(np.sort(out[:, plane].ravel()), np.sort(planes[:, plane].ravel()))
    assert not np.array_equal(np.sort(out[:, 0].ravel()), np.sort(planes[:, 0].ravel()))
