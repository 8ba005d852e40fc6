"""Why a stack cannot be worked on; single photos have failures of their own."""

from __future__ import annotations


class BatchError(Exception):
    """A batch folder or a choice that cannot be used.

    Attributes:
        message: the cause.
        remedy: what the user can do about it.
    """

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(f"{message}; {remedy}")
        self.message = message
        self.remedy = remedy
