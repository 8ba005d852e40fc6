"""Batches without end: cells of a sliding window over the shards, and fresh ones made for each batch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scanner.reader import CELL_PX, normalise
from training.augment import distorted, jittered
from training.bare import BarePictures
from training.fresh import Overwriter, draw_bank, freely_bent
from training.labels import EMPTY, UNMARKED, UNSURE
from training.plan import Plan
from training.pool import SHARD_CELLS, start_workers, wait_for_shard
from training.scribe import Scribe
from training.shard import Shard
from training.sources import load_sources

HIDDEN_PRINT = 0.2
"""Share of cells whose print is hidden from the net: without it, bare crops of unknown print are read badly."""

OVERWRITTEN, BARE = 0.3, 0.14
"""Shares of a batch that are fresh: numbers laid over empty cells of the window, and pictures of the sources."""

_BANK = 60_000
"""Numbers in the bank: drawn in half a minute, while the first shards are."""

_FIELDS = ("images", "blanks", "known", "numbers", "marks")


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """What a net is given, float32 (N, 4, 48, 48), and the labels of its heads, int64 (N,)."""

    planes: NDArray[np.float32]
    numbers: NDArray[np.int64]
    marks: NDArray[np.int64]

    def part(self, index: NDArray[np.int64]) -> Batch:
        """Some of its cells."""
        return Batch(self.planes[index], self.numbers[index], self.marks[index])


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
        for name in _FIELDS:
            getattr(self, name)[here] = getattr(shard, name)
        self._next = (self._next + SHARD_CELLS) % len(self.known)
        self.empty = np.flatnonzero(self.known & (self.numbers == EMPTY) & (self.marks == UNMARKED))

    def batches(self, size: int, rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
        """Indices of batches for ever: every cell once, then again in another order."""
        while True:
            order = rng.permutation(len(self.known))
            for start in range(0, len(order) - size + 1, size):
                yield np.sort(order[start : start + size])


class Feed:
    """Makes batches, and has new shards drawn as they are used up.

    Args:
        data: the folder of the data sets.
        work: a folder for shards.
        plan: how many cells and shards.
    """

    def __init__(self, data: Path, work: Path, plan: Plan) -> None:
        self.rng = np.random.default_rng(plan.seed)
        self._plan = plan
        self._folder = work / f"shards-{plan.seed}"
        self._workers = start_workers(data, self._folder, plan.seed, plan.shards, plan.workers)
        sources = load_sources(data, "train", work)
        self._bare = BarePictures(sources)
        bank = draw_bank(Scribe(sources), _BANK, self.rng)
        self._bank_size = len(bank.labels)
        self._overwriter = Overwriter(bank, self.rng)
        self._drawn, self._given = plan.first_shards, 0
        self.window = Window([wait_for_shard(self._folder, n, self._workers) for n in range(plan.first_shards)])
        self._batches = self.window.batches(plan.batch - self._count(OVERWRITTEN) - self._count(BARE), self.rng)

    def batch(self) -> Batch:
        """The next one."""
        self._given += 1
        if self._given % self._plan.batches_per_shard == 0 and self._drawn < self._plan.shards:
            self.window.put(wait_for_shard(self._folder, self._drawn, self._workers))
            self._drawn += 1
        parts = [self._from_window(next(self._batches)), self._overwritten(), self._bare_pictures()]
        images, blanks, known, numbers, marks = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
        known &= self.rng.random(len(known)) >= HIDDEN_PRINT
        planes = jittered(normalise(images, blanks, known), self.rng)
        return Batch(planes, numbers.astype(np.int64), marks.astype(np.int64))

    def stop(self) -> None:
        """Ends the workers."""
        for worker in self._workers:
            worker.terminate()

    def _count(self, share: float) -> int:
        return round(share * self._plan.batch)

    def _from_window(self, index: NDArray[np.int64]) -> tuple[NDArray[np.generic], ...]:
        window = self.window
        images, blanks = distorted(window.images[index], window.blanks[index], self.rng)
        return images, blanks, window.known[index], window.numbers[index], window.marks[index]

    def _overwritten(self) -> tuple[NDArray[np.generic], ...]:
        count = self._count(OVERWRITTEN)
        ground = self.rng.choice(self.window.empty, count)
        index = self.rng.integers(self._bank_size, size=count)
        images, numbers = self._overwriter.written(self.window.images[ground], index)
        marks = np.where(numbers == EMPTY, UNMARKED, UNSURE)
        return images, self.window.blanks[ground], np.ones(count, np.bool_), numbers, marks

    def _bare_pictures(self) -> tuple[NDArray[np.generic], ...]:
        count = self._count(BARE)
        drawn = [self._bare.draw(self.rng, varied=True) for _ in range(count)]
        images = np.stack([freely_bent(image, self._overwriter.bends, self.rng) for image, _, _ in drawn])
        numbers, marks = (np.array([labels[head] for labels in drawn]) for head in (1, 2))
        return images, np.zeros_like(images), np.zeros(count, np.bool_), numbers, marks
