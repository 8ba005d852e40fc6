"""Score tables as plain text, in letters that every console and file can hold."""

from __future__ import annotations

from collections.abc import Iterator

from report.entries import Failure, Game, Report, ScoredSheet, title
from report.letters import printable
from report.rows import ColumnRow, column_rows, notes, total_remark, violation_notes

_NAME_WIDTH = 10
_HEADER = f"  {'column':<{_NAME_WIDTH}}  {'spaces, bottom to top':<27}  filled  points  double  bridge"
_POINTS_AT = _NAME_WIDTH + 39


def plain_text(report: Report) -> str:
    """Everything a run found, as lines of text."""
    lines: list[str] = []
    for entry in report.entries:
        lines.extend(_failure_lines(entry) if isinstance(entry, Failure) else _sheet_lines(entry, report.names_layouts))
        lines.append("")
    if report.game is not None:
        lines.extend(_game_lines(report.game))
    while lines and not lines[-1]:
        lines.pop()
    return "".join(f"{printable(line)}\n" for line in lines)


def _failure_lines(failure: Failure) -> Iterator[str]:
    yield f"{failure.where}: not read ({failure.code})"


def _sheet_lines(entry: ScoredSheet, names_layout: bool) -> Iterator[str]:
    yield f"{title(entry)}  ({entry.path})"
    yield _HEADER
    for row in column_rows(entry):
        yield _column_line(row)
    yield f"  {'bridges':<{_POINTS_AT}}{entry.card.bridges:>6}"
    yield f"  {'total':<{_POINTS_AT}}{entry.card.total:>6}  {total_remark(entry)}".rstrip()
    for part in entry.explanation:
        yield f"  {part.column:<{_NAME_WIDTH}}  {part.text}"
    for note in notes(entry, names_layout):
        yield f"  {note.kind:<8} {note.text}"


def _column_line(row: ColumnRow) -> str:
    spaces = "".join(f"{'~' + space.text if space.doubtful else space.text:>3}" for space in row.spaces)
    doubled = "x2" if row.doubled else ""
    bridge = str(row.bridge) if row.bridge else ""
    line = f"  {row.column:<{_NAME_WIDTH}}  {spaces}  {row.filled:>6}  {row.points:>6}  {doubled:>6}  {bridge:>6}"
    return line.rstrip()


def _game_lines(game: Game) -> Iterator[str]:
    yield "ranking"
    for place in game.ranking:
        yield f"  {place.place:>2}.  {place.total:>5}  {place.player}"
    for note in violation_notes(game.violations):
        yield f"  {note.kind:<8} {note.text}"
