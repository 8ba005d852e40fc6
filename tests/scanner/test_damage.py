"""Files that are cut off, or whose data is missing in the middle: refused, though decoders make a picture of them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from scanner import ScanOptions, UnreadableFile
from scanner.photo import load_photo
from scanner.types import ImageU8
from tests.scanner.filemaking import Pdf, as_pillow, heic, saved, textured, tiff, tiff_page
from tests.scanner.pictures import encoded

IMAGE = textured(640, 480)
LOST = 2000
RNG = np.random.default_rng(5)


def jpeg(image: ImageU8 = IMAGE, *options: int) -> bytes:
    return encoded(image, ".jpg", cv2.IMWRITE_JPEG_QUALITY, 90, *options)


JPEGS = {
    "plain": jpeg(),
    "restarts": jpeg(IMAGE, cv2.IMWRITE_JPEG_RST_INTERVAL, 20),
    "progressive": jpeg(IMAGE, cv2.IMWRITE_JPEG_PROGRESSIVE, 1),
    "optimised": jpeg(IMAGE, cv2.IMWRITE_JPEG_OPTIMIZE, 1),
    "grey": encoded(IMAGE[..., 1].copy(), ".jpg"),
    "CMYK": saved(as_pillow(IMAGE).convert("CMYK"), "JPEG", quality=90),
    "not sampled": saved(IMAGE, "JPEG", quality=90, subsampling=0),
}

CUT = {
    **{f"JPEG {name}": data for name, data in JPEGS.items()},
    "PNG": encoded(IMAGE, ".png"),
    "WebP": encoded(IMAGE, ".webp", cv2.IMWRITE_WEBP_QUALITY, 80),
    "TIFF, directory at its end": tiff(tiff_page(IMAGE)),
    "TIFF, directory first": saved(IMAGE, "TIFF"),
    "BMP": encoded(IMAGE, ".bmp"),
    "pixmap": encoded(IMAGE, ".ppm"),
    "HEIC": heic(IMAGE),
    "AVIF": saved(IMAGE, "AVIF", quality=80),
    "JPEG 2000": saved(IMAGE, "JPEG2000"),
    "PDF": Pdf().photo(JPEGS["plain"]).done(),
}


def code_of(data: bytes) -> str:
    """The code of the refusal, or `read`."""
    try:
        load_photo(data)
    except UnreadableFile as refusal:
        return refusal.code
    return "read"


def scan_start(data: bytes) -> int:
    """Where the data of the largest scan of a JPEG begins."""
    starts = [at for at in range(len(data)) if data[at : at + 2] == b"\xff\xda"]
    ends = [*starts[1:], len(data)]
    return max(zip(starts, ends, strict=True), key=lambda span: span[1] - span[0])[0] + 14


@pytest.mark.parametrize("part", [0.3, 0.6, 0.9])
@pytest.mark.parametrize("name", CUT)
def test_a_file_that_is_cut_off(name: str, part: float) -> None:
    data = CUT[name]
    assert code_of(data) == "read"
    assert code_of(data[: int(part * len(data))]) == "truncated"


@pytest.mark.parametrize("name", JPEGS.keys() - {"progressive"})
def test_a_jpeg_with_bytes_missing_in_the_middle(name: str) -> None:
    data = JPEGS[name]
    at = (scan_start(data) + len(data)) // 2
    assert code_of(data[:at] + data[at + LOST :]) == "truncated"


@pytest.mark.parametrize("name", JPEGS)
def test_a_jpeg_cut_off_and_closed_with_an_end_marker(name: str) -> None:
    data = JPEGS[name]
    at = scan_start(data) + (1000 if name == "progressive" else (len(data) - scan_start(data)) // 2)
    first_scan = data.index(b"\xff\xda") + 300
    assert code_of(data[: first_scan if name == "progressive" else at] + b"\xff\xd9") == "truncated"


@pytest.mark.parametrize("name", ["plain", "restarts", "grey", "not sampled", "CMYK"])
@pytest.mark.parametrize("lost", [b"\0" * 512, RNG.integers(0, 256, 4096, np.uint8).tobytes()], ids=["zeros", "random"])
def test_a_jpeg_overwritten_in_the_middle(name: str, lost: bytes) -> None:
    data = JPEGS[name]
    at = (scan_start(data) + len(data)) // 2
    assert code_of(data[:at] + lost + data[at + len(lost) :]) == "truncated"


@pytest.mark.parametrize("turn", [0, 1, 2, 3])
@pytest.mark.parametrize("level", [0, 64, 127, 128, 129, 255])
@pytest.mark.parametrize("options", [(), (cv2.IMWRITE_JPEG_OPTIMIZE, 1), (cv2.IMWRITE_JPEG_PROGRESSIVE, 1)])
def test_plain_areas_are_no_damage(turn: int, level: int, options: tuple[int, ...]) -> None:
    image = IMAGE.copy()
    image[200:] = level
    image = np.ascontiguousarray(np.rot90(image, turn))
    photo = load_photo(jpeg(image, *options))
    assert np.abs(photo.image.astype(int) - image).mean() < 8


@pytest.mark.parametrize("level", [0, 128, 255])
def test_a_picture_of_one_colour_is_no_damage(level: int) -> None:
    image = np.full((480, 640, 3), level, np.uint8)
    for data in (jpeg(image), jpeg(image, cv2.IMWRITE_JPEG_OPTIMIZE, 1), jpeg(image, cv2.IMWRITE_JPEG_RST_INTERVAL, 7)):
        assert np.abs(load_photo(data).image.astype(int) - level).max() <= 1


@pytest.mark.parametrize("side", [481, 487, 488, 495, 496])
@pytest.mark.parametrize("reduction", [1, 2, 4, 8])
def test_missing_data_shows_at_every_size_and_reduction(side: int, reduction: int) -> None:
    image = textured(side * 2, side)
    data = jpeg(image)
    options = ScanOptions(decode_long_side_px=side * 2 // reduction)
    at = (scan_start(data) + len(data)) // 2
    assert load_photo(data, options).scale == pytest.approx(1 / reduction, rel=0.05)
    with pytest.raises(UnreadableFile) as caught:
        load_photo(data[:at] + data[at + LOST :], options)
    assert caught.value.code == "truncated"


@pytest.mark.parametrize("height", [600, 2000, 9000])
def test_a_jpeg_that_claims_more_rows_than_it_has(height: int) -> None:
    data = bytearray(JPEGS["plain"])
    at = data.index(b"\xff\xc0") + 5
    data[at : at + 2] = height.to_bytes(2, "big")
    assert code_of(bytes(data)) == "truncated"


@pytest.mark.parametrize("fill", [b"\xff", b"\xff" * 9, b"\0" * 3])
def test_bytes_before_the_end_marker_that_decoders_pass_over(fill: bytes) -> None:
    data = JPEGS["plain"]
    assert code_of(data[:-2] + fill + data[-2:]) == "read"


def test_a_scan_that_never_came() -> None:
    data = JPEGS["progressive"]
    first = data.index(b"\xff\xda")
    second = data.index(b"\xff\xda", first + 2)
    assert code_of(data[:first] + data[second:]) == "truncated"


def test_a_restart_that_is_out_of_order() -> None:
    data = JPEGS["restarts"]
    at = data.index(b"\xff\xd3")
    assert code_of(data[:at] + b"\xff\xd5" + data[at + 2 :]) == "truncated"
    assert code_of(JPEGS["plain"][: at + 100] + b"\xff\xd0" + JPEGS["plain"][at + 100 :]) == "truncated"


@pytest.mark.parametrize(("process", "bits"), [(0xC0, 12), (0xC1, 12), (0xC3, 8), (0xC5, 8), (0xCB, 8)])
def test_a_jpeg_of_a_rare_kind_is_told_from_a_damaged_one(process: int, bits: int) -> None:
    data = bytearray(JPEGS["plain"])
    at = data.index(b"\xff\xc0")
    data[at + 1], data[at + 4] = process, bits
    assert code_of(bytes(data)) == "unsupported-format"
