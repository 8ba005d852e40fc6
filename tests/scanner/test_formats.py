"""What the first bytes and the end of a file say, for pictures whose size and wholeness are known."""

from __future__ import annotations

import struct
from contextlib import suppress

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner import UnreadableFile
from scanner.formats import FileFacts, inspect
from tests.scanner.pictures import encoded, with_exif

WIDTH, HEIGHT = 83, 47
RNG = np.random.default_rng(3)
IMAGE = RNG.integers(0, 255, (HEIGHT, WIDTH, 3), dtype=np.uint8)
PROGRESSIVE = (cv2.IMWRITE_JPEG_PROGRESSIVE, 1)
RESTARTS = (cv2.IMWRITE_JPEG_RST_INTERVAL, 2)

FILES = {
    "JPEG": ("JPEG", encoded(IMAGE, ".jpg")),
    "progressive": ("JPEG", encoded(IMAGE, ".jpg", *PROGRESSIVE)),
    "restarts": ("JPEG", encoded(IMAGE, ".jpg", *RESTARTS)),
    "grey": ("JPEG", encoded(IMAGE[..., 0].copy(), ".jpg")),
    "thumbnail": ("JPEG", with_exif(encoded(IMAGE, ".jpg"), 1, encoded(IMAGE[:16, :16].copy(), ".jpg"))),
    "PNG": ("PNG", encoded(IMAGE, ".png")),
    "WebP lossy": ("WebP", encoded(IMAGE, ".webp", cv2.IMWRITE_WEBP_QUALITY, 80)),
    "WebP lossless": ("WebP", encoded(IMAGE, ".webp", cv2.IMWRITE_WEBP_QUALITY, 101)),
    "TIFF": ("TIFF", encoded(IMAGE, ".tif")),
    "BMP": ("bitmap", encoded(IMAGE, ".bmp")),
    "greymap": ("bitmap", encoded(IMAGE[..., 0].copy(), ".pgm")),
    "pixmap": ("bitmap", encoded(IMAGE, ".ppm")),
}
WITH_AN_END = [name for name, (kind, _) in FILES.items() if kind in ("JPEG", "PNG", "WebP")]


def known(data: bytes) -> tuple[str, int, int]:
    facts = inspect(data, "x")
    return facts.kind, facts.width, facts.height


@pytest.mark.parametrize("name", FILES)
def test_kind_and_size_are_those_of_the_picture_written(name: str) -> None:
    kind, data = FILES[name]
    assert known(data) == (kind, WIDTH, HEIGHT)


def test_tiff_of_the_other_byte_order() -> None:
    tags = [(256, 3, 1, WIDTH << 16), (257, 4, 1, HEIGHT)]
    data = b"MM\0*" + struct.pack(">IH", 8, len(tags)) + b"".join(struct.pack(">HHII", *tag) for tag in tags)
    assert known(data) == ("TIFF", WIDTH, HEIGHT)


def test_bitmap_stored_from_above_has_a_negative_height() -> None:
    data = b"BM" + struct.pack("<IHHIIii", 0, 0, 0, 54, 40, WIDTH, -HEIGHT) + bytes(40)
    assert known(data) == ("bitmap", WIDTH, HEIGHT)


def test_bitmap_with_the_oldest_header() -> None:
    data = b"BM" + struct.pack("<IHHIIHH", 0, 0, 0, 26, 12, WIDTH, HEIGHT) + bytes(40)
    assert known(data) == ("bitmap", WIDTH, HEIGHT)


@pytest.mark.parametrize("name", WITH_AN_END)
def test_every_beginning_of_a_file_is_refused(name: str) -> None:
    _, data = FILES[name]
    recognised = 12 if "WebP" in name else 8 if name == "PNG" else 3
    for length in [*range(400), *range(400, len(data), 7), *range(len(data) - 40, len(data))]:
        with pytest.raises(UnreadableFile) as caught:
            inspect(data[:length], name)
        assert caught.value.code == ("truncated" if length >= recognised else "not-an-image")


def test_the_end_of_the_thumbnail_is_not_the_end_of_the_photo() -> None:
    _, data = FILES["thumbnail"]
    assert data.count(b"\xff\xd9") == 2
    cut = data[: data.rindex(b"\xff\xd9")]
    assert b"\xff\xd9" in cut
    with pytest.raises(UnreadableFile) as caught:
        inspect(cut, "IMG_1.jpg")
    assert caught.value.code == "truncated"
    assert "IMG_1.jpg" in caught.value.message


@pytest.mark.parametrize("name", WITH_AN_END)
@given(tail=st.binary(max_size=300))
def test_what_follows_a_whole_picture_does_not_matter(name: str, tail: bytes) -> None:
    kind, data = FILES[name]
    assert known(data + tail) == (kind, WIDTH, HEIGHT)


def test_png_that_begins_with_its_end() -> None:
    with pytest.raises(UnreadableFile) as caught:
        inspect(b"\x89PNG\r\n\x1a\n" + bytes(4) + b"IEND" + bytes(4), "x.png")
    assert caught.value.code == "truncated"


EMPTY_BOXES = b"\0\0\0\x08meta\0\0\0\x08mdat"


@pytest.mark.parametrize(
    ("brands", "kind"),
    [
        (b"heic\0\0\0\0mif1heic", "HEIC"),
        (b"heix\0\0\0\0mif1heix", "HEIC"),
        (b"hevc\0\0\0\0hevcmsf1", "HEIC"),
        (b"mif1\0\0\0\0mif1heic", "HEIC"),
        (b"avif\0\0\0\0mif1avif", "AVIF"),
        (b"mif1\0\0\0\0mif1avif", "AVIF"),
    ],
)
def test_heic_and_avif_by_their_brands(brands: bytes, kind: str) -> None:
    start = struct.pack(">I", 8 + len(brands)) + b"ftyp" + brands
    assert known(start + EMPTY_BOXES)[0] == kind
    with pytest.raises(UnreadableFile) as caught:
        inspect(start + EMPTY_BOXES[:8], "IMG_1.HEIC")
    assert caught.value.code == "truncated"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"GIF89a" + bytes(100), "unsupported-format"),
        (b"\0\0\0\x18ftypisom" + bytes(100), "unsupported-format"),
        (bytes(1000), "not-an-image"),
        (b"P55", "not-an-image"),
    ],
)
def test_other_files_are_refused_by_their_beginning(data: bytes, code: str) -> None:
    with pytest.raises(UnreadableFile) as caught:
        inspect(data, "x")
    assert caught.value.code == code


def test_pictures_whose_size_is_not_known_are_left_to_the_decoder() -> None:
    assert inspect(b"P5 is the fifth player", "x") == FileFacts("bitmap")


def test_size_of_a_pixmap_with_comments() -> None:
    assert known(b"P6 # made by hand\n# 7 8\n60000\n50000 255\n") == ("bitmap", 60000, 50000)


@pytest.mark.parametrize("place", [16, 29, 60, -20])
def test_png_with_a_byte_changed_is_damaged(place: int) -> None:
    data = bytearray(FILES["PNG"][1])
    data[place] ^= 0x55
    with pytest.raises(UnreadableFile) as caught:
        inspect(bytes(data), "x.png")
    assert caught.value.code == "not-an-image"
    assert "damaged" in caught.value.message


@given(st.binary(max_size=100))
def test_bytes_are_facts_or_refused(data: bytes) -> None:
    with suppress(UnreadableFile):
        assert inspect(data, "x").width >= 0
