"""The layouts that come with the program, those in the user's folder, and any other file."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path

from layouts.files import parse_layout
from layouts.model import LayoutError, SheetLayout

DEFAULT_LAYOUT = "expedition-a5"

FOLDER_VARIABLE = "ROLLWRITE_LAYOUTS"
"""Environment variable that names another folder for the user's layouts."""

_ENDING = ".layout"


@cache
def built_in_layouts() -> tuple[str, ...]:
    """Names of the layouts that come with the program, sorted."""
    files = resources.files("layouts").iterdir()
    return tuple(sorted(entry.name[: -len(".json")] for entry in files if entry.name.endswith(".json")))


def user_folder() -> Path:
    """The folder in which the user's layouts are looked for; it need not be there."""
    if named := os.environ.get(FOLDER_VARIABLE):
        return Path(named)
    import click

    return Path(click.get_app_dir("rollwrite")) / "layouts"


def user_layouts() -> dict[str, Path]:
    """Files in the user's folder by their names without ending, sorted; whether they can be read is not looked at."""
    return {file.stem: file for file in _user_files() if file.stem not in built_in_layouts()}


def _user_files() -> list[Path]:
    try:
        return sorted(file for file in user_folder().iterdir() if file.suffix == _ENDING)
    except OSError:
        return []


def known_layouts() -> tuple[str, ...]:
    """Names of all layouts that can be asked for by name: the program's own, then the user's."""
    return (*built_in_layouts(), *user_layouts())


def usable_layouts() -> tuple[tuple[SheetLayout, ...], tuple[LayoutError, ...]]:
    """All known layouts, the default one first, and why files in the user's folder cannot be used."""
    names = sorted(known_layouts(), key=lambda name: name != DEFAULT_LAYOUT)
    layouts, errors = [], [_clash(file) for file in _user_files() if file.stem in built_in_layouts()]
    for name in names:
        try:
            layouts.append(load_layout(name))
        except LayoutError as error:
            errors.append(error)
    return tuple(layouts), tuple(errors)


def _clash(file: Path) -> LayoutError:
    return LayoutError(f"{file}: {file.stem} is the name of the program's own layout, which is taken instead")


def load_layout(name_or_path: str = DEFAULT_LAYOUT) -> SheetLayout:
    """The layout of that name, or in that file.

    A file's blank picture is in it, or the PNG of the same name beside it. One in the user's folder is called as its
    file is. The same file gives the same object until it changes, so that what is made for a layout can be kept.

    Raises:
        LayoutError: unknown name, unreadable file, or a file that breaks the format.
    """
    if name_or_path in built_in_layouts():
        return _own(name_or_path)
    named = user_layouts().get(name_or_path)
    path = named or Path(name_or_path)
    try:
        about = path.stat()
        return _from_file(path, name_or_path if named else None, about.st_mtime_ns, about.st_size)
    except (OSError, ValueError) as error:
        if isinstance(error, LayoutError):
            raise
        raise LayoutError(
            f"{name_or_path}: neither a known layout ({', '.join(known_layouts())}) nor a readable file"
        ) from error


@cache
def _own(name: str) -> SheetLayout:
    return parse_layout(resources.files("layouts").joinpath(f"{name}.json").read_text("utf-8"), name)


@lru_cache(maxsize=64)
def _from_file(path: Path, name: str | None, _changed: int, _size: int) -> SheetLayout:
    layout = parse_layout(path.read_text("utf-8-sig"), str(path))
    layout = layout if name is None else replace(layout, name=name)
    return layout if layout.embedded else replace(layout, picture=str(path.with_suffix(".png")))


def blank_picture(layout: SheetLayout) -> bytes:
    """The PNG or JPEG of the blank printed sheet that belongs to a layout, as file bytes.

    Raises:
        LayoutError: the layout has no picture, or an empty file for one.
    """
    if layout.embedded is not None:
        data = layout.embedded
    else:
        try:
            if layout.picture is not None:
                data = Path(layout.picture).read_bytes()
            else:
                data = resources.files("layouts").joinpath(f"{layout.name}.png").read_bytes()
        except OSError as error:
            raise LayoutError(f"{layout.name}: no picture of the blank sheet beside the layout") from error
    if not data:
        raise LayoutError(f"{layout.name}: the picture of the blank sheet is empty")
    return data
