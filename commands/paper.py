"""`rollwrite print` and `rollwrite layouts`: blank sheets, and the data that they are drawn from."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from commands.failures import UNREAD, complain
from commands.inputs import layout_from, named_files
from commands.output import STDOUT, check_writable, require_stdout
from layouts import LayoutError


def print_sheets(output: str, layout_name: str | None, copies: int | None, paper: str) -> int:
    """Writes blank sheets as a PDF; without a number of copies, one page full of them.

    Raises:
        click.BadParameter: the sheet is larger than the paper, or the layout cannot be drawn.
    """
    from sheets import PaperError, draw_pdf
    from sheets.papers import impose

    layout = layout_from(layout_name)
    if output == STDOUT:
        require_stdout()
    else:
        check_writable(output, named_files(layout_name))
    try:
        copies = copies or len(impose(layout.page_mm, paper).places_mm)
        pdf = draw_pdf(layout, copies, paper)
    except PaperError as error:
        raise click.BadParameter(str(error), param_hint="--paper") from error
    except LayoutError as error:
        raise click.BadParameter(str(error), param_hint="--layout") from error
    if output == STDOUT:
        sys.stdout.buffer.write(pdf)
    else:
        Path(output).write_bytes(pdf)
        click.echo(f"{output}: {copies} of {layout.name}", err=True)
    return 0


def list_layouts() -> int:
    """Prints a line for each known layout: size, title, and whose it is.

    Returns:
        The exit code: 3 where a file in the user's folder cannot be used, which is named on stderr with its cause.
    """
    from layouts import usable_layouts, user_layouts
    from scanner.blanks import picture_error

    layouts, errors = usable_layouts()
    files = user_layouts()
    told = list(map(str, errors))
    for layout in layouts:
        error = picture_error(layout, whole=True) if layout.name in files else None
        if error is not None:
            told.append(f"{files[layout.name]}: {error}")
            continue
        width_mm, height_mm = layout.page_mm
        whose = str(files.get(layout.name, "built in"))
        click.echo(f"{layout.name}  {width_mm:g} x {height_mm:g} mm  {layout.title}  ({whose})")
    for message in told:
        complain(f"{message}; calibrate it again, or take it out of that folder")
    return UNREAD if told else 0


def show_layout(name: str) -> int:
    """Prints a layout as the JSON of its file."""
    from layouts import layout_to_dict
    from report.data import dumps

    click.echo(dumps(layout_to_dict(layout_from(name)), sys.stdout.encoding, indent=1))
    return 0
