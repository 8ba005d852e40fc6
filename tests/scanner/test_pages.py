"""Every file that people have: read with the right pixels, or refused with its code beside a good file that is read."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

import scanner.decode
from scanner import PoorPhoto, ScanError, ScanOptions, UnreadableFile
from scanner.pages import RefusedPage, load_pages
from scanner.photo import load_photo, sharper
from scanner.types import ImageU8, Photo
from tests.scanner.filemaking import (
    Pdf,
    as_pillow,
    exif,
    heic,
    quarters,
    saved,
    textured,
    tiff,
    tiff_page,
    tiled_page,
    ycck_jpeg,
)
from tests.scanner.pictures import ORIENTATIONS, encoded, stored, with_exif

FILES = Path(__file__).parent / "files"

IMAGE = quarters()
RGB = np.ascontiguousarray(IMAGE[..., ::-1])
GREY = np.ascontiguousarray(IMAGE[..., 1])
GREY_BGR = np.dstack([GREY] * 3)
BITS = GREY > 100
BITS_BGR = np.dstack([BITS * np.uint8(255)] * 3)
JPEG = encoded(IMAGE, ".jpg", cv2.IMWRITE_JPEG_QUALITY, 97)

HOLE = (slice(200, 300), slice(100, 300))
HAZE = (slice(20, 120), slice(300, 400))


def with_alpha(image: NDArray[np.generic]) -> NDArray[np.generic]:
    """The picture with a hole in it, black beneath, and a haze of 40 % opacity."""
    alpha = np.full(image.shape[:2], np.iinfo(image.dtype).max, image.dtype)
    alpha[HOLE] = 0
    alpha[HAZE] = alpha[HAZE] * 0.4
    full = np.dstack([image, alpha])
    full[HOLE] = 0
    return full


def on_white(image: ImageU8) -> ImageU8:
    picture = image.copy()
    picture[HOLE] = 255
    picture[HAZE] = (0.4 * picture[HAZE].astype(float) + 0.6 * 255).round()
    return picture


def in_16_bits(image: NDArray[np.uint8]) -> NDArray[np.uint16]:
    return image.astype(np.uint16) * 257


def premultiplied(image: NDArray[np.generic]) -> NDArray[np.generic]:
    share = image[..., 3:].astype(float) / np.iinfo(image.dtype).max
    return np.dstack([(image[..., :3] * share).round().astype(image.dtype), image[..., 3]])


def palette_with_hole() -> bytes:
    marked = IMAGE.copy()
    marked[HOLE] = (255, 0, 255)
    picture = as_pillow(marked).quantize(16, dither=Image.Dither.NONE)
    return saved(picture, "PNG", transparency=picture.getpixel((HOLE[1].start, HOLE[0].start)))


def hole_only(image: ImageU8) -> ImageU8:
    picture = image.copy()
    picture[HOLE] = 255
    return picture


READ: dict[str, tuple[Callable[[], bytes], ImageU8]] = {
    "JPEG": (lambda: JPEG, IMAGE),
    "JPEG progressive": (lambda: saved(IMAGE, "JPEG", quality=97, progressive=True), IMAGE),
    "JPEG arithmetic": (lambda: (FILES / "arithmetic.jpg").read_bytes(), quarters(400, 320)),
    "JPEG arithmetic progressive": (lambda: (FILES / "arithmetic-progressive.jpg").read_bytes(), quarters(400, 320)),
    "JPEG grey": (lambda: saved(GREY, "JPEG", quality=97), GREY_BGR),
    "JPEG RGB": (lambda: saved(IMAGE, "JPEG", quality=97, keep_rgb=True), IMAGE),
    "JPEG CMYK": (lambda: saved(as_pillow(IMAGE).convert("CMYK"), "JPEG", quality=97), IMAGE),
    "JPEG YCCK": (lambda: ycck_jpeg(IMAGE), IMAGE),
    "PNG": (lambda: saved(IMAGE, "PNG"), IMAGE),
    "PNG 16 bits": (lambda: encoded(in_16_bits(IMAGE), ".png"), IMAGE),
    "PNG grey 16 bits": (lambda: encoded(in_16_bits(GREY), ".png"), GREY_BGR),
    "PNG 1 bit": (lambda: saved(Image.fromarray(BITS), "PNG"), BITS_BGR),
    "PNG palette": (lambda: saved(as_pillow(IMAGE).quantize(16, dither=Image.Dither.NONE), "PNG"), IMAGE),
    "PNG palette alpha": (palette_with_hole, hole_only(IMAGE)),
    "PNG alpha": (lambda: encoded(with_alpha(IMAGE), ".png"), on_white(IMAGE)),
    "PNG alpha 16 bits": (lambda: encoded(with_alpha(in_16_bits(IMAGE)), ".png"), on_white(IMAGE)),
    "PNG grey alpha": (
        lambda: saved(Image.fromarray(np.ascontiguousarray(with_alpha(GREY)), "LA"), "PNG"),
        on_white(GREY_BGR),
    ),
    "PNG interlaced": (lambda: (FILES / "interlaced.png").read_bytes(), quarters(400, 320)),
    "PNG animated": (
        lambda: saved(IMAGE, "PNG", save_all=True, append_images=[as_pillow(IMAGE[::-1])]),
        IMAGE,
    ),
    "WebP": (lambda: saved(IMAGE, "WEBP", quality=97), IMAGE),
    "WebP lossless alpha": (lambda: encoded(with_alpha(IMAGE), ".webp"), on_white(IMAGE)),
    "WebP lossy alpha": (lambda: saved(with_alpha(IMAGE), "WEBP", quality=97, exact=True), on_white(IMAGE)),
    "WebP animated": (
        lambda: saved(IMAGE, "WEBP", save_all=True, lossless=True, append_images=[as_pillow(IMAGE[::-1])]),
        IMAGE,
    ),
    "BMP": (lambda: saved(IMAGE, "BMP"), IMAGE),
    "BMP palette": (lambda: saved(as_pillow(IMAGE).quantize(16, dither=Image.Dither.NONE), "BMP"), IMAGE),
    "pixmap": (lambda: encoded(IMAGE, ".ppm"), IMAGE),
    "greymap": (lambda: encoded(GREY, ".pgm"), GREY_BGR),
    "JPEG 2000": (lambda: saved(IMAGE, "JPEG2000"), IMAGE),
    "AVIF": (lambda: saved(IMAGE, "AVIF", quality=95), IMAGE),
    "AVIF alpha": (lambda: saved(with_alpha(IMAGE), "AVIF", quality=97), on_white(IMAGE)),
    "HEIC": (lambda: heic(IMAGE), IMAGE),
    "HEIC alpha": (lambda: heic(with_alpha(IMAGE)), on_white(IMAGE)),
    "HEIC, second is the main one": (lambda: heic(IMAGE[::-1], IMAGE, main=1), IMAGE),
    "TIFF": (lambda: tiff(tiff_page(RGB)), IMAGE),
    "TIFF big-endian": (lambda: tiff(tiff_page(RGB, ">"), order=">"), IMAGE),
    "TIFF 64-bit": (lambda: tiff(tiff_page(RGB), big=True), IMAGE),
    "TIFF 64-bit big-endian": (lambda: tiff(tiff_page(RGB, ">"), order=">", big=True), IMAGE),
    "TIFF tiled": (lambda: tiff(tiled_page(RGB)), IMAGE),
    "TIFF 16 bits": (lambda: tiff(tiff_page(in_16_bits(RGB))), IMAGE),
    "TIFF 16 bits big-endian": (lambda: tiff(tiff_page(in_16_bits(RGB), ">"), order=">"), IMAGE),
    "TIFF grey": (lambda: tiff(tiff_page(GREY)), GREY_BGR),
    "TIFF grey, white is 0": (lambda: tiff(tiff_page(255 - GREY, t262=0)), GREY_BGR),
    "TIFF grey 16 bits": (lambda: tiff(tiff_page(in_16_bits(GREY))), GREY_BGR),
    "TIFF grey 16 bits, white is 0": (lambda: tiff(tiff_page(in_16_bits(255 - GREY), t262=0)), GREY_BGR),
    "TIFF palette": (lambda: saved(as_pillow(IMAGE).quantize(16, dither=Image.Dither.NONE), "TIFF"), IMAGE),
    "TIFF CMYK": (lambda: saved(as_pillow(IMAGE).convert("CMYK"), "TIFF"), IMAGE),
    "TIFF alpha": (lambda: tiff(tiff_page(with_alpha(RGB), t338=2)), on_white(IMAGE)),
    "TIFF alpha, multiplied": (lambda: tiff(tiff_page(premultiplied(with_alpha(RGB)), t338=1)), on_white(IMAGE)),
    "TIFF alpha 16 bits": (lambda: tiff(tiff_page(with_alpha(in_16_bits(RGB)), t338=2)), on_white(IMAGE)),
    "TIFF with a fourth channel that is no alpha": (lambda: tiff(tiff_page(with_alpha(RGB)[..., [2, 1, 0, 3]], t338=0)),
                                                   np.ascontiguousarray(with_alpha(IMAGE)[..., 2::-1])),
    **{
        f"TIFF {name}": (lambda name=name: saved(IMAGE, "TIFF", compression=name), IMAGE)
        for name in ("tiff_lzw", "tiff_adobe_deflate", "tiff_deflate", "packbits", "jpeg")
    },
    **{
        f"TIFF 1 bit {name}": (lambda name=name: saved(Image.fromarray(BITS), "TIFF", compression=name), BITS_BGR)
        for name in ("raw", "group3", "group4", "tiff_lzw")
    },
    "PDF": (lambda: Pdf().photo(JPEG).done(), IMAGE),
}  # fmt: skip


def pages_of(source: bytes | Path, options: ScanOptions | None = None) -> list[Photo | RefusedPage]:
    return list(load_pages(source, options or ScanOptions()))


def only(source: bytes | Path) -> Photo:
    (page,) = pages_of(source)
    assert isinstance(page, Photo)
    return page


def error_of(data: bytes) -> float:
    return float(np.abs(only(data).image.astype(int) - IMAGE).mean())


@pytest.mark.parametrize("name", READ)
def test_read_with_the_right_pixels(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    make, expected = READ[name]
    photo = only(make())
    height, width = expected.shape[:2]
    assert (photo.source.width, photo.source.height, photo.source.page, photo.scale) == (width, height, 1, 1.0)
    difference = np.abs(photo.image.astype(int) - expected)
    assert difference.mean() < 2
    # Lossy formats ring at the edges; nothing else is off by more than a rounding.
    assert np.quantile(difference, 0.95) <= 6
    assert capfd.readouterr() == ("", "")


def test_reading_leaves_out_every_other_pixel_of_none(capfd: pytest.CaptureFixture[str]) -> None:
    """Fax scans are lines of one pixel: reduced by taking single pixels, some of them would go."""
    lines = np.full((2000, 3300), True)
    lines[:, ::4] = False
    photo = only(saved(Image.fromarray(lines), "TIFF", compression="group4"))
    assert photo.scale == 0.5
    assert np.ptp(photo.image.reshape(-1, 2, 3)[:, :, 0].mean(axis=1)) <= 1
    assert photo.image.mean() == pytest.approx(0.75 * 255, abs=1)


TURNED: dict[str, Callable[[ImageU8, int], bytes]] = {
    "JPEG": lambda image, number: saved(image, "JPEG", quality=97, exif=exif(number)),
    "JPEG big-endian": lambda image, number: saved(image, "JPEG", quality=97, exif=exif(number, ">")),
    "PNG": lambda image, number: saved(image, "PNG", exif=exif(number)),
    "PNG alpha": lambda image, number: saved(
        np.dstack([image, np.full(image.shape[:2], 255, np.uint8)]), "PNG", exif=exif(number)
    ),
    "WebP": lambda image, number: saved(image, "WEBP", quality=97, exif=exif(number)),
    "WebP with a head": lambda image, number: saved(image, "WEBP", lossless=True, exif=b"Exif\0\0" + exif(number)),
    "TIFF": lambda image, number: tiff(tiff_page(image[..., ::-1], t274=number)),
    "TIFF big-endian": lambda image, number: tiff(tiff_page(image[..., ::-1], ">", t274=number), order=">"),
    "TIFF 64-bit": lambda image, number: tiff(tiff_page(image[..., ::-1], t274=number), big=True),
    "TIFF tiled": lambda image, number: tiff(tiled_page(np.ascontiguousarray(image[..., ::-1]), t274=number)),
    "TIFF 16 bits": lambda image, number: tiff(tiff_page(in_16_bits(image[..., ::-1]), t274=number)),
    "TIFF JPEG": lambda image, number: saved(image, "TIFF", compression="jpeg", quality=97, tiffinfo={274: number}),
    "HEIC": lambda image, number: heic(image, orientation=number),
    "AVIF": lambda image, number: saved(image, "AVIF", quality=97, exif=exif(number)),
}


@pytest.mark.parametrize("orientation", ORIENTATIONS)
@pytest.mark.parametrize("name", TURNED)
def test_turned_exactly_once(name: str, orientation: int) -> None:
    assert error_of(TURNED[name](stored(IMAGE, orientation), orientation)) < 2


@pytest.mark.parametrize("orientation", ORIENTATIONS)
@pytest.mark.parametrize("name", ["JPEG", "PNG", "WebP", "TIFF", "TIFF tiled"])
def test_turned_and_reduced(name: str, orientation: int) -> None:
    upright = quarters(3300, 1500)
    photo = only(TURNED[name](stored(upright, orientation), orientation))
    assert (photo.source.width, photo.source.height) == (3300, 1500)
    factor = round(1 / photo.scale)
    assert factor >= 2
    small = cv2.resize(upright, (photo.image.shape[1], photo.image.shape[0]), interpolation=cv2.INTER_AREA)
    assert np.abs(photo.image.astype(int) - small).mean() < 2


@pytest.mark.parametrize(
    "block",
    [exif(0), exif(9), exif(255), exif(65535, ">"), exif(6, kind=4), exif(6, kind=1), exif(6, count=2), exif(6)[:-9],
     b"", b"garbage", b"II*\0\xff\xff\xff\xff", exif(6).replace(b"II", b"MM", 1)],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_an_orientation_that_is_none_changes_nothing(kind: str, block: bytes) -> None:
    assert error_of(saved(IMAGE, kind, **({"exif": block} if block else {}))) < 2


@pytest.mark.parametrize("number", [0, 9, 256, 65535])
def test_an_orientation_that_is_none_changes_no_tiff(number: int) -> None:
    assert error_of(tiff(tiff_page(RGB, t274=number))) == 0


def test_an_orientation_behind_the_picture_or_in_its_thumbnail_does_not_count() -> None:
    sideways = saved(IMAGE, "JPEG", quality=97, exif=exif(6))
    assert error_of(JPEG + sideways) < 2
    assert error_of(with_exif(JPEG, 1, saved(IMAGE[:64, :64], "JPEG", exif=exif(6)))) < 2


# ---- several pages ----

THREE = [textured(480, 352, seed) for seed in (1, 2, 3)]


def tiff_of_three(**tags: int) -> bytes:
    return tiff(*(tiff_page(np.ascontiguousarray(image[..., ::-1]), **tags) for image in THREE))


def pdf_of(*files: bytes) -> bytes:
    pdf = Pdf()
    for file in files:
        pdf.photo(file).page()
    return pdf.done()


@pytest.mark.parametrize("kind", ["TIFF", "TIFF by Pillow", "PDF"])
def test_each_page_of_a_document(kind: str) -> None:
    pictures = [as_pillow(image) for image in THREE]
    data = {
        "TIFF": tiff_of_three(),
        "TIFF by Pillow": saved(pictures[0], "TIFF", save_all=True, append_images=pictures[1:], compression="tiff_lzw"),
        "PDF": pdf_of(*(encoded(image, ".jpg", cv2.IMWRITE_JPEG_QUALITY, 97) for image in THREE)),
    }[kind]
    pages = pages_of(data)
    assert [page.source.page for page in pages] == [1, 2, 3]
    assert len({page.source.sha256 for page in pages}) == 1
    for page, image in zip(pages, THREE, strict=True):
        assert isinstance(page, Photo)
        assert np.abs(page.image.astype(int) - image).mean() < 5
    assert np.array_equal(load_photo(data).image, pages[0].image)  # type: ignore[union-attr]


@pytest.mark.parametrize("data", [tiff_of_three(), pdf_of(JPEG, JPEG, JPEG)], ids=["TIFF", "PDF"])
def test_a_page_is_decoded_when_it_is_asked_for(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    decoded = []
    original = scanner.decode._imdecode

    def counting(data: bytes, flag: int) -> ImageU8 | None:
        decoded.append(flag)
        return original(data, flag)

    monkeypatch.setattr(scanner.decode, "_imdecode", counting)
    pages = load_pages(data)
    next(pages)
    assert len(decoded) == 1
    next(pages)
    assert len(decoded) == 2
    pages.close()


def test_each_page_of_a_tiff_is_turned_by_its_own_orientation() -> None:
    pages = [tiff_page(stored(RGB, number), t274=number) for number in ORIENTATIONS]
    for page in pages_of(tiff(*pages)):
        assert isinstance(page, Photo)
        assert np.array_equal(page.image, IMAGE)


@pytest.mark.parametrize("tag", [{"t254": 1}, {"t254": 5}, {"t254": 4}, {"t255": 2}])
def test_reduced_copies_and_masks_in_a_tiff_are_no_pages(tag: dict[str, int]) -> None:
    small = tiff_page(np.full((320, 320, 3), 7, np.uint8), **tag)
    pages = pages_of(tiff(small, tiff_page(RGB, t254=2), small, tiff_page(RGB, t254=0), small))
    assert [page.source.page for page in pages] == [1, 2]
    assert all(isinstance(page, Photo) and np.array_equal(page.image, IMAGE) for page in pages)
    assert only(tiff(small)).source.width == 320


def test_a_tiff_whose_pages_go_in_a_circle_ends() -> None:
    data = bytearray(tiff_of_three())
    first = struct.unpack_from("<I", data, 4)[0]
    data[-4:] = struct.pack("<I", first)
    assert len(pages_of(bytes(data))) == 3


def codes(source: bytes | Path, options: ScanOptions | None = None) -> list[str]:
    """`read` or the code of each page."""
    return [page.error.code if isinstance(page, RefusedPage) else "read" for page in pages_of(source, options)]


LARGE = tiff_page(np.zeros((4, 4), np.uint8), t256=30_000, t257=30_000)
SMALL = tiff_page(np.zeros((40, 400), np.uint8))
FLOAT = tiff_page(GREY.astype(np.uint32), t339=3)


def test_a_page_of_a_tiff_that_cannot_be_read_costs_no_other() -> None:
    good = tiff_page(RGB)
    assert codes(tiff(good, LARGE, FLOAT, SMALL, good)) == [
        "read", "too-large", "unsupported-format", "too-small", "read"
    ]  # fmt: skip
    (_, refused, *_) = pages_of(tiff(good, LARGE, good))
    assert isinstance(refused, RefusedPage)
    assert (refused.source.page, refused.source.width) == (2, 30_000)
    assert "page 2" in refused.error.message
    with pytest.raises(UnreadableFile, match="30000"):
        load_photo(tiff(LARGE, good))


def test_a_tiff_that_is_cut_off_gives_the_pages_that_are_there() -> None:
    data = tiff_of_three()
    second = len(tiff(*(tiff_page(image) for image in THREE[:2])))
    assert codes(data[: second + 1000]) == ["read", "read", "truncated"]
    first = tiff(tiff_page(RGB))
    with pytest.raises(UnreadableFile) as caught:
        pages_of(first[:-20])
    assert caught.value.code == "truncated"


def test_a_page_of_a_pdf_that_cannot_be_read_costs_no_other() -> None:
    lost = bytearray(encoded(THREE[0], ".jpg"))
    at = len(lost) // 2
    lost[at : at + 600] = bytes(600)
    disordered = bytearray(encoded(THREE[0], ".jpg", cv2.IMWRITE_JPEG_RST_INTERVAL, 20))
    disordered[disordered.index(b"\xff\xd3") + 1] = 0xD5
    tiny = encoded(quarters(200, 147), ".jpg")
    data = pdf_of(JPEG, bytes(lost), tiny, bytes(disordered), JPEG)
    assert codes(data) == ["read", "truncated", "too-small", "truncated", "read"]
    for number, page in enumerate(pages_of(data), start=1):
        assert isinstance(page, Photo) or f"page {number}" in page.error.message
    options = ScanOptions(max_megapixels=0.2)
    large = saved(quarters(1200, 880), "PNG")
    assert codes(pdf_of(JPEG, large, JPEG), options) == ["read", "too-large", "read"]


# ---- what a page of a PDF shows ----

W, H = 480.0, 352.0


def jpeg(image: ImageU8, **how: object) -> bytes:
    return saved(image, "JPEG", quality=97, **how)


# Matrices take the unit square, y up, to a page of 480 x 352 points.
PLACED = {
    1: (W, 0, 0, H, 0, 0), 2: (-W, 0, 0, H, W, 0), 3: (-W, 0, 0, -H, W, H), 4: (W, 0, 0, -H, 0, H),
    5: (0, -H, -W, 0, W, H), 6: (0, -H, W, 0, 0, H), 7: (0, H, W, 0, 0, 0), 8: (0, H, -W, 0, W, 0),
}  # fmt: skip


def drawn(source: bytes) -> ImageU8:
    """What the page looks like to a PDF reader, 480 x 352."""
    import pypdfium2

    document = pypdfium2.PdfDocument(source)
    page = document[0]
    bitmap = page.render(scale=480 / max(page.get_size()))
    image = bitmap.to_numpy().copy()
    for closed in (bitmap, page, document):
        closed.close()
    return image


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_the_photo_on_a_page_is_taken_as_the_page_shows_it(orientation: int, turn: int) -> None:
    file = jpeg(stored(IMAGE, orientation), exif=exif(6))
    # reportlab swaps the sides of a page that is turned by a quarter.
    data = Pdf((W, H) if turn % 180 == 0 else (H, W)).photo(file, PLACED[orientation], turn).done()
    upright = np.rot90(IMAGE, -turn // 90)
    assert np.abs(drawn(data).astype(int) - upright).mean() < 4
    photo = only(data)
    assert photo.encoded
    assert (photo.source.width, photo.source.height) == (upright.shape[1], upright.shape[0])
    assert np.abs(photo.image.astype(int) - upright).mean() < 2


def test_a_large_photo_on_a_page_is_decoded_reduced_and_again_upright() -> None:
    upright = quarters(3200, 2200)
    data = Pdf((320, 220)).photo(jpeg(stored(upright, 6)), (0, -220, 320, 0, 0, 220)).done()
    photo = only(data)
    assert photo.scale <= 0.5
    larger = sharper(photo, 2 * photo.scale)
    assert larger.scale == pytest.approx(2 * photo.scale, rel=0.01)
    for picture in (photo, larger):
        small = cv2.resize(upright, picture.image.shape[1::-1], interpolation=cv2.INTER_AREA)
        assert np.abs(picture.image.astype(int) - small).mean() < 2


def with_text(visible: bool) -> bytes:
    pdf = Pdf().photo(JPEG)
    text = pdf.canvas.beginText(20, 20)
    text.setTextRenderMode(0 if visible else 3)
    text.textLine("written over the photo")
    pdf.canvas.drawText(text)
    return pdf.done()


def with_note() -> bytes:
    pdf = Pdf().photo(JPEG)
    pdf.canvas.highlightAnnotation("a note", Rect=(20, 20, 200, 60), Color=(1, 1, 0))
    return pdf.done()


DRAWN = {
    "two pictures": lambda: Pdf().photo(JPEG, (W / 2, 0, 0, H, 0, 0)).photo(JPEG, (W / 2, 0, 0, H, W / 2, 0)).done(),
    "part of a picture": lambda: Pdf().photo(JPEG, (2 * W, 0, 0, 2 * H, -W / 2, -H / 2)).done(),
    "askew": lambda: Pdf().photo(JPEG, (W * 0.9, 30, -30, H * 0.8, 40, 0)).done(),
    "stretched": lambda: Pdf().photo(JPEG, (W / 2, 0, 0, H, 0, 0)).done(),
    "not a JPEG": lambda: Pdf().photo(saved(IMAGE, "PNG")).done(),
    "grey bits": lambda: Pdf().photo(saved(Image.fromarray(BITS), "PNG")).done(),
    "CMYK": lambda: Pdf().photo(saved(as_pillow(IMAGE).convert("CMYK"), "JPEG", quality=97)).done(),
    "text over it": lambda: with_text(visible=True),
    "a note over it": with_note,
    "nothing": lambda: Pdf().page().done(),
}


@pytest.mark.parametrize("name", DRAWN)
def test_any_other_page_is_drawn_at_the_size_that_reading_needs(name: str) -> None:
    data = DRAWN[name]()
    photo = only(data)
    assert not photo.encoded
    assert max(photo.source.width, photo.source.height) == ScanOptions().keep_long_side_px
    small = cv2.resize(photo.image, (480, 352), interpolation=cv2.INTER_AREA)
    assert np.abs(small.astype(int) - drawn(data)).mean() < 4


def test_text_that_cannot_be_seen_changes_nothing() -> None:
    assert only(with_text(visible=False)).encoded


def test_a_photo_with_a_margin_is_taken_as_it_is() -> None:
    assert error_of(Pdf((600, 500)).photo(JPEG, (W, 0, 0, H, 60, 74)).done()) < 2


@pytest.mark.parametrize("size_pt", [(3, 4), (14_400, 10_000), (100_000, 90_000)])
def test_a_page_of_absurd_size_is_drawn_like_any_other(size_pt: tuple[float, float]) -> None:
    photo = only(Pdf(size_pt).photo(saved(IMAGE, "PNG")).done())
    assert max(photo.image.shape) == ScanOptions().keep_long_side_px


def test_a_page_like_a_thread_is_too_small() -> None:
    assert codes(Pdf((14_000, 1)).photo(saved(IMAGE, "PNG")).done()) == ["too-small"]


def pdf_of_objects(*objects: bytes) -> bytes:
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    tail = b"trailer\n<</Root 1 0 R/Size %d>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(out))
    return out + head + table + tail


WITHOUT_PAGES = pdf_of_objects(b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[]/Count 0>>")


# ---- refused, each with its code ----

HEIC = heic(IMAGE)
AVIF = saved(IMAGE, "AVIF", quality=90)


def resized_box(data: bytes, side: int) -> bytes:
    """A HEIC or AVIF file that says it has so many pixels a side."""
    at = data.index(b"ispe") + 8
    return data[:at] + struct.pack(">II", side, side) + data[at + 8 :]


def resized_code_stream(side: int) -> bytes:
    data = bytearray(saved(IMAGE, "JPEG2000"))
    at = data.index(b"\xff\x4f\xff\x51") + 8
    data[at : at + 8] = struct.pack(">II", side, side)
    return bytes(data)


REFUSED = {
    "empty.jpg": (b"", "not-an-image"),
    "text.jpg": (b"dear all,\nthe photo is attached\n" * 20, "not-an-image"),
    "zeros.png": (bytes(5000), "not-an-image"),
    "page.html": (b"<!doctype html><html><body></body></html>", "not-an-image"),
    "archive.jpg": (b"PK\x03\x04" + bytes(3000), "not-an-image"),
    "animation.gif": (saved(as_pillow(IMAGE), "GIF"), "unsupported-format"),
    "huge.gif": (b"GIF89a" + struct.pack("<HH", 65_000, 65_000) + bytes(500), "unsupported-format"),
    "film.mp4": (b"\0\0\0\x18ftypisom" + bytes(3000), "unsupported-format"),
    "float.tif": (tiff(tiff_page(GREY.astype(np.uint32), t339=3)), "unsupported-format"),
    "signed.tif": (tiff(tiff_page(in_16_bits(GREY), t339=2)), "unsupported-format"),
    "32-bit.tif": (tiff(tiff_page(GREY.astype(np.uint32))), "unsupported-format"),
    "lab.tif": (tiff(tiff_page(RGB, t262=8)), "unsupported-format"),
    "zstd.tif": (saved(IMAGE, "TIFF", compression="zstd"), "unsupported-format"),
    "lzma.tif": (saved(IMAGE, "TIFF", compression="lzma"), "unsupported-format"),
    "cmyk16.tif": (
        tiff(tiff_page(in_16_bits(np.dstack([RGB, GREY])), t262=5)), "unsupported-format"
    ),
    "no-directory.tif": (b"II*\0\xff\xff\xff\0" + bytes(500), "truncated"),
    "cut.tif": (tiff(tiff_page(RGB))[:3000], "truncated"),
    "huge.tif": (tiff(LARGE), "too-large"),
    "cut.jpg": (JPEG[: len(JPEG) // 2], "truncated"),
    "cut.png": (saved(IMAGE, "PNG")[:-40], "truncated"),
    "cut.webp": (saved(IMAGE, "WEBP")[:-40], "truncated"),
    "cut.heic": (HEIC[:-40], "truncated"),
    "cut.avif": (AVIF[:-40], "truncated"),
    "rubbish.heic": (HEIC.replace(b"hvcC", b"xxxx"), "not-an-image"),
    "rubbish.avif": (AVIF[: AVIF.index(b"mdat") + 4] + bytes(len(AVIF) - AVIF.index(b"mdat") - 4), "not-an-image"),
    "huge.heic": (resized_box(HEIC, 60_000), "too-large"),
    "huge.avif": (resized_box(AVIF, 60_000), "too-large"),
    "huge.jp2": (resized_code_stream(60_000), "too-large"),
    "locked.pdf": (Pdf(password="secret").photo(JPEG).done(), "encrypted"),
    "cut.pdf": (Pdf().photo(JPEG).done()[:-400], "truncated"),
    "no-pages.pdf": (WITHOUT_PAGES, "not-an-image"),
    "rubbish.pdf": (b"%PDF-1.4\n" + bytes(3000) + b"%%EOF", "not-an-image"),
    "linearised-and-cut.pdf": (
        b"%PDF-1.4\n1 0 obj <</Linearized 1/L 9000/H[1 2]>> endobj\n%%EOF\n" + bytes(800), "truncated"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_its_code(name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    data, code = REFUSED[name]
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(ScanError) as caught:
        next(load_pages(path))
    assert caught.value.code == code
    assert name in caught.value.message
    assert caught.value.remedy
    assert capfd.readouterr() == ("", "")


def test_each_bad_file_beside_a_good_one_that_is_read(tmp_path: Path) -> None:
    good = tmp_path / "good.jpg"
    good.write_bytes(JPEG)
    for name, (data, code) in REFUSED.items():
        bad = tmp_path / name
        bad.write_bytes(data)
        outcomes = {}
        for path in (bad, good):
            try:
                outcomes[path] = [type(page).__name__ for page in load_pages(path)]
            except ScanError as refusal:
                outcomes[path] = [refusal.code]
        assert outcomes == {bad: [code], good: ["Photo"]}


@pytest.mark.parametrize("ending", [".jpg", ".png", ".txt", ".heic", ".pdf", ""])
@pytest.mark.parametrize("name", ["PNG", "TIFF", "HEIC", "PDF", "JPEG"])
def test_the_content_counts_and_not_the_ending(name: str, ending: str, tmp_path: Path) -> None:
    make, expected = READ[name]
    path = tmp_path / f"IMG_1{ending}"
    path.write_bytes(make())
    assert np.abs(only(path).image.astype(int) - expected).mean() < 2


@pytest.mark.parametrize(
    "name", ["Übergröße.jpg", "meine Fotos 1.jpg", "写真.jpg", "🎲 dice.jpg", "-n.jpg", "a'b\"c.jpg"]
)
def test_any_name(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "Fotos – größer 🎲"
    folder.mkdir()
    path = folder / name
    path.write_bytes(JPEG)
    assert only(path).source.path == str(path)


def test_a_folder_called_like_a_photo(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").mkdir()
    with pytest.raises(UnreadableFile, match="folder") as caught:
        next(load_pages(tmp_path / "a.jpg"))
    assert caught.value.code == "not-an-image"


def test_a_file_too_large_to_be_one_is_not_read_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "film.jpg"
    path.write_bytes(JPEG)
    monkeypatch.setattr("scanner.pages._MAX_FILE_BYTES", len(JPEG) - 1)
    with pytest.raises(UnreadableFile) as caught:
        next(load_pages(path))
    assert caught.value.code == "too-large"
    monkeypatch.setattr("scanner.pages._MAX_FILE_BYTES", len(JPEG))
    assert only(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(JPEG,))
    writer.start()
    assert only(path).source.width == 480
    writer.join()


@pytest.mark.parametrize(("module", "name", "extra"), [("pillow_heif", "HEIC", "heic"), ("pypdfium2", "PDF", "pdf")])
def test_without_its_extra_a_format_is_refused_with_the_way_to_get_it(
    module: str, name: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(UnreadableFile) as caught:
        next(load_pages(READ[name][0]()))
    assert caught.value.code == "unsupported-format"
    assert f"pip install 'rollwrite[{extra}]'" in caught.value.remedy


def test_a_good_photo_is_decoded_once_and_without_a_word(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    decoded = []
    original = cv2.imdecode

    def counting(data: ImageU8, flag: int) -> object:
        decoded.append(flag)
        return original(data, flag)

    monkeypatch.setattr(cv2, "imdecode", counting)
    photo = only(encoded(textured(2400, 1800), ".jpg"))
    assert photo.scale == 0.5
    assert len(decoded) == 1
    assert capfd.readouterr() == ("", "")


def test_the_scanner_loads_no_extra_before_it_is_needed() -> None:
    check = "import scanner, sys; print([name for name in ('PIL', 'pillow_heif', 'pypdfium2') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


MADE = {name: make() for name, (make, _) in READ.items()}
CHANGES = st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.binary(max_size=6), st.integers(0, 9)), max_size=6)


@settings(max_examples=250, deadline=None)
@given(st.sampled_from([name for name, data in MADE.items() if len(data) < 300_000]), CHANGES, st.booleans())
def test_whatever_is_changed_in_a_file_only_a_scan_error_is_raised(
    name: str, changes: list[tuple[float, bytes, int]], in_head: bool
) -> None:
    data = bytearray(MADE[name])
    for place, new, removed in changes:
        at = int(place * (min(len(data), 300) if in_head else len(data)))
        data[at : at + removed] = new
    with suppress(ScanError):
        for page in load_pages(bytes(data)):
            assert isinstance(page, (Photo, RefusedPage))


def test_arrays_have_one_page() -> None:
    (page,) = load_pages(IMAGE)
    assert isinstance(page, Photo)
    assert (page.source.path, page.source.page) == ("<array>", 1)
    with pytest.raises(PoorPhoto):
        next(load_pages(np.zeros((10, 400, 3), np.uint8)))
    with pytest.raises(TypeError):
        next(load_pages(np.zeros((400, 400), np.uint8)))
