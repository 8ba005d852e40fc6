"""Photographed training cells carry the labels of what was written in them."""

from __future__ import annotations

import numpy as np
import pytest

from scanner.bare import bare
from scanner.reader import CELL_PX
from training.cells import Composer
from training.labels import EMPTY, FILLED, SCRAWL, UNMARKED, UNSURE
from training.photos import Photographer
from training.shard import Shard
from training.sources import Sources


@pytest.fixture(scope="module")
def photographed(sources: Sources) -> Shard:
    photographer = Photographer(Composer(sources, "train", 3), "train", 3)
    shots = [shot for shot in (photographer.photo() for _ in range(4)) if shot is not None]
    assert shots
    return Shard(*(np.concatenate([getattr(s, f) for s in shots]) for f in Shard.__slots__))


def test_labels_are_valid(photographed: Shard) -> None:
    count = len(photographed.known)
    assert photographed.images.shape == photographed.blanks.shape == (count, CELL_PX, CELL_PX, 3)
    assert photographed.known.all()
    assert set(photographed.numbers.tolist()) <= {UNSURE, FILLED, *range(EMPTY, SCRAWL + 1)}
    assert {0, 1, 2} <= set(photographed.marks.tolist()) <= {UNSURE, 0, 1, 2}
    taught = (photographed.numbers != UNSURE) | (photographed.marks != UNSURE)
    assert taught.all()


def test_what_is_labelled_as_ink_shows_ink(photographed: Shard) -> None:
    inked = (photographed.numbers > EMPTY) | (photographed.marks > UNMARKED)
    shows = ~bare(photographed.images, photographed.blanks)
    assert shows[inked].mean() > 0.97
    assert shows[~inked].mean() < 0.5
