"""Trains the net on a sliding window over the shards: first wide, then, made narrow, on."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from scanner.reader import CELL_PX, NUMBER_VALUES, normalise
from training.augment import distorted, jittered
from training.cells import FILLED, UNSURE
from training.net import WIDE, CellNet
from training.pool import SHARD_CELLS, start_workers, wait_for_shard
from training.prune import pruned
from training.shard import Shard

HIDDEN_PRINT = 0.2
"""Share of cells whose print is hidden from the net: without it, bare crops of unknown print are read badly."""

PRUNING_CELLS = 3000
"""Cells to which the narrow net is fitted at first."""

SPLIT = len(NUMBER_VALUES)


@dataclass(frozen=True, slots=True)
class Plan:
    """How to train.

    Attributes:
        seed: of everything.
        steps: how many batches the wide net learns from.
        narrow_steps: how many batches it learns from after it was made narrow.
        batch: cells a batch.
        first_shards: how many shards are there before training starts; also the size of the window.
        steps_per_shard: after so many batches the oldest shard gives way to a new one.
        peak_rate: highest learning rate of the wide net.
        narrow_rate: highest learning rate of the narrow one.
        workers: processes that draw cells.
    """

    seed: int = 1
    steps: int = 14000
    narrow_steps: int = 14000
    batch: int = 256
    first_shards: int = 30
    steps_per_shard: int = 260
    peak_rate: float = 3e-3
    narrow_rate: float = 1.5e-3
    workers: int = 2

    @property
    def shards(self) -> int:
        """How many shards the run draws in all."""
        return self.first_shards + (self.steps + self.narrow_steps) // self.steps_per_shard


class Window:
    """The cells to draw batches from: a ring of shards.

    Args:
        shards: the first ones.
    """

    def __init__(self, shards: list[Shard]) -> None:
        count = len(shards) * SHARD_CELLS
        self.images = np.empty((count, CELL_PX, CELL_PX, 3), np.uint8)
        self.blanks = np.empty_like(self.images)
        self.known = np.empty(count, np.bool_)
        self.numbers = np.empty(count, np.int64)
        self.marks = np.empty(count, np.int64)
        self._next = 0
        for shard in shards:
            self.put(shard)

    def put(self, shard: Shard) -> None:
        """Replaces the oldest shard."""
        here = slice(self._next, self._next + SHARD_CELLS)
        for name in ("images", "blanks", "known", "numbers", "marks"):
            getattr(self, name)[here] = getattr(shard, name)
        self._next = (self._next + SHARD_CELLS) % len(self.known)

    def batches(self, size: int, rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
        """Indices of batches for ever: every cell once, then again in another order."""
        while True:
            order = rng.permutation(len(self.known))
            for start in range(0, len(order) - size + 1, size):
                yield np.sort(order[start : start + size])


class _Feed:
    """Batches without end, and the drawing of new shards as they are used up."""

    def __init__(self, data: Path, work: Path, plan: Plan) -> None:
        self.rng = np.random.default_rng(plan.seed)
        self._plan = plan
        self._folder = work / f"shards-{plan.seed}"
        self._workers = start_workers(data, self._folder, plan.seed, plan.shards, plan.workers)
        self._drawn, self._given = plan.first_shards, 0
        self.window = Window([wait_for_shard(self._folder, n, self._workers) for n in range(plan.first_shards)])
        self._batches = self.window.batches(plan.batch, self.rng)

    def batch(self) -> NDArray[np.int64]:
        """Indices of the next batch in the window."""
        self._given += 1
        if self._given % self._plan.steps_per_shard == 0:
            self.window.put(wait_for_shard(self._folder, self._drawn, self._workers))
            self._drawn += 1
        return next(self._batches)

    def stop(self) -> None:
        """Ends the workers."""
        for worker in self._workers:
            worker.terminate()


def train(data: Path, work: Path, plan: Plan, log: Callable[[str], None] = print) -> CellNet:
    """A trained narrow net.

    Args:
        data: the folder of the data sets.
        work: a folder for shards and checkpoints.
        plan: how.
        log: takes a line now and then.
    """
    torch.manual_seed(plan.seed)
    feed = _Feed(data, work, plan)
    wide = _learnt(CellNet(WIDE), feed, plan.steps, plan.peak_rate, log)
    torch.save(wide.state_dict(), work / f"wide-{plan.seed}.pt")
    some = feed.rng.choice(len(feed.window.known), PRUNING_CELLS, replace=False)
    narrow = pruned(wide, torch.from_numpy(_planes(feed.window, np.sort(some), feed.rng)))
    net = _learnt(narrow, feed, plan.narrow_steps, plan.narrow_rate, log)
    feed.stop()
    return net


def _learnt(net: CellNet, feed: _Feed, steps: int, rate: float, log: Callable[[str], None]) -> CellNet:
    """The net after so many batches: the moving average of its weights over the last of them."""
    net = net.to(memory_format=torch.channels_last).train()
    average = copy.deepcopy(net).eval()
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, steps, pct_start=0.15, final_div_factor=200)
    begun, running = time.monotonic(), 0.0
    for step in range(1, steps + 1):
        loss = _step(net, feed.window, feed.batch(), feed.rng)
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


def _step(net: CellNet, window: Window, index: NDArray[np.int64], rng: np.random.Generator) -> torch.Tensor:
    """The loss of one batch."""
    tensor = torch.from_numpy(_planes(window, index, rng)).to(memory_format=torch.channels_last)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits = net(tensor)
    return loss_of(logits.float(), torch.from_numpy(window.numbers[index]), torch.from_numpy(window.marks[index]))


def _planes(window: Window, index: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.float32]:
    """What the net is given of some cells, each time a little different."""
    known = window.known[index] & (rng.random(len(index)) >= HIDDEN_PRINT)
    images, blanks = distorted(window.images[index], window.blanks[index], rng)
    return jittered(normalise(images, blanks, known), rng)


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
