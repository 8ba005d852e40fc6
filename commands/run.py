"""What every command that finds sheets does with them: names, tells, puts them together as a game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commands.failures import complain
from commands.output import Output
from report.entries import Entry, Failure, Game, named, ranking, scored, title
from scoring import RuleSet, audit_game
from scoring.violations import Specials
from scoring.words import counted


def collect(found: Iterator[Entry], players: Sequence[str], writer: Output) -> tuple[Entry, ...]:
    """All entries, each told to the writer (and a failure to the user) as soon as it is there.

    They get the players' names in their order. What could not be read uses up a name too, so that the others keep
    theirs.
    """
    entries: list[Entry] = []
    for entry in found:
        if len(entries) < len(players):
            entry = named(entry, players[len(entries)])
        if isinstance(entry, Failure):
            complain(entry.told)
        writer.add(entry)
        entries.append(entry)
    if players and len(players) != len(entries):
        there_are = "there is" if len(entries) == 1 else "there are"
        complain(f"--players names {len(players)}, but {there_are} {counted(len(entries), 'sheet')}")
    return tuple(entries)


def game_of(entries: Sequence[Entry], rules: RuleSet, specials: Specials | None) -> Game:
    """Ranking and game checks; without checks where a sheet is missing, since it could explain everything."""
    sheets = scored(entries)
    if len(sheets) < len(entries):
        complain("the checks over the whole game are left out, because not all of its sheets were read")
        return Game(ranking(entries), ())
    titled = [entry.sheet.named(title(entry)) for entry in sheets]
    return Game(ranking(entries), audit_game(titled, rules, specials))
