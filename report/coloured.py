"""Score tables for a terminal: the columns in their printed colours, drawn with rich."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TextIO

from rich.box import ASCII, SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from report.entries import Failure, Game, Report, ScannedSheet, ScoredSheet, title
from report.letters import printable
from report.plain import plain_text
from report.rows import ColumnRow, Note, column_rows, notes, total_remark, violation_notes
from scoring import Explanation

_NOTE_STYLES = {"error": "bold red", "warning": "yellow", "check": "bold magenta", "photo": "yellow"}
# A terminal with sixteen colours would show half of the printed ones as the same grey.
_SIXTEEN = {
    "red": "red",
    "orange": "bright_red",
    "yellow": "bright_yellow",
    "green": "green",
    "blue": "bright_blue",
    "purple": "magenta",
    "artifacts": "cyan",
    "dice": "white",
}
# Wider than any table: a measure within the terminal would say that it fits.
_ANY_WIDTH = 1000
_DOUBT_STYLE = "bold magenta underline"


def print_coloured(report: Report, colours: Mapping[str, str], stream: TextIO) -> None:
    """Prints everything a run found to a terminal.

    Args:
        report: what to print.
        colours: per column, `#rrggbb`, for sheets that were typed.
        stream: the terminal; box characters are plain ones where its encoding has no others.
    """
    console = Console(file=stream, highlight=False)
    if console.color_system == "standard":
        colours = _SIXTEEN
    for entry in report.entries:
        if isinstance(entry, Failure):
            console.print(Text(printable(f"{entry.where}: not read ({entry.code})"), "bold red"))
        else:
            _print_sheet(console, entry, colours, report.names_layouts)
        console.print()
    if report.game is not None:
        _print_game(console, report.game)


def _print_sheet(console: Console, entry: ScoredSheet, colours: Mapping[str, str], names_layout: bool) -> None:
    if isinstance(entry, ScannedSheet) and colours is not _SIXTEEN:
        colours = entry.reading.layout.colours
    table = _table(console, Text.assemble((printable(title(entry)), "bold"), f"  {printable(entry.path)}"))
    for name in ("column", "spaces, bottom to top"):
        table.add_column(name, no_wrap=True)
    for name in ("filled", "points", "double", "bridge"):
        table.add_column(name, justify="right")
    for row in column_rows(entry):
        table.add_row(*_cells(row, colours))
    table.add_section()
    table.add_row("bridges", "", "", str(entry.card.bridges))
    table.add_row(Text("total", "bold"), total_remark(entry), "", Text(str(entry.card.total), "bold"))
    if console.measure(table, options=console.options.update(max_width=_ANY_WIDTH)).maximum > console.width:
        # Squeezed, it would hide numbers and points; plain lines the terminal wraps.
        console.print(Text(plain_text(Report((entry,), names_layouts=names_layout)).rstrip("\n")), soft_wrap=True)
        return
    console.print(table)
    if entry.explanation:
        _print_explanation(console, entry.explanation, colours)
    _print_notes(console, notes(entry, names_layout))


def _print_explanation(console: Console, parts: Iterable[Explanation], colours: Mapping[str, str]) -> None:
    grid = Table.grid(padding=(0, 1, 0, 1))
    for part in parts:
        grid.add_row(_swatch(part.column, colours), Text(part.text))
    console.print(grid)


def _swatch(column: str, colours: Mapping[str, str]) -> Text:
    return Text.assemble(("  ", f"on {colours.get(column, 'default')}"), f" {column}")


def _cells(row: ColumnRow, colours: Mapping[str, str]) -> tuple[Text | str, ...]:
    spaces = Text()
    for space in row.spaces:
        style = _DOUBT_STYLE if space.doubtful else "dim" if space.text == "." else ""
        spaces.append(" " * (3 - len(space.text) - space.doubtful))
        spaces.append(f"~{space.text}" if space.doubtful else space.text, style)
    doubled = "x2" if row.doubled else ""
    return (
        _swatch(row.column, colours),
        spaces,
        str(row.filled),
        str(row.points),
        doubled,
        str(row.bridge) if row.bridge else "",
    )


def _print_game(console: Console, game: Game) -> None:
    table = _table(console, Text("ranking", "bold"))
    table.add_column("place", justify="right")
    table.add_column("total", justify="right")
    table.add_column("player")
    for place in game.ranking:
        style = "bold" if place.place == 1 else ""
        table.add_row(str(place.place), str(place.total), Text(printable(place.player)), style=style)
    console.print(table)
    _print_notes(console, violation_notes(game.violations))


def _table(console: Console, heading: Text) -> Table:
    box = SIMPLE_HEAD if console.encoding.startswith("utf") else ASCII
    return Table(title=heading, title_justify="left", title_style="", box=box, header_style="dim", padding=(0, 1, 0, 0))


def _print_notes(console: Console, found: Iterable[Note]) -> None:
    grid = Table.grid(padding=(0, 1, 0, 1))
    for note in found:
        grid.add_row(Text(note.kind, _NOTE_STYLES.get(note.kind, "")), Text(printable(note.text)))
    if grid.row_count:
        console.print(grid)
