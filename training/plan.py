"""How to train: the figures of a run in one place."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    """How to train.

    Attributes:
        seed: of everything.
        steps: how many batches the wide net learns from at first.
        narrow_steps: how many batches the narrow one learns from, made from it.
        again_steps: how many batches of unclear cells the wide net then learns from.
        batch: cells a batch.
        first_shards: how many shards are there before training starts; also the size of the window.
        batches_per_shard: after so many batches the oldest shard gives way to a new one.
        peak_rate: highest learning rate of the wide net.
        narrow_rate: highest learning rate of the narrow one, and of the wide one on unclear cells.
        workers: processes that draw cells.
    """

    seed: int = 1
    steps: int = 6000
    narrow_steps: int = 6000
    again_steps: int = 2000
    batch: int = 256
    first_shards: int = 16
    batches_per_shard: int = 150
    peak_rate: float = 3e-3
    narrow_rate: float = 1.5e-3
    workers: int = 2

    @property
    def shards(self) -> int:
        """How many shards the run draws in all."""
        return self.first_shards + (self.steps + self.narrow_steps + self.again_steps) // self.batches_per_shard
