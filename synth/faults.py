"""Sheets that break one rule: a legal sheet changed in one place until it shows exactly the code asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from layouts import COLUMNS, EXPEDITIONS, SPACES
from scoring import DEFAULT, Expedition, RuleSet, Sheet, Specials, Track, score, validate
from scoring.plain import Number

_TRIES = 400  # a random change hits the code in a few tries; a sheet that resists this often cannot show it
Change = Callable[[Sheet, np.random.Generator], Sheet | None]


def with_violation(
    sheet: Sheet,
    code: str,
    rng: np.random.Generator,
    specials: Specials | None = None,
    rules: RuleSet | None = None,
) -> Sheet | None:
    """The sheet changed in one place so that `scoring.validate` finds exactly one violation, of that code.

    Args:
        sheet: a sheet without violations.
        code: a key of `FAULTS`.
        rng: source of chance: where and how.
        specials: where the layout has its arrows and artifact boxes; None means the default layout's.
        rules: the numbers of the game; None means the default ones.

    Returns:
        The changed sheet, or None where this sheet offers no place for such a fault (an empty one has no
        number that another could be lower than).

    Raises:
        ValueError: an unknown code.
    """
    if code not in FAULTS:
        raise ValueError(f"unknown fault {code!r}: expected one of {', '.join(FAULTS)}")
    for _ in range(_TRIES):
        changed = FAULTS[code](sheet, rng)
        if changed is None:
            continue
        found = validate(changed, rules, DEFAULT if specials is None else specials)
        if [violation.code for violation in found] == [code]:
            return changed
    return None


def with_blot(sheet: Sheet, rng: np.random.Generator) -> Sheet | None:
    """The sheet with ink that is no number in one filled space, or None if no space is filled."""
    return _set_number(sheet, rng, lambda _: "?")


def _gap(sheet: Sheet, rng: np.random.Generator) -> Sheet | None:
    """A space left out: what stood there stands one higher."""
    column = _pick(rng, COLUMNS)
    content = sheet[column]
    if not 0 < content.filled < SPACES:
        return None
    at = int(rng.integers(0, content.filled))
    if isinstance(content, Track):
        marks = [*content.marks[:at], False, *content.marks[at:-1]]
        return _with(sheet, column, replace(content, marks=tuple(marks)))
    numbers = [*content.numbers[:at], None, *content.numbers[at:-1]]
    return _with(sheet, column, replace(content, numbers=tuple(numbers)))


def _descending(sheet: Sheet, rng: np.random.Generator) -> Sheet | None:
    return _set_number(sheet, rng, lambda _: int(rng.integers(1, 10)))


def _out_of_range(sheet: Sheet, rng: np.random.Generator) -> Sheet | None:
    return _set_number(sheet, rng, lambda _: int(rng.choice([0, 11, 12])))


def _starts_with_ten(sheet: Sheet, rng: np.random.Generator) -> Sheet | None:
    column = _pick(rng, EXPEDITIONS)
    content = sheet[column]
    if not isinstance(content, Expedition) or content.filled > 2:
        return None
    tens = max(1, content.filled)
    return _with(sheet, column, replace(content, numbers=_padded([10] * tens)))


def _double_without_expedition(sheet: Sheet, rng: np.random.Generator) -> Sheet | None:
    """A circle over an empty column; where there is none, a short one is wiped."""
    column = _pick(rng, EXPEDITIONS)
    content = sheet[column]
    if not isinstance(content, Expedition) or content.filled > 1:
        return None
    return _with(sheet, column, Expedition((None,) * SPACES, double=True))


def _bridge_not_reached(sheet: Sheet, rng: np.random.Generator) -> Sheet | None:
    column = _pick(rng, COLUMNS)
    content = sheet[column]
    return None if content.bridge else _with(sheet, column, replace(content, bridge=True))


def _artifacts_changed(sheet: Sheet, rng: np.random.Generator, sign: int) -> Sheet | None:
    marks = sheet.artifacts.filled + sign * int(rng.integers(1, 3))
    if not 0 <= marks <= SPACES:
        return None
    return _with(sheet, "artifacts", Track.of(marks, sheet.artifacts.bridge))


def _artifacts_missing(sheet: Sheet, rng: np.random.Generator) -> Sheet | None:
    return _artifacts_changed(sheet, rng, -1)


def _artifacts_surplus(sheet: Sheet, rng: np.random.Generator) -> Sheet | None:
    return _artifacts_changed(sheet, rng, 1)


def _written_total_wrong(sheet: Sheet, rng: np.random.Generator) -> Sheet | None:
    total = score(sheet).total + int(rng.choice([-20, -10, -5, 5, 10, 20]))
    return replace(sheet, written={**sheet.written, "total": total})


FAULTS: dict[str, Change] = {
    "gap": _gap,
    "descending": _descending,
    "out-of-range": _out_of_range,
    "unreadable": with_blot,
    "starts-with-ten": _starts_with_ten,
    "double-without-expedition": _double_without_expedition,
    "bridge-not-reached": _bridge_not_reached,
    "artifacts-missing": _artifacts_missing,
    "artifacts-surplus": _artifacts_surplus,
    "written-total-wrong": _written_total_wrong,
}


def _set_number(sheet: Sheet, rng: np.random.Generator, value: Callable[[Number], Number]) -> Sheet | None:
    column = _pick(rng, EXPEDITIONS)
    content = sheet[column]
    if not isinstance(content, Expedition) or not content.filled:
        return None
    numbers = list(content.numbers)
    at = int(rng.integers(0, content.filled))
    numbers[at] = value(numbers[at])
    return _with(sheet, column, replace(content, numbers=tuple(numbers)))


def _with(sheet: Sheet, column: str, content: Expedition | Track) -> Sheet:
    return Sheet.of({**sheet.columns, column: content}, player=sheet.player, written=dict(sheet.written))


def _padded(numbers: list[Number]) -> tuple[Number, ...]:
    return tuple([*numbers, *[None] * (SPACES - len(numbers))])


def _pick(rng: np.random.Generator, names: tuple[str, ...]) -> str:
    return names[int(rng.integers(len(names)))]
