"""A rule set as the TOML file that would give it again, each value under the comment that says where it comes from."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from scoring.rules import RuleSet, default_text

_TABLE = re.compile(r"\[([\w.]+)\]")
_ENTRY = re.compile(r"([\w-]+) = (.*)")


def format_rules(rules: RuleSet, source: str = "") -> str:
    """The rule set as TOML with its sources as comments; `RuleSet.from_toml` makes an equal one of it.

    Args:
        rules: the rule set.
        source: where values that differ from the default come from, for their comments.
    """
    # TOML allows no control letters, not even in comments.
    harmless = "".join(letter if letter.isprintable() else "?" for letter in " ".join(source.split()))
    return "".join(f"{line}\n" for line in _lines(rules.to_dict(), harmless))


def _lines(values: Mapping[str, Any], source: str) -> Iterator[str]:
    # Every value of the default file stands on one line, so it can be replaced there.
    table = values
    for line in default_text().splitlines():
        if heading := _TABLE.fullmatch(line):
            table = values
            for name in heading[1].split("."):
                table = table[name]
        entry = _ENTRY.fullmatch(line)
        value = json.dumps(table[entry[1]]) if entry else ""
        if entry and value != entry[2]:
            yield f"# Changed{f' by {source}' if source else ''}; the default is {entry[2]}."
            yield f"{entry[1]} = {value}"
        else:
            yield line
