"""Makes a trained net narrow with little loss: fewer channels, and the next layer refitted to those that are left.

A channel is worth what the next layer cannot make up for without it. So channels go one by one, each time the one whose
loss raises the least squares error of the next layer's response the least; the next layer's weights are then those of
the least squares fit (as He, Zhang and Sun, ICCV 2017, do after choosing by lasso). On our net a third of the channels
costs one point of errors on composed cells, which further training wins back.
"""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from training.net import NARROW, CellNet, Channels, Deeper

_PATCHES = 20_000
"""Patches that a layer is fitted to: a hundred for each of its inputs."""

_DAMPING = 1e-4
"""Added to the diagonal of the normal equations, relative to its mean: channels that are nearly never on."""


def pruned(net: CellNet, planes: torch.Tensor, channels: Channels = NARROW) -> CellNet:
    """The net with fewer channels in its convolutions.

    Args:
        net: a trained net; the narrow one does without a deeper layer, so what that adds is fitted too.
        planes: some of the cells that it was trained on, (N, 4, 48, 48); a few thousand.
        channels: how many are left in each convolution.
    """
    torch.manual_seed(0)
    old, new = net.eval().features, CellNet(channels).eval()
    places = [i for i, layer in enumerate(old) if isinstance(layer, nn.Conv2d | nn.Linear)]
    weights = old[places[0]].weight.detach()
    with torch.no_grad():
        for here, behind, count in zip(places, places[1:], channels, strict=False):
            response = _until(old, behind, planes)
            inputs = _inputs(response, old[behind])
            full = inputs
            if isinstance(old[behind], nn.Linear):
                full = _until(old, behind, planes, deep=True).flatten(1)
            wanted = full.double() @ _matrix(old[behind].weight)
            kept, refitted = _fit(inputs, wanted, response.shape[1], count)
            new.features[here].weight.copy_(weights[kept])
            _copy_norm(new.features[here + 1], old[here + 1], kept)
            weights = refitted.reshape(len(refitted), count, *(old[behind].weight.shape[2:] or (-1,)))
        last = next(i for i, layer in enumerate(new.features) if isinstance(layer, nn.Linear))
        new.features[last].weight.copy_(weights.reshape(len(weights), -1))
        _copy_norm(new.features[last + 1], old[places[-1] + 1], list(range(len(weights))))
    new.head.load_state_dict(net.head.state_dict())
    return new


def _until(layers: nn.Sequential, place: int, planes: torch.Tensor, deep: bool = False) -> torch.Tensor:
    """What arrives at the layer at a place, before flattening: (N, C, h, w), with or without a deeper layer's part."""
    left_out = nn.Flatten if deep else (nn.Flatten, Deeper)
    before = [layer for layer in layers[:place] if not isinstance(layer, left_out)]
    return torch.cat([nn.Sequential(*before)(part) for part in planes.split(500)])


def _inputs(response: torch.Tensor, layer: nn.Module) -> torch.Tensor:
    """Rows (P, C * k) of what the layer multiplies with its weights, channel by channel, float64."""
    if isinstance(layer, nn.Linear):
        return response.flatten(1).double()
    some = response[torch.randperm(len(response))[: max(1, 4 * _PATCHES // response[0, 0].numel())]]
    rows = functional.unfold(some, 3, padding=1).transpose(1, 2).reshape(-1, response.shape[1] * 9)
    return rows[torch.randperm(len(rows))[:_PATCHES]].double()


def _matrix(weight: torch.Tensor) -> torch.Tensor:
    return weight.reshape(len(weight), -1).T.double()


def _fit(inputs: torch.Tensor, wanted: torch.Tensor, channels: int, count: int) -> tuple[list[int], torch.Tensor]:
    """The channels to keep, and the layer's weights (outputs, count * k) for them."""
    gram, cross = inputs.T @ inputs, inputs.T @ wanted
    gram += _DAMPING * gram.diagonal().mean() * torch.eye(len(gram), dtype=torch.float64)
    each = len(gram) // channels
    kept = list(range(channels))
    while len(kept) > count:
        kept.remove(_least(gram, kept, each, cross))
    index = _columns(kept, each)
    return kept, torch.linalg.solve(gram[index][:, index], cross[index]).T.float()


def _least(gram: torch.Tensor, kept: list[int], each: int, cross: torch.Tensor) -> int:
    """The channel that the others replace best.

    Without a block b of a least squares problem the error grows by w_b' (G^-1)_bb^-1 w_b, w being the full solution:
    the inverse need not be taken again for every candidate.
    """
    index = _columns(kept, each)
    inverse = torch.linalg.inv(gram[index][:, index])
    solution = inverse @ cross[index]
    blocks = torch.stack([inverse[i : i + each, i : i + each] for i in range(0, len(index), each)])
    parts = solution.reshape(len(kept), each, -1)
    growth = (parts * torch.linalg.solve(blocks, parts)).sum(dim=(1, 2))
    return kept[int(growth.argmin())]


def _columns(kept: list[int], each: int) -> torch.Tensor:
    return (torch.tensor(kept)[:, None] * each + torch.arange(each)).flatten()


def _copy_norm(new: nn.Module, old: nn.Module, kept: list[int]) -> None:
    for name in ("weight", "bias", "running_mean", "running_var"):
        getattr(new, name).data.copy_(getattr(old, name).data[kept])
