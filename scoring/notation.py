r"""One line a sheet: `red 1 3 3 5 x2 b | orange - | yellow 10 | artifacts 4 | dice 2 b`.

Parts stand between `|`, in any order; columns left out are empty. Within a column, bottom to top: a number,
`?` for ink that is no number, `.` for an empty space below a filled one; `-` for an empty column; then `x2`
for a marked double circle and `b` for a claimed bridge. Artifacts and dice take a count of the lowest marks,
or, where there are gaps, `X` and `.` space by space.

Two parts are no columns: `player "Ana"` (JSON text; quotes may be left out where the name has neither `|` nor
`"` nor outer spaces) and `written red -10 total 143`, the totals that the player wrote.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from layouts.model import COLUMNS, SPACES
from scoring import plain
from scoring.errors import SheetError
from scoring.plain import Number
from scoring.types import TRACKS, Expedition, Sheet, Track

EMPTY_SPACE = "."
EMPTY_COLUMN = "-"
DOUBLE = "x2"
BRIDGE = "b"
MARK = "X"

_NAMES = ("player", *COLUMNS, "written")
_INTEGER = re.compile(r"-?[0-9]{1,7}")
# A quoted text may hold a |, so parts cannot be found by splitting alone.
_PART = re.compile(r'(?:[^|"]|"(?:[^"\\]|\\.)*")*')


def parse_sheet(text: str, where: str = "") -> Sheet:
    """A sheet from its one-line notation.

    Args:
        text: the line.
        where: the name of the file (or line), for the message.

    Raises:
        SheetError: names the part and what was expected.
    """
    try:
        return _sheet(text)
    except SheetError as error:
        raise error.at(where) from None


def format_sheet(sheet: Sheet) -> str:
    """The one-line notation of a sheet; `parse_sheet` makes an equal sheet of it."""
    parts = [] if sheet.player is None else [f"player {_quoted(sheet.player)}"]
    parts += [f"{column} {' '.join(_tokens(content))}" for column, content in sheet.columns.items()]
    if sheet.written:
        parts.append(" ".join(["written", *(f"{key} {number}" for key, number in sheet.written.items())]))
    return " | ".join(parts)


def _sheet(text: str) -> Sheet:
    fields: dict[str, Any] = {}
    for part in _parts(text):
        name, rest = _name_and_rest(part)
        if not name:
            raise SheetError(f"expected a column and what is in it, found nothing in {plain.shown(text)}")
        if name not in _NAMES:
            raise SheetError(f"unknown column {plain.shown(name)}, {plain.suggestion(name, _NAMES)}")
        if name in fields:
            raise SheetError("this part stands there twice", name)
        try:
            fields[name] = _READERS[name](rest)
        except SheetError as error:
            raise error.inside(name) from None
    return Sheet(**fields)


def _name_and_rest(part: str) -> tuple[str, str]:
    words = part.strip().split(None, 1)
    name, rest = (*words, "", "")[:2]
    return name.lower(), rest


def _parts(text: str) -> list[str]:
    if '"' not in text:
        return text.split("|")
    parts = []
    start = 0
    while True:
        end = _end_of_part(text, start)
        parts.append(text[start:end])
        if end == len(text):
            return parts
        start = end + 1


def _end_of_part(text: str, start: int) -> int:
    match = _PART.match(text, start)
    end = match.end() if match else start
    if end < len(text) and text[end] != "|":
        raise SheetError(f"expected a closing quote after {plain.shown(text[end:])}")
    return end


def _expedition(text: str) -> Expedition:
    values, flags = _split_flags(text, (DOUBLE, BRIDGE))
    numbers = _cells(values, _number)
    return Expedition.of(numbers, DOUBLE in flags, BRIDGE in flags)


def _track(text: str) -> Track:
    values, flags = _split_flags(text, (BRIDGE,))
    if len(values) == 1 and _INTEGER.fullmatch(values[0]):
        return Track.of(int(values[0]), BRIDGE in flags)
    return Track.of(_cells(values, _mark), BRIDGE in flags)


def _split_flags(text: str, known: tuple[str, ...]) -> tuple[list[str], list[str]]:
    tokens = text.split()
    if not tokens:
        raise SheetError(f"expected what is in the column, or {EMPTY_COLUMN} for nothing")
    lowered = [token.lower() for token in tokens]
    first = min((lowered.index(flag) for flag in known if flag in lowered), default=len(tokens))
    flags = lowered[first:]
    for index, flag in enumerate(flags):
        if flag not in known or flag in flags[:index]:
            raise SheetError(
                f"expected nothing but {' and '.join(known)} at the end, each once, found {plain.shown(flag)}"
            )
    return tokens[:first], flags


def _cells(tokens: list[str], read: Callable[[str], Any]) -> list[Any]:
    if tokens == [EMPTY_COLUMN]:
        return []
    cells = []
    for space, token in enumerate(tokens, 1):
        try:
            cells.append(read(token))
        except SheetError as error:
            raise SheetError(f"space {space}: {error.problem}") from None
    return cells


def _number(token: str) -> Number:
    if token == EMPTY_SPACE:
        return None
    if token == plain.UNREADABLE:
        return token
    return _integer(token, f"a number, {plain.UNREADABLE} or {EMPTY_SPACE}")


def _mark(token: str) -> bool:
    if token not in (EMPTY_SPACE, MARK, MARK.lower()):
        raise SheetError(
            f"expected a count from 0 to {SPACES}, or {MARK} and {EMPTY_SPACE} space by space, "
            f"found {plain.shown(token)}"
        )
    return token != EMPTY_SPACE


def _integer(token: str, expected: str) -> int:
    if not _INTEGER.fullmatch(token) or abs(int(token)) > plain.MAX_NUMBER:
        raise SheetError(f"expected {expected}, found {plain.shown(token)}")
    return int(token)


def _player(text: str) -> str | None:
    if not text.startswith('"'):
        if '"' in text or not text:
            raise SheetError(f'expected a name, as in player "Ana", found {plain.shown(text)}')
        return plain.player_of(text)
    try:
        name = json.loads(text)
    except ValueError:
        raise SheetError(f'expected a name as in player "Ana", found {plain.shown(text)}') from None
    return plain.player_of(name)


def _written(text: str) -> dict[str, int]:
    tokens = text.split()
    if not tokens or len(tokens) % 2:
        raise SheetError("expected pairs of a name and a total, as in written red -10 total 143")
    totals: dict[str, Any] = {}
    for key, token in zip(tokens[::2], tokens[1::2], strict=True):
        if key in totals:
            raise SheetError("this total stands there twice", key)
        totals[key] = _integer(token, f"the total of {plain.shown(key)}")
    return plain.written_of(totals)


def _tokens(content: Expedition | Track) -> list[str]:
    if isinstance(content, Track):
        tokens = _mark_tokens(content)
        return tokens + [BRIDGE] * content.bridge
    numbers = [EMPTY_SPACE if number is None else str(number) for number in content.numbers]
    return _trimmed(numbers) + [DOUBLE] * content.double + [BRIDGE] * content.bridge


def _mark_tokens(track: Track) -> list[str]:
    count = track.filled
    if count and all(track.marks[:count]):
        return [str(count)]
    return _trimmed([MARK if mark else EMPTY_SPACE for mark in track.marks])


def _trimmed(tokens: list[str]) -> list[str]:
    while tokens and tokens[-1] == EMPTY_SPACE:
        tokens = tokens[:-1]
    return tokens or [EMPTY_COLUMN]


def _quoted(name: str) -> str:
    # Letters stay as they are, but nothing that some program takes for the end of a line.
    return json.dumps(name, ensure_ascii=not name.isprintable())


_READERS: dict[str, Callable[[str], Any]] = {
    "player": _player,
    **dict.fromkeys(COLUMNS, _expedition),
    **dict.fromkeys(TRACKS, _track),
    "written": _written,
}
