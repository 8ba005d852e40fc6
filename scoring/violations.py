"""What a sheet or a game breaks, as data: `Violation`, and the special spaces that some checks need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any, Final, TypeAlias

from layouts import EXPEDITIONS, load_layout
from scoring.rules import RuleSet

Specials: TypeAlias = Mapping[str, Mapping[int, str]]
"""Where arrows and artifact boxes are printed: `{column: {space: "arrow" or "artifact"}}`."""


class _Default(Enum):
    DEFAULT = "default"


DEFAULT: Final = _Default.DEFAULT
"""The special spaces of the default layout."""

AnySpecials: TypeAlias = Specials | _Default | None

ARROW = "arrow"
ARTIFACT = "artifact"


@dataclass(frozen=True, slots=True)
class Violation:
    """One finding against the rules.

    Attributes:
        code: which rule, as in the keys of `RuleSet.severity`.
        severity: `error` or `warning`.
        column: where, or `bridges` or `total` for a written one; None for a whole game.
        space: which space, 1 at the bottom; None for a whole column.
        message: for people: column, space, what stands there, what would be legal, and where the rule set says so.
        observed: what stands there.
        expected: what would be legal.
        players: who, for findings over a whole game; None for those on one sheet.
        rule: where in the rule set it comes from, as in `bridge_space` or `severity.gap`.
    """

    code: str
    severity: str
    column: str | None
    space: int | None
    message: str
    observed: int | str | None = None
    expected: int | str | None = None
    players: tuple[str, ...] | None = None
    rule: str = ""

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
            "rule": self.rule,
        }
        if self.players is not None:
            data["players"] = list(self.players)
        return data


def found(
    code: str,
    rules: RuleSet,
    message: str,
    *,
    column: str | None = None,
    space: int | None = None,
    observed: int | str | None = None,
    expected: int | str | None = None,
    players: tuple[str, ...] | None = None,
    rule: str = "",
) -> Violation:
    """A violation as severe as the rule set has it, its message ending in the place there.

    Args:
        code: which rule.
        rules: the rule set.
        message: what is wrong.
        column: as in `Violation`.
        space: as in `Violation`.
        observed: as in `Violation`.
        expected: as in `Violation`.
        players: as in `Violation`.
        rule: the key of the number that decides; where it hangs on none, the entry of the code itself.
    """
    place = rule or f"severity.{code}"
    value = getattr(rules, rule, None)
    shown = f"{place} = {value}" if isinstance(value, int) else place
    text = f"{message} [rules: {shown}]"
    return Violation(code, rules.severity[code], column, space, text, observed, expected, players, place)


def special_spaces(specials: AnySpecials) -> Specials | None:
    """Where arrows and artifact boxes are printed; None where that is not known."""
    return _default_specials() if specials is DEFAULT else specials


def artifact_boxes(specials: AnySpecials) -> tuple[tuple[str, int], ...] | None:
    """Column and space of every artifact box of the expeditions; None where they are not known."""
    if specials is DEFAULT:
        return _default_boxes()
    return None if specials is None else _boxes(specials)


@cache
def _default_specials() -> Specials:
    return load_layout().specials


@cache
def _default_boxes() -> tuple[tuple[str, int], ...]:
    return _boxes(_default_specials())


def _boxes(specials: Specials) -> tuple[tuple[str, int], ...]:
    return tuple(
        (column, space)
        for column in EXPEDITIONS
        for space, special in specials.get(column, {}).items()
        if special == ARTIFACT
    )
