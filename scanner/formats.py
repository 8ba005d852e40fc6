"""What a file's own bytes say, whatever it is called: its kind, its size, how it is turned, and whether it is whole.

Knowing the size before decoding lets the scan refuse decompression bombs and choose a reduced decode; a file cut off in
the middle may decode without complaint into a picture with a grey lower half, so its end is looked for here.
"""

from __future__ import annotations

import re
import struct
import zlib
from dataclasses import dataclass

from scanner.boxes import box_facts, kind_by_brand
from scanner.errors import UnreadableFile, cut_off, damaged
from scanner.jpeg import jpeg_facts
from scanner.tiff import STARTS as TIFF_STARTS
from scanner.tiff import TiffPage, exif_orientation, tiff_pages

_JPEG_2000 = b"\x00\x00\x00\x0cjP  \r\n\x87\n"
_JPEG_2000_SIZE, _JPEG_2000_END = b"\xff\x4f\xff\x51", b"\xff\xd9"
_PDF = b"%PDF-"
_PDF_WITHIN = 1024
"""PDF readers take a file that has other things before its first line, if no more than this."""
_PDF_LENGTH = re.compile(rb"/Linearized\b[^>]{0,200}?/L\s*([0-9]{1,12})\b")

_PNG_ALPHA = frozenset({4, 6})
_PIXMAP_HEAD = re.compile(rb"P([56])" + 3 * rb"(?:\s|#[^\n]*\n)+([0-9]{1,9})" + rb"\s")


OVERLAY_MARK = b"rollwrite: a photo with readings drawn on it"
"""Comment of the annotated pictures that a scan draws."""


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What is known of a picture before it is decoded.

    Attributes:
        kind: JPEG, PNG, WebP, TIFF, HEIC, AVIF, JPEG 2000, bitmap or PDF.
        width: stored width in pixels, 0 where the header was not understood, and for PDF.
        height: stored height.
        orientation: 1 to 8 as EXIF counts: how the stored picture has to be turned.
        alpha: whether it may be transparent in places.
        data_end: where its pixels end in the file by what the header says, in bytes; 0 where that is not known.
    """

    kind: str
    width: int = 0
    height: int = 0
    orientation: int = 1
    alpha: bool = False
    data_end: int = 0


def is_overlay(data: bytes) -> bool:
    """Whether a file is an annotated picture of this program's own, by its comment."""
    return data[:3] == b"\xff\xd8\xff" and OVERLAY_MARK in data[:256]


def is_photo(head: bytes) -> bool:
    """Whether a file that begins like this is of a kind that is read: by marks long enough that no text has them."""
    if head[4:8] == b"ftyp" and len(head) >= 12:
        return kind_by_brand(head) != "film"
    starts = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", _PDF, _JPEG_2000, *TIFF_STARTS)
    return head.startswith(starts) or (head[:4] == b"RIFF" and head[8:12] == b"WEBP")


def inspect(data: bytes, name: str) -> FileFacts:
    """Kind and size of a file by its content; of the first page, where it has several.

    Raises:
        UnreadableFile: empty, cut off, with lost data, a format that is not read, or no picture at all.
    """
    if not data:
        raise UnreadableFile("not-an-image", f"{name}: the file is empty (0 bytes)", "copy the photo again")
    if is_overlay(data):
        raise UnreadableFile(
            "unsupported-format", f"{name}: an annotated picture, drawn by this program", "give the photo itself"
        )
    if data[:3] == b"\xff\xd8\xff":
        facts = jpeg_facts(data, name)
        return FileFacts("JPEG", facts.width, facts.height, facts.orientation)
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        return _png(data, name)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _webp(data, name)
    if data[:4] in TIFF_STARTS:
        return tiff_facts(tiff_pages(data)[0], name)
    if data[4:8] == b"ftyp":
        return _boxed(data, name)
    if data[:2] == b"BM":
        return _bitmap(data)
    if data[:2] in (b"P5", b"P6") and data[2:3].isspace():
        return _pixmap(data)
    if data[:12] == _JPEG_2000:
        return _jpeg_2000(data, name)
    if data[:4] == b"GIF8":
        raise UnreadableFile("unsupported-format", f"{name}: GIF pictures are not read", "save it as PNG")
    if data.find(_PDF, 0, _PDF_WITHIN) >= 0:
        return _pdf(data, name)
    raise UnreadableFile("not-an-image", f"{name}: not a picture", "give a photo: JPEG, PNG, WebP, TIFF, HEIC or PDF")


def tiff_facts(page: TiffPage | None, name: str) -> FileFacts:
    """What is known of one page of a TIFF; None for a page that is not in the file.

    Raises:
        UnreadableFile: truncated, or stored in a way that is not decoded.
    """
    if page is None:
        raise cut_off(name)
    if page.obstacle:
        raise UnreadableFile(
            "unsupported-format", f"{name}: a rare kind of TIFF: {page.obstacle}", "save it as PNG or JPEG"
        )
    return FileFacts("TIFF", page.width, page.height, page.orientation, page.alpha, page.data_end)


