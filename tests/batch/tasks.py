"""Tasks for engines, in a module that other processes can import."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable


def square(item: int, alive: Callable[[], None]) -> tuple[int, int]:
    """The square, and the process that found it."""
    return item * item, os.getpid()


def dangerous(item: int, alive: Callable[[], None]) -> tuple[int, int]:
    """Squares; 2 ends the process, 4 kills it."""
    if item == 2:
        os._exit(7)
    if item == 4:
        os.kill(os.getpid(), signal.SIGKILL)
    return square(item, alive)


def slow(item: int, alive: Callable[[], None]) -> tuple[int, int]:
    """Squares; 1 hangs, 2 takes as long but shows that it gets on."""
    for _ in range(20 if item in (1, 2) else 0):
        time.sleep(0.1)
        if item == 2:
            alive()
    return square(item, alive)


def failing(item: int, alive: Callable[[], None]) -> int:
    """Raises."""
    raise ValueError(f"no {item}")


class Bomb:
    """Cannot be unpickled: the process dies before it has taken any work."""

    def __call__(self, item: int, alive: Callable[[], None]) -> int:
        """Never happens."""
        return item

    def __reduce__(self) -> tuple[Callable[[int], None], tuple[int]]:
        """Ends the process that unpickles it."""
        return os._exit, (3,)
