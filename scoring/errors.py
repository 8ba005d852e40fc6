"""Errors about what somebody typed: never raised for a sheet that merely breaks the rules of the game.

InputError (a ValueError)
├── SheetError   a sheet that cannot be understood
├── CardsError   a card game that cannot be understood
└── RulesError   a rule set that cannot be understood
"""

from __future__ import annotations

from typing import Self


class InputError(ValueError):
    """Input that cannot be understood.

    Attributes:
        problem: what was found and what was expected.
        path: the place inside the input, as in `red.numbers[9]`; empty for the whole.
        where: the file, possibly with a line; empty if not known.
    """

    def __init__(self, problem: str, path: str = "", where: str = "") -> None:
        super().__init__(problem, path, where)
        self.problem = problem
        self.path = path
        self.where = where

    def __str__(self) -> str:
        return ": ".join(part for part in (self.where, self.path, self.problem) if part)

    def inside(self, part: str) -> Self:
        """The same error seen from one level further out: `part` (`red`, `[3]`) goes before the path."""
        joint = "." if self.path and not self.path.startswith("[") else ""
        return type(self)(self.problem, f"{part}{joint}{self.path}", self.where)

    def at(self, where: str) -> Self:
        """The same error with the name of the file (or line) that it is in."""
        return type(self)(self.problem, self.path, where)


class SheetError(InputError):
    """A sheet that cannot be understood; the message names file, path and what was expected."""


class RulesError(InputError):
    """A rule set that cannot be understood; the message names file, path and what was expected."""


class CardsError(InputError):
    """A card game that cannot be understood; the message names file, path and what was expected."""
