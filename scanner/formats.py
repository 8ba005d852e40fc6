"""What the first bytes of a picture file say: its kind, its size, and whether its end is there.

Knowing the size before decoding lets the scan refuse decompression bombs and choose a reduced decode; a JPEG cut
off in the middle decodes without complaint into a picture with a grey lower half, so its end is looked for here.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass

from scanner.errors import UnreadableFile

_SOF_MARKERS = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
_START_OF_SCAN = 0xDA
_HEIF_BRANDS = (b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1")
_AVIF_BRANDS = (b"avif", b"avis")
_JPEG_2000 = b"\x00\x00\x00\x0cjP  \r\n\x87\n"


@dataclass(frozen=True, slots=True)
class FileFacts:
    """Kind of a picture file and its stored size in pixels, 0 where the header was not understood."""

    kind: str
    width: int = 0
    height: int = 0


def inspect(data: bytes, name: str) -> FileFacts:
    """Kind and size of a picture file by its content; its name's ending does not count.

    Raises:
        UnreadableFile: empty, cut off, a format that is not read here, or no picture at all.
    """
    if not data:
        raise UnreadableFile("not-an-image", f"{name}: the file is empty (0 bytes)", "copy the photo again")
    if data[:3] == b"\xff\xd8\xff":
        return _jpeg(data, name)
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        return _png(data, name)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        if len(data) < 8 + struct.unpack_from("<I", data, 4)[0]:
            raise _cut_off(name)
        return FileFacts("WebP", *_webp_size(data))
    if data[:4] in (b"II*\0", b"MM\0*"):
        return FileFacts("TIFF", *_tiff_size(data))
    if data[4:8] == b"ftyp" and data[8:12] in _HEIF_BRANDS:
        raise UnreadableFile(
            "unsupported-format", f"{name}: HEIC pictures are not read yet", "share or export it as JPEG"
        )
    if data[:5] == b"%PDF-":
        raise UnreadableFile(
            "unsupported-format", f"{name}: PDF files are not read yet", "export its pages as pictures"
        )
    if data[:2] == b"BM":
        return FileFacts("bitmap", *_bmp_size(data))
    if data[:2] in (b"P5", b"P6") and data[2:3].isspace():
        return FileFacts("bitmap", *_pnm_size(data))
    if data[4:8] == b"ftyp" and data[8:12] in _AVIF_BRANDS:
        return FileFacts("AVIF")
    if data[:12] == _JPEG_2000:
        return FileFacts("JPEG 2000")
    if data[:4] == b"GIF8":
        raise UnreadableFile("unsupported-format", f"{name}: GIF pictures are not read", "save it as PNG")
    if data[4:8] == b"ftyp":
        raise UnreadableFile("unsupported-format", f"{name}: a film, not a photo", "save the picture meant as JPEG")
    raise UnreadableFile("not-an-image", f"{name}: not a picture", "give a photo: JPEG, PNG, WebP or TIFF")


def _cut_off(name: str) -> UnreadableFile:
    return UnreadableFile("truncated", f"{name}: the file is cut off, its end is missing", "copy the photo again")


def damaged(name: str, kind: str) -> UnreadableFile:
    """The refusal of a picture that no decoder takes."""
    return UnreadableFile(
        "not-an-image", f"{name}: damaged, or no {kind} picture", "open it in a picture viewer and save it again"
    )


def _jpeg(data: bytes, name: str) -> FileFacts:
    """Walks the segments to the size and the first scan; behind it the end-of-image marker has to come.

    Entropy-coded data never holds FF D9 (a data byte FF is followed by 00), and what phones append behind the picture
    comes after its marker, so finding one behind the first scan is proof of a whole picture.
    """
    position, size = 2, (0, 0)
    while position + 4 <= len(data):
        if data[position] != 0xFF:
            position += 1
            continue
        marker = data[position + 1]
        if marker in (0x00, 0x01, 0xFF) or 0xD0 <= marker <= 0xD8:
            position += 1 if marker == 0xFF else 2
            continue
        length = struct.unpack_from(">H", data, position + 2)[0]
        if marker in _SOF_MARKERS and position + 9 <= len(data):
            height, width = struct.unpack_from(">HH", data, position + 5)
            size = (width, height)
        if marker == _START_OF_SCAN:
            if data.find(b"\xff\xd9", position + 2 + length) < 0:
                raise _cut_off(name)
            return FileFacts("JPEG", *size)
        position += 2 + length
    raise _cut_off(name)


def _png(data: bytes, name: str) -> FileFacts:
    """Walks the chunks to the last one; programs append things behind it, which decoders pass over."""
    position, intact = 8, True
    while position + 12 <= len(data):
        end = position + 8 + struct.unpack_from(">I", data, position)[0]
        kind = data[position + 4 : position + 8]
        if kind == b"IEND" and position > 16:
            width, height = struct.unpack_from(">II", data, 16)
            if not (intact and width and height):
                raise damaged(name, "PNG")
            return FileFacts("PNG", width, height)
        # Chunks that a decoder has to read have a capital letter first; it stops at one that is not as it was written.
        if kind[:1].isupper() and end + 4 <= len(data):
            intact &= zlib.crc32(data[position + 4 : end]) == struct.unpack_from(">I", data, end)[0]
        position = end + 4
    raise _cut_off(name)


def _webp_size(data: bytes) -> tuple[int, int]:
    """Canvas size of the three kinds of WebP, by RFC 9649; zeros for a kind not known."""
    chunk = data[12:16]
    if chunk == b"VP8X" and len(data) >= 30:
        width, height = (int.from_bytes(data[at : at + 3], "little") + 1 for at in (24, 27))
    elif chunk == b"VP8 " and len(data) >= 30:
        width, height = (side & 0x3FFF for side in struct.unpack_from("<HH", data, 26))
    elif chunk == b"VP8L" and len(data) >= 25:
        bits = struct.unpack_from("<I", data, 21)[0]
        width, height = (bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1
    else:
        width = height = 0
    return width, height


def _tiff_size(data: bytes) -> tuple[int, int]:
    """Size of the first page, by TIFF 6.0 (tags 256 and 257, short or long); zeros where it is not found."""
    order = "<" if data[:2] == b"II" else ">"
    sides = {256: 0, 257: 0}
    if len(data) >= 8:
        position = struct.unpack_from(order + "I", data, 4)[0]
        count = struct.unpack_from(order + "H", data, position)[0] if position + 2 <= len(data) else 0
        for entry in range(position + 2, min(position + 2 + 12 * count, len(data) - 11), 12):
            tag, kind = struct.unpack_from(order + "HH", data, entry)
            if tag in sides:
                sides[tag] = struct.unpack_from(order + ("H" if kind == 3 else "I"), data, entry + 8)[0]
    return sides[256], sides[257]


def _pnm_size(data: bytes) -> tuple[int, int]:
    """Size in the text header of a portable greymap or pixmap, comments left out; zeros where it is not found."""
    lines = [line.split(b"#")[0] for line in data[2:1024].split(b"\n")]
    words = b" ".join(lines).split()[:2]
    if len(words) < 2 or not all(word.isdigit() and len(word) < 9 for word in words):
        return 0, 0
    return int(words[0]), int(words[1])


def _bmp_size(data: bytes) -> tuple[int, int]:
    """Size of a bitmap with a header of 40 bytes or more; a negative height means rows from above."""
    if len(data) < 26 or struct.unpack_from("<I", data, 14)[0] < 40:
        return 0, 0
    width, height = struct.unpack_from("<ii", data, 18)
    return abs(width), abs(height)
