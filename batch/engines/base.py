"""What every engine is to the rest: it maps work over items, lazily, and survives what the work does to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

In = TypeVar("In")
Out = TypeVar("Out")

Task = Callable[[In, Callable[[], None]], Out]
"""Work on one item; it may call its second argument to show that it is still getting on."""


@dataclass(frozen=True, slots=True)
class Lost(Generic[In]):
    """An item whose work did not end by itself.

    Attributes:
        item: it.
        code: `crashed`, the process died with it; `took-too-long`, it was given up.
        detail: what is known of it.
    """

    item: In
    code: str
    detail: str


class EngineError(Exception):
    """The engine itself cannot go on; what it has given so far stands."""


class Engine(Protocol):
    """Maps work over items."""

    def map(self, task: Task[In, Out], items: Iterable[In]) -> Iterator[Out | Lost[In]]:
        """The task's result for each item, in whatever order they end.

        Items are taken as they are needed, a few ahead of the results at most. A task that kills its process, or hangs
        in it, costs that item alone. Closing the iterator ends all work at once.

        Args:
            task: a function that can be pickled, as its items and results can; what it raises ends the map.
            items: what to call it with.

        Raises:
            EngineError: no work can be done.
        """
        ...
