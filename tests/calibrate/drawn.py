"""A pad drawn in code, so that the place of everything on it is known, and photographed by a known homography."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

PX_PER_MM = 6
PAGE_MM = (150.0, 200.0)
COLUMNS, ROWS, ABOVE_BRIDGE = 8, 9, 3
LEFT_MM, TOP_MM, STEP_MM, BRIDGE_MM = 13.0, 30.0, (16.0, 14.5), 9.0
BOX_MM = (12.5, 11.5)
COLOURS = ("#c02020", "#e08020", "#e8d020", "#30a040", "#3060c0", "#8040a0", "#906030", "#606870")


@dataclass(frozen=True)
class Drawn:
    """What is drawn: the form of spaces and what stands in them."""

    form: str = "box"
    arrows: tuple[tuple[int, int], ...] = ((0, 2), (1, 5), (3, 1), (4, 7))
    rings: tuple[tuple[int, int], ...] = ((0, 6), (2, 4), (5, 3))
    strokes: tuple[NDArray[np.int32], ...] = field(default=())


def box_mm(column: int, row: int) -> tuple[float, float, float, float]:
    """Left, top, right, bottom of a space; rows are counted from the top."""
    x = LEFT_MM + column * STEP_MM[0]
    y = TOP_MM + row * STEP_MM[1] + BRIDGE_MM * (row >= ABOVE_BRIDGE)
    return x, y, x + BOX_MM[0], y + BOX_MM[1]


def corners_mm() -> NDArray[np.float64]:
    """(8, 9, 4, 2), corners of every space, clockwise from the top left."""
    boxes = np.array([[box_mm(c, r) for r in range(ROWS)] for c in range(COLUMNS)])
    x0, y0, x1, y1 = np.moveaxis(boxes, -1, 0)
    return np.stack([np.stack(p, -1) for p in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))], axis=2)


def page(drawn: Drawn = Drawn()) -> NDArray[np.uint8]:
    """The page, uint8 BGR, at `PX_PER_MM`."""
    width, height = (round(side * PX_PER_MM) for side in PAGE_MM)
    image = np.full((height, width, 3), (235, 244, 248), np.uint8)
    cv2.putText(image, "PAD", (400, 110), cv2.FONT_HERSHEY_SIMPLEX, 2.5, (60, 60, 60), 5, cv2.LINE_AA)
    for column in range(COLUMNS):
        colour = tuple(int(COLOURS[column][i : i + 2], 16) for i in (5, 3, 1))
        for row in range(ROWS):
            _draw_space(image, drawn, column, row, colour)
        x0, _, x1, bottom = (round(v * PX_PER_MM) for v in box_mm(column, ROWS - 1))
        high = round(box_mm(column, ABOVE_BRIDGE)[1] * PX_PER_MM)
        cv2.rectangle(image, (x0 + 12, high - 56), (x1 - 12, high - 12), (255, 255, 255), -1)
        cv2.rectangle(image, (x0 + 12, high - 56), (x1 - 12, high - 12), colour, 3)
        if column < 6:
            cv2.circle(image, ((x0 + x1) // 2, bottom + 50), 26, colour, 3, cv2.LINE_AA)
    for stroke in drawn.strokes:
        cv2.polylines(image, [stroke], False, (120, 40, 30), 4, cv2.LINE_AA)
    return image


def _draw_space(image: NDArray[np.uint8], drawn: Drawn, column: int, row: int, colour: tuple[int, ...]) -> None:
    x0, y0, x1, y1 = (round(v * PX_PER_MM) for v in box_mm(column, row))
    middle = (x0 + x1) // 2, (y0 + y1) // 2
    if drawn.form == "ellipse":
        axes = (x1 - x0) // 2, (y1 - y0) // 2
        cv2.ellipse(image, middle, axes, 0, 0, 360, (255, 255, 255), -1, cv2.LINE_AA)
        cv2.ellipse(image, middle, axes, 0, 0, 360, colour, 3, cv2.LINE_AA)
    else:
        cv2.rectangle(image, (x0, y0), (x1, y1), (255, 255, 255), -1)
        cv2.rectangle(image, (x0, y0), (x1, y1), colour, 4)
    faint = tuple(int(255 - 0.5 * (255 - c)) for c in colour)
    if (column, row) in drawn.arrows:
        cv2.arrowedLine(image, (middle[0], middle[1] + 18), (middle[0], middle[1] - 18), faint, 8, tipLength=0.5)
    if (column, row) in drawn.rings:
        cv2.circle(image, middle, 16, faint, 6, cv2.LINE_AA)


def photographed(
    picture: NDArray[np.uint8],
    turn_deg: float = 0.0,
    tilt: float = 0.0,
    seed: int = 1,
    size_wh: tuple[int, int] = (1500, 2000),
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """The page on a table of noise, seen from aside, and the homography from page millimetres to its pixels."""
    rng = np.random.default_rng(seed)
    coarse = rng.normal(90, 22, (size_wh[1] // 8, size_wh[0] // 8, 3)).clip(20, 160).astype(np.uint8)
    table = cv2.resize(coarse, size_wh, interpolation=cv2.INTER_CUBIC)
    half = np.array(PAGE_MM) / 2
    corners = np.array([[-half[0], -half[1]], [half[0], -half[1]], [half[0], half[1]], [-half[0], half[1]]])
    angle = np.deg2rad(turn_deg)
    turned = corners @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    depth = 1 + tilt * turned[:, 1] / half[1]
    scale = 0.8 * min(size_wh) / max(PAGE_MM) * (1.2 if turn_deg % 180 == 0 else 1.0)
    target = turned * scale / depth[:, None] + np.array(size_wh) / 2
    source = np.array([[0, 0], [PAGE_MM[0], 0], PAGE_MM, [0, PAGE_MM[1]]])
    homography = cv2.getPerspectiveTransform(source.astype(np.float32), target.astype(np.float32)).astype(np.float64)
    to_mm = np.array([[1 / PX_PER_MM, 0, 0.5 / PX_PER_MM], [0, 1 / PX_PER_MM, 0.5 / PX_PER_MM], [0, 0, 1]])
    seen = cv2.warpPerspective(picture, homography @ to_mm, size_wh, flags=cv2.INTER_AREA)
    whole = np.full(picture.shape[:2], 255, np.uint8)
    mask = cv2.warpPerspective(whole, homography @ to_mm, size_wh)[..., None] / 255.0
    photo = seen * mask + table * (1 - mask) + rng.normal(0, 2, (size_wh[1], size_wh[0], 3))
    return photo.clip(0, 255).astype(np.uint8), homography


def in_photo(points_mm: NDArray[np.float64], homography: NDArray[np.float64]) -> NDArray[np.float64]:
    """Page points in pixels of the photo, any leading shape."""
    flat = cv2.perspectiveTransform(points_mm.reshape(1, -1, 2), homography)[0]
    return np.asarray(flat.reshape(points_mm.shape), np.float64)
