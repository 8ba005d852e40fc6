"""The reader's net: small enough that cv2.dnn reads a sheet of 86 cells in some 20 ms on one thread.

It looks closely first (two layers on 24 x 24 pixels, where a stroke is one or two wide), then at shapes (two layers on
12 x 12), and leaves the rest to one fully connected layer. Convolutions of 3 x 3 without stride are the cheapest
multiplications that cv2.dnn's classic engine offers. With a pooling behind the first layer already it would take half
the time, but learns worse: after 400 equal batches its loss was 0.63 instead of 0.52.
"""

from __future__ import annotations

import torch
from torch import nn

from scanner.reader import MARK_CLASSES, NUMBER_VALUES, PLANES

OUTPUTS = len(NUMBER_VALUES) + len(MARK_CLASSES)


class CellNet(nn.Module):
    """Planes (N, 4, 48, 48) to logits (N, 15): 12 of the numbers, then 3 of the marks."""

    def __init__(self, stem: int = 24, width: int = 48, hidden: int = 64, dropout: float = 0.1) -> None:
        super().__init__()
        layers: list[nn.Module] = [*_block(PLANES, stem, 2), *_block(stem, stem, 1), nn.MaxPool2d(2)]
        layers += [*_block(stem, width, 1), *_block(width, width, 1)]
        layers += [nn.MaxPool2d(2), nn.Flatten(), nn.Dropout(dropout)]
        layers += [nn.Linear(width * 36, hidden, bias=False), nn.BatchNorm1d(hidden), nn.ReLU(inplace=True)]
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
    """The same net for export: every batch normalisation merged into the layer before it, no dropout."""
    layers: list[nn.Module] = []
    for layer in [*net.features.eval(), net.head]:
        if isinstance(layer, nn.BatchNorm2d):
            layers[-1] = torch.nn.utils.fusion.fuse_conv_bn_eval(layers[-1], layer)
        elif isinstance(layer, nn.BatchNorm1d):
            layers[-1] = torch.nn.utils.fusion.fuse_linear_bn_eval(layers[-1], layer)
        elif not isinstance(layer, nn.Dropout):
            layers.append(layer)
    return nn.Sequential(*layers).eval()
