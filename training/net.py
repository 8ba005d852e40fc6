"""The reader's nets: small enough that cv2.dnn reads the cells of a sheet in 12 ms on one thread.

It looks closely first (two layers on 24 x 24 pixels, where a stroke is one or two wide), then at shapes (two layers on
12 x 12), and leaves the rest to one fully connected layer. Convolutions of 3 x 3 without stride are the cheapest
multiplications that cv2.dnn's classic engine offers. With a pooling behind the first layer already it would take less
time, but learns worse: after 400 equal batches its loss was 0.63 instead of 0.52. It is learnt wide, then made narrow
(`training.prune`), which takes half of the wide net's time. The wide one, which goes one layer deeper, is kept for
the cells that leave the narrow one unsure.
"""

from __future__ import annotations

import torch
from torch import nn

from scanner.nets import MARK_CLASSES, NUMBER_VALUES
from scanner.reader import PLANES

OUTPUTS = len(NUMBER_VALUES) + len(MARK_CLASSES)

Channels = tuple[int, int, int, int]

WIDE: Channels = (24, 24, 48, 48)
"""Channels of the four convolutions of the net that looks again, from which the other one is made."""

NARROW: Channels = (16, 16, 40, 40)
"""Channels of the four convolutions of the net that looks at every cell."""

HIDDEN = 64
"""Units of the fully connected layer."""


class CellNet(nn.Module):
    """Planes (N, 4, 48, 48) to logits (N, 15): 12 of the numbers, then 3 of the marks.

    Args:
        channels: of the four convolutions.
        deep: whether a fifth one adds to what the fourth has found.
    """

    def __init__(self, channels: Channels = NARROW, deep: bool = False) -> None:
        super().__init__()
        self.channels = channels
        first, second, third, fourth = channels
        layers: list[nn.Module] = [*_block(PLANES, first, 2), *_block(first, second, 1), nn.MaxPool2d(2)]
        layers += [*_block(second, third, 1), *_block(third, fourth, 1), *([Deeper(fourth)] if deep else [])]
        layers += [nn.MaxPool2d(2), nn.Flatten()]
        layers += [nn.Linear(fourth * 36, HIDDEN, bias=False), nn.BatchNorm1d(HIDDEN), nn.ReLU(inplace=True)]
        self.features = nn.Sequential(*layers)
        self.head = nn.Linear(HIDDEN, OUTPUTS)

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        """Logits of a batch."""
        return self.head(self.features(planes))


class Deeper(nn.Module):
    """Maps (N, C, h, w) with something added to them: a convolution that is nothing at first.

    Args:
        channels: C.
    """

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, 1, 1, bias=False)
        self.norm: nn.Module = nn.BatchNorm2d(channels)
        self.relu = nn.ReLU()
        for parameter in self.norm.parameters():
            nn.init.zeros_(parameter)

    def forward(self, maps: torch.Tensor) -> torch.Tensor:
        """The maps and what was added."""
        return maps + self.relu(self.norm(self.conv(maps)))

    def folded(self) -> Deeper:
        """The same with the normalisation merged into the convolution."""
        same = Deeper(self.conv.out_channels)
        same.conv = torch.nn.utils.fusion.fuse_conv_bn_eval(self.conv, self.norm)
        same.norm = nn.Identity()
        return same


def _block(inputs: int, outputs: int, stride: int) -> list[nn.Module]:
    return [
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    ]


def folded(net: CellNet) -> nn.Sequential:
    """The same net for export: every batch normalisation merged into the layer before it."""
    layers: list[nn.Module] = []
    for layer in [*net.features.eval(), net.head]:
        if isinstance(layer, nn.BatchNorm2d):
            layers[-1] = torch.nn.utils.fusion.fuse_conv_bn_eval(layers[-1], layer)
        elif isinstance(layer, nn.BatchNorm1d):
            layers[-1] = torch.nn.utils.fusion.fuse_linear_bn_eval(layers[-1], layer)
        else:
            layers.append(layer.folded() if isinstance(layer, Deeper) else layer)
    return nn.Sequential(*layers).eval()
