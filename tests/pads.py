"""Layouts of synthetic pads as files with a picture in them, as `rollwrite calibrate` leaves them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from layouts import SheetLayout, layout_text
from scanner.types import ImageU8
from synth import make_one
from synth.pads import pad_layout, pad_picture

SIZE_WH = (1600, 1200)
_PX_PER_MM = 6


@cache
def picture_of(pad: str) -> bytes:
    """The pad's blank sheet as a JPEG."""
    size_wh = [round(side_mm * _PX_PER_MM) for side_mm in pad_layout(pad).page_mm]
    small = cv2.resize(pad_picture(pad), size_wh, interpolation=cv2.INTER_AREA)
    return cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 93])[1].tobytes()


@cache
def known(pad: str) -> SheetLayout:
    """The pad's layout with its picture."""
    return replace(pad_layout(pad), embedded=picture_of(pad))


def write(pad: str, folder: Path, name: str | None = None) -> Path:
    """The same as a file."""
    path = folder / f"{name or pad}.layout"
    path.write_text(layout_text(pad_layout(pad), picture_of(pad)), "utf-8")
    return path


@cache
def photo_of(pad: str | None, only: str = "plain", seed: int = 1) -> ImageU8:
    """A synthetic photo of a filled sheet of that pad, or of our own sheet."""
    jpeg = make_one(seed, 22, only=only, size=SIZE_WH, pad=pad).jpeg
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)
