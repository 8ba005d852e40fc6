"""Lines to learn totals from, and a net that learns from them and is exported as it computes."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="only for training: the extra train")
pytest.importorskip("onnx", reason="only for training: the extra train")

import torch

from scanner.ink import LINE_HEIGHT_PX, LINE_WIDTH_PX
from scanner.lines import CHARACTERS, OTHER, LineNet
from scanner.nets import load_net
from training.export import MAX_BYTES, exported
from training.scribe import Scribe
from training.sources import Sources
from training.totals import LineComposer, drawn, finish, folded, learnt, line_net


@pytest.fixture(scope="module")
def composer(sources: Sources) -> LineComposer:
    return LineComposer(Scribe(sources, "train"), np.random.default_rng(3))


def test_lines_say_numbers_or_that_they_are_none(composer: LineComposer) -> None:
    lines, texts = drawn(composer, 150)
    assert lines.shape == (150, LINE_HEIGHT_PX, LINE_WIDTH_PX)
    assert (lines.max(axis=(1, 2)) > 150).all()
    numbers = [int(text) for text in texts if text != OTHER]
    assert 110 < len(numbers) < 150
    assert all(-1000 < number < 1000 for number in numbers)
    assert any(number < 0 for number in numbers)
    assert any(number % 5 for number in numbers)
    # A minus makes a line longer.
    widths = (lines.max(axis=1) > 60).sum(axis=1)
    ones, minus_ones = (
        [width for width, text in zip(widths, texts, strict=True) if text[:-1] == sign and text != OTHER]
        for sign in ("", "-")
    )
    assert np.mean(minus_ones or [LINE_WIDTH_PX]) > np.mean(ones)


def test_a_net_learns_and_computes_the_same_in_the_program(composer: LineComposer) -> None:
    torch.set_num_threads(1)
    lines, texts = drawn(composer, 40)
    net = folded(learnt(lines, texts, 6, 8, 1))
    model = exported(net, torch.zeros(2, 1, LINE_HEIGHT_PX, LINE_WIDTH_PX), "lines")
    planes = lines[:5].astype(np.float32) / 255
    with torch.no_grad():
        expected = torch.log_softmax(net(torch.from_numpy(planes[:, None])), 1)[:, :, 0].permute(0, 2, 1).numpy()
    columns = LineNet(load_net(model), threading.Lock()).columns(planes)
    assert columns.shape == (5, LINE_WIDTH_PX // 2, len(CHARACTERS))
    assert columns == pytest.approx(expected, abs=2e-4)


def test_nets_too_large_for_the_package_are_not_written(tmp_path: Path) -> None:
    (tmp_path / "cells.onnx").write_bytes(bytes(MAX_BYTES))
    with pytest.raises(ValueError, match=f"more than {MAX_BYTES}"):
        finish(b"0", tmp_path, tmp_path, "")
    assert not (tmp_path / "totals.onnx").exists()


def test_each_column_of_two_pixels_is_read() -> None:
    assert line_net()(torch.zeros(1, 1, LINE_HEIGHT_PX, LINE_WIDTH_PX)).shape == (1, len(CHARACTERS), 1, 40)
