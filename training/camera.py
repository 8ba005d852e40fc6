"""From printed cell and ink to the cell as a phone and the pipeline deliver it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.reader import CELL_PX
from training.printed import BOX_PX, CANVAS_PX, Printed

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
Rng = np.random.Generator

WORK_PX = 3 * CELL_PX // 2
"""Side of the picture in which ink meets paper, before blur and reduction to the net's size."""

GOOD_PHOTOS = 0.84
"""Share of cells from good photos. The rest are blurred, noisy, small: with more of them the net spends itself on what
nobody can read, and reads clean figures worse."""

_GRID = np.mgrid[-1:1:24j, -1:1:24j].astype(np.float32)
_ROWS_COLUMNS = np.mgrid[0:WORK_PX, 0:WORK_PX].astype(np.float32)


def photograph(printed: Printed, layer: U8, rng: Rng) -> tuple[U8, U8]:
    """The cell as cut from a photo, and the blank as cut from the print: two uint8 (48, 48, 3)."""
    margin = rng.normal(0.2, 0.008) if rng.random() < 0.65 else rng.uniform(0.0, 0.25)
    scale = WORK_PX / (BOX_PX * (1 + 2 * margin))
    exact = np.array([[scale, 0, WORK_PX / 2 - scale * CANVAS_PX / 2], [0, scale, WORK_PX / 2 - scale * CANVAS_PX / 2]])
    blank = cv2.resize(_cut(printed.image, exact), (CELL_PX, CELL_PX), interpolation=cv2.INTER_AREA)
    off = exact @ np.vstack([_misplacement(printed.size_mm, rng), [0, 0, 1]])
    order = list(printed.order)
    paper = cv2.LUT(_cut(printed.image, off)[..., order], _reprint_table(rng))
    ink = _bent(layer, off, rng) if rng.random() < 0.5 else _cut(layer, off)
    written = cv2.multiply(paper, ink, scale=1 / 255, dtype=cv2.CV_32F)
    return _camera(written, rng), blank[..., order]


