"""The reader's net: small enough that cv2.dnn reads the 86 cells of a sheet in 11 ms on one quiet thread.

Convolutions of 3 x 3 in pairs, on 24 x 24, 12 x 12 and 6 x 6 pixels, then one fully connected layer. A net with two
pairs of 24 and 48 channels and its larger fully connected layer takes 1.6 times as long.
"""

from __future__ import annotations

import torch
from torch import nn

from scanner.reader import MARK_CLASSES, NUMBER_VALUES, PLANES

OUTPUTS = len(NUMBER_VALUES) + len(MARK_CLASSES)


class CellNet(nn.Module):
    """Planes (N, 4, 48, 48) to logits (N, 15): 12 of the numbers, then 3 of the marks."""

    def __init__(self, stem: int = 16, width: int = 32, deep: int = 64, hidden: int = 96) -> None:
        super().__init__()
        layers: list[nn.Module] = [*_block(PLANES, stem, 2), *_block(stem, stem, 1), nn.MaxPool2d(2)]
        layers += [*_block(stem, width, 1), *_block(width, width, 1), nn.MaxPool2d(2)]
        layers += [*_block(width, deep, 1), *_block(deep, deep, 1), nn.MaxPool2d(2), nn.Flatten()]
        layers += [nn.Linear(deep * 9, hidden, bias=False), nn.BatchNorm1d(hidden), nn.ReLU(inplace=True)]
        self.features = nn.Sequential(*layers)
        self.head = nn.Linear(hidden, OUTPUTS)

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        """Logits of a batch."""
        return self.head(self.features(planes))


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
            layers.append(layer)
    return nn.Sequential(*layers).eval()
