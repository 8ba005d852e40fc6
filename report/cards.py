"""What was found in card games: tables, JSON objects and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from report.data import CARDS_SCHEMA, failure_data
from report.entries import ALL_READ, UNREAD, VIOLATED, Failure
from report.letters import printable
from scoring import CardResult
from scoring.cardgame import COLOURS

_FIELDS = ("path", "status", "round", "player", *COLOURS, "total", "place", "violations", "code", "message")


@dataclass(frozen=True, slots=True)
class CardGameReport:
    """A card game that was read.

    Attributes:
        path: where it came from, as the user gave it.
        result: its points and violations.
    """

    path: str
    result: CardResult


CardEntry: TypeAlias = Failure | CardGameReport


def exit_code(entries: Sequence[CardEntry]) -> int:
    """0 all read and legal, 1 a violation of severity error, 3 something was not read."""
    games = [entry for entry in entries if isinstance(entry, CardGameReport)]
    if len(games) < len(entries):
        return UNREAD
    broken = any(found.severity == "error" for game in games for found in game.result.violations)
    return VIOLATED if broken else ALL_READ


def cards_data(entry: CardEntry) -> dict[str, Any]:
    """One game as its JSON object."""
    if isinstance(entry, Failure):
        return failure_data(entry, CARDS_SCHEMA)
    return {"schema": CARDS_SCHEMA, "source": {"path": entry.path}, "status": "ok", **entry.result.to_dict()}


def cards_text(entries: Iterable[CardEntry]) -> str:
    """All games as lines of text, in letters that every console and file can hold."""
    lines: list[str] = []
    for entry in entries:
        lines.extend([f"{entry.path}: not read ({entry.code})"] if isinstance(entry, Failure) else _game_lines(entry))
        lines.append("")
    return "".join(f"{printable(line)}\n" for line in lines[:-1])


def _game_lines(entry: CardGameReport) -> Iterator[str]:
    result = entry.result
    width = max(10, *(len(player) for player in result.totals))
    yield f"{' - '.join(result.game.players)}  ({entry.path})"
    columns = _columns(result)
    yield "  round  " + f"{'player':<{width}}" + "".join(f"{column:>{_width(column)}}" for column in columns)
    for number, points in enumerate(result.rounds, 1):
        for player, row in points.items():
            cells = "".join(f"{row.get(column, ''):>{_width(column)}}" for column in columns)
            yield f"  {number:>5}  {player:<{width}}{cells}".rstrip()
    yield "ranking"
    for place in result.ranking:
        yield f"  {place.place:>2}.  {place.total:>5}  {place.player}"
    starter = result.next_starter
    yield f"  {starter} has more points and starts the next round" if starter else "  equal: who starts next is open"
    for found in sorted(result.violations, key=lambda found: found.severity != "error"):
        yield f"  {found.severity:<8} {found.message} ({found.code})"


def _columns(result: CardResult) -> list[str]:
    """The expeditions of the game, then those that it does not have, then the total."""
    laid = [column for points in result.rounds for row in points.values() for column in row if column != "total"]
    return [*dict.fromkeys((*result.game.colours, *laid)), "total"]


def _width(column: str) -> int:
    return max(8, len(column) + 2)


def cards_csv(entries: Iterable[CardEntry]) -> str:
    """A row for each player of each round and for the totals; a row for each file that could not be read."""
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, _FIELDS, restval="", extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for entry in entries:
        if isinstance(entry, Failure):
            text = f"{entry.message}; {entry.remedy}"
            writer.writerow({"path": entry.path, "status": "error", "code": entry.code, "message": text})
        else:
            writer.writerows(_rows(entry))
    return buffer.getvalue()


def _rows(entry: CardGameReport) -> Iterator[dict[str, object]]:
    result = entry.result
    for number, points in enumerate(result.rounds, 1):
        for player, row in points.items():
            codes = [v.code for v in result.violations if (v.round, v.player) == (number, player)]
            yield {
                "path": entry.path,
                "status": "ok",
                "round": number,
                "player": player,
                **row,
                "violations": "; ".join(codes),
            }
    whole = "; ".join(found.code for found in result.violations if found.round is None)
    for place in result.ranking:
        yield {
            "path": entry.path,
            "status": "ok",
            "player": place.player,
            "total": place.total,
            "place": place.place,
            "violations": whole,
        }
