"""Writing in a field of the sheet: the field cut from a photo, its ink told from its print, and made a line to read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from layouts import CellBox, SheetLayout
from scanner.blanks import blank_page
from scanner.rectify import RectifiedSheet
from scanner.types import ImageU8, Photo, Points
from scanner.warp import Bend, bent_corners_px

F32 = NDArray[np.float32]

PX_PER_MM = 6.0
"""Scale at which fields are cut: a stroke of 0.4 mm is over 2 pixels wide, and a photo seldom has more."""

_MARGIN_MM = 1.0
"""How far outside its printed frame a field is cut: large figures reach over it, the next field begins at 2 mm."""

_REACH_PX = 8
"""How far a frame is looked for from where it should be, 1.3 mm: the bend is known less well below the cells."""

_LEAST_AGREEMENT = 0.35
"""A frame whose rim correlates less with the blank's is not seen, and what looks like ink may be anything. With figures
on it a frame has 0.5 and more."""

_RIM_MM = 1.2
"""How far from its frame, both ways, a field is compared with the blank: most ink lies further inside."""

_SLACK_PX, _WIDE_SLACK_PX = 5, 17
"""Print may lie aside by half of this once its frame is found, and before: the darkest print so near is no ink."""

_PAPER_MM, _PAPER_SHARE = 4.0, 0.6
"""Side of the square in which the brightest is taken as paper, wider than any stroke; and the percentile of a whole
field's brightness that is taken for a first look."""

_LEAST_DARKNESS = 0.16
"""Ink is darker than its paper by this share at least; noise and the edges of shadows stay below."""

_LEAST_PX, _SPECK_PX = 20, 8
"""So many pixels of ink, half a square millimetre, a figure has at least; and so many each stroke, a thin dash 12."""

_STROKE = 0.45
"""Share of the darkest ink's darkness from which a pixel is part of a stroke."""

_INNER_MM = 0.9
"""Strokes that come no further inside the frame are what is left of it; a dash that begins on it comes further."""

LINE_HEIGHT_PX, LINE_WIDTH_PX, _FREE_PX = 24, 80, 2
"""The line as it is read, and what is left free around its ink."""


@dataclass(frozen=True, slots=True, eq=False)
class FieldPrint:
    """What a field of the blank sheet looks like, cut as from a photo.

    Attributes:
        image: uint8 (h, w), grey.
        darkest: uint8 (h, w), the darkest print about each pixel, as far as it may lie aside.
        sought: uint8, its middle at half the scale, to be found in a photo's field.
        rim: float32, 1 near the frame and 0 elsewhere in `sought`.
    """

    image: ImageU8
    darkest: ImageU8
    sought: ImageU8
    rim: F32


