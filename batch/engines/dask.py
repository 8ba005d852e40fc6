"""A Dask cluster: shards of items are sent to its workers; here one of processes on this machine."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from typing import Any

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
            shards: dict[Future[Any], Sequence[In]] = {}

            def submitted(shard: Sequence[In]) -> Future[Any]:
                future = client.submit(_work, task, shard, pure=False)
                shards[future] = shard
                return future

            first = [tuple(islice(waiting, _SHARD)) for _ in range(self._jobs * _SHARDS_AHEAD)]
            pending = as_completed([submitted(shard) for shard in first if shard], loop=client.loop)
            suspects: list[In] = []
            for future in pending:
                shard = shards.pop(future)
                if _outlived(future):
                    if following := tuple(islice(waiting, _SHARD)):
                        pending.add(submitted(following))
                    yield from future.result()
                elif len(shard) > 1:
                    for item in shard:
                        pending.add(submitted((item,)))
                else:
                    suspects += shard
                    if following := tuple(islice(waiting, _SHARD)):
                        pending.add(submitted(following))
            # Dask blames all that waits for a worker when it dies; alone on the cluster only the cause dies again.
            for item in suspects:
                future = submitted((item,))
                if _outlived(future):
                    yield from future.result()
                else:
                    yield Lost(item, "crashed", "the worker that read it died")


def _outlived(future: Future[Any]) -> bool:
    """Whether the worker survived the task; what the task raised is raised here."""
    error = future.exception()
    if error is not None and not isinstance(error, KilledWorker):
        raise error
    return error is None


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
