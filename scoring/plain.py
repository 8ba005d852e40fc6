"""Plain JSON values of a sheet, checked: everything that is not exactly the agreed form is refused.

The functions return the values of one column as tuples; errors carry the path below the column, and the
callers put the levels above in front of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from types import NoneType
from typing import Any

from layouts.model import COLUMNS, SPACES
from scoring.errors import SheetError

Number = int | str | None
"""What stands in a number space: 1 to 10 (or what else was written), `"?"` or None for an empty one."""

UNREADABLE = "?"
WRITTEN = (*COLUMNS, "bridges", "total")

# Far beyond anything that fits into a box of the sheet; it only keeps absurd numbers (and Python's own
# limit on the digits of an integer) out of messages and sums.
MAX_NUMBER = 999_999

_USUAL_NUMBERS = frozenset((None, *range(11)))
_USUAL_TYPES = frozenset((int, NoneType))
_MARK_TYPES = frozenset((bool,))


def numbers_of(value: Any) -> tuple[Number, ...]:
    """The nine numbers of an expedition from a JSON list of at most nine, filled up with None.

    Raises:
        SheetError: no list, too long, or an entry that is no whole number, `"?"` or null.
    """
    if type(value) is not list:
        raise SheetError(f"expected a list of at most {SPACES} numbers, found {shown(value)}")
    _check_length(value, "number")
    # 1.0 and True equal 1, so types are compared too.
    if not (_USUAL_TYPES.issuperset(map(type, value)) and _USUAL_NUMBERS.issuperset(value)):
        for index, number in enumerate(value):
            _check_number(number, index)
    return (*value, *(None,) * (SPACES - len(value)))


def marks_of(value: Any) -> tuple[bool, ...]:
    """The nine marks of a track from a JSON list of at most nine, or from the count of the lowest ones.

    Raises:
        SheetError: neither a count from 0 to 9 nor a list of true, false and null.
    """
    if type(value) is int:
        if not 0 <= value <= SPACES:
            raise SheetError(f"expected a count from 0 to {SPACES}, found {shown(value)}")
        return (True,) * value + (False,) * (SPACES - value)
    if type(value) is not list:
        raise SheetError(f"expected a list of true and false, or a count, found {shown(value)}")
    _check_length(value, "mark")
    if not _MARK_TYPES.issuperset(map(type, value)):
        for index, mark in enumerate(value):
            if mark is not None and type(mark) is not bool:
                raise SheetError(f"expected true or false, found {shown(mark)}", f"[{index}]")
        value = [mark is True for mark in value]
    return (*value, *(False,) * (SPACES - len(value)))


def flag_of(value: Any) -> bool:
    """A plain true or false.

    Raises:
        SheetError: anything else.
    """
    if value is not True and value is not False:
        raise SheetError(f"expected true or false, found {shown(value)}")
    return bool(value)


def player_of(value: Any) -> str | None:
    """A player's name; null means not known.

    Raises:
        SheetError: no text, or text that no file can hold (half of a surrogate pair).
    """
    if value is None:
        return None
    if type(value) is not str:
        raise SheetError(f"expected the player's name as text, found {shown(value)}")
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        raise SheetError("expected text, found half of a surrogate pair")
    return value


def written_of(value: Any) -> dict[str, int]:
    """The totals that a player wrote, in the order of the sheet.

    Raises:
        SheetError: no object, an unknown key, or a value that is no whole number.
    """
    entry = mapping_of(value, WRITTEN)
    for key, number in entry.items():
        if type(number) is not int or abs(number) > MAX_NUMBER:
            raise SheetError(f"expected a whole number, found {shown(number)}", key)
    return {key: entry[key] for key in WRITTEN if key in entry}


def mapping_of(value: Any, keys: Collection[str]) -> Mapping[str, Any]:
    """The object itself, if it has no other keys than these.

    Raises:
        SheetError: no object, or an unknown key; the message lists the known ones.
    """
    if not isinstance(value, dict):
        raise SheetError(f"expected an object, found {shown(value)}")
    for key in value:
        if key not in keys:
            raise SheetError(f"unknown key {shown(key)}, {suggestion(str(key), keys)}")
    return value


def suggestion(word: str, known: Iterable[str]) -> str:
    """A hint for a word that is not known: the one it resembles, or all of them."""
    words = list(known)
    close = get_close_matches(word.lower()[:40], words, 1)
    return f"did you mean {close[0]}?" if close else f"expected one of {', '.join(words)}"


def shown(value: Any) -> str:
    """A value as a person would call it, short enough for one line."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, int) and abs(value) > MAX_NUMBER:
        return f"a number beyond {MAX_NUMBER}"
    text = ascii(value)[1:-1] if isinstance(value, str) and not value.isprintable() else str(value)
    text = text if len(text) <= 40 else text[:37] + "..."
    return f'"{text}"' if isinstance(value, str) else text


def _check_number(number: Any, index: int) -> None:
    if number is None or number == UNREADABLE:
        return
    if type(number) is not int or abs(number) > MAX_NUMBER:
        raise SheetError(f'expected a whole number, "?" or null, found {shown(number)}', f"[{index}]")


def _check_length(value: list[Any], what: str) -> None:
    if len(value) > SPACES:
        raise SheetError(
            f"expected at most {SPACES} {what}s, one a space from the bottom up, found {len(value)}",
            f"[{SPACES}]",
        )
