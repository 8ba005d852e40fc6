"""A Dask cluster: shards of items are sent to its workers; here one of processes on this machine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any

from distributed import Client, KilledWorker, LocalCluster, as_completed

from batch.engines.base import EngineError, In, Lost, Out, Task

_SHARD = 8
"""Items a shard: Dask takes some 2 ms to hand out a task, which is nothing beside eight photos. All results of a shard
wait for its last one, so larger ones would cost more when a run is stopped, and more memory."""

_SHARDS_AHEAD = 2
"""Shards a worker has before it: one to work on and one to go on with."""

_TRIES = 1
"""So many workers may die with a shard before it is taken apart."""


class DaskEngine:
    """Workers of a Dask cluster, one thread each; results come shard by shard.

    A worker that dies costs its shard a second round, item by item; there only the item that it dies with is lost. An
    item that hangs is not given up: Dask cannot stop a task.

    Args:
        jobs: how many workers.
    """

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs

    def map(self, task: Task[In, Out], items: Iterable[In]) -> Iterator[Out | Lost[In]]:
        """See `Engine.map`: at most two shards a worker are taken ahead of the results."""
        waiting = iter(items)
        with _cluster(self._jobs) as client:
            shards: dict[Any, Sequence[In]] = {}
            pending = as_completed()

            def submit(shard: Sequence[In]) -> None:
                future = client.submit(_work, task, shard, pure=False)
                shards[future] = shard
                pending.add(future)

            for _ in range(self._jobs * _SHARDS_AHEAD):
                if first := tuple(islice(waiting, _SHARD)):
                    submit(first)
            for future in pending:
                shard = shards.pop(future)
                error = future.exception()
                if error is None:
                    if following := tuple(islice(waiting, _SHARD)):
                        submit(following)
                    yield from future.result()
                elif not isinstance(error, KilledWorker):
                    raise error
                elif len(shard) > 1:
                    for item in shard:
                        submit((item,))
                else:
                    yield Lost(shard[0], "crashed", "the worker that read it died")
                    if following := tuple(islice(waiting, _SHARD)):
                        submit(following)


def _work(task: Task[In, Out], shard: Sequence[In]) -> list[Out]:
    """What a worker does with a shard."""
    with suppress(ImportError):
        import cv2

        cv2.setNumThreads(1)
    return [task(item, _nobody_waits) for item in shard]


def _nobody_waits() -> None:
    pass


def _cluster(jobs: int) -> Client:
    """A client whose cluster ends with it."""
    import dask

    dask.config.set(
        {"distributed.scheduler.allowed-failures": _TRIES - 1, "distributed.logging.distributed": "critical"}
    )
    try:
        cluster = LocalCluster(n_workers=jobs, threads_per_worker=1, processes=True, dashboard_address=None)
        client = Client(cluster, set_as_default=False)
    except (OSError, TimeoutError) as error:
        raise EngineError(f"the Dask cluster does not start: {error}") from error
    return client
