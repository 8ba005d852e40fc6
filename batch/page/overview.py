"""What a stack came to, at one glance: how many sheets of each kind, and how their totals are spread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from batch.results import KINDS, Result

_MOST_BARS = 16
_STEPS = (5, 10, 20, 25, 50, 100, 200, 500)


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a histogram: how many totals lie from `low` up to, not including, `high`."""

    low: int
    high: int
    count: int


def counts(results: Iterable[Result]) -> dict[str, int]:
    """How many results there are of each kind."""
    found = Counter(result.kind for result in results)
    return {kind: found[kind] for kind in KINDS}


def histogram(totals: Sequence[int]) -> tuple[Bar, ...]:
    """Totals counted in bars of equal width, a round number of points; none where there are no totals."""
    if not totals:
        return ()
    spread = max(totals) - min(totals) + 1
    step = next((step for step in _STEPS if spread / step <= _MOST_BARS - 1), spread)
    first, last = min(totals) // step, max(totals) // step
    found = Counter(total // step for total in totals)
    return tuple(Bar(bar * step, (bar + 1) * step, found[bar]) for bar in range(first, last + 1))
