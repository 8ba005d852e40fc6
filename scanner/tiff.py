"""Directories of TIFF files: where each page lies, how it is stored, and whether all of it is there.

Follows TIFF 6.0 and the 64-bit BigTIFF; an EXIF block is a small TIFF, so its orientation is read here too.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

Buffer = bytes | bytearray

STARTS = (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")

_SHORT = 3
_TYPES = {1: "B", _SHORT: "H", 4: "I", 13: "I", 16: "Q", 18: "Q"}
_MOST_VALUES = 1 << 20
"""No list in a directory is longer, unless it lies: one strip a row, of more rows than any picture has."""

_COMPRESSIONS = frozenset({1, 2, 3, 4, 5, 6, 7, 8, 32773, 32946})
_COLOURS = {0: "grey", 1: "grey", 2: "RGB", 3: "palette", 5: "CMYK", 6: "YCbCr"}
_UNSIGNED = frozenset({1, 4})
_ASSOCIATED_OR_NOT = frozenset({1, 2})
_SMALLER_OR_MASK = 0b101


@dataclass(frozen=True, slots=True)
class TiffPage:
    """One page of a TIFF.

    Attributes:
        at: where its directory lies in the file, in bytes.
        width: stored width in pixels, 0 if the directory does not say.
        height: stored height.
        orientation: 1 to 8.
        orientation_at: where that number stands in the file, 0 for nowhere.
        alpha: whether its colours come with transparency.
        data_end: where the last of its pixel data ends in the file.
        obstacle: what about its storage keeps it from being read; empty for nothing.
    """

    at: int
    width: int
    height: int
    orientation: int
    orientation_at: int
    alpha: bool
    data_end: int
    obstacle: str


@dataclass(frozen=True, slots=True)
class _Entry:
    kind: int
    count: int
    at: int


@dataclass(frozen=True, slots=True)
class _Form:
    """Byte order and width of the offsets in a file."""

    order: str
    big: bool

    @property
    def offset(self) -> str:
        return self.order + ("Q" if self.big else "I")

    @property
    def first_link(self) -> int:
        return 8 if self.big else 4


def tiff_pages(data: Buffer) -> list[TiffPage | None]:
    """The pages of a TIFF, without reduced copies and masks; None for one whose directory is not in the file.

    A file that holds nothing but reduced copies gives the first of them.
    """
    form = _form(data)
    pages: list[TiffPage | None] = []
    reduced: list[TiffPage] = []
    seen: set[int] = set()
    at = _number(data, form.first_link, form.offset)
    while at and at not in seen:
        seen.add(at)
        found = _directory(data, at, form)
        if found is None:
            pages.append(None)
            break
        entries, link = found
        page = _page(data, at, entries, form)
        (reduced if _is_reduced(data, entries, form) else pages).append(page)
        at = _number(data, link, form.offset)
    return pages or [*reduced[:1]] or [None]


def select_page(data: bytearray, page: TiffPage) -> None:
    """Makes a page the file's first, stored upright, for a decoder that knows only that one.

    OpenCV turns TIFFs while decoding, and tiled or reduced ones wrongly; with upright ones nothing can go wrong.
    """
    form = _form(data)
    struct.pack_into(form.offset, data, form.first_link, page.at)
    if page.orientation_at:
        struct.pack_into(form.order + "H", data, page.orientation_at, 1)


def exif_orientation(block: bytes) -> int:
    """Orientation in an EXIF block, 1 to 8; 1 where there is none, or none that EXIF allows."""
    block = block.removeprefix(b"Exif\0\0")
    if block[:4] not in STARTS[:2]:
        return 1
    form = _form(block)
    found = _directory(block, _number(block, form.first_link, form.offset), form)
    return _orientation(block, found[0], form)[0] if found else 1


def _form(data: Buffer) -> _Form:
    return _Form("<" if data[:1] == b"I" else ">", b"+" in data[2:4])


def _number(data: Buffer, at: int, form: str) -> int:
    return int(struct.unpack_from(form, data, at)[0]) if at + struct.calcsize(form) <= len(data) else 0


def _directory(data: Buffer, at: int, form: _Form) -> tuple[dict[int, _Entry], int] | None:
    """Entries by their tag, and where the link to the next directory stands; None if it is not in the file."""
    head, size, inline = (8, 20, 8) if form.big else (2, 12, 4)
    if not 8 <= at <= len(data) - head:
        return None
    count = _number(data, at, form.order + ("Q" if form.big else "H"))
    start, end = at + head, at + head + count * size
    if end > len(data):
        return None
    entries = {}
    for entry in range(start, end, size):
        tag, kind, values = struct.unpack_from(form.order + ("HHQ" if form.big else "HHI"), data, entry)
        value_at = entry + size - inline
        if kind in _TYPES and values * struct.calcsize(_TYPES[kind]) > inline:
            value_at = _number(data, value_at, form.offset)
        entries[tag] = _Entry(kind, values, value_at)
    return entries, end


def _values(data: Buffer, entries: dict[int, _Entry], tag: int, form: _Form) -> Sequence[int]:
    """Whole numbers of an entry; none if it is missing, of another type, or not in the file."""
    entry = entries.get(tag)
    if entry is None or entry.kind not in _TYPES or entry.count > _MOST_VALUES:
        return ()
    layout = f"{form.order}{entry.count}{_TYPES[entry.kind]}"
    return struct.unpack_from(layout, data, entry.at) if entry.at + struct.calcsize(layout) <= len(data) else ()


def _value(data: Buffer, entries: dict[int, _Entry], tag: int, form: _Form, default: int = 0) -> int:
    return next(iter(_values(data, entries, tag, form)), default)


def _orientation(data: Buffer, entries: dict[int, _Entry], form: _Form) -> tuple[int, int]:
    """Orientation and where it stands; anything but one short number of 1 to 8 means upright."""
    entry = entries.get(274)
    if entry is None or entry.kind != _SHORT or entry.count != 1:
        return 1, 0
    number = _number(data, entry.at, form.order + "H")
    return (number if 1 <= number <= 8 else 1), entry.at


def _is_reduced(data: Buffer, entries: dict[int, _Entry], form: _Form) -> bool:
    smaller_or_mask = _value(data, entries, 254, form) & _SMALLER_OR_MASK
    return bool(smaller_or_mask) or _value(data, entries, 255, form) == 2


def _page(data: Buffer, at: int, entries: dict[int, _Entry], form: _Form) -> TiffPage:
    orientation, orientation_at = _orientation(data, entries, form)
    colours = _COLOURS.get(_value(data, entries, 262, form))
    return TiffPage(
        at=at,
        width=_value(data, entries, 256, form),
        height=_value(data, entries, 257, form),
        orientation=orientation,
        orientation_at=orientation_at,
        alpha=colours == "RGB" and _value(data, entries, 338, form) in _ASSOCIATED_OR_NOT,
        data_end=_data_end(data, entries, form),
        obstacle=_obstacle(data, entries, form),
    )


def _data_end(data: Buffer, entries: dict[int, _Entry], form: _Form) -> int:
    """Where the strips, or the tiles, end in the file."""
    starts = _values(data, entries, 273, form) or _values(data, entries, 324, form)
    sizes = _values(data, entries, 279, form) or _values(data, entries, 325, form)
    return max((start + size for start, size in zip(starts, sizes, strict=False)), default=0)


def _obstacle(data: Buffer, entries: dict[int, _Entry], form: _Form) -> str:
    bits = max(_values(data, entries, 258, form), default=1)
    colours = _value(data, entries, 262, form)
    compression = _value(data, entries, 259, form, 1)
    if not _UNSIGNED.issuperset(_values(data, entries, 339, form)):
        return "its pixels are signed or fractional numbers"
    if bits not in (1, 2, 4, 8, 16) or (bits == 16 and _COLOURS.get(colours) == "CMYK"):
        return f"it has {bits} bits a colour, {_COLOURS.get(colours, 'other')} colours"
    if colours not in _COLOURS:
        return f"its colours are of kind {colours}"
    return "" if compression in _COMPRESSIONS else f"it is compressed by method {compression}"
