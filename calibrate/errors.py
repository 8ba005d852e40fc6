"""Why no layout could be made of photos: what was seen, and what helps."""

from __future__ import annotations

from scanner.errors import ScanError


class CalibrationError(ScanError):
    """A photo that no layout can be made of; its code is `no-sheet`."""

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__("no-sheet", message, remedy)


class WishError(ValueError):
    """The user said something that does not fit the photos; the message says what there is.

    Attributes:
        option: the option that said it.
    """

    def __init__(self, message: str, option: str) -> None:
        super().__init__(message)
        self.option = option
