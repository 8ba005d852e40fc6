"""Why no layout could be made of photos: what was seen, and what helps."""

from __future__ import annotations

from scanner.errors import ScanError


class CalibrationError(ScanError):
    """A photo that no layout can be made of; its code is `no-sheet`."""

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__("no-sheet", message, remedy)


class WishError(ValueError):
    """The user named something that these photos do not have; the message says what there is."""