def _png(data: bytes, name: str) -> FileFacts:
    """Walks the chunks to the last one; programs append things behind it, which decoders pass over."""
    position, intact, alpha, orientation = 8, True, False, 1
    while position + 12 <= len(data):
        end = position + 8 + struct.unpack_from(">I", data, position)[0]
        kind = data[position + 4 : position + 8]
        if kind == b"IEND" and position > 16:
            width, height = struct.unpack_from(">II", data, 16)
            if not (intact and width and height and data[12:16] == b"IHDR"):
                raise damaged(name, "PNG")
            return FileFacts("PNG", width, height, orientation, alpha or data[25] in _PNG_ALPHA)
        # Chunks that a decoder has to read have a capital letter first; it stops at one that is not as it was written.
        if kind[:1].isupper() and end + 4 <= len(data):
            intact &= zlib.crc32(data[position + 4 : end]) == struct.unpack_from(">I", data, end)[0]
        alpha |= kind == b"tRNS"
        if kind == b"eXIf":
            orientation = exif_orientation(data[position + 8 : end])
        position = end + 4
    raise cut_off(name)


def _webp(data: bytes, name: str) -> FileFacts:
    """Canvas of the three kinds of WebP, by RFC 9649; zeros for a kind not known."""
    if len(data) < 8 + struct.unpack_from("<I", data, 4)[0]:
        raise cut_off(name)
    chunk, width, height, alpha = data[12:16], 0, 0, True
    if chunk == b"VP8X" and len(data) >= 30:
        width, height = (int.from_bytes(data[at : at + 3], "little") + 1 for at in (24, 27))
        alpha = bool(data[20] & 0x10)
    elif chunk == b"VP8 " and len(data) >= 30:
        width, height = (side & 0x3FFF for side in struct.unpack_from("<HH", data, 26))
        alpha = False
    elif chunk == b"VP8L" and len(data) >= 25:
        bits = struct.unpack_from("<I", data, 21)[0]
        width, height, alpha = (bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1, bool(bits >> 28 & 1)
    return FileFacts("WebP", width, height, _webp_orientation(data), alpha)


def _webp_orientation(data: bytes) -> int:
    position = 12
    while position + 8 <= len(data):
        kind, size = struct.unpack_from("<4sI", data, position)
        if kind == b"EXIF":
            return exif_orientation(data[position + 8 : position + 8 + size])
        position += 8 + size + size % 2
    return 1


def _boxed(data: bytes, name: str) -> FileFacts:
    kind = kind_by_brand(data)
    if kind == "film":
        raise UnreadableFile("unsupported-format", f"{name}: a film, not a photo", "save the picture meant as JPEG")
    facts = box_facts(data, name)
    return FileFacts(kind, facts.width, facts.height, facts.orientation, facts.alpha)


def _bitmap(data: bytes) -> FileFacts:
    """A bitmap by any of its headers, told apart by their size; a negative height means rows from above."""
    if len(data) < 34:
        return FileFacts("bitmap")
    if struct.unpack_from("<I", data, 14)[0] < 16:
        return FileFacts("bitmap", *struct.unpack_from("<HH", data, 18))
    width, height, _, bits, packing = struct.unpack_from("<iiHHI", data, 18)
    width, height = abs(width), abs(height)
    row_bytes = (width * bits + 31) // 32 * 4
    data_end = 0 if packing else struct.unpack_from("<I", data, 10)[0] + row_bytes * height
    return FileFacts("bitmap", width, height, data_end=data_end)


def _pixmap(data: bytes) -> FileFacts:
    """Size in the text header of a portable greymap or pixmap; zeros where it is not found."""
    head = _PIXMAP_HEAD.match(data)
    if head is None:
        return FileFacts("bitmap")
    width, height, most = (int(head[word]) for word in (2, 3, 4))
    pixel_bytes = (3 if head[1] == b"6" else 1) * (2 if most > 255 else 1)
    return FileFacts("bitmap", width, height, data_end=head.end() + width * height * pixel_bytes)


def _jpeg_2000(data: bytes, name: str) -> FileFacts:
    """Size on the reference grid, from the head of the code stream; the stream ends with a marker."""
    at = data.find(_JPEG_2000_SIZE)
    if at < 0 or at + 24 > len(data) or data.find(_JPEG_2000_END, at) < 0:
        raise cut_off(name)
    right, bottom, left, top = struct.unpack_from(">IIII", data, at + 8)
    return FileFacts("JPEG 2000", max(right - left, 0), max(bottom - top, 0), alpha=True)


def _pdf(data: bytes, name: str) -> FileFacts:
    """A PDF ends with a mark; one prepared for the web says how long it is, as it has such a mark in front too."""
    if data.rfind(b"%%EOF") < 0:
        raise cut_off(name)
    length = _PDF_LENGTH.search(data, 0, _PDF_WITHIN)
    if length and len(data) < int(length[1]):
        raise cut_off(name)
    return FileFacts("PDF")
