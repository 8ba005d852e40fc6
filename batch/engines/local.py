"""Processes of this machine, each with a pipe of its own, so that none can spoil the others when it dies."""

from __future__ import annotations

import os
import pickle
import signal
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing import connection, get_context
from multiprocessing.connection import Connection
from typing import Any, Generic

from batch.engines.base import EngineError, In, Lost, Out, Task

_START_S = 120.0
"""How long a process may take to start: loading OpenCV from a cold disk takes some seconds."""

_MOST_FAILED_STARTS = 3
"""So many processes in a row that die before they take any work: the machine is at fault, and no photo."""

_END_S = 1.0
"""How long to wait for a killed process, which takes milliseconds; Ctrl-C has to end within two seconds."""

_READY, _ALIVE, _RESULT, _RAISED, _DIED, _SILENT = "ready", "alive", "result", "raised", "died", "silent"


class LocalEngine:
    """Spawned processes, each with one thread of OpenCV; results do not come in order.

    Args:
        jobs: how many.
        patience_s: an item that has shown no sign of life for so long is given up.
    """

    def __init__(self, jobs: int, patience_s: float = 120.0) -> None:
        self._jobs = jobs
        self._patience_s = patience_s

    def map(self, task: Task[In, Out], items: Iterable[In]) -> Iterator[Out | Lost[In]]:
        """See `Engine.map`: at most one item a process is taken ahead of the results."""
        waiting, crew = iter(items), list[_Worker[In]]()
        code = pickle.dumps(task)
        failed_starts = 0
        try:
            crew += (_Worker(code, item, self._patience_s) for item in islice(waiting, self._jobs))
            while crew:
                for worker in _with_news(crew):
                    item = worker.item
                    kind, value = worker.news()
                    if kind == _READY:
                        failed_starts = 0
                    elif kind == _RESULT:
                        # Busy again before anybody looks at its result.
                        if not worker.take(waiting):
                            crew.remove(worker)
                        yield value
                    elif kind == _RAISED:
                        raise value
                    elif kind in (_DIED, _SILENT):
                        crew.remove(worker)
                        if worker.ready:
                            crew += (_Worker(code, item, self._patience_s) for item in islice(waiting, 1))
                            yield Lost(item, "crashed" if kind == _DIED else "took-too-long", value)
                            continue
                        failed_starts += 1
                        if failed_starts == _MOST_FAILED_STARTS:
                            raise EngineError(f"the processes that read photos do not start: {value}")
                        crew.append(_Worker(code, item, self._patience_s))
        finally:
            for worker in crew:
                worker.kill()


class _Worker(Generic[In]):
    """A process with one item in hand."""

    def __init__(self, code: bytes, item: In, patience_s: float) -> None:
        self.item = item
        self.ready = False
        self._patience_s = patience_s
        self._deadline_s = time.monotonic() + max(_START_S, patience_s)
        context = get_context("spawn")
        self.pipe, inner = context.Pipe()
        self._process = context.Process(target=_serve, args=(inner,), daemon=True)
        with _deaf_to_interrupts():
            self._process.start()
        inner.close()
        with suppress(OSError):
            # A process that is gone already shows as that.
            self.pipe.send_bytes(code)
            self.pipe.send(item)

    @property
    def left_s(self) -> float:
        """How long it may stay silent."""
        return self._deadline_s - time.monotonic()

    def take(self, waiting: Iterator[In]) -> bool:
        """Gives it the next item, or lets it go where there is none."""
        for self.item in islice(waiting, 1):
            self._deadline_s = time.monotonic() + self._patience_s
            with suppress(OSError):
                self.pipe.send(self.item)
            return True
        self.pipe.close()
        self._process.join(_END_S)
        return False

    def news(self) -> tuple[str, Any]:
        """What it says: a kind and its result, an exception or a text; it is gone after the last two kinds."""
        if not self.pipe.poll():
            self.kill()
            return _SILENT, f"no sign of life for {self._patience_s:.0f} s"
        try:
            kind, value = self.pipe.recv()
        except (EOFError, OSError, pickle.UnpicklingError):
            return _DIED, self._cause_of_death()
        self.ready = True
        self._deadline_s = time.monotonic() + self._patience_s
        return kind, value

    def kill(self) -> None:
        """Ends it at once."""
        self._process.kill()
        self.pipe.close()
        self._process.join(_END_S)

    def _cause_of_death(self) -> str:
        self._process.join(_END_S)
        code = self._process.exitcode
        self.kill()
        if code is None or code >= 0:
            return f"its process ended with code {code}"
        with suppress(ValueError):
            return f"its process was ended by {signal.Signals(-code).name}"
        return f"its process was ended by signal {-code}"


def _with_news(crew: Iterable[_Worker[In]]) -> list[_Worker[In]]:
    """Those that say something, or have been silent for too long; waits for the first."""
    workers = list(crew)
    patience_s = max(0.0, min(worker.left_s for worker in workers))
    ready = connection.wait([worker.pipe for worker in workers], patience_s)
    return [worker for worker in workers if worker.pipe in ready or worker.left_s <= 0]


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """What starts meanwhile never hears of Ctrl-C, which goes to all processes of a terminal; we hear of it later."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(pipe: Connection) -> None:
    """The life of a process: works until its pipe is closed, which the death of its parent does too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Before numpy is loaded, which asks only then.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with suppress(EOFError, OSError):
        try:
            task = pickle.loads(pipe.recv_bytes())
            _single_threaded()
        except Exception as error:
            pipe.send((_RAISED, error))
            return
        pipe.send((_READY, None))
        while True:
            item = pipe.recv()
            try:
                news = (_RESULT, task(item, lambda: pipe.send((_ALIVE, None))))
            except Exception as error:
                news = (_RAISED, error)
            pipe.send(news)


def _single_threaded() -> None:
    """Keeps each process on its own core."""
    with suppress(ImportError):
        import cv2

        cv2.setNumThreads(1)
