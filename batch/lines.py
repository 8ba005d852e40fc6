"""The lines of a record: results of photos in complete sets, and corrections; what a crash tore off is no line.

A photo's results are written at once when it ends, so only the end of the file can be torn. After a power cut other
parts may be damaged too: such lines are passed over, and their photos count as not read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from report.data import SCAN_SCHEMA

RECORD_FILE = "results.jsonl"
CORRECTION_SCHEMA = "rollwrite.correction/1"

Value = int | str | bool | None


@dataclass(frozen=True, slots=True)
class SheetId:
    """Which sheet of which file, whatever that is called."""

    sha256: str
    page: int
    index: int


@dataclass(frozen=True, slots=True)
class CellId:
    """Which cell of a sheet; `space` is None for double circles and bridges."""

    column: str
    space: int | None
    kind: str

    @property
    def key(self) -> str:
        """The `CellBox.key` of this cell."""
        return f"{self.column}/{self.space if self.space is not None else self.kind}"


@dataclass(frozen=True, slots=True)
class Correction:
    """What a person says that a cell says.

    Attributes:
        sheet: the sheet.
        cell: the cell.
        value: what it says.
        was: what stood there before.
    """

    sheet: SheetId
    cell: CellId
    value: Value
    was: Value

    def to_dict(self) -> dict[str, Any]:
        """As a line of the record."""
        return {
            "schema": CORRECTION_SCHEMA,
            "source": asdict(self.sheet),
            "cell": asdict(self.cell),
            "value": self.value,
            "was": self.was,
        }


@dataclass(frozen=True, slots=True)
class Stretch:
    """Where a line lies in the record.

    Attributes:
        offset: its first byte.
        length: its bytes, the line end included.
    """

    offset: int
    length: int


@dataclass(frozen=True, slots=True)
class Scanned:
    """The results of one input, all of them.

    Attributes:
        input: the input as people gave it.
        lines: its results, in order.
        stretches: where they lie.
    """

    input: str
    lines: tuple[Mapping[str, Any], ...]
    stretches: tuple[Stretch, ...]

    @property
    def end(self) -> int:
        """The first byte after them."""
        return self.stretches[-1].offset + self.stretches[-1].length


@dataclass(frozen=True, slots=True)
class Corrected:
    """A correction and where the record goes on after it."""

    correction: Correction
    end: int


def read_sets(path: Path) -> Iterator[Scanned | Corrected]:
    """Everything in a record that is whole, in the order in which it was written, one at a time.

    Raises:
        OSError: it cannot be read.
    """
    pending: list[tuple[Mapping[str, Any], Stretch]] = []
    for line, stretch in _lines(path):
        if isinstance(line, Correction):
            pending = []
            yield Corrected(line, stretch.offset + stretch.length)
            continue
        batch = line["batch"]
        if batch["part"] == 1:
            pending = []
        pending.append((line, stretch))
        if batch["part"] != len(pending) or pending[0][0]["batch"]["input"] != batch["input"]:
            pending = []
        elif len(pending) == batch["parts"]:
            yield Scanned(batch["input"], *(tuple(part) for part in zip(*pending, strict=True)))
            pending = []


def _lines(path: Path) -> Iterator[tuple[Mapping[str, Any] | Correction, Stretch]]:
    offset = 0
    with path.open("rb") as file:
        for text in file:
            stretch = Stretch(offset, len(text))
            offset += len(text)
            line = _line(text) if text.endswith(b"\n") else None
            if line is not None:
                yield line, stretch


def _line(text: bytes) -> Mapping[str, Any] | Correction | None:
    """A result or a correction; None for anything else, damage above all."""
    try:
        data = json.loads(text)
        if data["schema"] == CORRECTION_SCHEMA:
            return _correction(data)
        return data if _is_result(data) else None
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _is_result(data: Mapping[str, Any]) -> bool:
    """Whether a line is a result with all that its readers take for granted; a missing key is a KeyError."""
    batch, source = data["batch"], data["source"]
    read = data["status"] == "ok"
    for key in ("sheet", "cells", "score", "violations", "review", "confidence") if read else ("error",):
        data[key]
    return (
        data["schema"] == SCAN_SCHEMA
        and isinstance(batch["input"], str)
        and 1 <= batch["part"] <= batch["parts"]
        and min(source["page"], source["index"]) >= 1
    )


def _correction(data: Mapping[str, Any]) -> Correction:
    source, cell, value = data["source"], data["cell"], data["value"]
    fits = isinstance(value, bool) if cell["kind"] != "number" else value in (None, "?", *range(1, 11))
    if not fits or (cell["kind"] == "number" and isinstance(value, bool)):
        raise ValueError(f"no value of a {cell['kind']}: {value!r}")
    return Correction(
        SheetId(str(source["sha256"]), int(source["page"]), int(source["index"])),
        CellId(str(cell["column"]), cell["space"], str(cell["kind"])),
        value,
        data["was"],
    )
