"""First stage: bytes become an upright picture, decoded once and no larger than reading needs."""

from __future__ import annotations

import hashlib
import os
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from scanner.errors import PoorPhoto, UnreadableFile
from scanner.formats import FileFacts, damaged, inspect
from scanner.options import DEFAULT_OPTIONS, ScanOptions
from scanner.types import ImageU8, Photo, Source, checked_image

_REDUCED = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}

_SHRUNK_BY_DECODER = frozenset({"JPEG"})
"""Kinds that a decoder makes smaller on the way, in less time; of the others it makes all, and shrinks that."""


def load_photo(source: str | os.PathLike[str] | bytes | ImageU8, options: ScanOptions = DEFAULT_OPTIONS) -> Photo:
    """Opens and decodes a photo, turned upright as its EXIF orientation says.

    Args:
        source: a path, the bytes of a file, or an upright uint8 BGR picture (H, W, 3).
        options: size limits and the decoded size.

    Raises:
        UnreadableFile: not found, no permission, not a picture, damaged, or too large.
        PoorPhoto: fewer pixels than any sheet could be read from.
        TypeError: an array of another shape or dtype.
    """
    if isinstance(source, np.ndarray):
        return _from_array(checked_image(source, "photo"), options)
    if isinstance(source, bytes):
        return _decode(source, "<bytes>", options)
    path = Path(source)
    return _decode(_read_bytes(path), str(path), options)


def _read_bytes(path: Path) -> bytes:
    name = path.name or str(path)
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise UnreadableFile("not-found", f"{name}: no such file", "check the path") from None
    except IsADirectoryError:
        raise UnreadableFile(
            "not-an-image", f"{name} is a folder", "name the photos in it, for example with *.jpg"
        ) from None
    except PermissionError:
        raise UnreadableFile("permission", f"{name}: no permission to read it", "change its permissions") from None
    except (OSError, ValueError) as error:
        raise UnreadableFile("not-found", f"{name}: cannot be opened ({error})", "check the path") from None


def _decode(data: bytes, path: str, options: ScanOptions) -> Photo:
    name = Path(path).name
    facts = inspect(data, name)
    if facts.width * facts.height > options.max_megapixels * 1e6:
        raise UnreadableFile(
            "too-large",
            f"{name}: {facts.width} x {facts.height} pixels, at most {options.max_megapixels:.0f} megapixels are read",
            "scale the picture down",
        )
    image = _imdecode(data, _reduction(facts, options))
    if image is None:
        raise damaged(name, facts.kind)
    width, height = _upright_size(facts, image)
    source = Source(path, 1, hashlib.sha256(data).hexdigest(), width, height)
    encoded = data if facts.kind in _SHRUNK_BY_DECODER else b""
    return _checked_size(Photo(checked_image(image, name), image.shape[1] / width, source, encoded), name, options)


def sharper(photo: Photo, scale: float) -> Photo:
    """The photo decoded again, at the strongest reduction that gives it that scale.

    Returns:
        The photo as it is where it has that scale already, or no larger decode can be had.
    """
    reduction = max((factor for factor in _REDUCED if 1 / factor >= scale), default=1)
    if not photo.encoded or 1 / reduction <= 1.01 * photo.scale:
        return photo
    image = _imdecode(photo.encoded, reduction)
    if image is None:
        return photo
    image = np.asarray(cv2.flip(image, 1), dtype=np.uint8) if photo.mirrored else image
    return replace(photo, image=checked_image(image, photo.source.path), scale=image.shape[1] / photo.source.width)


def in_mirror(photo: Photo) -> Photo:
    """The photo seen in a mirror: a front camera's own may need it."""
    image = np.asarray(cv2.flip(photo.image, 1), dtype=np.uint8)
    return replace(photo, image=checked_image(image, photo.source.path), mirrored=not photo.mirrored)


def _imdecode(data: bytes, reduction: int) -> ImageU8 | None:
    # What OpenCV would log about a damaged file is said here, once, and with a remedy.
    level = cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), _REDUCED[reduction])
    except cv2.error:
        return None
    finally:
        cv2.utils.logging.setLogLevel(level)
    return None if image is None else np.asarray(image, dtype=np.uint8)


def _reduction(facts: FileFacts, options: ScanOptions) -> int:
    """The strongest of the decoder's reductions that leaves enough pixels; 1 where the size is not known."""
    long_side = max(facts.width, facts.height)
    least = options.decode_long_side_px if facts.kind in _SHRUNK_BY_DECODER else options.keep_long_side_px
    fitting = [factor for factor in _REDUCED if long_side / factor >= least]
    return max(fitting, default=1)


def _upright_size(facts: FileFacts, image: ImageU8) -> tuple[int, int]:
    """Width and height of the full upright photo.

    The decoder has applied the EXIF orientation, so the header's sides are swapped where the decoded ones are.
    """
    height, width = image.shape[:2]
    if not facts.width:
        return width, height
    swapped = (width > height) != (facts.width > facts.height) and facts.width != facts.height
    return (facts.height, facts.width) if swapped else (facts.width, facts.height)


def _from_array(image: ImageU8, options: ScanOptions) -> Photo:
    height, width = image.shape[:2]
    source = Source("<array>", 1, hashlib.sha256(image.tobytes()).hexdigest(), width, height)
    factor = max(1, int(max(height, width) / options.keep_long_side_px))
    if factor > 1:
        size_wh = (width // factor, height // factor)
        image = np.asarray(cv2.resize(image, size_wh, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    photo = Photo(checked_image(image, "photo"), image.shape[1] / width, source)
    return _checked_size(photo, "photo", options)


def _checked_size(photo: Photo, name: str, options: ScanOptions) -> Photo:
    width, height = photo.source.width, photo.source.height
    if min(width, height) < options.min_side_px:
        raise PoorPhoto(
            "too-small",
            f"{name}: {width} x {height} pixels, at least {options.min_side_px} a side are needed",
            "take the photo at full resolution",
        )
    return photo
