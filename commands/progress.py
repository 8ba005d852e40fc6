"""A line on a terminal that says how far a long command is; silent everywhere else."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")


def progress(items: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    """The items themselves, with a count on stderr while they pass."""
    shown = sys.stderr.isatty()
    for done, item in enumerate(items, 1):
        yield item
        if shown:
            sys.stderr.write(f"\r{done} of {total} {what}" + ("\n" if done == total else ""))
            sys.stderr.flush()
