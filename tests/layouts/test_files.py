"""The loader: a good file comes back as it was; each defect is refused with the name of its place."""

import base64
import json
from collections.abc import Callable
from dataclasses import replace
from importlib import resources
from typing import Any

import pytest

from layouts import LayoutError, blank_picture, known_layouts, layout_text, layout_to_dict, load_layout
from layouts.files import parse_layout

GOOD = resources.files("layouts").joinpath("expedition-a5.json").read_text("utf-8")


def test_our_layout_is_known_and_the_default() -> None:
    assert "expedition-a5" in known_layouts()
    assert load_layout().name == "expedition-a5"


def test_writing_a_layout_and_reading_it_changes_nothing() -> None:
    data = json.loads(GOOD)
    assert layout_to_dict(parse_layout(GOOD, "good")) == data


def test_a_file_brings_its_picture_along(tmp_path: Any) -> None:
    file = tmp_path / "mine.json"
    file.write_text(GOOD, "utf-8")
    layout = load_layout(str(file))
    with pytest.raises(LayoutError, match="no picture of the blank sheet"):
        blank_picture(layout)
    file.with_suffix(".png").write_bytes(b"picture")
    assert blank_picture(layout) == b"picture"
    file.with_suffix(".png").write_bytes(b"")
    with pytest.raises(LayoutError, match="the picture of the blank sheet is empty"):
        blank_picture(layout)


@pytest.mark.parametrize("line_break", ["", "\n", "\r\n", " \n\t"])
def test_a_picture_in_the_file_may_have_lines_of_any_length(line_break: str) -> None:
    picture = bytes(range(256)) * 3
    lines = base64.encodebytes(picture).decode("ascii").replace("\n", line_break)
    assert parse_layout(json.dumps({**json.loads(GOOD), "picture": lines}), "mine").embedded == picture


def test_what_a_file_with_a_picture_says_comes_back_with_the_picture_last() -> None:
    layout = replace(load_layout(), notes=("the paper was bent", "grün"), specials_known=False)
    text = layout_text(layout, b"picture")
    again = parse_layout(text, "mine")
    assert (again.embedded, again.notes, again.specials_known) == (b"picture", layout.notes, False)
    assert layout_to_dict(again) == layout_to_dict(layout)
    assert list(json.loads(text))[-1] == "picture"
    assert sum('"kind"' in line for line in text.splitlines()) == len(layout.cells)


def test_a_file_may_start_with_the_mark_that_some_editors_write(tmp_path: Any) -> None:
    file = tmp_path / "mine.json"
    file.write_text(GOOD, "utf-8-sig")
    assert load_layout(str(file)).name == "expedition-a5"


@pytest.mark.parametrize("name", ["no-such-layout", ".", "", "a\0b"])
def test_what_is_no_layout_is_refused_with_the_names_that_are(name: str) -> None:
    with pytest.raises(LayoutError, match=r"neither a known layout .*expedition-a5.* nor a readable file"):
        load_layout(name)


def test_a_binary_file_is_refused(tmp_path: Any) -> None:
    file = tmp_path / "photo.json"
    file.write_bytes(b"\xff\xd8\xff\xe0 not text")
    with pytest.raises(LayoutError, match="nor a readable file"):
        load_layout(str(file))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: not JSON"),
        ('{"name": "x",\n\n oops}', "line 3: not JSON"),
        ("[]", "expected a JSON object, found list"),
        ("7", "expected a JSON object, found int"),
        ("{}", "is missing"),
        ("[" * 100_000, "not JSON that can be read"),
        ("1" * 5000, "not JSON that can be read"),
    ],
)
def test_other_texts_are_refused(text: str, message: str) -> None:
    with pytest.raises(LayoutError, match=f"^mine.json: .*{message}"):
        parse_layout(text, "mine.json")


def drop(*path: Any) -> Callable[[Any], None]:
    """A defect: the entry at the path is missing."""

    def deface(data: Any) -> None:
        for step in path[:-1]:
            data = data[step]
        del data[path[-1]]

    return deface


def put(value: Any, *path: Any) -> Callable[[Any], None]:
    """A defect: the entry at the path is `value`."""

    def deface(data: Any) -> None:
        for step in path[:-1]:
            data = data[step]
        data[path[-1]] = value

    return deface


def twice(data: Any) -> None:
    data["cells"].append(data["cells"][9])


