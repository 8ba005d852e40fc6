from __future__ import annotations

import cv2
import numpy as np
import pytest

from layouts import SheetLayout, blank_picture, load_layout
from scanner import SheetReading, scan_photo
from scanner.rectify import Blank, load_blank
from scanner.types import ImageU8
from synth import make_one
from tests.scanner.pictures import GoodPhoto, fitted, truth_of

SIZE_WH = (2016, 1512)


@pytest.fixture(scope="session")
def layout() -> SheetLayout:
    return load_layout()


@pytest.fixture(scope="session")
def blank(layout: SheetLayout) -> Blank:
    """The blank sheet on its reading canvas."""
    return load_blank(layout)


@pytest.fixture(scope="session")
def page(layout: SheetLayout) -> ImageU8:
    """The whole blank page, 12 px/mm."""
    return np.asarray(cv2.imdecode(np.frombuffer(blank_picture(layout), np.uint8), cv2.IMREAD_COLOR), np.uint8)


@pytest.fixture(scope="session")
def plain(layout: SheetLayout) -> GoodPhoto:
    """An easy photo of a flat sheet, which every spoilt one is made from."""
    made = make_one(1, 22, only="plain", size=SIZE_WH, namespace="sample")
    image = np.asarray(cv2.imdecode(np.frombuffer(made.jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    image.setflags(write=False)
    corners_px = truth_of(made.truths[0])
    return GoodPhoto(made.jpeg, image, corners_px, fitted(corners_px, layout), made.truths[0]["sheet"])


@pytest.fixture(scope="session")
def plain_reading(plain: GoodPhoto) -> SheetReading:
    (reading,) = scan_photo(plain.image)
    return reading
