"""`rollwrite score`: sheets typed by hand, scored and validated."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click

from commands.inputs import layout_from, named_files, names_from, rules_from
from commands.output import Output
from commands.run import collect, game_of
from commands.texts import shown_name, text_of
from layouts import SheetLayout, load_layout
from report.data import SCORE_SCHEMA
from report.entries import Entry, Failure, Report, ScoredSheet
from scoring import DEFAULT, RuleSet, Sheet, SheetError, explain, iter_sheets, score, validate
from scoring.violations import AnySpecials

_EXPECTED = "give JSON, JSON Lines, TOML or the one-line notation; the README shows each"


def score_files(
    paths: Sequence[str],
    form: str,
    output: str | None,
    layout_name: str | None,
    rules_path: str | None,
    game: bool,
    players: str | None,
    explained: bool = False,
) -> int:
    """Scores every sheet of every file.

    Returns:
        The exit code.

    Raises:
        click.UsageError: an option names nothing that can be used.
    """
    if explained and form == "csv":
        raise click.UsageError("--explain needs another --format than csv, which has no room for it")
    rules, layout = rules_from(rules_path), layout_from(layout_name)
    writer = Output(form, output, SCORE_SCHEMA, game, named_files(*paths, rules_path, layout_name))
    with _without_garbage_collection():
        entries = collect(_entries(paths, layout, rules, explained), names_from(players), writer)
    report = Report(entries, game_of(entries, rules, layout.known_specials) if game else None)
    writer.finish(report, layout.colours)
    return report.exit_code()


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """All sheets stay until the end, so looking for garbage among them takes a third of the time for nothing."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _entries(paths: Sequence[str], layout: SheetLayout, rules: RuleSet, explained: bool) -> Iterator[Entry]:
    # Asked for once: the default ones are known to the checks already.
    specials = DEFAULT if layout is load_layout() else layout.known_specials
    for path in paths:
        text = text_of(path, "invalid-sheet", _EXPECTED)
        if isinstance(text, Failure):
            yield text
            continue
        for index, sheet in enumerate(iter_sheets(text, shown_name(path)), 1):
            yield _entry(shown_name(path), index, sheet, specials, rules, explained)


def _entry(
    name: str, index: int, sheet: Sheet | SheetError, specials: AnySpecials, rules: RuleSet, explained: bool
) -> Entry:
    if isinstance(sheet, SheetError):
        return Failure(name, "invalid-sheet", str(sheet), _EXPECTED, index=index)
    card = score(sheet, rules)
    explanation = explain(card, rules) if explained else ()
    return ScoredSheet(name, index, sheet, card, validate(sheet, rules, specials), explanation=explanation)
