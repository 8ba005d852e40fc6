"""Files that no sheet can be read from, each broken in a way that happens to people, with the code of its refusal."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path

import cv2
import numpy as np


def spoil(folder: Path, photo: bytes, count: int) -> dict[str, str]:
    """Writes that many broken files, each way in turn.

    Args:
        folder: where they go.
        photo: the JPEG of a good photo.
        count: how many.

    Returns:
        By path, the code that each has to be refused with.
    """
    ways = list(_WAYS.items())
    codes = {}
    for number in range(count):
        (name, code), write = ways[number % len(ways)]
        path = folder / f"broken {number + 1:03} {name}"
        write(path, photo)
        codes[str(path)] = code
    return codes


def _empty(path: Path, photo: bytes) -> None:
    path.write_bytes(b"")


def _text(path: Path, photo: bytes) -> None:
    path.write_text("this is no picture, whatever its name says")


def _cut_off(path: Path, photo: bytes) -> None:
    path.write_bytes(photo[: len(photo) * 2 // 3])


def _folder(path: Path, photo: bytes) -> None:
    path.mkdir()


def _dangling(path: Path, photo: bytes) -> None:
    path.symlink_to(path.with_name("gone.jpg"))


def _bomb(path: Path, photo: bytes) -> None:
    """A PNG of some hundred bytes whose head promises a billion pixels."""
    head = struct.pack(">IIBBBBB", 40_000, 30_000, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(bytes(1000))), (b"IEND", b""))
    parts = [
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    ]
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(parts))


def _animation(path: Path, photo: bytes) -> None:
    path.write_bytes(b"GIF89a" + bytes(100))


def _tiny(path: Path, photo: bytes) -> None:
    small = cv2.resize(_decoded(photo), (240, 180), interpolation=cv2.INTER_AREA)
    path.write_bytes(cv2.imencode(".jpg", small)[1].tobytes())


def _table(path: Path, photo: bytes) -> None:
    """A photo of nothing, another one each time."""
    noise = np.random.default_rng(zlib.crc32(path.name.encode())).integers(60, 160, (75, 100, 3), dtype=np.uint8)
    table = cv2.resize(noise, (800, 600), interpolation=cv2.INTER_CUBIC)
    path.write_bytes(cv2.imencode(".jpg", table)[1].tobytes())


def _damaged(path: Path, photo: bytes) -> None:
    """A PNG with a byte of its pixels changed."""
    data = bytearray(cv2.imencode(".png", cv2.resize(_decoded(photo), (400, 300)))[1].tobytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(bytes(data))


def _decoded(photo: bytes) -> cv2.typing.MatLike:
    image = cv2.imdecode(np.frombuffer(photo, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise ValueError("expected a JPEG that can be decoded")
    return image


_WAYS: Mapping[tuple[str, str], Callable[[Path, bytes], None]] = {
    ("empty.jpg", "not-an-image"): _empty,
    ("text.jpg", "not-an-image"): _text,
    ("cut off.jpg", "truncated"): _cut_off,
    ("folder.jpg", "not-an-image"): _folder,
    ("dangling.jpg", "not-found"): _dangling,
    ("bomb.png", "too-large"): _bomb,
    ("animation.jpg", "unsupported-format"): _animation,
    ("tiny.jpg", "too-small"): _tiny,
    ("table.jpg", "no-sheet"): _table,
    ("damaged.png", "not-an-image"): _damaged,
}
