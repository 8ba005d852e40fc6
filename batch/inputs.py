"""What a stack consists of: files, folders and patterns become a list of photos, each once, in order."""

from __future__ import annotations

import glob
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from batch.lines import RECORD_FILE
from batch.order import natural
from batch.run import RUN_FILE
from scanner.formats import is_overlay, is_photo

_ENDINGS = frozenset(
    f".{ending}"
    for ending in ("jpg", "jpeg", "jpe", "jfif", "png", "webp", "tif", "tiff", "heic", "heif", "avif", "pdf")
)
"""What a photo or a document is called. One of these that holds something else was meant to be a photo, and fails."""

_HEAD_BYTES = 512
_RESULTS = "the results of another stack"
_DESKTOP = frozenset({"thumbs.db", "desktop.ini", "__macosx"})
"""What desktops leave behind in every folder; hidden like names that begin with a dot."""


@dataclass(frozen=True, slots=True)
class Item:
    """One input.

    Attributes:
        name: as people gave it, or found in a folder that they gave.
        file: where it lies, an absolute path without links; its name where it is not there.
        size: its bytes, 0 where it is not there.
        mtime_ns: when it was last changed, 0 where it is not there.
    """

    name: str
    file: str
    size: int = 0
    mtime_ns: int = 0


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file in a folder that is left out, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Inputs:
    """All that a stack consists of.

    Attributes:
        items: what is read, in order; some of it may be missing or no photo, which reading will tell.
        skipped: what is left out.
    """

    items: tuple[Item, ...]
    skipped: tuple[Skipped, ...]


def find_inputs(paths: Iterable[str], out: Path) -> Inputs:
    """Everything that the paths name.

    A path that is there is taken as it is, whatever letters it has; otherwise it may be a pattern. A file that is named
    is always read. Within folders, files that are no photos by name and content are left out, and so are hidden ones.

    Args:
        paths: files, folders and patterns with `*`, `?`, `[...]` and `**`.
        out: the batch folder, which is no input.
    """
    items: dict[str, Item] = {}
    skipped: dict[str, Skipped] = {}
    walk = _Walk(os.path.realpath(out))
    for path in paths:
        for found in walk.named(path):
            if isinstance(found, Skipped):
                skipped.setdefault(found.name, found)
            else:
                _keep(items, found)
    ordered = sorted(items.values(), key=lambda item: (natural(item.name), item.name))
    return Inputs(tuple(ordered), tuple(sorted(skipped.values(), key=lambda entry: natural(entry.name))))


def _keep(items: dict[str, Item], item: Item) -> None:
    """Takes a file once, by the name that comes first, so that the order of the paths does not matter."""
    there = items.get(item.file)
    if there is None or (natural(item.name), item.name) < (natural(there.name), there.name):
        items[item.file] = item


class _Walk:
    """Finds files; goes into each folder once, by whatever links it is reached."""

    def __init__(self, out: str) -> None:
        self._out = out
        self._seen = {out}

    def named(self, path: str) -> Iterator[Item | Skipped]:
        """What a path or a pattern of the command line stands for."""
        if _status(path) is None and glob.has_magic(path):
            # Not Path.glob, which takes no pattern that begins at the root.
            matches = sorted(glob.glob(path, recursive=True), key=natural)  # noqa: PTH207
            for match in matches:
                yield from self._matched(match)
            if matches:
                return
        if _is_folder(path):
            yield from self._folder(path)
        else:
            yield _item(path)

    def _matched(self, path: str) -> Iterator[Item | Skipped]:
        """What a pattern names: it may reach into folders that a walk would not go into."""
        for folder in Path(os.path.realpath(path)).parents:
            if str(folder) == self._out:
                return
            if (folder / RECORD_FILE).exists() and (folder / RUN_FILE).exists():
                yield Skipped(str(folder), _RESULTS)
                return
        yield from self._within(path)

    def _within(self, path: str) -> Iterator[Item | Skipped]:
        """What lies in a folder: files that nobody named."""
        if _is_folder(path):
            yield from self._folder(path)
        else:
            yield _unnamed(path)

    def _folder(self, path: str) -> Iterator[Item | Skipped]:
        real = os.path.realpath(path)
        if real in self._seen:
            return
        self._seen.add(real)
        try:
            names = sorted((entry.name for entry in Path(path).iterdir()), key=natural)
        except OSError:
            # Reading it fails too, and says why.
            yield _item(path)
            return
        if RECORD_FILE in names and RUN_FILE in names:
            yield Skipped(path, _RESULTS)
            return
        shown = [name for name in names if not name.startswith(".") and name.lower() not in _DESKTOP]
        if not shown and _has_ending(path):
            # Somebody takes this for a photo.
            yield _item(path)
        for name in shown:
            yield from self._within(str(Path(path) / name))


def _unnamed(path: str) -> Item | Skipped:
    """A file that nobody named: it has to look like a photo."""
    head = _head(path)
    if is_overlay(head):
        return Skipped(path, "an annotated picture, drawn by this program")
    if _has_ending(path) or is_photo(head):
        return _item(path)
    return Skipped(path, "no photo, by its name and its content")


def _head(path: str) -> bytes:
    """The beginning of a file, nothing of what cannot be opened; a pipe would wait for ever."""
    status = _status(path)
    if status is None or not stat.S_ISREG(status.st_mode):
        return b""
    try:
        with Path(path).open("rb") as file:
            return file.read(_HEAD_BYTES)
    except OSError:
        return b""


def _has_ending(path: str) -> bool:
    return Path(path).suffix.lower() in _ENDINGS


def _is_folder(path: str) -> bool:
    status = _status(path)
    return status is not None and stat.S_ISDIR(status.st_mode)


def _status(path: str) -> os.stat_result | None:
    """None for what is not there or cannot be looked at."""
    try:
        return Path(path).stat()
    except (OSError, ValueError):
        return None


def _item(path: str) -> Item:
    status = _status(path)
    if status is None:
        return Item(path, path)
    return Item(path, os.path.realpath(path), status.st_size, status.st_mtime_ns)
