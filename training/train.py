"""Trains the two nets: a wide one, a narrow one made from it, and the wide one again on unclear cells."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from scanner.nets import NUMBER_VALUES
from training.feed import Batch, Feed
from training.labels import FILLED, UNSURE
from training.net import WIDE, CellNet
from training.plan import Plan
from training.prune import pruned

PRUNING_BATCHES = 12
"""Batches of cells to which the narrow net is fitted at first."""

_CANDIDATES = 3
"""Of so many times as many cells the most unclear ones make a batch: a third leaves the narrow net unsure."""

SPLIT = len(NUMBER_VALUES)

Log = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Pair:
    """Both nets, trained."""

    narrow: CellNet
    wide: CellNet


def train(data: Path, work: Path, plan: Plan, log: Log = print) -> Pair:
    """The trained nets.

    Args:
        data: the folder of the data sets.
        work: a folder for shards and checkpoints.
        plan: how.
        log: takes a line now and then.
    """
    torch.manual_seed(plan.seed)
    feed = Feed(data, work, plan)
    wide = _learnt(CellNet(WIDE, deep=True), _plain(feed), plan.steps, plan.peak_rate, log)
    torch.save(wide.state_dict(), work / f"wide-{plan.seed}.pt")
    some = torch.from_numpy(np.concatenate([feed.batch().planes for _ in range(PRUNING_BATCHES)]))
    narrow = _learnt(pruned(wide, some), _plain(feed), plan.narrow_steps, plan.narrow_rate, log)
    torch.save(narrow.state_dict(), work / f"narrow-{plan.seed}.pt")
    again = _learnt(wide, _unclear(feed, narrow), plan.again_steps, plan.narrow_rate, log)
    feed.stop()
    return Pair(narrow, again)


def _plain(feed: Feed) -> Iterator[Batch]:
    while True:
        yield feed.batch()


def _unclear(feed: Feed, narrow: CellNet) -> Iterator[Batch]:
    """Batches of those cells that leave the narrow net most unsure, or wrong: what the wide one is asked for."""
    while True:
        batches = [feed.batch() for _ in range(_CANDIDATES)]
        scores = np.concatenate([_loss_of_each(narrow, batch) for batch in batches])
        size = len(batches[0].numbers)
        chosen = np.sort(np.argpartition(-scores, size)[:size])
        parts = [b.part(chosen[chosen // size == i] - i * size) for i, b in enumerate(batches)]
        yield Batch(*(np.concatenate([getattr(p, name) for p in parts]) for name in Batch.__slots__))


def _loss_of_each(net: CellNet, batch: Batch) -> np.ndarray:
    """How far from certain of the truth a net is, cell by cell, float32 (N,)."""
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        logits = net(_tensor(batch)).float()
    numbers, marks = (functional.log_softmax(part, 1) for part in (logits[:, :SPLIT], logits[:, SPLIT:]))
    scores = torch.zeros(len(logits))
    for chances, labels in ((numbers, batch.numbers), (marks, batch.marks)):
        wanted = torch.from_numpy(labels)
        chance = chances.gather(1, wanted.clamp(min=0)[:, None])[:, 0]
        scores = scores + torch.where(wanted >= 0, -chance, torch.zeros(()))
    return np.asarray(scores.numpy(), dtype=np.float32)


def _tensor(batch: Batch) -> torch.Tensor:
    return torch.from_numpy(batch.planes).to(memory_format=torch.channels_last)


def _learnt(net: CellNet, batches: Iterator[Batch], steps: int, rate: float, log: Log) -> CellNet:
    """The net after so many batches: the moving average of its weights over the last of them."""
    net = copy.deepcopy(net).to(memory_format=torch.channels_last).train()
    average = copy.deepcopy(net).eval()
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, steps, pct_start=0.15, final_div_factor=200)
    begun, running = time.monotonic(), 0.0
    for step, batch in zip(range(1, steps + 1), batches, strict=False):
        loss = _loss(net, batch)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimiser.step()
        schedule.step()
        _follow(average, net, min(0.999, 1 - 1 / (1 + step / 4)))
        running += 0.01 * (float(loss.detach()) - running) if step > 1 else float(loss.detach())
        if step % 500 == 0:
            log(f"{net.channels}: step {step} of {steps}, loss {running:.4f}, {time.monotonic() - begun:.0f} s")
    return average


def _loss(net: CellNet, batch: Batch) -> torch.Tensor:
    """The loss of one batch."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits = net(_tensor(batch))
    return loss_of(logits.float(), torch.from_numpy(batch.numbers), torch.from_numpy(batch.marks))


def loss_of(logits: torch.Tensor, numbers: torch.Tensor, marks: torch.Tensor) -> torch.Tensor:
    """Cross entropy of both heads, each over the cells that teach it something."""
    head = logits[:, :SPLIT]
    sure = torch.where(numbers == FILLED, UNSURE, numbers)
    number_loss = functional.cross_entropy(head, sure, ignore_index=UNSURE, reduction="sum")
    filled = numbers == FILLED
    if filled.any():
        # Whatever it is, it is not empty: minus log(1 - p(empty)).
        rest = torch.logsumexp(head[filled, 1:], 1) - torch.logsumexp(head[filled], 1)
        number_loss = number_loss - rest.sum()
    mark_loss = functional.cross_entropy(logits[:, SPLIT:], marks, ignore_index=UNSURE, reduction="sum")
    return (number_loss + mark_loss) / len(logits)


def _follow(average: CellNet, net: CellNet, share: float) -> None:
    """Moves the average towards the net."""
    with torch.no_grad():
        for mean, value in zip(average.state_dict().values(), net.state_dict().values(), strict=True):
            if mean.dtype.is_floating_point:
                mean.lerp_(value, 1 - share)
            else:
                mean.copy_(value)
