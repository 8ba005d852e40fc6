"""From the bytes of one picture to its pixels: 8-bit BGR, upright, decoded once and no larger than reading needs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.errors import cut_off, damaged, incomplete, too_large
from scanner.formats import FileFacts
from scanner.heif import decode_heic
from scanner.jpeg import jpeg_facts, with_filler
from scanner.options import ScanOptions
from scanner.orientation import swaps_sides, turned
from scanner.types import ImageU8

_REDUCED = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}

_SHRUNK_BY_DECODER = frozenset({"JPEG"})
"""Kinds that a decoder makes smaller on the way, in less time; of the others it makes all, and that is shrunk."""

_PREMULTIPLIED = frozenset({"TIFF"})
"""Kinds whose decoder has laid transparent pixels on black already."""

_EMPTY_LEVELS = (128, 64)
"""What a JPEG decoder paints where data is missing: middle grey, which comes out darker from the four inks of print."""

_EMPTY_PX = 32
"""So much of the last row has to be empty: two of the usual blocks, which take some hundred bytes."""


@dataclass(frozen=True, slots=True, eq=False)
class Decoded:
    """An upright picture.

    Attributes:
        image: uint8 (h, w, 3), BGR, possibly reduced.
        width: width of the full upright picture in pixels.
        height: its height.
        encoded: the file, if a larger decode of it can be had; else empty.
    """

    image: ImageU8
    width: int
    height: int
    encoded: bytes = b""


def decode(data: bytes | bytearray, facts: FileFacts, name: str, options: ScanOptions) -> Decoded:
    """Decodes one picture whose facts are known.

    Raises:
        UnreadableFile: too-large, truncated, not-an-image where no decoder takes it, unsupported-format without the
            extra for it.
    """
    max_pixels = options.max_megapixels * 1e6
    if facts.width * facts.height > max_pixels:
        raise too_large(name, facts.width, facts.height, max_pixels)
    if facts.data_end > len(data):
        raise cut_off(name)
    if facts.kind == "HEIC":
        image = _opaque(decode_heic(bytes(data), name, max_pixels))
        return Decoded(shrunk(image, options), image.shape[1], image.shape[0])
    if not facts.width * facts.height:
        raise damaged(name, facts.kind)
    if facts.kind in _SHRUNK_BY_DECODER:
        return _decode_jpeg(bytes(data), facts, name, options)
    whole = _whole(data, facts)
    if whole is None:
        raise damaged(name, facts.kind)
    upright = turned(shrunk(whole, options), facts.orientation)
    return Decoded(upright, *_upright_size(whole.shape[1], whole.shape[0], facts.orientation))


def reduction_for(scale: float) -> int:
    """The strongest reduction of a JPEG that leaves that many of its pixels a pixel."""
    return max((factor for factor in _REDUCED if 1 / factor >= scale), default=1)


def decode_again(encoded: bytes, reduction: int) -> ImageU8 | None:
    """A JPEG that was decoded before, upright, at another reduction; None if that fails."""
    image = _imdecode(encoded, _REDUCED[reduction])
    return None if image is None else turned(image, jpeg_facts(encoded, "").orientation)


def shrunk(image: ImageU8, options: ScanOptions) -> ImageU8:
    """The picture (H, W, 3) reduced by a whole number, as far as `keep_long_side_px` allows; the mean of its pixels."""
    height, width = image.shape[:2]
    factor = int(max(height, width) / options.keep_long_side_px)
    if factor <= 1:
        return image
    size_wh = (max(width // factor, 1), max(height // factor, 1))
    return np.asarray(cv2.resize(image, size_wh, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _decode_jpeg(data: bytes, facts: FileFacts, name: str, options: ScanOptions) -> Decoded:
    factor = _reduction(facts, options)
    image = _imdecode(data, _REDUCED[factor])
    if image is None:
        raise damaged(name, facts.kind)
    if _ends_empty(image, factor) and _ran_out(data, image, factor):
        raise incomplete(name)
    size_wh = _upright_size(facts.width, facts.height, facts.orientation)
    return Decoded(turned(image, facts.orientation), *size_wh, encoded=data)


def _reduction(facts: FileFacts, options: ScanOptions) -> int:
    """The strongest of the decoder's reductions that leaves enough pixels."""
    long_side = max(facts.width, facts.height)
    return max((factor for factor in _REDUCED if long_side / factor >= options.decode_long_side_px), default=1)