def _cut(image: U8, matrix: NDArray[np.float64]) -> U8:
    return cv2.warpAffine(image, matrix, (WORK_PX, WORK_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def _bent(image: U8, matrix: NDArray[np.float64], rng: Rng) -> U8:
    """The cut of `_cut`, smoothly distorted by a pixel or so: more shapes than the sources hold."""
    back = cv2.invertAffineTransform(matrix)
    coarse = rng.normal(0, rng.uniform(0.5, 2.2), (2, 4, 4)).astype(np.float32)
    x, y = (cv2.resize(field, (WORK_PX, WORK_PX), interpolation=cv2.INTER_CUBIC) for field in coarse)
    rows, columns = _ROWS_COLUMNS
    map_x = back[0, 0] * columns + back[0, 1] * rows + back[0, 2] + x
    map_y = back[1, 0] * columns + back[1, 1] * rows + back[1, 2] + y
    return cv2.remap(
        image, map_x.astype(np.float32), map_y.astype(np.float32), cv2.INTER_LINEAR, borderValue=(255,) * 3
    )


def _misplacement(size_mm: float, rng: Rng) -> NDArray[np.float64]:
    """(2, 3): by how much the cell was cut off its place, in canvas pixels: what bent paper leaves."""
    sigma = rng.choice([0.07, 0.18, 0.4], p=[0.5, 0.4, 0.1]) * BOX_PX / size_mm
    shift = np.clip(rng.normal(0, sigma, 2), -0.8 * BOX_PX / size_mm, 0.8 * BOX_PX / size_mm)
    linear = np.eye(2) + rng.normal(0, 0.012, (2, 2))
    middle = np.array([CANVAS_PX / 2] * 2)
    return np.column_stack([linear, middle - linear @ middle + shift])


def _reprint_table(rng: Rng) -> U8:
    """The print as another printer puts it, as a table (1, 256, 3): inks stronger or weaker, paper not quite white."""
    density = np.clip(rng.normal(0.95, 0.12, 3), 0.6, 1.25) * rng.uniform(0.85, 1.05)
    if rng.random() < 0.03:
        density[:] = rng.uniform(0.4, 0.7)
    paper = 1 - np.abs(rng.normal(0, 0.02, 3))
    levels = 255 - (255 - np.arange(256)[:, None]) * density
    return (np.clip(levels, 3, 255) * paper).astype(np.uint8)[None]


def _light(rng: Rng) -> F32:
    """Light over the cell, float32 (72, 72, 3): level, colour, slope, perhaps the edge of a shadow."""
    y, x = _GRID
    level = rng.uniform(0.2, 0.5) if rng.random() < 0.12 else rng.uniform(0.5, 1.1)
    slope = rng.normal(0, 0.08, 2)
    field = level * (1 + slope[0] * x + slope[1] * y)
    if rng.random() < 0.1:
        angle, offset = rng.uniform(0, 2 * np.pi), rng.uniform(-0.8, 0.8)
        edge = 1 / (1 + np.exp(-(np.cos(angle) * x + np.sin(angle) * y - offset) * rng.choice([3, 6, 12])))
        field = field * (1 - rng.uniform(0.2, 0.65) * edge)
    cast = np.exp(rng.normal(0, 0.13, 3))
    coarse = (field[..., None] * (cast / cast.max())).astype(np.float32)
    return cv2.resize(coarse, (WORK_PX, WORK_PX), interpolation=cv2.INTER_LINEAR)


def _camera(paper: F32, rng: Rng) -> U8:
    """From light on paper to the decoded, rectified cell: usually sharp and clean, as phones' photos are."""
    good = rng.random() < GOOD_PHOTOS
    image = cv2.multiply(paper, _light(rng))
    if rng.random() < (0.05 if good else 0.2):
        haze = rng.uniform(0, 0.25)
        image = image * (1 - haze) + haze * rng.uniform(60, 255)
    if rng.random() < 0.2:
        np.power(np.maximum(image, 0) / 255, rng.uniform(0.75, 1.3), out=image)
        image *= 255
    image = _blurred(image, good, rng)
    noise = rng.choice([0.0, 2.0, 4.0] if good else [2.0, 5.0, 9.0], p=[0.35, 0.45, 0.2]) * rng.uniform(0.5, 1.3)
    side = WORK_PX
    if rng.random() < (0.3 if good else 0.4):
        # Fewer pixels than the net's, or hardly more: a small or distant sheet.
        side = int(rng.uniform(44 if good else 26, WORK_PX))
        image = cv2.resize(image, (side, side), interpolation=cv2.INTER_AREA)
        if noise:
            image += _noise(rng, side) * noise
    if rng.random() < 0.2:
        soft = cv2.GaussianBlur(image, (0, 0), 1.0)
        image = image + rng.uniform(0.2, 0.9) * (image - soft)
    how = cv2.INTER_AREA if side > CELL_PX else cv2.INTER_LINEAR
    image = cv2.resize(image, (CELL_PX, CELL_PX), interpolation=how)
    if noise and side == WORK_PX:
        image += _noise(rng, CELL_PX) * noise * 0.7
    out = np.clip(image, 0, 255).astype(np.uint8)
    if rng.random() < 0.35:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(65 if good else 35, 96))]
        out = cv2.imdecode(cv2.imencode(".jpg", out, quality)[1], cv2.IMREAD_COLOR)
    return out


def _blurred(image: F32, good: bool, rng: Rng) -> F32:
    style = rng.random()
    if style < (0.4 if good else 0.1):
        return image
    if style < 0.92:
        return cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 1.2) if good else rng.uniform(0.8, 1.9))
    length = rng.uniform(1.5, 3) if good else rng.uniform(2, 5.5)
    kernel = np.zeros((7, 7), np.float32)
    angle = rng.uniform(0, np.pi)
    reach = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    start, end = (3 - reach) * 16, (3 + reach) * 16
    cv2.line(kernel, (int(start[0]), int(start[1])), (int(end[0]), int(end[1])), 1.0, 1, cv2.LINE_AA, 4)
    return cv2.filter2D(image, -1, kernel / max(kernel.sum(), 1e-3))


def _noise(rng: Rng, side: int) -> F32:
    grey = rng.standard_normal((side, side, 1), np.float32)
    return 0.8 * grey + 0.5 * rng.standard_normal((side, side, 3), np.float32)
