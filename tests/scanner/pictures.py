"""Good photos, and the ways to spoil them."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from layouts import SheetLayout
from scanner.types import ImageU8, Points, SheetReading

PAPER_BGR = (215, 228, 232)


@dataclass(frozen=True, slots=True, eq=False)
class GoodPhoto:
    """A synthetic photo of one flat sheet with its truth.

    Attributes:
        jpeg: the file as the camera wrote it.
        image: uint8 (H, W, 3), BGR, upright.
        corners_px: corners (4, 2) of each cell in the upright photo, by its key.
        homography: (3, 3), page millimetres to pixels of the upright photo.
        sheet: what is written on the sheet, as in a file.
    """

    jpeg: bytes
    image: ImageU8
    corners_px: Mapping[str, Points]
    homography: Points
    sheet: Mapping[str, Any]

    def to_photo(self, points_mm: Sequence[Sequence[float]] | Points) -> Points:
        """Page points (N, 2) in pixels."""
        points = np.array(points_mm, np.float64)
        return np.asarray(cv2.perspectiveTransform(points[None], self.homography)[0], np.float64)

    def painted(self, quads_mm: Iterable[Any], colour_bgr: tuple[int, int, int] = PAPER_BGR) -> ImageU8:
        """A copy with pieces of plain paper laid over these quads of the page."""
        image = self.image.copy()
        for quad in quads_mm:
            cv2.fillConvexPoly(image, self.to_photo(quad).round().astype(np.int32), colour_bgr)
        return image


def truth_of(made_truth: Mapping[str, Any]) -> dict[str, Points]:
    return {key: np.array(corners, np.float64) for key, corners in made_truth["corners"].items()}


def fitted(corners_px: Mapping[str, Points], layout: SheetLayout) -> Points:
    """The homography from the page to the photo that fits the true corners of its cells."""
    page = np.array([box.corners_mm for box in layout.read_cells]).reshape(-1, 2)
    seen = np.concatenate([corners_px[box.key] for box in layout.read_cells])
    return np.asarray(cv2.findHomography(page, seen, 0)[0], np.float64)


def grown(quad_mm: Any, by_mm: float) -> Points:
    """The upright rectangle around a quad, larger by so much on each side."""
    quad = np.array(quad_mm, np.float64)
    (left, top), (right, bottom) = quad.min(axis=0) - by_mm, quad.max(axis=0) + by_mm
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])


def cell_errors_mm(reading: SheetReading, corners_px: Mapping[str, Points]) -> NDArray[np.float64]:
    """How far each cell corner (N, 4) was found from where it is."""
    errors = [np.linalg.norm(np.array(cell.corners_px) - corners_px[cell.box.key], axis=1) for cell in reading.cells]
    return np.array(errors) / reading.quality.px_per_mm


def values(reading: SheetReading) -> dict[str, Any]:
    return {cell.box.key: cell.reading.value for cell in reading.cells}


def encoded(image: NDArray[Any], ending: str, *options: int) -> bytes:
    done, data = cv2.imencode(ending, image, list(options))
    assert done
    return bytes(data.tobytes())


# What TIFF 6.0 says of tag 274: at which side of the upright picture the stored rows and columns begin.
ORIENTATIONS = {
    1: ("top", "left"), 2: ("top", "right"), 3: ("bottom", "right"), 4: ("bottom", "left"),
    5: ("left", "top"), 6: ("right", "top"), 7: ("right", "bottom"), 8: ("left", "bottom"),
}  # fmt: skip


def stored(upright: ImageU8, orientation: int) -> ImageU8:
    """The picture as a camera stores it whose file then carries that orientation."""
    rows_begin, columns_begin = ORIENTATIONS[orientation]
    picture = upright[::-1] if "bottom" in (rows_begin, columns_begin) else upright
    picture = picture[:, ::-1] if "right" in (rows_begin, columns_begin) else picture
    turned = rows_begin in ("left", "right")
    return np.ascontiguousarray(picture.transpose(1, 0, 2) if turned else picture)


def with_exif(jpeg: bytes, orientation: int, thumbnail: bytes = b"") -> bytes:
    """The JPEG with an EXIF segment: the orientation, and a thumbnail in its second directory."""
    assert jpeg[:2] == b"\xff\xd8"
    second = 8 + 2 + 12 + 4
    first_directory = struct.pack("<HHHIHHI", 1, 274, 3, 1, orientation, 0, second if thumbnail else 0)
    tiff = b"II*\0" + struct.pack("<I", 8) + first_directory
    if thumbnail:
        at = second + 2 + 2 * 12 + 4
        tiff += struct.pack("<HHHIIHHIII", 2, 513, 4, 1, at, 514, 4, 1, len(thumbnail), 0) + thumbnail
    body = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]


def view(size_wh: tuple[int, int], px_per_mm: float, turn_deg: float = 0.0, tilt: float = 0.0) -> Points:
    """A homography (3, 3) from page millimetres to pixels: an A5 page in the middle, turned and seen at a slant.

    With `tilt` t the page's lower end is (1 + t) / (1 - t) times as large as its upper end.
    """
    c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    centred = np.array([[1, 0, -74], [0, 1, -105], [0, 0, 1.0]])
    slanted = np.array([[1, 0, 0], [0, 1, 0], [0, -tilt / 105, 1]])
    turned = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    placed = np.array([[px_per_mm, 0, size_wh[0] / 2], [0, px_per_mm, size_wh[1] / 2], [0, 0, 1]])
    return np.asarray(placed @ turned @ slanted @ centred, np.float64)


def photographed(page: ImageU8, homography: Points, size_wh: tuple[int, int]) -> ImageU8:
    """A flat page (148 mm wide) on a plain table: no bend, no noise, and exactly this homography."""
    scale = page.shape[1] / 148
    to_mm = np.array([[1 / scale, 0, 0.5 / scale], [0, 1 / scale, 0.5 / scale], [0, 0, 1]])
    soft = cv2.GaussianBlur(page, (0, 0), 0.7)
    table = np.full((size_wh[1], size_wh[0], 3), (70, 105, 150), np.uint8)
    cv2.warpPerspective(soft, homography @ to_mm, size_wh, table, borderMode=cv2.BORDER_TRANSPARENT)
    return table
