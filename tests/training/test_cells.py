"""What the net is trained on: parts never overlap, skeletons are thin, cells are what their labels say."""

from __future__ import annotations

import numpy as np

from scanner.reader import CELL_PX
from training.cells import Composer
from training.ink import TrainingPen, add_ink, empty_layer
from training.labels import EMPTY, FILLED, SCRAWL, UNSURE
from training.printed import BOX_PX, CANVAS_PX, EDGE_PX, invent, own_cells
from training.scribe import Scribe, usual_place
from training.sources import Sources, part_of, thin


def test_parts_share_no_digit_and_lose_none() -> None:
    labels = np.repeat(np.arange(10), 57)
    parts = [set(part_of(labels, part).tolist()) for part in ("train", "calibrate", "evaluate")]
    assert set.union(*parts) == set(range(len(labels)))
    assert sum(map(len, parts)) == len(labels)
    assert all(len(np.unique(labels[list(part)])) == 10 for part in parts)


def test_skeleton_is_a_thin_part_of_the_shape_and_keeps_its_pieces() -> None:
    shape = np.zeros((2, 40, 40), np.bool_)
    shape[0, 5:35, 10:18] = True
    shape[0, 5:11, 10:34] = True
    shape[1, 8:12, 4:36] = True
    shape[1, 24:31, 4:36] = True
    lines = thin(shape)
    assert not (lines & ~shape).any()
    squares = lines[:, :-1, :-1] & lines[:, 1:, :-1] & lines[:, :-1, 1:] & lines[:, 1:, 1:]
    assert squares.sum() <= 2
    assert lines[0].any()
    assert lines[1, :18].any()
    assert lines[1, 18:].any()


def test_own_cells_are_cut_with_their_box_in_the_middle() -> None:
    cells = own_cells()
    assert {cell.kind for cell in cells} == {"number", "mark", "double", "bridge"}
    for cell in cells:
        assert cell.image.shape == (CANVAS_PX, CANVAS_PX, 3)
        if cell.kind == "number":
            corner = cell.image[EDGE_PX + 3 : EDGE_PX + 6, EDGE_PX + 30 : EDGE_PX + 36]
            assert corner.min() > 240  # white, between border and icon
    assert EDGE_PX + BOX_PX + EDGE_PX == CANVAS_PX


def test_ink_only_darkens() -> None:
    rng = np.random.default_rng(3)
    layer = empty_layer()
    cover = np.zeros((CANVAS_PX, CANVAS_PX), np.uint8)
    cover[60:80, 60:64] = 255
    add_ink(layer, cover, TrainingPen(0.5, (0.6, 0.3, 0.2), 0.9, 0.5), rng)
    inked = cover > 0
    assert (layer[~inked] == 255).all()
    assert layer[inked].mean() < 200


def test_ten_is_wider_than_one(sources: Sources) -> None:
    rng = np.random.default_rng(4)
    scribe = Scribe(sources)
    for _ in range(10):
        place = usual_place(rng)
        one = scribe.text("1", place, 2.0, rng, "mnist")
        ten = scribe.text("10", place, 2.0, rng, "mnist")
        assert one.any()
        assert np.ptp(np.flatnonzero(ten.any(0))) > np.ptp(np.flatnonzero(one.any(0)))


def test_cells_and_labels_are_valid_and_repeat_by_seed(sources: Sources) -> None:
    cells = [Composer(sources, "train", 5).cell() for _ in range(1)] + _some(sources, 5, 150)
    assert np.array_equal(cells[0].image, cells[1].image)
    for cell in cells:
        assert cell.image.shape == cell.blank.shape == (CELL_PX, CELL_PX, 3)
        assert cell.image.dtype == cell.blank.dtype == np.uint8
        assert cell.number in {UNSURE, FILLED, *range(EMPTY, SCRAWL + 1)}
        assert cell.mark in {UNSURE, 0, 1, 2}
        assert not (cell.number == EMPTY and cell.mark > 0)
    assert len({cell.number for cell in cells}) > 8


def test_hands_of_the_parts_differ(sources: Sources) -> None:
    rng = np.random.default_rng(6)
    names = [{Scribe(sources, part).hand(rng).name for _ in range(20)} for part in ("train", "calibrate", "evaluate")]
    assert not names[0] & names[1]
    assert not names[1] & names[2]
    assert not names[0] & names[2]


def test_invented_prints_repeat_by_seed() -> None:
    first, second = (invent(np.random.default_rng(7)) for _ in range(2))
    assert np.array_equal(first.image, second.image)
    assert first.image.shape == (CANVAS_PX, CANVAS_PX, 3)


def _some(sources: Sources, seed: int, count: int) -> list:
    composer = Composer(sources, "train", seed)
    return [composer.cell() for _ in range(count)]
