"""Ink on paper: strokes drawn with a pen that has width, pressure, colour and grain.

Ink lets part of the light through: the paper's colour is multiplied by the ink's, so that a stroke over
print darkens the print beneath it. Images are uint8 (H, W, 3), BGR, and are drawn on in place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
ImageU8 = NDArray[np.uint8]
FloatImage = NDArray[np.float32]

_FINE_PX = 8.0  # a stroke is drawn at least this wide before it is shrunk: edges in 8 grey steps
_SHIFT = 4  # cv2 draws at 1/16 of a pixel
_GRAIN_SIZE = 512
_LEVELS = 6  # steps of pressure along a stroke


@dataclass(frozen=True, slots=True)
class Pen:
    """A writing tool.

    Attributes:
        kind: one of `PENS`.
        width_mm: usual width of a line.
        colour_bgr: share of light that full ink lets through per channel, 0 to 1.
        density: how much ink covers, 0 to 1.
        pressure_width: how much the width follows the pressure.
        pressure_density: how much the density follows the pressure.
        grain: how much the paper's grain shows, 0 (wet ink) to 1 (pencil).
        grain_mm: size of that grain.
        skip: share of the path where the pen writes badly.
        bleed_mm: how far the ink spreads, blurred.
    """

    kind: str
    width_mm: float
    colour_bgr: tuple[float, float, float]
    density: float
    pressure_width: float
    pressure_density: float
    grain: float
    grain_mm: float
    skip: float
    bleed_mm: float


PENS = (
    "blue biro",
    "black biro",
    "red biro",
    "green biro",
    "blue gel",
    "black gel",
    "black felt",
    "blue felt",
    "red felt",
    "pencil",
    "faint pencil",
)
_SHARES = (0.25, 0.19, 0.035, 0.02, 0.05, 0.08, 0.075, 0.03, 0.02, 0.2, 0.05)
_INKS_BGR = {
    "blue": ((0.62, 0.26, 0.16), (0.50, 0.20, 0.12), (0.72, 0.36, 0.18)),
    "black": ((0.17, 0.15, 0.15), (0.11, 0.10, 0.10), (0.24, 0.19, 0.18)),
    "red": ((0.22, 0.16, 0.78), (0.30, 0.22, 0.84)),
    "green": ((0.30, 0.48, 0.12), (0.38, 0.52, 0.20)),
}


def pen_for(rng: np.random.Generator, kind: str | None = None) -> Pen:
    """A pen of that kind (a key of `PENS`), or of a kind as common as on game tables.

    Raises:
        ValueError: an unknown kind.
    """
    if kind is None:
        kind = str(rng.choice(PENS, p=_SHARES))
    if kind not in PENS:
        raise ValueError(f"unknown pen {kind!r}: expected one of {', '.join(PENS)}")
    if kind.endswith("pencil"):
        return _pencil(rng, kind)
    colour_name, tool = kind.split()
    inks = _INKS_BGR[colour_name]
    base = np.array(inks[int(rng.integers(len(inks)))]) * rng.uniform(0.85, 1.15)
    colour = tuple(float(v) for v in np.clip(base, 0.04, 0.9))
    b, g, r = colour
    if tool == "biro":
        width, density = float(rng.uniform(0.3, 0.5)), float(rng.uniform(0.8, 0.95))
        skip = float(rng.choice([0, 0.03, 0.1]))
        return Pen(kind, width, (b, g, r), density, 0.22, 0.3, 0.22, 0.16, skip, 0.02)
    if tool == "gel":
        width = float(rng.uniform(0.38, 0.62))
        return Pen(kind, width, (b, g, r), float(rng.uniform(0.92, 1.0)), 0.12, 0.06, 0.05, 0.2, 0.0, 0.03)
    width = float(rng.uniform(0.7, 1.25))
    return Pen(kind, width, (b, g, r), float(rng.uniform(0.86, 1.0)), 0.1, 0.1, 0.06, 0.4, 0.0, 0.07)


def _pencil(rng: np.random.Generator, kind: str) -> Pen:
    faint = kind.startswith("faint")
    grey = float(rng.uniform(0.3, 0.42))
    density = float(rng.uniform(0.4, 0.55) if faint else rng.uniform(0.62, 0.92))
    width = float(rng.uniform(0.4, 0.8))
    return Pen(kind, width, (grey * 1.04, grey, grey * 0.98), density, 0.3, 0.45, 0.75, 0.13, 0.0, 0.015)


def draw_strokes(
    page: ImageU8,
    strokes_px: Sequence[Points],
    pen: Pen,
    px_per_mm: float,
    rng: np.random.Generator,
    pressure: float = 1.0,
) -> None:
    """Draws pen strokes on a picture, in place, in about a third of a millisecond for a digit.

    Args:
        page: uint8 (H, W, 3), BGR, changed; strokes may leave it.
        strokes_px: polylines (N, 2) float64 in its pixels, x right, y down; (0, 0) is the corner of the
            first pixel, not its middle.
        pen: the writing tool.
        px_per_mm: scale of the picture.
        rng: source of chance.
        pressure: how hard this writer presses, about 1.
    """
    if not strokes_px:
        return
    margin = pen.width_mm * px_per_mm * 1.5 + 3 * pen.bleed_mm * px_per_mm + 2
    points = np.concatenate(list(strokes_px))
    x0, y0 = (int(v) for v in np.maximum(np.floor(points.min(axis=0) - margin), 0))
    x1, y1 = (int(v) for v in np.minimum(np.ceil(points.max(axis=0) + margin), page.shape[1::-1]))
    if x1 <= x0 or y1 <= y0:
        return
    cover = _coverage([s - [x0, y0] for s in strokes_px], (x1 - x0, y1 - y0), pen, px_per_mm, rng, pressure)
    patch = page[y0:y1, x0:x1]
    light = 1 - cover[:, :, None] * (1 - np.array(pen.colour_bgr, dtype=np.float32))
    patch[:] = np.clip(patch * light + 0.5, 0, 255).astype(np.uint8)


def _coverage(
    strokes: list[Points],
    size_wh: tuple[int, int],
    pen: Pen,
    px_per_mm: float,
    rng: np.random.Generator,
    pressure: float,
) -> FloatImage:
    """How much ink lies on each pixel: float32 (H, W), 0 to 1."""
    width_px = pen.width_mm * px_per_mm
    fine = int(np.clip(np.ceil(_FINE_PX / max(width_px, 0.3)), 1, 6))
    shape = (size_wh[1] * fine, size_wh[0] * fine)
    total = np.zeros(shape, dtype=np.uint8)
    for stroke in strokes:
        layer = np.zeros(shape, dtype=np.uint8) if len(strokes) > 1 else total
        _draw_one(layer, stroke * fine, pen, width_px * fine, rng, pressure)
        if layer is not total:
            np.maximum(total, layer, out=total)
    if fine > 1:
        total = np.asarray(cv2.resize(total, size_wh, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    cover = total.astype(np.float32) / 255
    if pen.bleed_mm * px_per_mm > 0.15:
        cover = np.asarray(cv2.GaussianBlur(cover, (0, 0), pen.bleed_mm * px_per_mm), dtype=np.float32)
    if pen.grain > 0:
        cover *= _grain_patch(size_wh, pen, px_per_mm, rng)
    return np.asarray(np.clip(cover, 0, 1), dtype=np.float32)


def _draw_one(
    layer: NDArray[np.uint8],
    stroke: Points,
    pen: Pen,
    width_px: float,
    rng: np.random.Generator,
    pressure: float,
) -> None:
    """Draws one stroke in runs of equal pressure; the grey is the density of the ink."""
    n = len(stroke)
    force = _pressure_along(n, rng) * pressure
    width = width_px * (1 + pen.pressure_width * (force - 1))
    density = pen.density * (1 + pen.pressure_density * (force - 1))
    if pen.skip > 0:
        density = density * np.where(rng.random(n) < pen.skip, rng.uniform(0.25, 0.8, n), 1)
    thick = np.maximum(1, np.rint(width)).astype(int)
    grey = np.clip(np.rint(density * 255 / 12) * 12, 20, 255).astype(int)
    fixed = np.rint((stroke - 0.5) * (1 << _SHIFT)).astype(np.int32)
    changes = np.flatnonzero((np.diff(thick) != 0) | (np.diff(grey) != 0)) + 1
    for a, b in zip([0, *changes], [*changes, n], strict=True):
        run = fixed[a : min(b + 1, n)]
        if len(run) == 1:
            run = np.repeat(run, 2, axis=0)
        cv2.polylines(layer, [run.reshape(-1, 1, 2)], False, int(grey[a]), int(thick[a]), cv2.LINE_8, _SHIFT)


def _pressure_along(n: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Pressure along a stroke of n points, about 1: slow waves, lighter where the pen lands and lifts."""
    knots = np.linspace(0, 1, 5)
    values = 1 + rng.normal(0, 0.16, 5)
    values[-1] -= rng.uniform(0, 0.4)
    values[0] -= rng.uniform(-0.1, 0.2)
    smooth = np.interp(np.linspace(0, 1, n), knots, values)
    return np.asarray(np.rint(smooth * _LEVELS * 2) / (_LEVELS * 2))


