"""How many spaces of a sheet can have been filled by accelerations: an exact search over the orders of play.

Writing on an arrow lets a player fill the lowest empty space of any started column with the number on top of it, at
once and without a turn. So the spaces of a sheet fall into runs: a space written with a die, then, one after the
other, spaces that the arrow just before each of them filled. A run per turn. docs/turn-count.md has the derivation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from layouts.model import SPACES


class Space(NamedTuple):
    """What matters of a filled space: does it carry an arrow, and can it be a copy of the number below it."""

    arrow: bool
    copyable: bool


_PLAIN = Space(arrow=False, copyable=False)


class _State(NamedTuple):
    """A moment of play: how high each column is, whether an arrow waits to be used, what artifacts are left."""

    heights: tuple[int, ...]
    waiting: bool
    artifacts: int


def most_without_turn(columns: Sequence[Sequence[Space]], artifacts: int = 0) -> int:
    """The most spaces and artifacts that arrows can have filled, over every order in which the sheet can be written.

    Args:
        columns: the filled spaces of each expedition, bottom to top.
        artifacts: how many artifact marks may come from arrows that accelerate a full column.

    Returns:
        The number of arrows that can have been of use. Any smaller number is possible too.
    """
    arrows = sum(space.arrow for column in columns for space in column)
    return arrows - _Search(columns).fewest_unused(artifacts)


@dataclass(slots=True)
class _Frontier:
    """States to look at, those first from which the fewest unused arrows can be hoped for."""

    by_hope: dict[int, list[tuple[_State, int]]]

    def push(self, state: _State, unused: int, hope: int) -> None:
        self.by_hope.setdefault(hope, []).append((state, unused))

    def pop(self) -> tuple[_State, int]:
        best = min(hope for hope, states in self.by_hope.items() if states)
        return self.by_hope[best].pop()


class _Search:
    """Best-first search with a bound that never overrates (A*, Hart, Nilsson and Raphael 1968), so its end is exact."""

    def __init__(self, columns: Sequence[Sequence[Space]]) -> None:
        self._columns = columns
        self._tops = [len(column) for column in columns]
        self._arrows = [_counts_above(column, "arrow") for column in columns]
        self._copyable = [_counts_above(column, "copyable") for column in columns]

    def fewest_unused(self, artifacts: int) -> int:
        """The fewest arrows without use."""
        start = _State(self._settled((0,) * len(self._columns)), False, artifacts)
        frontier = _Frontier({})
        frontier.push(start, 0, self._hope(start, 0))
        best: dict[_State, int] = {start: 0}
        while True:
            state, unused = frontier.pop()
            arrows, targets = self._ahead(state)
            if not arrows or not targets:
                return unused + arrows
            for following, lost in self._steps(state):
                total = unused + lost
                if total < best.get(following, total + 1):
                    best[following] = total
                    frontier.push(following, total, self._hope(following, total))

    def _steps(self, state: _State) -> Iterator[tuple[_State, int]]:
        """What can come next, and how many arrows it leaves unused."""
        heights, waiting, artifacts = state
        if waiting:
            yield _State(self._settled(heights), False, artifacts), 1
            if artifacts and SPACES in heights:
                yield _State(self._settled(heights), False, artifacts - 1), 0
        for index, height in enumerate(heights):
            if height == self._tops[index]:
                continue
            space = self._columns[index][height]
            if space.copyable or not waiting:
                higher = (*heights[:index], height + 1, *heights[index + 1 :])
                yield _State(higher if space.arrow else self._settled(higher), space.arrow, artifacts), 0

    def _settled(self, heights: tuple[int, ...]) -> tuple[int, ...]:
        """The columns with every plain space on their way written.

        A space that is neither an arrow nor a possible copy may as well be written as early as it can be: nothing
        needs the column to wait below it.
        """
        return tuple(map(self._above_plain, range(len(heights)), heights))

    def _above_plain(self, index: int, height: int) -> int:
        column = self._columns[index]
        while height < len(column) and column[height] == _PLAIN:
            height += 1
        return height

    def _hope(self, state: _State, unused: int) -> int:
        """At best every arrow still to come finds something to fill."""
        arrows, targets = self._ahead(state)
        return unused + max(0, arrows - targets)

    def _ahead(self, state: _State) -> tuple[int, int]:
        """Arrows still to be used, and what they could still fill."""
        arrows = sum(counts[height] for counts, height in zip(self._arrows, state.heights, strict=True))
        targets = sum(counts[height] for counts, height in zip(self._copyable, state.heights, strict=True))
        return arrows + state.waiting, targets + state.artifacts


def _counts_above(column: Sequence[Space], what: str) -> list[int]:
    """For each height from 0 to the top: how many of the spaces above it are of that kind."""
    return [sum(getattr(space, what) for space in column[height:]) for height in range(len(column) + 1)]