DEFECTS = {
    "no name": (drop("name"), "'name' is missing"),
    "no page": (drop("page"), "'page' is missing"),
    "no width": (drop("page", "width"), "'width' is missing"),
    "no cells": (drop("cells"), "'cells' is missing"),
    "no bridge marks": (drop("bridge_marks"), "'bridge_marks' is missing"),
    "no colours": (drop("colours"), "'colours' is missing"),
    "no symbols": (drop("symbols"), "'symbols' is missing"),
    "page in metres": (put(0.21, "page", "height"), "page.height: 0.21 mm, expected 50 to 1000"),
    "page without end": (put(float("inf"), "page", "width"), "page.width: inf mm"),
    "page of no number": (put(float("nan"), "page", "width"), "page.width: nan mm"),
    "page of words": (put("wide", "page", "width"), "not a layout .*wide"),
    "unknown bridge marks": (put("cross", "bridge_marks"), "bridge_marks: 'cross', expected one of"),
    "cell without x": (drop("cells", 3, "x"), r"cells\[3\]: 'x' is missing"),
    "cell without column": (drop("cells", 0, "column"), r"cells\[0\]: 'column' is missing"),
    "cell of words": (put("left", "cells", 3, "x"), r"cells\[3\]: .*left"),
    "cell that is a list": (put([1, 2], "cells", 5), r"cells\[5\]"),
    "cell of no number": (put(float("nan"), "cells", 3, "w"), r"cells\[3\] \(red/4\): .*expected a box"),
    "cell without width": (put(0, "cells", 3, "w"), r"cells\[3\] \(red/4\): .*expected a box"),
    "cell left of the page": (put(-0.1, "cells", 3, "x"), r"cells\[3\] \(red/4\): .*reaches over the page"),
    "cell below the page": (put(205.0, "cells", 3, "y"), r"cells\[3\] \(red/4\): .*reaches over the page"),
    "unknown kind": (put("stamp", "cells", 3, "kind"), r"cells\[3\]: kind: 'stamp'"),
    "unknown column": (put("pink", "cells", 3, "column"), r"cells\[3\]: column: 'pink'"),
    "a number among the dice": (put("dice", "cells", 3, "column"), r"cells\[3\]: column: 'dice'"),
    "tenth space": (put(10, "cells", 3, "space"), r"cells\[3\]: space: 10, expected 1 .* to 9"),
    "space of truth": (put(True, "cells", 0, "space"), r"cells\[0\]: space: True"),
    "no space": (put(None, "cells", 3, "space"), r"cells\[3\]: space: None"),
    "a bridge with a space": (put(6, "cells", 9, "space"), r"cells\[9\]: space: 6, expected null"),
    "unknown special": (put("rocket", "cells", 3, "special"), r"cells\[3\]: special: 'rocket'"),
    "special on a bridge": (put("arrow", "cells", 9, "special"), r"cells\[9\]: special: 'arrow'"),
    "a space missing": (drop("cells", 3), "red/4 is missing"),
    "a space twice": (put(5, "cells", 3, "space"), "red/5 is there 2 times"),
    "a bridge twice": (twice, "red/bridge is there 2 times"),
    "tag without size": (drop("fiducials", 2, "size"), r"fiducials\[2\]: 'size' is missing"),
    "tag off the page": (put(141.0, "fiducials", 1, "x"), r"fiducials\[1\]: .*reaches over the page"),
    "unknown dictionary": (put("DICT_9X9", "fiducials", 1, "dictionary"), r"fiducials\[1\]: dictionary: 'DICT_9X9'"),
    "tag twice": (put(0, "fiducials", 1, "id"), "fiducials: the same tag twice"),
    "colour by name": (put("red", "colours", "red"), "colours.red: 'red', expected #rrggbb"),
    "colour of no text": (put(7, "colours", "red"), "colours.red: 7, expected #rrggbb"),
    "colours of words": (put("many", "colours"), "not a layout"),
    "one note without its list": (put("bent", "notes"), "notes: 'bent', expected a list of texts"),
    "a note of no text": (put(["bent", 7], "notes"), r"notes: \['bent', 7\], expected a list of texts"),
    "no as a text": (put("false", "specials_known"), "specials_known: 'false', expected true or false"),
    "no as a number": (put(0, "specials_known"), "specials_known: 0, expected true or false"),
    "picture of a number": (put(7, "picture"), "picture: not a picture in base64"),
    "picture with other signs": (put("iVBO!Rw0KGg==", "picture"), "picture: not a picture in base64"),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_each_defect_is_refused_at_its_place(name: str) -> None:
    deface, message = DEFECTS[name]
    data = json.loads(GOOD)
    deface(data)
    with pytest.raises(LayoutError, match=f"^mine.json: .*{message}"):
        parse_layout(json.dumps(data), "mine.json")


def test_the_same_file_without_a_defect_is_taken() -> None:
    assert len(parse_layout(GOOD, "mine.json").cells) == len(json.loads(GOOD)["cells"])
