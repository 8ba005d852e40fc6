"""Photos that are in a stack twice: the same bytes, or the same photo stored once more."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from batch.lines import SheetId
from batch.results import Result


def marked(results: Sequence[Result], stored: Callable[[Result], Mapping[str, Any]]) -> list[Result]:
    """The results, with those marked that show what one before them shows.

    Args:
        results: all of them, in order.
        stored: the line of a result, as the scan left it.
    """
    first: dict[SheetId, Result] = {}
    found = []
    for result in results:
        original = first.setdefault(result.sheet_id, result) if result.sheet_id else result
        found.append(result if original is result else replace(result, duplicate_of=original.where))
    return found
