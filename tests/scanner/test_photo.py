"""From bytes to an upright picture, whatever the file is called and however it was stored."""

from __future__ import annotations

import dataclasses
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scanner import PoorPhoto, ScanError, ScanOptions, SheetReading, UnreadableFile, scan_photo
from scanner.photo import load_photo
from scanner.types import ImageU8
from tests.scanner.pictures import ORIENTATIONS, GoodPhoto, encoded, stored, values, with_exif


def quarters(width: int, height: int) -> ImageU8:
    """A picture that looks different each way it is turned or mirrored."""
    image = np.full((height, width, 3), 40, np.uint8)
    image[: height // 2, : width // 2] = (200, 60, 60)
    image[: height // 2, width // 2 :] = (60, 200, 60)
    image[height // 2 :, : width // 2] = (60, 60, 200)
    return image


def refusal(source: object, options: ScanOptions | None = None) -> ScanError:
    with pytest.raises(ScanError) as caught:
        load_photo(source, options or ScanOptions())  # type: ignore[arg-type]
    assert caught.value.message
    assert caught.value.remedy
    return caught.value


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_every_orientation_gives_the_same_upright_picture(orientation: int) -> None:
    upright = quarters(480, 352)
    photo = load_photo(with_exif(encoded(stored(upright, orientation), ".jpg"), orientation))
    assert (photo.source.width, photo.source.height, photo.scale) == (480, 352, 1.0)
    assert photo.image.shape == upright.shape
    assert np.abs(photo.image.astype(int) - upright).mean() < 2


@pytest.mark.parametrize("orientation", [0, 9, 255])
def test_an_orientation_that_does_not_exist_changes_nothing(orientation: int) -> None:
    upright = quarters(480, 352)
    photo = load_photo(with_exif(encoded(upright, ".jpg"), orientation))
    assert np.abs(photo.image.astype(int) - upright).mean() < 2


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_every_orientation_reads_the_same_sheet(
    plain: GoodPhoto, plain_reading: SheetReading, orientation: int
) -> None:
    jpeg = encoded(stored(plain.image, orientation), ".jpg", cv2.IMWRITE_JPEG_QUALITY, 95)
    (reading,) = scan_photo(with_exif(jpeg, orientation))
    assert reading.sheet == plain_reading.sheet
    assert np.abs(np.array(reading.outline_px) - plain_reading.outline_px).max() < 1.5
    assert (reading.source.width, reading.source.height) == (plain.image.shape[1], plain.image.shape[0])


@pytest.mark.parametrize("orientation", [1, 6])
@pytest.mark.parametrize(("width", "height", "factor"), [(1599, 900, 1), (3203, 2402, 2), (6405, 1000, 4)])
def test_a_large_jpeg_is_decoded_at_a_fraction_that_leaves_enough(
    orientation: int, width: int, height: int, factor: int
) -> None:
    upright = quarters(width, height)
    photo = load_photo(with_exif(encoded(stored(upright, orientation), ".jpg"), orientation))
    assert (photo.source.width, photo.source.height) == (width, height)
    assert photo.image.shape[1] == pytest.approx(width / factor, abs=1)
    assert photo.scale == pytest.approx(1 / factor, rel=0.002)


@pytest.mark.parametrize("ending", [".png", ".tif", ".bmp", ".webp"])
def test_other_large_files_are_decoded_at_a_fraction_too(ending: str) -> None:
    upright = quarters(3400, 400)
    photo = load_photo(encoded(upright, ending))
    assert (photo.source.width, photo.source.height, photo.scale) == (3400, 400, 0.5)
    assert np.abs(photo.image.astype(int) - upright[::2, ::2]).mean() < 2


def test_a_large_array_is_shrunk_alike() -> None:
    photo = load_photo(quarters(4032, 3024))
    assert photo.image.shape == (1512, 2016, 3)
    assert photo.scale == 0.5
    assert (photo.source.width, photo.source.height) == (4032, 3024)


LOSSLESS = {
    "png": (".png", ()),
    "webp": (".webp", (cv2.IMWRITE_WEBP_QUALITY, 101)),
    "tiff": (".tif", ()),
    "tiff-lzw": (".tif", (cv2.IMWRITE_TIFF_COMPRESSION, 5)),
    "bmp": (".bmp", ()),
    "ppm": (".ppm", ()),
}


@pytest.mark.parametrize("kind", LOSSLESS)
def test_lossless_formats_give_back_every_pixel(kind: str) -> None:
    ending, options = LOSSLESS[kind]
    image = quarters(400, 352)
    assert np.array_equal(load_photo(encoded(image, ending, *options)).image, image)


@pytest.mark.parametrize("ending", [".png", ".tif"])
def test_16_bits_become_8(ending: str) -> None:
    image = quarters(400, 352)
    photo = load_photo(encoded(image.astype(np.uint16) * 257, ending))
    assert np.abs(photo.image.astype(int) - image).max() <= 1


@pytest.mark.parametrize("ending", [".png", ".tif", ".jpg"])
def test_grey_becomes_three_equal_channels(ending: str) -> None:
    grey = quarters(400, 352)[..., 1]
    photo = load_photo(encoded(np.ascontiguousarray(grey), ending))
    assert np.abs(photo.image.astype(int) - grey[..., None]).mean() < 2
    assert np.ptp(photo.image, axis=2).max() <= 2


@pytest.mark.parametrize("ending", [".png", ".webp", ".tif"])
def test_an_opaque_alpha_channel_is_dropped(ending: str) -> None:
    image = quarters(400, 352)
    photo = load_photo(encoded(np.dstack([image, np.full(image.shape[:2], 255, np.uint8)]), ending))
    assert photo.image.shape == image.shape
    assert np.abs(photo.image.astype(int) - image).mean() < 2


@pytest.mark.parametrize(
    ("ending", "options"),
    [
        (".png", (cv2.IMWRITE_PNG_COMPRESSION, 1)),
        (".webp", (cv2.IMWRITE_WEBP_QUALITY, 95)),
        (".tif", (cv2.IMWRITE_TIFF_COMPRESSION, 5)),
    ],
)
def test_the_sheet_is_read_from_other_formats_too(
    plain: GoodPhoto, plain_reading: SheetReading, ending: str, options: tuple[int, ...]
) -> None:
    (reading,) = scan_photo(encoded(plain.image, ending, *options))
    assert reading.sheet == plain_reading.sheet


def test_a_grey_photo_is_read_nearly_as_well(plain: GoodPhoto, plain_reading: SheetReading) -> None:
    (reading,) = scan_photo(encoded(cv2.cvtColor(plain.image, cv2.COLOR_BGR2GRAY), ".jpg"))
    in_colour = values(plain_reading)
    assert sum(value == in_colour[key] for key, value in values(reading).items()) >= 0.95 * len(in_colour)


def test_the_name_of_a_file_does_not_count(tmp_path: Path) -> None:
    image = quarters(400, 352)
    path = tmp_path / "IMG_1.jpg"
    path.write_bytes(encoded(image, ".png"))
    photo = load_photo(path)
    assert np.array_equal(photo.image, image)
    assert photo.source.path == str(path)
    assert np.array_equal(load_photo(str(path)).image, image)


def test_equal_bytes_have_equal_digests(tmp_path: Path) -> None:
    data = encoded(quarters(400, 352), ".png")
    path = tmp_path / "a.png"
    path.write_bytes(data)
    assert load_photo(path).source.sha256 == load_photo(data).source.sha256
    assert load_photo(data).source.sha256 != load_photo(data + b"\0").source.sha256


def test_the_picture_cannot_be_written_to_and_the_callers_stays_writable() -> None:
    image = quarters(400, 352)
    photo = load_photo(image)
    with pytest.raises(ValueError, match="read-only"):
        photo.image[0, 0] = 0
    image[0, 0] = 7


def test_a_view_with_other_strides_is_taken() -> None:
    image = quarters(400, 352)
    assert np.array_equal(load_photo(image[::-1, ::-1]).image, image[::-1, ::-1])


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((400, 400), np.uint8),
        np.zeros((400, 400, 4), np.uint8),
        np.zeros((400, 400, 3), np.float32),
        np.zeros((400, 400, 3), np.uint16),
        np.zeros((0, 400, 3), np.uint8),
        np.zeros((3, 400), bool),
    ],
    ids=lambda array: f"{array.dtype}-{array.shape}",
)
def test_other_arrays_are_a_type_error_that_says_what_was_found(array: np.ndarray) -> None:
    with pytest.raises(TypeError, match=r"\(\d+, \d+.*\)"):
        load_photo(array)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert refusal(tmp_path / "IMG_9.jpg").code == "not-found"
    assert "IMG_9.jpg" in refusal(tmp_path / "IMG_9.jpg").message
    assert refusal("a\0b.jpg").code == "not-found"


def test_a_folder(tmp_path: Path) -> None:
    error = refusal(tmp_path)
    assert error.code == "not-an-image"
    assert "folder" in error.message


def test_no_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "IMG_1.png"
    path.write_bytes(encoded(quarters(400, 352), ".png"))
    load_photo(path)

    def refuse(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    error = refusal(path)
    assert (type(error), error.code) == (UnreadableFile, "permission")


@pytest.mark.parametrize("data", [b"", b"score: 12\n", b"\0" * 5000, b"<html></html>", b"\xff\xd8", b"GIF"])
def test_no_picture(data: bytes) -> None:
    assert refusal(data).code == "not-an-image"


@pytest.mark.parametrize(
    "data", [b"BMW is a car", b"P5 is the fifth player", b"P5\n400 400\n70000\n" + bytes(400 * 800)]
)
def test_what_no_decoder_takes_is_told_once(data: bytes, capfd: pytest.CaptureFixture[str]) -> None:
    assert refusal(data).code == "not-an-image"
    assert capfd.readouterr() == ("", "")


def test_a_jpeg_of_rubbish_is_damaged() -> None:
    whole = encoded(quarters(400, 352), ".jpg")
    scan = whole.index(b"\xff\xda") + 14
    damaged = whole[:20] + bytes(scan - 20) + whole[scan:]
    assert refusal(damaged).code in {"not-an-image", "truncated"}
    assert load_photo(whole).image.shape == (352, 400, 3)


def png_chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png_bomb(width: int, height: int) -> bytes:
    header = png_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + png_chunk(b"IDAT", zlib.compress(bytes(100_000))) + png_chunk(b"IEND", b"")


def jpeg_bomb(width: int, height: int) -> bytes:
    data = bytearray(encoded(quarters(400, 352), ".jpg"))
    at = data.index(b"\xff\xc0") + 5
    data[at : at + 4] = struct.pack(">HH", height, width)
    return bytes(data)


def webp_bomb(width: int, height: int) -> bytes:
    sides = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    body = b"WEBPVP8X" + struct.pack("<II", 10, 0) + sides
    return b"RIFF" + struct.pack("<I", len(body)) + body


def tiff_bomb(width: int, height: int) -> bytes:
    tags = [(256, 4, 1, width), (257, 4, 1, height), (258, 3, 1, 8), (259, 3, 1, 5), (262, 3, 1, 1), (273, 4, 1, 8)]
    directory = b"".join(struct.pack("<HHII", *tag) for tag in tags)
    return b"II*\0" + struct.pack("<I", 8) + struct.pack("<H", len(tags)) + directory + bytes(1000)


def bmp_bomb(width: int, height: int) -> bytes:
    return b"BM" + struct.pack("<IHHIIiiHHI", 1054, 0, 0, 54, 40, width, height, 1, 24, 0) + bytes(1000)


@pytest.mark.parametrize("bomb", [png_bomb, jpeg_bomb, webp_bomb, tiff_bomb, bmp_bomb])
def test_a_bomb_is_refused_before_it_is_decoded(bomb, monkeypatch: pytest.MonkeyPatch) -> None:
    def explode(*_: object) -> None:
        raise AssertionError("decoded")

    monkeypatch.setattr(cv2, "imdecode", explode)
    error = refusal(bomb(30_000, 25_000))
    assert (type(error), error.code) == (UnreadableFile, "too-large")
    assert "30000 x 25000" in error.message


def test_the_largest_size_is_an_option() -> None:
    data = encoded(quarters(1000, 800), ".png")
    assert refusal(data, ScanOptions(max_megapixels=0.79)).code == "too-large"
    assert load_photo(data, ScanOptions(max_megapixels=0.8)).scale == 1


@pytest.mark.parametrize("side", [299, 1])
def test_too_few_pixels(side: int) -> None:
    for source in (quarters(400, side), encoded(quarters(side, 400), ".png")):
        error = refusal(source)
        assert (type(error), error.code) == (PoorPhoto, "too-small")
        assert str(side) in error.message
    assert load_photo(quarters(400, 300)).image.shape == (300, 400, 3)


STARTS = [b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF", b"II*\0", b"MM\0*", b"BM", b"P6", b"%PDF-", b"\0\0\0"]


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(STARTS), st.binary(max_size=200))
def test_whatever_the_bytes_only_a_scan_error_is_raised(start: bytes, rest: bytes) -> None:
    try:
        photo = load_photo(start + rest)
    except ScanError:
        return
    assert dataclasses.is_dataclass(photo)
