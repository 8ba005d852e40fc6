"""Layout files: read and checked once, where they enter, and written so that people can edit them."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable
from typing import Any, TypeVar

from layouts.checks import check_layout
from layouts.model import CellBox, Fiducial, LayoutError, SheetLayout

_Entry = TypeVar("_Entry")


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
            embedded=_picture(data.get("picture"), where),
            notes=_notes(data.get("notes", []), where),
            specials_known=_yes_or_no(data.get("specials_known", True), f"{where}: specials_known"),
        )
    except LayoutError:
        raise
    except KeyError as error:
        raise LayoutError(f"{where}: not a layout: {error} is missing") from error
    except (TypeError, ValueError, AttributeError) as error:
        raise LayoutError(f"{where}: not a layout ({type(error).__name__}: {error})") from error
    check_layout(layout, where)
    return layout


def layout_text(layout: SheetLayout, picture: bytes) -> str:
    """The text of a file that holds a layout with its blank picture: a cell a line, the picture at the end.

    Args:
        layout: the layout.
        picture: the blank sheet as a PNG or JPEG file.
    """
    data = layout_to_dict(layout)
    cells = ",\n".join(f"  {json.dumps(cell)}" for cell in data.pop("cells"))
    parts = [f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in data.items()]
    parts.append(f' "cells": [\n{cells}\n ]')
    parts.append(f' "picture": "{base64.b64encode(picture).decode("ascii")}"')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def layout_to_dict(layout: SheetLayout) -> dict[str, Any]:
    """The layout as the JSON object of its file, without a picture."""
    about: dict[str, Any] = {}
    if layout.notes:
        about["notes"] = list(layout.notes)
    if not layout.specials_known:
        about["specials_known"] = False
    return {
        **_plain(layout),
        **about,
    }


def _plain(layout: SheetLayout) -> dict[str, Any]:
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


def _picture(text: Any, where: str) -> bytes | None:
    if text is None:
        return None
    try:
        # What encodes files breaks its lines; anything else than whitespace is damage, and must not be skipped over.
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, AttributeError, ValueError) as error:
        raise LayoutError(f"{where}: picture: not a picture in base64 ({error})") from error


def _notes(entries: Any, where: str) -> tuple[str, ...]:
    if not isinstance(entries, list) or not all(isinstance(entry, str) for entry in entries):
        raise LayoutError(f"{where}: notes: {entries!r:.80}, expected a list of texts")
    return tuple(entries)


def _yes_or_no(value: Any, place: str) -> bool:
    """A true value of another type is no yes: the text "false" would switch checks on."""
    if not isinstance(value, bool):
        raise LayoutError(f"{place}: {value!r:.80}, expected true or false")
    return value


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
