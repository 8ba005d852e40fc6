"""How long each stage took."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter


class Stopwatch:
    """Milliseconds per stage; stages met twice add up."""

    def __init__(self) -> None:
        self._spent_ms: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Times what happens inside as that stage."""
        start = perf_counter()
        yield
        self._spent_ms[name] = self._spent_ms.get(name, 0.0) + (perf_counter() - start) * 1000

    def timing_ms(self) -> dict[str, float]:
        """Rounded milliseconds per stage, and their `total`."""
        spent = {name: round(ms, 2) for name, ms in self._spent_ms.items()}
        return {**spent, "total": round(sum(self._spent_ms.values()), 2)}
