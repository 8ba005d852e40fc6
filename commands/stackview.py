"""What people see while a stack is read: a bar on a terminal, a line every few seconds elsewhere."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from batch.inputs import Item
from batch.lines import SheetId
from batch.results import KINDS
from batch.work import Done
from commands.failures import complain
from commands.output import wants_colour

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_LINE_S = 5.0
"""How often a log hears of it: twenty thousand photos leave some hundred lines, not twenty thousand."""


class View(Protocol):
    """Shows how far a stack is."""

    def show(self, done: int, fresh: int, tally: Counter[str]) -> None:
        """Says how many inputs are done, how many of them by this run, and what became of their sheets."""
        ...


class Tally:
    """Counts what becomes of a stack, and tells of each failure as it happens."""

    def __init__(self, view: View) -> None:
        self.kinds: Counter[str] = Counter()
        self.done = 0
        self.kept = 0
        self._view = view
        self._seen: set[SheetId] = set()

    def take(self, found: Done | Item) -> None:
        """Takes what came of an input, or an input that was done before."""
        self.done += 1
        if isinstance(found, Item):
            self.kept += 1
        else:
            for outcome in found.outcomes:
                self.kinds["duplicate" if outcome.sheet_id in self._seen else outcome.kind] += 1
                if outcome.sheet_id:
                    self._seen.add(outcome.sheet_id)
                if outcome.failure:
                    complain(outcome.failure.told)
        self._view.show(self.done, self.done - self.kept, self.kinds)


@contextmanager
def stack_view(total: int) -> Iterator[View]:
    """A bar if stderr is a terminal, lines if not."""
    # None where stderr is closed.
    if not sys.stderr or not sys.stderr.isatty():
        yield _Lines(total)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True, no_color=not wants_colour(sys.stderr), highlight=False)
    columns = (
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[tally]}"),
    )
    with Progress(*columns, console=console, refresh_per_second=4) as progress:
        yield _Bar(progress, progress.add_task("", total=total, rate="", tally=""))


class _Bar:
    def __init__(self, progress: Progress, task: TaskID) -> None:
        self._progress, self._task = progress, task
        self._start_s = time.monotonic()

    def show(self, done: int, fresh: int, tally: Counter[str]) -> None:
        rate = f"{fresh / max(time.monotonic() - self._start_s, 0.001):.1f}/s"
        self._progress.update(self._task, completed=done, rate=rate, tally=tally_text(tally))


class _Lines:
    def __init__(self, total: int) -> None:
        self._total = total
        self._start_s = self._told_s = time.monotonic()

    def show(self, done: int, fresh: int, tally: Counter[str]) -> None:
        now_s = time.monotonic()
        if done < self._total and now_s - self._told_s >= _LINE_S:
            self._told_s = now_s
            rate = max(fresh, 1) / (now_s - self._start_s)
            left_min = (self._total - done) / rate / 60
            complain(f"{done} of {self._total}, {rate:.1f} a second, {left_min:.0f} min left: {tally_text(tally)}")


def tally_text(tally: Counter[str]) -> str:
    """The kinds of sheets that there are, with their numbers."""
    return ", ".join(f"{tally[kind]} {kind}" for kind in KINDS if tally[kind]) or "nothing yet"
