"""The order in which people count files."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"(\d+)")


def natural(text: str) -> tuple[tuple[int, int | str], ...]:
    """A key that sorts IMG_9 before IMG_10."""
    parts = _NUMBER.split(text.casefold())
    return tuple((0, int(part)) if part.isdecimal() else (1, part) for part in parts)
