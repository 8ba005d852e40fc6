"""Photos that are in a stack twice: the same bytes, or the same photo stored once more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from batch.fingerprint import differing
from batch.lines import SheetId
from batch.results import Result
from report.data import dumps

_TELLING_NUMBERS = 8
"""Sheets with fewer numbers are taken for copies only where their bytes are the same: empty ones all look alike."""

_MOST_DIFFERING = 0.06
"""Share of the bits in which the ink of a photo and of a copy may differ. Of 60 photos stored again, at down to 40 % of
their size and poor quality, the worst had 0.049 and half of them less than 0.005. Of 40 sheets that one hand filled in
twice with the same numbers, photographed from the same place, the closest pair had 0.085 and half of them 0.16."""

_MOST_MOVED = 0.01
"""How far apart the cells of a photo and a copy may lie, as a share of the picture's sides."""

_Stored = Callable[[Result], Mapping[str, Any]]


def likeness_of(data: Mapping[str, Any]) -> str:
    """A digest of what was read on a sheet; empty where that is too little to know a copy by.

    Args:
        data: the line of a sheet in the record.
    """
    if data["batch"].get("fingerprint") is None or _numbers(data).sum() < _TELLING_NUMBERS:
        return ""
    columns = {name: column for name, column in data["sheet"].items() if name not in ("player", "written")}
    return sha256(dumps(columns).encode()).hexdigest()[:16]


def marked(results: Sequence[Result], stored: _Stored) -> list[Result]:
    """The results, with those marked that show what one before them shows.

    Args:
        results: all of them, in order.
        stored: the line of a result, as the scan left it.
    """
    first: dict[SheetId, Result] = {}
    alike: dict[str, list[Result]] = {}
    found = []
    for result in results:
        original = first.setdefault(result.sheet_id, result) if result.sheet_id else result
        if original is result and result.likeness:
            others = alike.setdefault(result.likeness, [])
            original = _first_copy(result, others, stored)
            if original is result:
                others.append(result)
            else:
                first[result.sheet_id] = original  # type: ignore[index]
        found.append(result if original is result else replace(result, duplicate_of=original.where))
    return found


def _first_copy(result: Result, others: Iterable[Result], stored: _Stored) -> Result:
    """The first of the others that is the same photo, or the result itself."""
    for other in others:
        one, another = stored(result), stored(other)
        # Two sheets in one file are two sheets.
        if one["batch"]["sha256"] == another["batch"]["sha256"] or one["layout"] != another["layout"]:
            continue
        if _is_copy(one, another):
            return other
    return result


def _is_copy(one: Mapping[str, Any], another: Mapping[str, Any]) -> bool:
    moved = np.abs(_places(one) - _places(another)).max()
    prints = one["batch"]["fingerprint"], another["batch"]["fingerprint"]
    return bool(moved <= _MOST_MOVED) and differing(*prints, _numbers(one)) <= _MOST_DIFFERING


def _numbers(data: Mapping[str, Any]) -> NDArray[np.bool_]:
    """(N,), which cells hold a number."""
    return np.array([cell["kind"] == "number" and cell["value"] is not None for cell in data["cells"]], np.bool_)


def _places(data: Mapping[str, Any]) -> NDArray[np.float64]:
    """(N, 4, 2), corners of all cells from 0 to 1 over the photo's width and height."""
    corners = np.array([cell["corners"] for cell in data["cells"]], np.float64)
    return np.asarray(corners / (data["source"]["width"], data["source"]["height"]), dtype=np.float64)