def _ends_empty(image: ImageU8, factor: int) -> bool:
    """Whether the end of a JPEG as stored, its last pixels, looks as if its data never came; hardly a whole photo does.

    Without reduction, colours may be smoothed over from the blocks above, which are there; then brightness has to do.
    """
    last = image[-1:, -max(_EMPTY_PX // factor, 1) :]
    brightness = cv2.cvtColor(np.ascontiguousarray(last), cv2.COLOR_BGR2GRAY).astype(int)
    empty = any(np.abs(brightness - level).max() <= 1 for level in _EMPTY_LEVELS)
    return empty and (factor == 1 or not np.ptp(last))


def _ran_out(data: bytes, image: ImageU8, factor: int) -> bool:
    """Whether the decoder had too little data: then more of it, at the end, changes the picture."""
    more = with_filler(data)
    with _quiet():
        again = _imdecode(more, _REDUCED[factor]) if more else image
    return again is not None and not np.array_equal(image, again)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keeps off stderr what the decoder, and no Python, writes there about data that was added on purpose."""
    try:
        kept = os.dup(2)
    except OSError:  # no stderr, no noise
        yield
        return
    try:
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _whole(data: bytes | bytearray, facts: FileFacts) -> ImageU8 | None:
    """All pixels as stored, (H, W, 3), transparent ones laid on white."""
    if not facts.alpha:
        return _imdecode(data, cv2.IMREAD_COLOR)
    with_alpha = _imdecode(data, cv2.IMREAD_UNCHANGED)
    if with_alpha is None or with_alpha.ndim < 3 or with_alpha.shape[2] < 4:
        return _imdecode(data, cv2.IMREAD_COLOR)
    if facts.kind not in _PREMULTIPLIED:
        return _opaque(with_alpha)
    on_black = _imdecode(data, cv2.IMREAD_COLOR)
    return None if on_black is None else np.asarray(cv2.add(on_black, _uncovered(with_alpha)), dtype=np.uint8)


def _opaque(image: ImageU8) -> ImageU8:
    """Three channels of a picture with one, three or four, laid on white."""
    if image.ndim == 2 or image.shape[2] == 1:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), dtype=np.uint8)
    if image.shape[2] == 2:
        grey, alpha = cv2.split(image)
        image = np.asarray(cv2.merge([grey, grey, grey, alpha]), dtype=np.uint8)
    if image.shape[2] == 3:
        return image
    uncovered = _uncovered(image)
    covered = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGRA2BGR), dtype=np.uint8)
    if not uncovered.any():
        return covered
    dimmed = cv2.multiply(covered, 255 - uncovered, scale=1 / 255)
    return np.asarray(cv2.add(dimmed, uncovered), dtype=np.uint8)


def _uncovered(image: ImageU8) -> ImageU8:
    """How much white shows through (H, W, 4), in each of three channels."""
    return np.asarray(cv2.merge([255 - image[..., 3]] * 3), dtype=np.uint8)


def _imdecode(data: bytes | bytearray, flag: int) -> ImageU8 | None:
    """What OpenCV makes of a file, 8 bits a channel, as stored: not turned by EXIF."""
    # What OpenCV would log about a damaged file is said here, once, and with a remedy.
    level = cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        turn_not = 0 if flag == cv2.IMREAD_UNCHANGED else cv2.IMREAD_IGNORE_ORIENTATION
        image = cv2.imdecode(np.frombuffer(data, np.uint8), flag | turn_not)
    except cv2.error:
        return None
    finally:
        cv2.utils.logging.setLogLevel(level)
    return None if image is None else _in_8_bits(image)


def _in_8_bits(image: NDArray[Any]) -> ImageU8:
    """Of 16 bits the upper ones: a level of 8 bits is stored as 257 times itself."""
    return np.asarray(image >> 8 if image.dtype == np.uint16 else image, dtype=np.uint8)


def _upright_size(width: int, height: int, orientation: int) -> tuple[int, int]:
    return (height, width) if swaps_sides(orientation) else (width, height)
