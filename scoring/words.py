"""How messages put lists and numbers of things into words."""

from __future__ import annotations

from collections.abc import Sequence


def listed(names: Sequence[str]) -> str:
    """Several names as one: `Ana`, `Ana and Ben`, `Ana, Ben and Chloe`."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def counted(count: int, one: str, several: str = "") -> str:
    """A number of things: `1 space`, `2 spaces`, `1 die`, `2 dice`."""
    return f"{count} {one if count == 1 else several or f'{one}s'}"
