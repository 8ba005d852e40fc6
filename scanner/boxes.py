"""Boxes of HEIC and AVIF files (ISO/IEC 14496-12 and 23008-12): the size of the picture and how it is to be turned."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from scanner.errors import cut_off
from scanner.orientation import followed_by

_HEIC = frozenset({b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"hevm", b"hevs", b"mif1", b"msf1"})
_AVIF = frozenset({b"avif", b"avis"})
_NEEDED = frozenset({b"meta", b"moov", b"mdat"})
"""Boxes that hold the picture: what describes it, and its data. Others, and what phones append, may be anything."""

_ALPHA = b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"

# Property `irot`: quarter turns anticlockwise; `imir`: 0 swaps top and bottom, 1 left and right.
_QUARTER_TURNS = {0: 1, 1: 8, 2: 3, 3: 6}
_MIRRORED = {0: 4, 1: 2}


@dataclass(frozen=True, slots=True)
class BoxFacts:
    """Stored size of the main picture in pixels, 0 where it is not given; its orientation, 1 to 8; transparency."""

    width: int = 0
    height: int = 0
    orientation: int = 1
    alpha: bool = False


@dataclass(frozen=True, slots=True)
class _Box:
    kind: bytes
    start: int
    end: int


def kind_by_brand(data: bytes) -> str:
    """HEIC, AVIF, or `film` for everything else that begins with a box of brands."""
    end = min(struct.unpack_from(">I", data)[0], 4096)
    brands = {data[8:12], *(data[at : at + 4] for at in range(16, end - 3, 4))}
    # Both name the brands of what they have in common, so the narrower one decides.
    return "AVIF" if brands & _AVIF else "HEIC" if brands & _HEIC else "film"


def box_facts(data: bytes, name: str) -> BoxFacts:
    """Size and orientation of the main picture in a HEIC or AVIF file.

    Raises:
        UnreadableFile: truncated, where a box ends behind the file.
    """
    outer = {box.kind: box for box in _boxes(data, 0, len(data)) if box.kind in _NEEDED}
    if len(outer) < 2 or any(box.end > len(data) for box in outer.values()):
        raise cut_off(name)
    if b"meta" not in outer:
        return BoxFacts()
    try:
        return _main_picture(data, outer[b"meta"])
    except (struct.error, KeyError, IndexError):
        return BoxFacts()


def _boxes(data: bytes, position: int, end: int) -> Iterator[_Box]:
    while position + 8 <= end:
        size, kind = struct.unpack_from(">I4s", data, position)
        start = position + 8
        if size == 1 and start + 8 <= end:
            size, start = struct.unpack_from(">Q", data, start)[0], start + 8
        box_end = position + size if size else end
        if box_end < start:
            return
        yield _Box(kind, start, box_end)
        position = box_end


def _main_picture(data: bytes, meta: _Box) -> BoxFacts:
    # Behind its head, `meta` and some others have a version and flags of 4 bytes.
    inner = {box.kind: box for box in _boxes(data, meta.start + 4, meta.end)}
    item = _item_number(data, inner[b"pitm"])
    properties = {box.kind: box for box in _boxes(data, inner[b"iprp"].start, inner[b"iprp"].end)}
    every = list(_boxes(data, properties[b"ipco"].start, properties[b"ipco"].end))
    width, height, orientation = 0, 0, 1
    for index in _associated(data, properties[b"ipma"].start, item):
        box = every[index - 1]
        if box.kind == b"ispe":
            width, height = struct.unpack_from(">II", data, box.start + 4)
        elif box.kind == b"irot":
            orientation = followed_by(orientation, _QUARTER_TURNS[data[box.start] & 3])
        elif box.kind == b"imir":
            orientation = followed_by(orientation, _MIRRORED[data[box.start] & 1])
    return BoxFacts(width, height, orientation, data.find(_ALPHA, meta.start, meta.end) >= 0)


def _item_number(data: bytes, box: _Box) -> int:
    return int(struct.unpack_from(">I" if data[box.start] else ">H", data, box.start + 4)[0])


def _associated(data: bytes, start: int, item: int) -> list[int]:
    """Numbers, from 1, of the properties of an item, in the order in which they apply."""
    version, wide = data[start], data[start + 3] & 1
    (entries,) = struct.unpack_from(">I", data, start + 4)
    at = start + 8
    for _ in range(min(entries, 1 << 16)):
        (number,) = struct.unpack_from(">I" if version else ">H", data, at)
        at += 4 if version else 2
        count, at = data[at], at + 1
        numbers = struct.unpack_from(f">{count}{'H' if wide else 'B'}", data, at)
        at += count * (2 if wide else 1)
        if number == item:
            plain = [value & (0x7FFF if wide else 0x7F) for value in numbers]
            return [value for value in plain if value]
    return []
