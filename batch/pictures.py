"""Pictures of a sheet for people: the photo with the readings drawn on it, and the sheet alone, flat.

The flat one lies on the layout's millimetres, so that whatever is drawn over it later needs no scan.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from layouts import CellBox
from report.entries import ScannedSheet
from scanner.overlay import draw_overlay, overlay_file
from scanner.types import ImageU8, Photo, Points
from scanner.warp import NO_MAP

PX_PER_MM = 3.0
"""Scale of flat sheets: figures are 20 pixels high and easy to read, and an A5 page has 30 to 50 kB."""

_QUALITY = 75
_LEAST_QUALITY = 35
_MOST_BYTES = 90_000
"""Twenty thousand pictures of this size fit on any disk; only sheets larger than A5 come near it."""

_OVERLAY_QUALITY = 80
"""Half the bytes of the best quality, and no difference that shows."""

_CROP_MM = 12.0
"""How much around a cell its crop shows: what stands in the next spaces helps to read a figure."""

_BLOCK_PX = 16
"""The bend is worked out at every sixteenth pixel, and between them is straight to within 0.3 pixels."""


def overlay_picture(photo: Photo, entry: ScannedSheet) -> bytes:
    """The photo as it was decoded, readings and violations drawn on it, as a JPEG."""
    return overlay_file(draw_overlay(photo.image, entry.reading, entry.violations), _OVERLAY_QUALITY)


def flat_sheet(photo: Photo, entry: ScannedSheet) -> ImageU8:
    """The whole page of a sheet, flat and upright.

    Args:
        photo: where it was read.
        entry: the sheet.

    Returns:
        uint8 (h, w, 3), BGR, `PX_PER_MM` pixels a millimetre of the layout's page, its corner at pixel (0, 0).
    """
    layout = entry.reading.layout
    width, height = (round(side * PX_PER_MM) for side in layout.page_mm)
    image, scale = _shrunk(photo.image, entry.reading.quality.px_per_mm * photo.scale)
    grid = np.mgrid[0 : height + _BLOCK_PX : _BLOCK_PX, 0 : width + _BLOCK_PX : _BLOCK_PX].astype(np.float64)
    nodes_mm = (grid[::-1].reshape(2, -1).T + 0.5) / PX_PER_MM
    nodes_px = (_places_px(entry, nodes_mm) + 0.5) * (photo.scale * scale) - 0.5
    nodes = nodes_px.reshape(*grid.shape[1:], 2).astype(np.float32)
    # Node i stands for pixel i * _BLOCK_PX; a plain resize would put it in the middle of its block.
    to_full = np.array([[_BLOCK_PX, 0, 0], [0, _BLOCK_PX, 0]], np.float64)
    places = cv2.warpAffine(nodes, to_full, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    flat = cv2.remap(image, places, NO_MAP, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, dtype=np.uint8)


def flat_picture(flat: ImageU8) -> bytes:
    """A flat sheet as a JPEG of at most 90 kB."""
    data = b""
    for quality in range(_QUALITY, _LEAST_QUALITY - 1, -10):
        data = cv2.imencode(".jpg", flat, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
        if len(data) <= _MOST_BYTES:
            break
    return data


def crop_of(picture: Path, box: CellBox, around_mm: float = _CROP_MM, factor: int = 3) -> bytes | None:
    """A cell with what is around it, from the file of a flat sheet, enlarged, as a JPEG; None if the file is gone."""
    try:
        flat = cv2.imdecode(np.frombuffer(picture.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
    except (OSError, cv2.error):
        return None
    if flat is None:
        return None
    low = np.maximum(np.floor((np.array(box.corners_mm[0]) - around_mm) * PX_PER_MM), 0).astype(int)
    high = np.ceil((np.array(box.corners_mm[2]) + around_mm) * PX_PER_MM).astype(int)
    part = flat[low[1] : high[1], low[0] : high[0]]
    large = cv2.resize(part, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC)
    return cv2.imencode(".jpg", large)[1].tobytes()


def _shrunk(image: ImageU8, px_per_mm: float) -> tuple[ImageU8, float]:
    """The photo shrunk by a whole number so that sampling skips no pixels, and by how much."""
    factor = int(px_per_mm / PX_PER_MM)
    if factor < 2:
        return image, 1.0
    small = cv2.resize(image, None, fx=1 / factor, fy=1 / factor, interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.uint8), 1 / factor


def _places_px(entry: ScannedSheet, points_mm: Points) -> Points:
    """Where points (N, 2) of the page lie in the full photo: a homography and a cubic bend through the cells' corners.

    Beyond the cells the bend goes on as it is at their edge: a cubic would run away.
    """
    cells = entry.reading.cells
    known_mm = np.array([corner for cell in cells for corner in cell.box.corners_mm], np.float64)
    known_px = np.array([corner for cell in cells for corner in cell.corners_px], np.float64)
    homography = np.asarray(cv2.findHomography(known_mm, known_px)[0], dtype=np.float64)
    low, high = known_mm.min(axis=0), known_mm.max(axis=0)
    off_px = np.subtract(known_px, _seen(homography, known_mm))
    bend = np.linalg.lstsq(_cubic(known_mm, low, high), off_px, rcond=None)[0]
    return np.asarray(_seen(homography, points_mm) + _cubic(points_mm, low, high) @ bend, dtype=np.float64)


def _seen(homography: Points, points_mm: Points) -> Points:
    seen = cv2.perspectiveTransform(points_mm[None], homography)[0]
    return np.asarray(seen, dtype=np.float64)


def _cubic(points_mm: Points, low: Points, high: Points) -> Points:
    """The terms of a cubic in x and y (N, 10), from -1 to 1 over the cells."""
    x, y = (2 * (np.clip(points_mm, low, high) - low) / (high - low) - 1).T
    return np.stack([x**i * y**j for i in range(4) for j in range(4 - i)], axis=1)
