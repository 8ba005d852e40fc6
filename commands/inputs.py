"""What options name: rule sets, layouts, folders; a wrong one is wrong usage and stops before any work."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from commands.failures import complain
from layouts import LayoutError, SheetLayout, built_in_layouts, load_layout, usable_layouts
from scoring import RulesError, RuleSet

if TYPE_CHECKING:
    from scanner import ScanOptions


def rules_from(path: str | None) -> RuleSet:
    """The rules in that file, the default ones without a file.

    Raises:
        click.BadParameter: no such file, or no rule set in it.
    """
    if path is None:
        return RuleSet.default()
    try:
        return RuleSet.from_toml(Path(path).read_text("utf-8-sig"), path)
    except UnicodeDecodeError as error:
        raise click.BadParameter(f"{path}: not a text in UTF-8", param_hint="--rules") from error
    except (OSError, RulesError) as error:
        raise click.BadParameter(_cause(error), param_hint="--rules") from error


def layout_from(name: str | None) -> SheetLayout:
    """The layout of that name or file, the default one without a name.

    Raises:
        click.BadParameter: no such layout.
    """
    try:
        return load_layout() if name is None else load_layout(name)
    except LayoutError as error:
        raise click.BadParameter(str(error), param_hint="--layout") from error


def layouts_from(name: str | None) -> tuple[SheetLayout, ...]:
    """The layout of that name or file; without a name all that are known, since each sheet tells which it is of.

    One that cannot be used is named on stderr and left out.

    Raises:
        click.BadParameter: no such layout.
    """
    if name is not None:
        named = layout_from(name)
        _require_picture(named)
        return (named,)
    layouts, errors = usable_layouts()
    if len(layouts) > len(built_in_layouts()):
        from scanner.blanks import picture_error

        found = [(layout, picture_error(layout)) for layout in layouts]
        layouts = tuple(layout for layout, error in found if error is None)
        errors += tuple(error for _, error in found if error is not None)
    for error in errors:
        complain(f"{error}; this layout is left out")
    return layouts


def _require_picture(layout: SheetLayout) -> None:
    """Refuses a user's layout whose sheets are found by its picture alone, if nothing can be found by that."""
    if layout.fiducials or (layout.embedded is None and layout.picture is None):
        return
    from scanner.blanks import picture_error

    if error := picture_error(layout, whole=True):
        raise click.BadParameter(str(error), param_hint="--layout") from error


def layout_names(name: str | None) -> tuple[str, ...]:
    """The same by their names."""
    layouts = layouts_from(name)
    return (name,) if name is not None else tuple(layout.name for layout in layouts)


def folder_from(path: str | None, option: str) -> Path | None:
    """The folder, made if it is not there yet.

    Raises:
        click.BadParameter: it cannot be made.
    """
    if path is None:
        return None
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.BadParameter(f"cannot make this folder: {_cause(error)}", param_hint=option) from error
    return Path(path)


def scan_options(reader: str, names: bool = False) -> ScanOptions:
    """The options of a scan with that reader, and with the player's name read or not.

    Raises:
        click.UsageError: Tesseract is asked for and cannot be called.
    """
    from scanner.errors import ScanError
    from scanner.options import ScanOptions
    from scanner.tesseract import require_tesseract

    if reader == "tesseract" or names:
        try:
            require_tesseract()
        except ScanError as error:
            raise click.UsageError(str(error)) from error
    return ScanOptions(reader="tesseract" if reader == "tesseract" else "net", names=names)


def names_from(players: str | None) -> tuple[str, ...]:
    """Players' names from a list with commas; no list, no names."""
    if players is None:
        return ()
    return tuple(name.strip() for name in players.split(","))


def named_files(*names: str | None) -> tuple[str, ...]:
    """What the user named of that, so that no result is written over it."""
    return tuple(name for name in names if name is not None)


def _cause(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}"
    return str(error)
