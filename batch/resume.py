"""What a record holds already, and what is left to do."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from batch.inputs import Item
from batch.lines import Scanned, read_sets

_NOT_THE_PHOTOS = frozenset(
    {"not-found", "permission", "crashed", "took-too-long", "tesseract", "unexpected", "unknown-layout"}
)
"""Causes that may be gone by the next run although the file is the same."""

_CHUNK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Kept:
    """What a record says of an input.

    Attributes:
        name: as people gave it.
        file: where it lay.
        size: its bytes.
        mtime_ns: when it had last been changed.
        sha256: of its bytes; None where they were not read.
        codes: of each of its results, why it could not be read; None for a sheet.
    """

    name: str
    file: str
    size: int
    mtime_ns: int
    sha256: str | None
    codes: tuple[str | None, ...]

    @property
    def worth_another_try(self) -> bool:
        """Whether it failed for a reason outside of its bytes."""
        return not _NOT_THE_PHOTOS.isdisjoint(self.codes)


def kept_in(path: Path) -> tuple[dict[str, Kept], int]:
    """The inputs in a record by name, and where its last whole line ends; nothing and 0 where there is no record.

    Raises:
        OSError: it cannot be read.
    """
    kept: dict[str, Kept] = {}
    end = 0
    for found in read_sets(path) if path.exists() else ():
        end = found.end
        if isinstance(found, Scanned):
            batch = found.lines[0]["batch"]
            codes = tuple(line["error"]["code"] if line["status"] == "error" else None for line in found.lines)
            kept[found.input] = Kept(
                found.input,
                str(batch.get("file", found.input)),
                int(batch.get("size", -1)),
                int(batch.get("mtime_ns", -1)),
                batch.get("sha256"),
                codes,
            )
    return kept, end


def known_by_old_names(items: Iterable[Item], kept: Mapping[str, Kept]) -> tuple[Item, ...]:
    """The items, those under the names that the record has for their files that are called otherwise there."""
    by_file = {entry.file: name for name, entry in kept.items()}
    return tuple(item if item.name in kept else replace(item, name=by_file.get(item.file, item.name)) for item in items)


def is_done(item: Item, kept: Mapping[str, Kept]) -> bool:
    """Whether a record holds what reading this input would give."""
    entry = kept.get(item.name)
    if entry is None or entry.worth_another_try:
        return False
    if (entry.size, entry.mtime_ns) == (item.size, item.mtime_ns):
        return True
    # Copied, or touched: what counts is what is in it.
    return entry.sha256 is not None and entry.size == item.size and entry.sha256 == _digest(item.file)


def _digest(file: str) -> str | None:
    digest = hashlib.sha256()
    try:
        with Path(file).open("rb") as stream:
            while chunk := stream.read(_CHUNK_BYTES):
                digest.update(chunk)
    except OSError:
        return None
    return digest.hexdigest()
