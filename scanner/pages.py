"""From a source to its pages, one decoded at a time: photos, and pages that cannot be read, each with its cause."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from scanner.decode import Decoded, decode, shrunk
from scanner.documents import pdf_pages
from scanner.errors import PoorPhoto, ScanError, UnreadableFile
from scanner.formats import FileFacts, inspect, tiff_facts
from scanner.options import DEFAULT_OPTIONS, ScanOptions
from scanner.tiff import select_page, tiff_pages
from scanner.types import ImageU8, Photo, Source, checked_image

PhotoSource = str | os.PathLike[str] | bytes | ImageU8

_MAX_FILE_BYTES = 1 << 30
"""Larger files are refused unread: they are films or archives, and would not leave memory for a picture."""


@dataclass(frozen=True, slots=True)
class RefusedPage:
    """A page that cannot be read, of a file whose other pages may be fine."""

    source: Source
    error: ScanError


@dataclass(frozen=True, slots=True)
class _File:
    """A file: where it came from, its digest, and what to call it."""

    path: str
    sha256: str

    @property
    def name(self) -> str:
        return Path(self.path).name

    def source(self, page: int, width: int = 0, height: int = 0) -> Source:
        return Source(self.path, page, self.sha256, width, height)


def load_pages(
    source: PhotoSource, options: ScanOptions = DEFAULT_OPTIONS, name: str | None = None
) -> Generator[Photo | RefusedPage]:
    """The pages of a photo, a TIFF or a PDF, each decoded when it is asked for.

    A file with one picture has one page. Copies of reduced size in a TIFF are no pages; of a HEIC file with several
    pictures the main one counts, of an animation the first.

    Args:
        source: a path, the bytes of a file, or an upright uint8 BGR picture (H, W, 3).
        options: size limits and the decoded size.
        name: what to call it in results and messages; by default its path.

    Yields:
        Photos, upright, numbered from 1 by `source.page`, and refusals of the pages that cannot be read.

    Raises:
        UnreadableFile: what concerns the whole file: not found, no permission, not a picture, damaged, cut off, too
            large, protected, or of a kind that is not read. For a file with one picture that is everything.
        PoorPhoto: fewer pixels than any sheet could be read from, likewise.
        TypeError: an array of another shape or dtype.
    """
    if isinstance(source, np.ndarray):
        yield _from_array(checked_image(source, "photo"), options)
        return
    data = source if isinstance(source, bytes) else read_file(Path(source))
    path = "<bytes>" if isinstance(source, bytes) else str(Path(source))
    file = _File(name or path, hashlib.sha256(data).hexdigest())
    facts = inspect(data, file.name)
    if facts.kind == "PDF":
        yield from _pdf(data, file, options)
    elif facts.kind == "TIFF":
        buffer = bytearray(data)
        del data, source  # long scans are large: one copy is enough
        yield from _tiff(buffer, file, options)
    else:
        decoded = decode(data, facts, file.name, options)
        yield _photo(decoded, file.source(1, decoded.width, decoded.height), file.name, options)


def read_file(path: Path) -> bytes:
    """The bytes of a photo's file.

    Raises:
        UnreadableFile: not found, a folder, no permission, or more than any picture has.
    """
    name = path.name or str(path)
    try:
        status = path.stat()
        if stat.S_ISREG(status.st_mode) and status.st_size <= _MAX_FILE_BYTES:
            return path.read_bytes()
        # A pipe or a device does not say how much there is.
        with path.open("rb") as stream:
            data = stream.read(_MAX_FILE_BYTES + 1)
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
    if len(data) > _MAX_FILE_BYTES:
        raise UnreadableFile("too-large", f"{name}: more than 1 GB", "give a photo, or split the document")
    return data


def _pdf(data: bytes, file: _File, options: ScanOptions) -> Iterator[Photo | RefusedPage]:
    for number, content in enumerate(pdf_pages(data, file.name, options), start=1):
        name = f"{file.name}, page {number}"
        try:
            if isinstance(content, ScanError):
                raise content
            if isinstance(content, bytes):
                decoded = decode(content, inspect(content, name), name, options)
            else:
                decoded = Decoded(content, content.shape[1], content.shape[0])
            source = file.source(number, decoded.width, decoded.height)
            page: Photo | RefusedPage = _photo(decoded, source, name, options)
        except ScanError as refusal:
            page = RefusedPage(file.source(number), refusal)
        yield page


def _tiff(buffer: bytearray, file: _File, options: ScanOptions) -> Iterator[Photo | RefusedPage]:
    pages = tiff_pages(buffer)
    single = len(pages) == 1
    for number, page in enumerate(pages, start=1):
        name = file.name if single else f"{file.name}, page {number}"
        facts = FileFacts("TIFF")
        try:
            facts = tiff_facts(page, name)
            if page is not None:
                select_page(buffer, page)
            decoded = decode(buffer, facts, name, options)
            source = file.source(number, decoded.width, decoded.height)
            outcome: Photo | RefusedPage = _photo(decoded, source, name, options)
        except ScanError as refusal:
            if single:
                raise
            outcome = RefusedPage(file.source(number, facts.width, facts.height), refusal)
        yield outcome


def _photo(decoded: Decoded, source: Source, name: str, options: ScanOptions) -> Photo:
    image = checked_image(decoded.image, name)
    return _checked_size(Photo(image, image.shape[1] / decoded.width, source, decoded.encoded), name, options)


def _from_array(image: ImageU8, options: ScanOptions) -> Photo:
    height, width = image.shape[:2]
    source = Source("<array>", 1, hashlib.sha256(image.tobytes()).hexdigest(), width, height)
    smaller = checked_image(shrunk(image, options), "photo")
    return _checked_size(Photo(smaller, smaller.shape[1] / width, source), "photo", options)


def _checked_size(photo: Photo, name: str, options: ScanOptions) -> Photo:
    width, height = photo.source.width, photo.source.height
    if min(width, height) < options.min_side_px:
        raise PoorPhoto(
            "too-small",
            f"{name}: {width} x {height} pixels, at least {options.min_side_px} a side are needed",
            "take the photo at full resolution",
        )
    return photo