def cut_fields(photo: Photo, sheet: RectifiedSheet, bend: Bend, boxes: Sequence[CellBox]) -> tuple[ImageU8, ...]:
    """Some fields with their frames, flattened: uint8 (h, w) each, grey, at `PX_PER_MM`.

    Args:
        photo: the photo.
        sheet: where the sheet lies in it.
        bend: the bend of its paper, which goes on beyond the cells as at their edge.
        boxes: which fields, at least one.
    """
    corners_px = bent_corners_px(np.concatenate([_around_mm(box) for box in boxes]), sheet, bend)
    # Grey only where they lie: of a whole photo it takes a millisecond.
    height, width = photo.image.shape[:2]
    x0, y0 = np.clip(np.floor(corners_px.min(axis=0)).astype(int) - 2, 0, (width - 1, height - 1))
    x1, y1 = np.clip(np.ceil(corners_px.max(axis=0)).astype(int) + 3, (x0 + 1, y0 + 1), (width, height))
    grey = np.asarray(cv2.cvtColor(photo.image[y0:y1, x0:x1], cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    quads_px = (corners_px - (x0, y0)).reshape(-1, 4, 2)
    return tuple(_cut(grey, quad_px, box) for quad_px, box in zip(quads_px, boxes, strict=True))


@lru_cache(maxsize=16)
def field_prints(layout: SheetLayout, boxes: tuple[CellBox, ...]) -> tuple[FieldPrint, ...]:
    """The same fields of the blank sheet."""
    page = blank_page(layout)
    scale = page.shape[1] / layout.page_mm[0]
    factor = max(1, int(scale / PX_PER_MM))
    small = cv2.resize(page, None, fx=1 / factor, fy=1 / factor, interpolation=cv2.INTER_AREA)
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    return tuple(_field_print(_cut(grey, _around_mm(box) * scale / factor - 0.5, box)) for box in boxes)


def _field_print(image: ImageU8) -> FieldPrint:
    near = np.ones(image.shape, np.float32)
    far = round((_MARGIN_MM + _RIM_MM) * PX_PER_MM)
    near[far:-far, far:-far] = 0
    middle = slice(_REACH_PX // 2, -(_REACH_PX // 2))
    sought, rim = (np.ascontiguousarray(_halved(picture)[middle, middle]) for picture in (image, near))
    darkest = cv2.erode(image, np.ones((_WIDE_SLACK_PX, _WIDE_SLACK_PX), np.uint8))
    return FieldPrint(image, np.asarray(darkest, dtype=np.uint8), sought, rim)


def _halved(picture: NDArray[Any]) -> NDArray[Any]:
    height, width = picture.shape
    return np.asarray(cv2.resize(picture, (width // 2, height // 2), interpolation=cv2.INTER_AREA))


def _around_mm(box: CellBox) -> Points:
    x0, y0 = box.x_mm - _MARGIN_MM, box.y_mm - _MARGIN_MM
    x1, y1 = box.x_mm + box.w_mm + _MARGIN_MM, box.y_mm + box.h_mm + _MARGIN_MM
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float64)


def _cut(image: ImageU8, quad_px: Points, box: CellBox) -> ImageU8:
    size = (round((box.w_mm + 2 * _MARGIN_MM) * PX_PER_MM), round((box.h_mm + 2 * _MARGIN_MM) * PX_PER_MM))
    right, bottom = size[0] - 0.5, size[1] - 0.5
    corners = np.array([[-0.5, -0.5], [right, -0.5], [right, bottom], [-0.5, bottom]], np.float32)
    to_field = cv2.getPerspectiveTransform(quad_px.astype(np.float32), corners)
    field = cv2.warpPerspective(image, to_field, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(field, dtype=np.uint8)


def ink_of(field: ImageU8, printed: FieldPrint) -> F32 | None:
    """How much darker each pixel is than its paper and print, as a share of the paper's brightness.

    Args:
        field: uint8 (h, w), grey.
        printed: the same field of the blank sheet.

    Returns:
        float32 (h, w); None where the field shows nothing but its print, or its frame is not seen.
    """
    bright = int(field.size * _PAPER_SHARE)
    level = max(float(np.partition(field, bright, axis=None)[bright]), 8.0)
    # As whole numbers: nine fields in ten are empty, and go no further.
    first = cv2.subtract(printed.darkest, cv2.convertScaleAbs(field, alpha=255 / level))
    if np.count_nonzero(first > 255 * _LEAST_DARKNESS) < _LEAST_PX:
        return None
    moved = _in_place(field, printed)
    if moved is None:
        return None
    darkest = cv2.erode(moved, np.ones((_SLACK_PX, _SLACK_PX), np.uint8)).astype(np.float32) / 255
    side = round(_PAPER_MM * PX_PER_MM) | 1
    closed = cv2.morphologyEx(cv2.GaussianBlur(field, (3, 3), 0), cv2.MORPH_CLOSE, np.ones((side, side), np.uint8))
    paper = np.maximum(cv2.blur(closed, (side, side)).astype(np.float32), 8.0)
    return np.asarray(np.clip(darkest - field / paper, 0, 1), dtype=np.float32)


def _in_place(field: ImageU8, printed: FieldPrint) -> ImageU8 | None:
    """The blank field moved to where its frame shows in a photo's field; None where it does not show."""
    # A pixel of half the scale is within the slack.
    agreement = cv2.matchTemplate(_halved(field), printed.sought, cv2.TM_CCOEFF_NORMED, mask=printed.rim)
    agreement = np.nan_to_num(agreement, nan=-1.0, posinf=-1.0)
    y, x = np.unravel_index(agreement.argmax(), agreement.shape)
    if agreement[y, x] < _LEAST_AGREEMENT:
        return None
    move = np.array([[1, 0, 2 * int(x) - _REACH_PX], [0, 1, 2 * int(y) - _REACH_PX]], np.float64)
    size = field.shape[1], field.shape[0]
    return np.asarray(cv2.warpAffine(printed.image, move, size, borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8)


def line_of(ink: F32, edge_px: int = 0) -> F32 | None:
    """The writing as a line of fixed height: float32 (24, 80), 0 paper to 1 ink; None where none is seen whole.

    Args:
        ink: float32 (h, w), see `ink_of`.
        edge_px: strokes that come no further than this into it are no writing.
    """
    soft = cv2.GaussianBlur(ink, (3, 3), 0)
    darkness = float(np.partition(soft, -_LEAST_PX, axis=None)[-_LEAST_PX])
    if darkness < _LEAST_DARKNESS:
        return None
    kept = _writing((soft > _STROKE * darkness).astype(np.uint8), edge_px)
    if kept is None:
        return None
    x, y, width, height = cv2.boundingRect(kept)
    near = cv2.dilate(kept, np.ones((3, 3), np.uint8))
    part = (np.minimum(ink / darkness, 1) * near)[y : y + height, x : x + width]
    return _fitted(part.astype(np.float32))


FRAME_PX = round((_MARGIN_MM + _INNER_MM) * PX_PER_MM)
"""How far the frame of a field reaches into it, with what may be left of it aside."""


def _writing(strokes: ImageU8, edge_px: int) -> ImageU8 | None:
    """Which of some strokes, uint8 (h, w) of 0 and 1, are writing; None where there is none, or it is cut off."""
    count, labels = cv2.connectedComponents(strokes, connectivity=8)
    height, width = labels.shape
    inside = labels[edge_px : height - edge_px, edge_px : width - edge_px]
    sizes, inner = (np.bincount(part.ravel(), minlength=count) for part in (labels, inside))
    cut_off = np.zeros(count, np.bool_)
    for edge in (labels[0], labels[-1], labels[:, 0], labels[:, -1]):
        cut_off[edge] = True
    sizes[0] = 0
    whole = (sizes >= _SPECK_PX) & (inner > 0)
    if not whole.any() or (sizes[cut_off | (inner == 0)] >= _LEAST_PX).any():
        return None
    return np.asarray(whole[labels], dtype=np.uint8)


def _fitted(part: F32) -> F32:
    height, width = part.shape
    free_wh = LINE_WIDTH_PX - 2 * _FREE_PX, LINE_HEIGHT_PX - 2 * _FREE_PX
    scale = min(free_wh[0] / width, free_wh[1] / height)
    size_wh = max(1, round(width * scale)), max(1, round(height * scale))
    small = cv2.resize(part, size_wh, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    line = np.zeros((LINE_HEIGHT_PX, LINE_WIDTH_PX), np.float32)
    top = (LINE_HEIGHT_PX - size_wh[1]) // 2
    line[top : top + size_wh[1], _FREE_PX : _FREE_PX + size_wh[0]] = small
    return line
