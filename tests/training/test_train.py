"""The wide net is kept for what is unclear: its batches are the worst cells of several."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="only for training: the extra train")
pytest.importorskip("onnx", reason="only for training: the extra train")

from scanner.reader import CELL_PX, PLANES  # noqa: E402
from training.export import check_parity, to_onnx  # noqa: E402
from training.feed import Batch  # noqa: E402
from training.net import NARROW, WIDE, CellNet  # noqa: E402
from training.prune import pruned  # noqa: E402
from training.train import SPLIT, _unclear  # noqa: E402


class Knowing(torch.nn.Module):
    """A net that says of each cell the number 1, as surely as its first pixel tells."""

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        logits = torch.zeros(len(planes), SPLIT + 3)
        logits[:, 1] = planes[:, 0, 0, 0]
        return logits


class Feed:
    """Batches of cells that are the surer the later they come."""

    def __init__(self) -> None:
        self._next = 0

    def batch(self) -> Batch:
        planes = np.zeros((8, PLANES, CELL_PX, CELL_PX), np.float32)
        planes[:, 0, 0, 0] = np.arange(8) + self._next
        self._next += 8
        return Batch(planes, np.full(8, 1, np.int64), np.full(8, -1, np.int64))


def test_the_most_unclear_cells_make_a_batch() -> None:
    batch = next(_unclear(Feed(), Knowing()))  # type: ignore[arg-type]
    assert sorted(batch.planes[:, 0, 0, 0].tolist()) == list(range(8))
    assert len(batch.numbers) == len(batch.marks) == 8


@pytest.mark.parametrize("deep", [True, False])
def test_exported_net_computes_the_same(deep: bool) -> None:
    torch.manual_seed(2)
    net = CellNet(WIDE if deep else NARROW, deep=deep).eval()
    planes = np.random.default_rng(3).random((9, PLANES, CELL_PX, CELL_PX), np.float32)
    assert check_parity(net, to_onnx(net), planes) < 1e-4


def test_narrow_net_makes_up_for_a_deeper_layer() -> None:
    torch.manual_seed(4)
    net = CellNet(WIDE, deep=True)
    layer = net.features[13]
    torch.nn.init.constant_(layer.norm.weight, 0.3)
    torch.nn.init.constant_(layer.norm.bias, 0.5)
    planes = torch.rand(600, PLANES, CELL_PX, CELL_PX)
    small = pruned(net.eval(), planes)
    with torch.no_grad():
        expected, got = net(planes), small(planes)
    assert torch.corrcoef(torch.stack([expected.flatten(), got.flatten()]))[0, 1] > 0.98
