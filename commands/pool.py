"""Work shared out among processes, its results in the order of the work."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

_In = TypeVar("_In")
_Out = TypeVar("_Out")


def mapped(task: Callable[[_In], _Out], items: Iterable[_In], jobs: int) -> Iterator[_Out]:
    """The task's result for each item, in the items' order, whatever the number of processes.

    Args:
        task: a function that can be pickled, as its items and results can.
        items: what to call it with.
        jobs: how many processes; 1 calls it here.
    """
    work = list(items)
    if min(jobs, len(work)) <= 1:
        yield from map(task, work)
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    # Not fork: OpenCV's threads do not survive it, and the pool would hang.
    with ProcessPoolExecutor(min(jobs, len(work)), get_context("spawn"), _single_threaded) as pool:
        yield from pool.map(task, work)


def _single_threaded() -> None:
    """Keeps each process on its own core."""
    import cv2

    cv2.setNumThreads(1)
