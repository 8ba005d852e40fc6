"""What a sheet or a game breaks, as data: `Violation`, and the special spaces that some checks need."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any, Final, TypeAlias

from layouts import EXPEDITIONS, load_layout

Specials: TypeAlias = Mapping[str, Mapping[int, str]]
"""Where arrows and artifact boxes are printed: `{column: {space: "arrow" or "artifact"}}`."""


class _Default(Enum):
    DEFAULT = "default"


DEFAULT: Final = _Default.DEFAULT
"""The special spaces of the default layout."""

AnySpecials: TypeAlias = Specials | _Default | None

ARTIFACT = "artifact"


@dataclass(frozen=True, slots=True)
class Violation:
    """One finding against the rules.

    Attributes:
        code: which rule, as in the keys of `RuleSet.severity`.
        severity: `error` or `warning`.
        column: where, or `bridges` or `total` for a written one; None for a whole game.
        space: which space, 1 at the bottom; None for a whole column.
        message: for people: column, space, what stands there and what would be legal.
        observed: what stands there.
        expected: what would be legal.
        players: who, for findings over a whole game; None for those on one sheet.
    """

    code: str
    severity: str
    column: str | None
    space: int | None
    message: str
    observed: int | str | None = None
    expected: int | str | None = None
    players: tuple[str, ...] | None = None

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of a scan; `players` only for findings over a game."""
        data: dict[str, Any] = {
            "code": self.code,
            "severity": self.severity,
            "column": self.column,
            "space": self.space,
            "message": self.message,
            "observed": self.observed,
            "expected": self.expected,
        }
        if self.players is not None:
            data["players"] = list(self.players)
        return data


def artifact_boxes(specials: AnySpecials) -> tuple[tuple[str, int], ...] | None:
    """Column and space of every artifact box of the expeditions; None where they are not known."""
    if specials is None:
        return None
    if specials is DEFAULT:
        return _default_boxes()
    return _boxes(specials)


@cache
def _default_boxes() -> tuple[tuple[str, int], ...]:
    return _boxes(load_layout().specials)


def _boxes(specials: Specials) -> tuple[tuple[str, int], ...]:
    return tuple(_artifacts_in(specials))


def _artifacts_in(specials: Specials) -> Iterable[tuple[str, int]]:
    for column in EXPEDITIONS:
        for space, special in specials.get(column, {}).items():
            if special == ARTIFACT:
                yield column, space
