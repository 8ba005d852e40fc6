"""The photo with every reading drawn where it was read, so that a person sees at a glance what the program saw.

Plain readings are outlined in green, doubtful ones have an orange dashed outline and a question mark, cells of a
violation a red double one and an exclamation mark: colour and shape, so that nobody depends on colour alone.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.formats import OVERLAY_MARK
from scanner.types import ImageU8, LocatedReading, SheetReading, Value
from scoring import Violation

_GREEN, _ORANGE, _RED = (45, 125, 10), (0, 120, 245), (40, 20, 215)
_WHITE = (255, 255, 255)
_FONT = cv2.FONT_HERSHEY_DUPLEX

Quad = NDArray[np.float64]


def overlay_file(picture: ImageU8, quality: int = 95) -> bytes:
    """An annotated picture as a JPEG that says what it is, so that it is neither scanned nor taken for a photo."""
    data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
    comment = b"\xff\xfe" + struct.pack(">H", len(OVERLAY_MARK) + 2) + OVERLAY_MARK
    return data[:2] + comment + data[2:]


def draw_overlay(image: ImageU8, reading: SheetReading, violations: Sequence[Violation] = ()) -> ImageU8:
    """A copy of the photo with the readings of one sheet drawn on it.

    Args:
        image: the upright photo, uint8 (h, w, 3), BGR, at any scale.
        reading: a sheet read from it.
        violations: what is against the rules on it.
    """
    canvas = np.array(image, dtype=np.uint8)
    scale = image.shape[1] / reading.source.width
    doubts = {cell.box.key for cell, _ in reading.review}
    broken = _violated(reading, violations)
    page = np.array(reading.outline_px) * scale
    _polyline(canvas, page, _GREEN, max(2, round(_side(page) / 400)))
    for cell in reading.cells:
        _draw_cell(canvas, cell, np.array(cell.corners_px) * scale, cell.box.key in doubts, cell.box.key in broken)
    return canvas


def _violated(reading: SheetReading, violations: Sequence[Violation]) -> set[str]:
    """Keys of the cells that violations name."""
    return {violated_key(violation) for violation in violations} & {cell.box.key for cell in reading.cells}


def violated_key(violation: Violation) -> str:
    """Key of the cell that a violation is about; one that names only a column means its circle or bridge."""
    if violation.space is not None:
        return f"{violation.column}/{violation.space}"
    return f"{violation.column}/{'bridge' if violation.code.startswith('bridge') else 'double'}"


def _draw_cell(canvas: ImageU8, cell: LocatedReading, quad: Quad, doubt: bool, broken: bool) -> None:
    width = max(1, round(_side(quad) / 40))
    colour = _RED if broken else _ORANGE if doubt else _GREEN
    if doubt:
        _dashed(canvas, quad, colour, 2 * width)
    else:
        _polyline(canvas, quad, colour, width)
    if broken:
        _polyline(canvas, _inset(quad, 0.86), colour, width)
    label = _label(cell.reading.value) + ("!" if broken else "") + ("?" if doubt else "")
    if label:
        _write(canvas, label, quad, colour)


def _label(value: Value) -> str:
    if value is True:
        return "x"
    return "" if value is None or value is False else str(value) if value != "?" else "ink"


def _write(canvas: ImageU8, label: str, quad: Quad, colour: tuple[int, int, int]) -> None:
    """The label in the cell's own lower right corner, with a white halo so that ink does not hide it."""
    size = _side(quad) / 62
    thickness = max(1, round(size * 2))
    (width, height), _ = cv2.getTextSize(label, _FONT, size, thickness)
    anchor = quad[2] * 0.62 + quad.mean(axis=0) * 0.38
    left, bottom = int(anchor[0] - width / 2), int(anchor[1] + height / 2)
    for ink, stroke in ((_WHITE, thickness + max(3, height // 4)), (colour, thickness)):
        cv2.putText(canvas, label, (left, bottom), _FONT, size, ink, stroke, cv2.LINE_AA)


def _side(quad: Quad) -> float:
    """The length of the quad's shorter side in pixels."""
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return float(sides.min())


def _inset(quad: Quad, share: float) -> Quad:
    centre = quad.mean(axis=0)
    return np.asarray(centre + (quad - centre) * share, dtype=np.float64)


def _polyline(canvas: ImageU8, quad: Quad, colour: tuple[int, int, int], width: int) -> None:
    cv2.polylines(canvas, [quad.round().astype(np.int32)], True, colour, width, cv2.LINE_AA)


def _dashed(canvas: ImageU8, quad: Quad, colour: tuple[int, int, int], width: int) -> None:
    """The outline in five dashes a side."""
    for start, end in zip(quad, np.roll(quad, -1, axis=0), strict=True):
        for step in range(0, 10, 2):
            a, b = start + (end - start) * step / 9, start + (end - start) * (step + 1) / 9
            cv2.line(
                canvas,
                a.round().astype(int).tolist(),
                b.round().astype(int).tolist(),
                colour,
                width,
                cv2.LINE_AA,
            )
