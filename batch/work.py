"""The work on one input: its bytes become lines of the record and pictures, with no regard to anything else."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from batch.fingerprint import fingerprint
from batch.inputs import Item
from batch.lines import SheetId
from batch.pictures import flat_picture, flat_sheet, overlay_picture
from layouts import load_layout
from report.data import SCAN_SCHEMA, dumps, entry_data
from report.entries import Entry, Failure, ScannedSheet
from report.scanned import entries_of, refused
from scanner.errors import ScanError
from scanner.options import ScanOptions
from scanner.pages import RefusedPage, read_file
from scanner.pipeline import scan_pages
from scanner.types import Photo, RefusedSheet, SheetReading
from scoring import RuleSet

PICTURES, OVERLAYS = "pictures", "overlays"

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST_STEM = 60
"""File systems allow 255 bytes; this leaves room for all that is added, and reads well."""

Alive = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one sheet, or of an input without one.

    Attributes:
        kind: `clean`, `doubtful`, `violating` or `failed`.
        sheet_id: of a sheet: digest of the file, page and index, the same for every copy.
        failure: why there is no sheet.
    """

    kind: str
    sheet_id: SheetId | None = None
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """All that comes of one input.

    Attributes:
        item: the input.
        outcomes: what became of its sheets.
        lines: the same as lines of the record, without their ends.
        pictures: files by their paths within the batch folder.
    """

    item: Item
    outcomes: tuple[Outcome, ...]
    lines: tuple[str, ...]
    pictures: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Work:
    """How inputs are read; can be sent to another process and called there.

    Attributes:
        layout_names: the sheets to look for, known ones or a file.
        rules: the numbers of the game.
        options: of the scan.
    """

    layout_names: tuple[str, ...]
    rules: RuleSet
    options: ScanOptions

    def __call__(self, item: Item, alive: Alive = lambda: None) -> Done:
        """Reads one input.

        Args:
            item: the input.
            alive: called with every page, to show that it is still getting on.
        """
        try:
            photo = read_file(Path(item.file))
        except ScanError as error:
            return _done(item, None, [_Part(refused(item.name, error))])
        return read_photo(item, photo, self, alive)


def read_photo(item: Item, photo: bytes, work: Work, alive: Alive = lambda: None) -> Done:
    """All that comes of the bytes of one input.

    Args:
        item: what to call it.
        photo: its bytes.
        work: how to read it.
        alive: called with every page.
    """
    layouts = tuple(map(load_layout, work.layout_names))
    pages = _Pages(scan_pages(photo, layouts, work.options, name=item.name), alive)
    parts = [_part(item, entry, pages.page) for entry in entries_of(item.name, pages, work.rules)]
    return _done(item, hashlib.sha256(photo).hexdigest(), parts)


def lost(item: Item, code: str, message: str, remedy: str) -> Done:
    """What comes of an input whose reading did not end by itself."""
    return _done(item, None, [_Part(Failure(item.name, code, message, remedy))])


class _Pages:
    """What a scan finds, sheet by sheet; `page` is the one that the last of them is on."""

    def __init__(
        self, pages: Iterable[tuple[Photo | RefusedPage, tuple[SheetReading | RefusedSheet, ...]]], alive: Alive
    ) -> None:
        self._pages, self._alive = pages, alive
        self.page: Photo | RefusedPage | None = None

    def __iter__(self) -> Iterator[SheetReading | RefusedSheet]:
        for page, outcomes in self._pages:
            self.page = page
            self._alive()
            yield from outcomes


@dataclass(frozen=True, slots=True)
class _Part:
    """One sheet of an input, or why there is none.

    Attributes:
        entry: what was read.
        batch: what the record says of it besides.
        pictures: by their paths.
    """

    entry: Entry
    batch: Mapping[str, str] = field(default_factory=dict)
    pictures: Mapping[str, bytes] = field(default_factory=dict)


def _part(item: Item, entry: Entry, page: Photo | RefusedPage | None) -> _Part:
    if not isinstance(entry, ScannedSheet) or not isinstance(page, Photo):
        return _Part(entry)
    try:
        flat = flat_sheet(page, entry)
        print_of_ink = fingerprint(flat, entry.reading.layout)
        drawn = {PICTURES: flat_picture(flat), OVERLAYS: overlay_picture(page, entry)}
    except Exception:
        # No picture is worth a reading.
        return _Part(entry)
    name = picture_name(item.name, entry.place)
    pictures = {f"{folder}/{name}": data for folder, data in drawn.items()}
    return _Part(entry, {"fingerprint": print_of_ink, "picture": f"{PICTURES}/{name}"}, pictures)


def picture_name(path: str, place: str) -> str:
    """A file name for a sheet that no other one has: its photo's stem, and a digest of the photo's path.

    Args:
        path: the input as people gave it.
        place: which sheet of it, as in `ScoredSheet.place`.
    """
    stem = _UNSAFE.sub("_", PurePath(path).stem)[:_LONGEST_STEM].lstrip(".-") or "photo"
    digest = hashlib.sha256(path.encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return f"{stem}-{digest}{place}.jpg"


def _done(item: Item, sha256: str | None, parts: Sequence[_Part]) -> Done:
    lines = []
    for number, part in enumerate(parts, 1):
        batch = {
            "input": item.name,
            "part": number,
            "parts": len(parts),
            "fingerprint": part.batch.get("fingerprint"),
            "picture": part.batch.get("picture"),
            "file": item.file,
            "size": item.size,
            "mtime_ns": item.mtime_ns,
            "sha256": sha256,
        }
        lines.append(dumps({**entry_data(part.entry, SCAN_SCHEMA), "batch": batch}, encoding="utf-8"))
    pictures = {path: data for part in parts for path, data in part.pictures.items()}
    return Done(item, tuple(_outcome(part.entry) for part in parts), tuple(lines), pictures)


def _outcome(entry: Entry) -> Outcome:
    if isinstance(entry, Failure):
        return Outcome("failed", failure=entry)
    assert isinstance(entry, ScannedSheet)
    source = entry.reading.source
    kind = "violating" if entry.broken else "doubtful" if entry.doubtful else "clean"
    return Outcome(kind, SheetId(source.sha256, source.page, entry.index))
