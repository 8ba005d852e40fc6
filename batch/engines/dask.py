"""A Dask cluster: shards of items are sent to its workers; here one of processes on this machine."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from typing import Any, Generic

import dask
from distributed import Client, Future, KilledWorker, LocalCluster, as_completed

from batch.engines.base import EngineError, In, Lost, Out, Task

_SHARD = 8
"""Items a shard: Dask takes some 2 ms to hand out a task, which is nothing beside eight photos. All results of a shard
wait for its last one, so larger ones would cost more when a run is stopped, and more memory."""

_SHARDS_AHEAD = 2
"""Shards a worker has before it: one to work on and one to go on with."""

_TRIES = 1
"""So many workers may die with a task before Dask gives it up."""


class DaskEngine:
    """Workers of a Dask cluster, one thread each; results come shard by shard.

    A worker that dies costs its shard a second round, item by item, and what is still suspected then a third one,
    alone; there only the item that it dies with is lost. An item that hangs is not given up: Dask cannot stop a task.

    Args:
        jobs: how many workers.
    """

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs

    def map(self, task: Task[In, Out], items: Iterable[In]) -> Iterator[Out | Lost[In]]:
        """See `Engine.map`: at most two shards a worker are taken ahead of the results."""
        waiting = iter(items)
        with _cluster(self._jobs) as client:
            traffic = _Traffic(client, task)
            for _ in range(self._jobs * _SHARDS_AHEAD):
                traffic.send(tuple(islice(waiting, _SHARD)))
            suspects: list[In] = []
            for shard, results in traffic:
                if results is None and len(shard) > 1:
                    for item in shard:
                        traffic.send((item,))
                    continue
                traffic.send(tuple(islice(waiting, _SHARD)))
                if results is None:
                    suspects += shard
                else:
                    yield from results
            # Dask blames all that waits for a worker when it dies; alone on the cluster only the cause dies again.
            for item in suspects:
                traffic.send((item,))
                for _, results in traffic:
                    yield from [Lost(item, "crashed", "the worker that read it died")] if results is None else results


class _Traffic(Generic[In, Out]):
    """Shards on their way through a cluster; iterating gives each that ends, until none is left.

    With it come its results, or None where a worker died; what the task raised is raised here.
    """

    def __init__(self, client: Client, task: Task[In, Out]) -> None:
        self._client, self._task = client, task
        self._shards: dict[Future[Any], Sequence[In]] = {}
        self._ending = as_completed([], loop=client.loop)

    def send(self, shard: Sequence[In]) -> None:
        """Sends a shard to whichever worker is free; an empty one to nobody."""
        if shard:
            future = self._client.submit(_work, self._task, shard, pure=False)
            self._shards[future] = shard
            self._ending.add(future)

    def __iter__(self) -> Iterator[tuple[Sequence[In], list[Out] | None]]:
        for future in self._ending:
            error = future.exception()
            if error is not None and not isinstance(error, KilledWorker):
                raise error
            yield self._shards.pop(future), None if error else future.result()


def _work(task: Task[In, Out], shard: Sequence[In]) -> list[Out]:
    """What a worker does with a shard."""
    with suppress(ImportError):
        import cv2

        cv2.setNumThreads(1)
    return [task(item, _nobody_waits) for item in shard]


def _nobody_waits() -> None:
    pass


@contextmanager
def _cluster(jobs: int) -> Iterator[Client]:
    """The client of a cluster that ends with it."""
    dask.config.set({"distributed.scheduler.allowed-failures": _TRIES - 1})
    try:
        cluster = LocalCluster(
            n_workers=jobs, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=logging.CRITICAL
        )
    except (OSError, TimeoutError) as error:
        raise EngineError(f"the Dask cluster does not start: {error}") from error
    with cluster, Client(cluster, set_as_default=False) as client:
        yield client
