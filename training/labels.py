"""What a training cell teaches the two heads of the nets."""

from __future__ import annotations

UNSURE = -1
"""Label of a head that learns nothing from a cell."""

FILLED = -2
"""Number label of ink that may or may not be a number: only `empty` is wrong."""

EMPTY, SCRAWL = 0, 11
"""Number labels; 1 to 10 are the numbers themselves."""

UNMARKED, CLAIMED, CROSSED = 0, 1, 2
"""Mark labels, as in `scanner.nets.MARK_CLASSES`."""

VALUE_SHARES = tuple(weight / 12.6 for weight in (0.5, 1.4, 1, 1, 1.1, 1, 1, 1.4, 1, 1.2, 2.0))
"""How often each number is written, 0 first: alone it is no number of the game. More often what is harder to read."""
