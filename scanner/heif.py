"""HEIC pictures, through the extra `heic`: its library turns them by their own boxes, and nothing may do so again."""

from __future__ import annotations

import numpy as np

from scanner.errors import UnreadableFile, damaged, too_large
from scanner.types import ImageU8

# What the library raises for a file that it cannot read, as it says in no place.
_UNREADABLE = (ValueError, OSError, EOFError, RuntimeError, SyntaxError, TypeError, IndexError, KeyError)


def decode_heic(data: bytes, name: str, max_pixels: float) -> ImageU8:
    """The main picture of a HEIC file, upright: uint8 (H, W), (H, W, 3) in BGR or (H, W, 4) with alpha.

    Raises:
        UnreadableFile: unsupported-format without the extra; too-large; not-an-image if it is damaged.
    """
    try:
        import pillow_heif
    except ImportError:
        raise UnreadableFile(
            "unsupported-format",
            f"{name}: reading HEIC pictures needs an extra",
            "pip install 'rollwrite[heic]', or share the photo as JPEG",
        ) from None
    try:
        picture = pillow_heif.open_heif(data, convert_hdr_to_8bit=True, bgr_mode=True)
        width, height = picture.size
        if width * height <= max_pixels:
            return np.asarray(picture, dtype=np.uint8)
    except _UNREADABLE:
        raise damaged(name, "HEIC") from None
    raise too_large(name, width, height, max_pixels)
