"""Makes the pictures of the README from real output: `make pictures`."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np
from click.testing import CliRunner

from calibrate import Wishes, draw_pad, pad_from, see_sheet
from cli import main as rollwrite
from layouts import load_layout
from scanner import ScanOptions, SheetReading, scan_photo
from scanner.overlay import draw_overlay
from scanner.photo import load_photo
from scanner.types import ImageU8
from scoring import validate
from sheets import render_png
from synth import make_one

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "docs" / "img"
HEIGHT_PX = 900


def main() -> None:
    """Writes the blank sheet, a photo of a filled one, and the same photo with its readings."""
    TARGET.mkdir(exist_ok=True)
    (TARGET / "sheet.png").write_bytes(render_png(load_layout(), px_per_mm=HEIGHT_PX / load_layout().page_mm[1]))
    photo = ROOT / "samples" / "single" / "violation-descending.jpg"
    image = load_photo(photo, ScanOptions(decode_long_side_px=2000)).image
    reading = scan_photo(photo)[0]
    _write("photo.jpg", _around(image, reading))
    _write("overlay.jpg", _around(_annotated(image, reading), reading))
    _find_a_pad()
    _photograph_report()


def _find_a_pad() -> None:
    """A synthetic photo of a blank sheet of another pad, and what a calibration finds on it."""
    photo = make_one(4402, 3, only="blank", pad="pastel").jpeg
    image = np.asarray(cv2.imdecode(np.frombuffer(photo, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    _write("pad-photo.jpg", image)
    pad = pad_from([see_sheet(image, "photo", None, 148 / 210)], Wishes("mypad", (148.0, 210.0)))
    _write("pad-found.jpg", draw_pad(pad))


def _photograph_report() -> None:
    """The report of the sample game, as a browser shows it, with one sheet open."""
    from playwright.sync_api import sync_playwright

    browsers = filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome")))
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        stack = Path(folder) / "club evening"
        CliRunner().invoke(
            rollwrite, ["batch", str(ROOT / "samples" / "game-1"), "-o", str(stack), "--games", "folder"]
        )
        browser = playwright.chromium.launch(executable_path=next(browsers), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1100, "height": 1900})
        page.goto((stack / "report.html").as_uri())
        page.evaluate("document.querySelector('details[data-kind=violating], details').open = true")
        page.screenshot(path=str(TARGET / "report.jpg"), type="jpeg", quality=60)
        browser.close()


def _annotated(image: ImageU8, reading: SheetReading) -> ImageU8:
    return draw_overlay(image, reading, validate(reading.sheet, None, reading.layout.specials))


def _around(image: ImageU8, reading: SheetReading, margin: float = 0.06) -> ImageU8:
    """The part of the photo that holds the sheet."""
    corners_px = np.array(reading.outline_px) * (image.shape[1] / reading.source.width)
    pad_px = margin * np.ptp(corners_px, axis=0)
    low, high = np.maximum(corners_px.min(axis=0) - pad_px, 0), corners_px.max(axis=0) + pad_px
    return image[int(low[1]) : int(high[1]), int(low[0]) : int(high[0])]


def _write(name: str, image: ImageU8) -> None:
    height, width = image.shape[:2]
    small = cv2.resize(image, (round(width * HEIGHT_PX / height), HEIGHT_PX), interpolation=cv2.INTER_AREA)
    (TARGET / name).write_bytes(cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes())


if __name__ == "__main__":
    main()
