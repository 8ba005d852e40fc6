"""`rollwrite rules`: the rule set in force, as a file that can be corrected and given back."""

from __future__ import annotations

from commands.inputs import named_files, rules_from
from commands.output import STDOUT, check_place, write_text
from scoring import format_rules


def print_rules(rules_path: str | None, output: str | None) -> int:
    """Writes the rules as TOML with their sources as comments."""
    path = None if output == STDOUT else output
    rules = rules_from(rules_path)
    check_place(path, named_files(rules_path))
    write_text(format_rules(rules, rules_path or ""), path)
    return 0
