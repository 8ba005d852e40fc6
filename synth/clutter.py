"""Things lying on the table beside the sheet: dice, pencils, cards, tokens, a mug, another paper."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from synth.noise import TABLE_MM

ImageU8 = NDArray[np.uint8]
Points = NDArray[np.float64]

_SHADOW_MM = 2.2


def scatter(table: ImageU8, count: int, rng: np.random.Generator) -> None:
    """Draws so many things at random places on a table top, in place."""
    makers = list(_THINGS.values())
    for _ in range(count):
        place = rng.uniform(0.05, 0.95, 2) * table.shape[0]
        makers[int(rng.integers(len(makers)))](table, place, float(rng.uniform(0, 2 * np.pi)), rng)


def _scale(table: ImageU8) -> float:
    """Pixels per millimetre of a table top."""
    return len(table) / TABLE_MM


def _box(table: ImageU8, place: Points, turn: float, size_mm: tuple[float, float]) -> NDArray[np.int32]:
    half = np.array(size_mm) / 2 * _scale(table)
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    c, s = np.cos(turn), np.sin(turn)
    return np.asarray(np.rint(corners @ np.array([[c, s], [-s, c]]) + place), dtype=np.int32)


def _fill(table: ImageU8, corners: NDArray[np.int32], colour: tuple[int, int, int], shadow: bool = True) -> None:
    if shadow:
        _cast(table, corners)
    cv2.fillPoly(table, [corners], colour, cv2.LINE_AA)


def _cast(table: ImageU8, corners: NDArray[np.int32]) -> None:
    """A soft dark rim to the lower right of a thing."""
    reach = int(_SHADOW_MM * _scale(table))
    low = np.maximum(corners.min(axis=0) - 3 * reach, 0)
    high = np.minimum(corners.max(axis=0) + 4 * reach, table.shape[1::-1])
    if (high - low).min() < 4:
        return
    mask = np.zeros((high[1] - low[1], high[0] - low[0]), dtype=np.uint8)
    cv2.fillPoly(mask, [corners - low + [reach // 2, reach]], 255)
    soft = cv2.GaussianBlur(mask, (0, 0), reach * 0.6).astype(np.float32) / 255
    patch = table[low[1] : high[1], low[0] : high[0]]
    patch[:] = (patch * (1 - 0.5 * soft[..., None])).astype(np.uint8)


def _colour(rng: np.random.Generator) -> tuple[int, int, int]:
    bright = ((40, 40, 200), (30, 140, 230), (40, 200, 235), (70, 150, 60), (180, 90, 30), (130, 50, 110), (60, 60, 60))
    b, g, r = bright[int(rng.integers(len(bright)))]
    return b, g, r


def _die(table: ImageU8, place: Points, turn: float, rng: np.random.Generator) -> None:
    colour = _colour(rng) if rng.random() < 0.6 else (232, 236, 238)
    corners = _box(table, place, turn, (15, 15))
    _fill(table, corners, colour)
    dark = (30, 30, 30) if sum(colour) > 330 else (240, 240, 240)
    spots = [(-1, -1), (1, 1), (0, 0), (-1, 1), (1, -1)][: int(rng.integers(1, 6))]
    middle, u, v = corners.mean(axis=0), (corners[1] - corners[0]) / 3.6, (corners[3] - corners[0]) / 3.6
    for a, b in spots:
        x, y = middle + a * u + b * v
        cv2.circle(table, (int(x), int(y)), int(1.5 * _scale(table)), dark, -1, cv2.LINE_AA)


def _pencil(table: ImageU8, place: Points, turn: float, rng: np.random.Generator) -> None:
    colour = _colour(rng)
    _fill(table, _box(table, place, turn, (150, 7)), colour)
    lighter = tuple(min(255, int(v * 1.35) + 15) for v in colour)
    _fill(table, _box(table, place, turn, (150, 2.4)), (lighter[0], lighter[1], lighter[2]), shadow=False)
    tip = place + np.array([np.cos(turn), np.sin(turn)]) * 80 * _scale(table)
    _fill(table, _box(table, tip, turn, (12, 5)), (150, 190, 215), shadow=False)


def _card(table: ImageU8, place: Points, turn: float, rng: np.random.Generator) -> None:
    _fill(table, _box(table, place, turn, (63, 88)), (238, 240, 240))
    _fill(table, _box(table, place, turn, (57, 82)), _colour(rng), shadow=False)
    centre = (int(place[0]), int(place[1]))
    cv2.circle(table, centre, int(14 * _scale(table)), (225, 228, 228), -1, cv2.LINE_AA)


def _token(table: ImageU8, place: Points, turn: float, rng: np.random.Generator) -> None:
    radius = rng.uniform(8, 15) * _scale(table)
    around = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    rim = np.asarray(np.rint(place + radius * np.column_stack([np.cos(around), np.sin(around)])), dtype=np.int32)
    colour = (90, 150, 190) if rng.random() < 0.5 else _colour(rng)
    _fill(table, rim, colour)
    inner = tuple(int(v * 0.85) for v in colour)
    cv2.circle(
        table, (int(place[0]), int(place[1])), int(radius * 0.78), (inner[0], inner[1], inner[2]), 2, cv2.LINE_AA
    )


def _mug(table: ImageU8, place: Points, turn: float, rng: np.random.Generator) -> None:
    colour = _colour(rng) if rng.random() < 0.6 else (225, 228, 230)
    around = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    circle = np.column_stack([np.cos(around), np.sin(around)]) * _scale(table)
    handle = place + np.array([np.cos(turn), np.sin(turn)]) * 48 * _scale(table)
    _fill(table, _box(table, handle, turn, (26, 12)), colour)
    _fill(table, np.asarray(np.rint(place + 41 * circle), dtype=np.int32), colour)
    _fill(table, np.asarray(np.rint(place + 36 * circle), dtype=np.int32), (34, 52, 78), shadow=False)
    _fill(table, np.asarray(np.rint(place + 12 * circle + 40), dtype=np.int32), (50, 72, 104), shadow=False)


def _sheet(table: ImageU8, place: Points, turn: float, rng: np.random.Generator) -> None:
    _fill(table, _box(table, place, turn, (105, 148)), (232, 236, 238))
    if rng.random() < 0.5:
        _fill(table, _box(table, place, turn, (90, 128)), (214, 220, 224), shadow=False)


_THINGS: dict[str, Callable[[ImageU8, Points, float, np.random.Generator], None]] = {
    "die": _die,
    "pencil": _pencil,
    "card": _card,
    "token": _token,
    "mug": _mug,
    "sheet": _sheet,
}
