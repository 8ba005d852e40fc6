"""Writes pictures in ways that OpenCV does not: with tags, in documents, in colours of print, in several pages."""

from __future__ import annotations

import io
import struct
from collections.abc import Mapping, Sequence
from typing import Any

import cv2
import numpy as np
import pillow_heif
from numpy.typing import NDArray
from PIL import Image
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from scanner.types import ImageU8

Tags = Mapping[int, tuple[int, Sequence[int]]]


def quarters(width: int = 480, height: int = 352) -> ImageU8:
    """A picture that looks different each way it is turned or mirrored."""
    image = np.full((height, width, 3), 40, np.uint8)
    image[: height // 2, : width // 2] = (200, 60, 60)
    image[: height // 2, width // 2 :] = (60, 200, 60)
    image[height // 2 :, : width // 2] = (60, 60, 200)
    return image


def textured(width: int = 480, height: int = 352, seed: int = 1) -> ImageU8:
    """The same with soft noise, so that each part of a file holds data."""
    noise = np.random.default_rng(seed).normal(0, 25, (height, width, 3))
    return np.asarray(np.clip(quarters(width, height) + cv2.GaussianBlur(noise, (0, 0), 0.8), 0, 255), np.uint8)


def exif(orientation: int, order: str = "<", kind: int = 3, count: int = 1) -> bytes:
    """An EXIF block, from its byte order on, that holds an orientation as a number of that kind."""
    value = struct.pack(order + {1: "B", 3: "H", 4: "I"}[kind], orientation).ljust(4, b"\0")
    start = struct.pack(order + "2sHI", b"II" if order == "<" else b"MM", 42, 8)
    return start + struct.pack(order + "HHHI", 1, 274, kind, count) + value + bytes(4)


def as_pillow(image_bgr: NDArray[Any]) -> Image.Image:
    """Grey, BGR or BGRA as a picture of Pillow."""
    codes = {3: cv2.COLOR_BGR2RGB, 4: cv2.COLOR_BGRA2RGBA}
    return Image.fromarray(image_bgr if image_bgr.ndim == 2 else cv2.cvtColor(image_bgr, codes[image_bgr.shape[2]]))


def saved(picture: Image.Image | NDArray[Any], kind: str, **how: Any) -> bytes:
    stream = io.BytesIO()
    picture = picture if isinstance(picture, Image.Image) else as_pillow(picture)
    if kind == "JPEG" and "exif" in how:
        how["exif"] = b"Exif\0\0" + how["exif"]
    picture.save(stream, kind, **how)
    return stream.getvalue()


def heic(*pictures: ImageU8, orientation: int = 1, main: int = 0) -> bytes:
    """A HEIC file with these pictures, with an orientation in its boxes and in its EXIF, as phones write them."""
    first, *others = pictures
    file = pillow_heif.from_pillow(as_pillow(first))
    for other in others:
        file.add_from_pillow(as_pillow(other))
    stream = io.BytesIO()
    file.save(stream, quality=95, chroma=444, exif=b"Exif\0\0" + exif(orientation), primary_index=main)
    return stream.getvalue()


def tiff_page(pixels: NDArray[Any], order: str = "<", rows: int = 64, **tags: int) -> tuple[Tags, list[bytes]]:
    """Tags and strips of an uncompressed page; `t274=6` sets tag 274.

    Args:
        pixels: (H, W) or (H, W, C) as stored, so RGB.
        order: byte order of the file it is for.
        rows: rows in a strip.
        tags: further tags, or others in place of the usual ones.
    """
    height, width = pixels.shape[:2]
    channels = 1 if pixels.ndim == 2 else pixels.shape[2]
    stored = pixels.astype(pixels.dtype.newbyteorder(order))
    strips = [stored[top : top + rows].tobytes() for top in range(0, height, rows)]
    usual = {256: width, 257: height, 259: 1, 262: 2 if channels >= 3 else 1, 277: channels, 278: rows}
    bits = {258: (3, [8 * pixels.dtype.itemsize] * channels)}
    given = {int(tag[1:]): value for tag, value in tags.items()}
    return {**{tag: (4 if tag < 258 else 3, [value]) for tag, value in {**usual, **given}.items()}, **bits}, strips


def tiled_page(pixels: NDArray[Any], side: int = 64, **tags: int) -> tuple[Tags, list[bytes]]:
    """Tags and tiles of an uncompressed page."""
    usual, _ = tiff_page(pixels, **tags)
    height, width = pixels.shape[:2]
    edges = ((0, -height % side), (0, -width % side), *[(0, 0)] * (pixels.ndim - 2))
    whole = np.pad(pixels, edges)
    tiles = [
        whole[top : top + side, left : left + side].tobytes()
        for top in range(0, height, side)
        for left in range(0, width, side)
    ]
    return {**{tag: value for tag, value in usual.items() if tag != 278}, 322: (3, [side]), 323: (3, [side])}, tiles


def tiff(*pages: tuple[Tags, list[bytes]], order: str = "<", big: bool = False) -> bytes:
    """A TIFF of such pages, each directory behind the data of its page."""
    offset, size, room = ("Q", 20, 8) if big else ("I", 12, 4)
    mark = b"II" if order == "<" else b"MM"
    head = struct.pack(order + "2sHHHQ", mark, 43, 8, 0, 0) if big else struct.pack(order + "2sHI", mark, 42, 0)
    out, link = bytearray(head), len(head) - room
    for tags, strips in pages:
        starts = []
        for strip in strips:
            starts.append(len(out))
            out += strip
        places, lengths = (324, 325) if 322 in tags else (273, 279)
        every = {**tags, places: (4, starts), lengths: (4, [len(strip) for strip in strips])}
        entries = b""
        for tag in sorted(every):
            kind, numbers = every[tag]
            body = struct.pack(f"{order}{len(numbers)}{'H' if kind == 3 else 'I'}", *numbers)
            if len(body) > room:
                out, body = out + body, struct.pack(order + offset, len(out))
            entries += struct.pack(order + ("HHQ" if big else "HHI"), tag, kind, len(numbers)) + body.ljust(room, b"\0")
        out += bytes(len(out) % 2)
        struct.pack_into(order + offset, out, link, len(out))
        out += struct.pack(order + ("Q" if big else "H"), len(every)) + entries
        assert len(entries) == size * len(every)
        link = len(out)
        out += bytes(room)
    return bytes(out)


class Pdf:
    """A PDF made page by page."""

    def __init__(self, size_pt: tuple[float, float] = (480, 352), password: str | None = None) -> None:
        self._stream = io.BytesIO()
        encryption = StandardEncryption(password, strength=128) if password else None
        self.canvas = Canvas(self._stream, pagesize=size_pt, encrypt=encryption)
        self.size_pt = size_pt

    def photo(self, file: bytes, matrix: Sequence[float] | None = None, rotate: int = 0) -> Pdf:
        """Shows a picture on the page; the matrix takes the unit square to points, by default to the whole page."""
        width, height = self.size_pt
        self.canvas.saveState()
        self.canvas.transform(*(matrix or (width, 0, 0, height, 0, 0)))
        self.canvas.drawImage(ImageReader(io.BytesIO(file)), 0, 0, 1, 1)
        self.canvas.restoreState()
        if rotate:
            self.canvas.setPageRotation(rotate)
        return self

    def page(self) -> Pdf:
        self.canvas.showPage()
        return self

    def done(self) -> bytes:
        self.canvas.save()
        return self._stream.getvalue()


def ycck_jpeg(image_bgr: ImageU8) -> bytes:
    """A JPEG in the colours of print as Adobe's programs write them: YCCK, every level inverted."""
    luma_red_blue = cv2.cvtColor(255 - image_bgr, cv2.COLOR_BGR2YCrCb)
    black = np.full(image_bgr.shape[:2], 255, np.uint8)
    samples = np.dstack([luma_red_blue[..., 0], luma_red_blue[..., 2], luma_red_blue[..., 1], black])
    # Pillow inverts what it writes, and marks it as plain CMYK: the last byte of Adobe's segment.
    data = bytearray(saved(Image.fromarray(255 - samples, "CMYK"), "JPEG", quality=97, subsampling=0))
    data[data.index(b"Adobe") + 11] = 2
    return bytes(data)
