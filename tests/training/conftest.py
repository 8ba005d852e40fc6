"""Sources for the tests of the training data: no file is needed."""

from __future__ import annotations

import numpy as np
import pytest

from training.sources import Bitmaps, Raw, Sources, Strokes


@pytest.fixture(scope="session")
def sources() -> Sources:
    """A source of bars: every digit is an upright stroke."""
    outline = np.zeros((40, 48, 48), np.uint8)
    outline[:, 4:44, 21:27] = 160
    skeleton = np.zeros((40, 48, 48), np.uint8)
    skeleton[:, 4:44, 23:25] = 255
    labels = np.tile(np.arange(10, dtype=np.uint8), 4)
    boxes = np.tile(np.array([21, 4, 27, 44], np.float32), (40, 1))
    names = ("mnist", "semeion", "mfeat", "photo_cells")
    bitmaps = tuple(Bitmaps(name, outline, skeleton, boxes, labels) for name in names)
    raw = []
    for name in names:
        images = np.full((44, 28, 28), 240, np.uint8)
        images[:40, 4:24, 13:16] = 30
        kinds = np.concatenate([labels, np.zeros(2, np.uint8), np.full(2, 10, np.uint8)])
        raw.append(Raw(name, images, kinds))
    points = np.zeros((40, 8, 2), np.float32)
    points[..., 1] = np.linspace(0, 1, 8)
    points[:, 4:, 0] = 0.2
    return Sources(bitmaps, tuple(raw), Strokes(points, labels))
