"""`rollwrite cards`: rounds of the card game, scored and checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from commands.failures import complain
from commands.inputs import named_files, rules_from
from commands.output import STDOUT, check_place, encoding_of, write_text
from commands.texts import shown_name, text_of
from report.cards import CardEntry, CardGameReport, cards_csv, cards_data, cards_text, exit_code
from report.data import dumps
from report.entries import Failure
from scoring import CardsError, RuleSet, load_card_game, score_cards

_EXPECTED = 'give JSON or TOML: {"players": ["Ana", "Ben"], "rounds": [{"Ana": {"yellow": ["w", 2]}, "Ben": {}}]}'


def score_card_games(
    paths: Sequence[str], form: str, output: str | None, rules_path: str | None, **settings: Any
) -> int:
    """Scores the game in every file.

    Args:
        paths: files, `-` for stdin.
        form: `table`, `json`, `jsonl` or `csv`.
        output: where results go; None for stdout.
        rules_path: a file with rules that differ.
        settings: numbers of the card game that differ from it; None for those that do not.

    Returns:
        The exit code.

    Raises:
        click.UsageError: an option names nothing that can be used.
    """
    given = {name: value for name, value in settings.items() if value is not None}
    rules = rules_from(rules_path)
    rules = replace(rules, cards=replace(rules.cards, **given))
    place = None if output == STDOUT else output
    check_place(place, named_files(*paths, rules_path))
    entries = [_entry(path, rules) for path in paths]
    for entry in entries:
        if isinstance(entry, Failure):
            text = entry.message if entry.message.startswith(entry.path) else f"{entry.path}: {entry.message}"
            complain(f"{text}; {entry.remedy}")
    write_text(_text(entries, form, place), place)
    return exit_code(entries)


def _entry(path: str, rules: RuleSet) -> CardEntry:
    text = text_of(path, "invalid-game", _EXPECTED)
    if isinstance(text, Failure):
        return text
    name = shown_name(path)
    try:
        return CardGameReport(name, score_cards(load_card_game(text, name), rules))
    except CardsError as error:
        return Failure(name, "invalid-game", str(error), _EXPECTED)


def _text(entries: Sequence[CardEntry], form: str, place: str | None) -> str:
    if form == "csv":
        # Spreadsheets take a file without this mark for the local 8-bit encoding and garble names.
        return ("" if place is None else "\ufeff") + cards_csv(entries)
    if form == "table":
        return cards_text(entries)
    objects = [cards_data(entry) for entry in entries]
    if form == "jsonl":
        return "".join(dumps(data, encoding_of(place)) + "\n" for data in objects)
    return dumps(objects[0] if len(objects) == 1 else objects, encoding_of(place), indent=1) + "\n"
