"""JSON and TOML read strictly, with the place of what is wrong."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

from scoring.errors import InputError
from scoring.plain import shown

TOML_START = re.compile(r"""\[\[?\s*[A-Za-z]|["'\w.-]+\s*=""")
"""How the first line of a TOML text begins that is not empty and no comment."""


def parsed_json(text: str, where: str, error: type[InputError]) -> Any:
    """The value of a JSON text.

    Args:
        text: the JSON.
        where: the name of the file (or line), for the message.
        error: what to raise.

    Raises:
        InputError: of that kind: no JSON, a key twice in one object, or too deep or too long to be read.
    """
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as problem:
        line = f"line {problem.lineno}, " if "\n" in text else ""
        place = f"{line}column {problem.colno}"
        raise error(f"not JSON at {place} ({problem.msg})", where=where) from None
    except InputError as problem:
        raise error(problem.problem, problem.path, where) from None
    except (ValueError, RecursionError) as problem:
        raise error(f"not JSON that can be read ({problem})", where=where) from None


def parsed_toml(text: str, where: str, error: type[InputError]) -> dict[str, Any]:
    """The table of a TOML text.

    Args:
        text: the TOML.
        where: the name of the file, for the message.
        error: what to raise.

    Raises:
        InputError: of that kind: no TOML, or too deep to be read.
    """
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as problem:
        raise error(f"not TOML ({problem})", where=where) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entry = dict(pairs)
    if len(entry) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise InputError(f"expected each key once, found {shown(twice)} twice in one object")
    return entry


# Made once: for ten thousand short lines, making it takes as long as its work.
_DECODER = json.JSONDecoder(object_pairs_hook=_object)
