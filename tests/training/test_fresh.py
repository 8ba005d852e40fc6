"""Fresh cells: ink is laid over what was there, and what comes over from the next space leaves a cell empty."""

from __future__ import annotations

import numpy as np
import pytest

from scanner.reader import CELL_PX
from training.fresh import Bank, Overwriter, bends, bent, draw_bank
from training.labels import EMPTY, SCRAWL
from training.scribe import Scribe
from training.sources import Sources


@pytest.fixture(scope="module")
def bank(sources: Sources) -> Bank:
    return draw_bank(Scribe(sources), 300, np.random.default_rng(1))


def test_bank_holds_every_number_and_what_comes_over(bank: Bank) -> None:
    assert bank.covers.shape == (300, CELL_PX, CELL_PX)
    assert set(bank.labels.tolist()) == set(range(EMPTY, SCRAWL + 1))


def test_what_comes_over_stays_at_the_edge(bank: Bank) -> None:
    # A cell shows 1.4 of its box, and no such ink reaches further than 0.36 into it: the middle stays clear.
    middle = slice(round(CELL_PX * (0.2 + 0.36) / 1.4) + 1, round(CELL_PX * (0.2 + 0.64) / 1.4) - 1)
    over = bank.covers[bank.labels == EMPTY]
    assert (over[:, middle, middle] < 100).all()
    inked = over.max(axis=(1, 2)) > 100
    assert inked.mean() > 0.5


def test_numbers_have_ink(bank: Bank) -> None:
    assert (bank.covers[bank.labels != EMPTY].max(axis=(1, 2)) > 100).all()


def test_ink_darkens_and_changes_nothing_else(bank: Bank) -> None:
    rng = np.random.default_rng(2)
    grounds = rng.integers(120, 255, (40, CELL_PX, CELL_PX, 3), dtype=np.uint8)
    index = np.flatnonzero(bank.labels != EMPTY)[:40]
    images, labels = Overwriter(bank, rng).written(grounds, index)
    assert np.array_equal(labels, bank.labels[index])
    assert (images <= grounds).all()
    assert (images[:, :2, :2] == grounds[:, :2, :2]).mean() > 0.8
    assert ((grounds.astype(int) - images).max(axis=(1, 2, 3)) > 25).mean() > 0.9


def test_without_distortion_a_picture_stays_as_it_is() -> None:
    rng = np.random.default_rng(3)
    picture = rng.integers(0, 255, (CELL_PX, CELL_PX), dtype=np.uint8)
    still = np.zeros((2, CELL_PX, CELL_PX), np.float32)
    assert np.array_equal(bent(picture, still, 0.0, 0.0, rng, 0), picture)
    assert not np.array_equal(bent(picture, bends(rng)[0], 0.0, 0.0, rng, 0), picture)