@cache
def _grain_tile() -> FloatImage:
    """A tile of paper grain: mean 0, standard deviation 1, about two pixels a grain; from a fixed seed."""
    noise = np.random.default_rng(4711).normal(0, 1, (_GRAIN_SIZE, _GRAIN_SIZE)).astype(np.float32)
    soft = cv2.GaussianBlur(noise, (0, 0), 1.0, borderType=cv2.BORDER_REFLECT)
    return np.asarray(soft / soft.std(), dtype=np.float32)


def _grain_patch(size_wh: tuple[int, int], pen: Pen, px_per_mm: float, rng: np.random.Generator) -> FloatImage:
    """What the grain leaves of the ink: float32 (H, W), mostly 1 - grain to 1."""
    step = 2.0 / max(pen.grain_mm * px_per_mm, 0.25)  # grain pixels per picture pixel
    w, h = (min(_GRAIN_SIZE, max(2, int(np.ceil(v * step)))) for v in size_wh)
    x, y = (int(rng.integers(0, _GRAIN_SIZE - v + 1)) for v in (w, h))
    piece = cv2.resize(_grain_tile()[y : y + h, x : x + w], size_wh, interpolation=cv2.INTER_AREA)
    return np.asarray(1 - pen.grain * np.clip(0.32 - 0.45 * piece, 0, 0.85), dtype=np.float32)
