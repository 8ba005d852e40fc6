"""Pruning takes what can be spared: channels that say what others say already."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="only for training: the extra train")

from torch import nn  # noqa: E402

from training.net import NARROW, WIDE, CellNet, folded  # noqa: E402
from training.prune import pruned  # noqa: E402


def with_spares() -> CellNet:
    """A wide net in which every channel beyond a narrow net's is a copy of another one."""
    torch.manual_seed(1)
    net = CellNet(WIDE)
    for layer in net.features:
        if isinstance(layer, nn.BatchNorm2d):
            nn.init.uniform_(layer.weight, 0.5, 1.5)
            nn.init.normal_(layer.bias, 0, 0.1)
    places = [i for i, layer in enumerate(net.features) if isinstance(layer, nn.Conv2d)]
    with torch.no_grad():
        for place, count in zip(places, NARROW, strict=True):
            spare = net.features[place].out_channels - count
            for values in (net.features[place].weight, net.features[place + 1].weight, net.features[place + 1].bias):
                values[count:] = values[:spare]
    return net.eval()


def test_spare_channels_go_without_loss() -> None:
    net = with_spares()
    planes = torch.rand(300, 4, 48, 48)
    small = pruned(net, planes)
    assert small.channels == NARROW
    with torch.no_grad():
        expected, got = net(planes[:50]), small(planes[:50])
    assert (expected - got).abs().max() < 0.02 * expected.std()


def test_folded_net_computes_the_same() -> None:
    net = with_spares()
    planes = torch.rand(5, 4, 48, 48)
    with torch.no_grad():
        assert torch.allclose(folded(net)(planes), net(planes), atol=1e-4)
