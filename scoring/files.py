"""Sheets from the text of a file: JSON, JSON lines, TOML or the one-line notation, told apart by content."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

from scoring.errors import SheetError
from scoring.notation import EMPTY_SPACE, parse_sheet
from scoring.texts import TOML_START, parsed_json, parsed_toml
from scoring.types import Sheet

_FORMATS = {".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl", ".toml": "toml"}
_SHEETS_KEY = "sheets"
_COMMENT = "#"


def load_sheets(text: str, name: str) -> list[Sheet]:
    """All sheets in a text.

    The form: a JSON object or a list of them; JSON lines; TOML, one sheet, or several as `[[sheets]]`, with
    `"."` for an empty space below a filled one, since TOML knows no null; or the one-line notation, a sheet a
    line, empty lines and lines that start with `#` left out. An ending `.json`, `.jsonl` or `.toml` of the
    name decides, otherwise the content does.

    Args:
        text: the content of the file.
        name: what messages call it.

    Raises:
        SheetError: the first thing that is wrong; names file, line or path, and what was expected.
    """
    sheets = []
    for entry in iter_sheets(text, name):
        if isinstance(entry, SheetError):
            raise entry
        sheets.append(entry)
    return sheets


def iter_sheets(text: str, name: str) -> Iterator[Sheet | SheetError]:
    """The same one by one, with the error in the place of a sheet that is wrong: the others are not lost.

    Where the text as a whole cannot be taken apart, the error is all there is.
    """
    text = text.removeprefix("\ufeff")
    reader = _READERS[_format_of(text, name)]
    found = False
    try:
        for entry in reader(text, name):
            found = True
            yield entry
    except SheetError as error:
        found = True
        yield error
    if not found:
        yield SheetError("expected a sheet, found none", where=name)


def _format_of(text: str, name: str) -> str:
    by_name = _FORMATS.get(PurePath(name).suffix.lower())
    if by_name in ("jsonl", "toml"):
        return by_name
    lines = [line for line in text.split("\n") if line.strip() and not line.startswith(_COMMENT)]
    start = lines[0].lstrip() if lines else ""
    if len(lines) > 1 and all(line.startswith("{") for line in lines):
        return "jsonl"
    if by_name or start.startswith("{"):
        return "json"
    if TOML_START.match(start):
        return "toml"
    return "json" if start.startswith("[") else "notation"


def _from_json(text: str, name: str) -> Iterator[Sheet | SheetError]:
    data = parsed_json(text, name, SheetError)
    yield from _each(data, name) if isinstance(data, list) else _sheet(data, name)


def _from_json_lines(text: str, name: str) -> Iterator[Sheet | SheetError]:
    for number, line in _lines(text):
        where = f"{name}, line {number}"
        try:
            yield Sheet.from_dict(parsed_json(line, where, SheetError), where)
        except SheetError as error:
            yield error


def _from_toml(text: str, name: str) -> Iterator[Sheet | SheetError]:
    data = parsed_toml(text, name, SheetError)
    if not data:
        return
    if _SHEETS_KEY not in data:
        yield from _sheet(_with_empty_spaces(data), name)
    elif len(data) == 1 and isinstance(data[_SHEETS_KEY], list):
        yield from _each([_with_empty_spaces(entry) for entry in data[_SHEETS_KEY]], name, _SHEETS_KEY)
    else:
        raise SheetError(f"expected nothing beside a list of tables [[{_SHEETS_KEY}]]", _SHEETS_KEY, name)


def _from_notation(text: str, name: str) -> Iterator[Sheet | SheetError]:
    for number, line in _lines(text):
        if line.startswith(_COMMENT):
            continue
        try:
            yield parse_sheet(line, f"{name}, line {number}")
        except SheetError as error:
            yield error


def _lines(text: str) -> Iterator[tuple[int, str]]:
    # Not splitlines: a name may hold letters that it takes for the end of a line.
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, line.strip()


def _each(entries: list[Any], name: str, path: str = "") -> Iterator[Sheet | SheetError]:
    for index, entry in enumerate(entries):
        for sheet in _sheet(entry, name):
            yield sheet.inside(f"{path}[{index}]") if isinstance(sheet, SheetError) else sheet


def _sheet(data: Any, name: str) -> Iterator[Sheet | SheetError]:
    try:
        yield Sheet.from_dict(data, name)
    except SheetError as error:
        yield error


def _with_empty_spaces(data: Any) -> Any:
    """A sheet from TOML with None for the `"."` in its columns."""
    for column in data.values() if isinstance(data, dict) else ():
        for key, cells in column.items() if isinstance(column, dict) else ():
            if isinstance(cells, list):
                column[key] = [None if cell == EMPTY_SPACE else cell for cell in cells]
    return data


_READERS = {
    "json": _from_json,
    "jsonl": _from_json_lines,
    "toml": _from_toml,
    "notation": _from_notation,
}
