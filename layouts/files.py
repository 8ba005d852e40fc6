"""Reading layout files: checked once, where they enter."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

from layouts.checks import check_layout
from layouts.model import CellBox, Fiducial, LayoutError, SheetLayout

DEFAULT_LAYOUT = "expedition-a5"
_Entry = TypeVar("_Entry")


def known_layouts() -> tuple[str, ...]:
    """Names of the layouts that come with the program, sorted."""
    files = resources.files("layouts").iterdir()
    return tuple(sorted(entry.name[: -len(".json")] for entry in files if entry.name.endswith(".json")))


@cache
def load_layout(name_or_path: str = DEFAULT_LAYOUT) -> SheetLayout:
    """The layout of that name, or in that file; a file's blank picture is the PNG of the same name beside it.

    Raises:
        LayoutError: unknown name, unreadable file, or a file that breaks the format.
    """
    if name_or_path in known_layouts():
        text = resources.files("layouts").joinpath(f"{name_or_path}.json").read_text("utf-8")
        return parse_layout(text, name_or_path)
    try:
        text = Path(name_or_path).read_text("utf-8-sig")
    except (OSError, ValueError) as error:
        raise LayoutError(
            f"{name_or_path}: neither a known layout ({', '.join(known_layouts())}) nor a readable file"
        ) from error
    picture = Path(name_or_path).with_suffix(".png")
    return replace(parse_layout(text, name_or_path), picture=str(picture))


def blank_picture(layout: SheetLayout) -> bytes:
    """The PNG of the blank printed sheet that belongs to a layout, as file bytes.

    Raises:
        LayoutError: the layout has no picture, or an empty file for one.
    """
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


def parse_layout(text: str, where: str) -> SheetLayout:
    """A layout from the text of its file.

    Raises:
        LayoutError: naming the file and the place.
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise LayoutError(f"{where}: line {error.lineno}: not JSON ({error.msg})") from error
    except (ValueError, RecursionError) as error:
        raise LayoutError(f"{where}: not JSON that can be read ({error})") from error
    if not isinstance(data, dict):
        raise LayoutError(f"{where}: expected a JSON object, found {type(data).__name__}")
    try:
        cells = _each(data["cells"], _cell, f"{where}: cells")
        fiducials = _each(data.get("fiducials", []), _fiducial, f"{where}: fiducials")
        layout = SheetLayout(
            name=str(data["name"]),
            title=str(data.get("title", data["name"])),
            page_mm=(float(data["page"]["width"]), float(data["page"]["height"])),
            cells=cells,
            fiducials=fiducials,
            bridge_marks=str(data["bridge_marks"]),
            colours=dict(data["colours"]),
            symbols=dict(data["symbols"]),
            art=dict(data.get("art", {})),
        )
    except LayoutError:
        raise
    except KeyError as error:
        raise LayoutError(f"{where}: not a layout: {error} is missing") from error
    except (TypeError, ValueError, AttributeError) as error:
        raise LayoutError(f"{where}: not a layout ({type(error).__name__}: {error})") from error
    check_layout(layout, where)
    return layout


def layout_to_dict(layout: SheetLayout) -> dict[str, Any]:
    """The layout as the JSON object of its file."""
    return {
        "name": layout.name,
        "title": layout.title,
        "page": {"width": layout.page_mm[0], "height": layout.page_mm[1]},
        "cells": [_cell_to_dict(cell) for cell in layout.cells],
        "fiducials": [
            {"dictionary": tag.dictionary, "id": tag.id, "x": tag.x_mm, "y": tag.y_mm, "size": tag.size_mm}
            for tag in layout.fiducials
        ],
        "bridge_marks": layout.bridge_marks,
        "colours": dict(layout.colours),
        "symbols": dict(layout.symbols),
        "art": dict(layout.art),
    }


def _each(entries: list[Any], build: Callable[[dict[str, Any]], _Entry], place: str) -> tuple[_Entry, ...]:
    built = []
    for number, entry in enumerate(entries):
        try:
            built.append(build(entry))
        except KeyError as error:
            raise LayoutError(f"{place}[{number}]: {error} is missing") from error
        except (TypeError, ValueError, AttributeError) as error:
            raise LayoutError(f"{place}[{number}]: {entry!r:.80} ({error})") from error
    return tuple(built)


def _cell(entry: dict[str, Any]) -> CellBox:
    x, y, w, h = (float(entry[key]) for key in "xywh")
    return CellBox(entry["column"], entry["space"], entry["kind"], x, y, w, h, entry.get("special"))


def _cell_to_dict(cell: CellBox) -> dict[str, Any]:
    entry: dict[str, Any] = {"column": cell.column, "space": cell.space, "kind": cell.kind}
    entry.update(x=cell.x_mm, y=cell.y_mm, w=cell.w_mm, h=cell.h_mm)
    if cell.special:
        entry["special"] = cell.special
    return entry


def _fiducial(entry: dict[str, Any]) -> Fiducial:
    return Fiducial(
        str(entry["dictionary"]), int(entry["id"]), float(entry["x"]), float(entry["y"]), float(entry["size"])
    )
