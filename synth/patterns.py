"""Table tops and floors with a pattern of their own: printed cloth, tartan, carpet, parquet."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from synth.noise import TABLE_MM, TABLE_PX, Colour, Field, ImageU8, fractal, grid_mm, noise, to_image

_PX_PER_MM = TABLE_PX / TABLE_MM
_DYES: tuple[Colour, ...] = (
    (46, 44, 168), (150, 84, 40), (62, 124, 58), (44, 160, 206), (120, 60, 120), (60, 60, 66), (150, 140, 60),
    (90, 110, 190),
)  # fmt: skip
_GROUNDS: tuple[Colour, ...] = (
    (212, 220, 226), (188, 206, 216), (90, 66, 44), (60, 62, 120), (176, 176, 150), (70, 96, 62),
)  # fmt: skip


def _ink(rng: np.random.Generator) -> Colour:
    return _DYES[int(rng.integers(len(_DYES)))]


def _ground(rng: np.random.Generator) -> NDArray[np.float32]:
    flat = np.array(_GROUNDS[int(rng.integers(len(_GROUNDS)))], dtype=np.float32)
    return np.tile(flat, (TABLE_PX, TABLE_PX, 1))


def _woven(colour: NDArray[np.float32], rng: np.random.Generator) -> ImageU8:
    """Threads and a few creases over any pattern."""
    x, y = grid_mm()
    pitch = float(rng.uniform(0.8, 1.5))
    weave = np.sin(x * (2 * np.pi / pitch)) * np.sin(y * (2 * np.pi / pitch))
    light = 1 + 0.06 * weave + 0.03 * noise(rng, (640, 640)) + 0.06 * fractal(rng, (2, 3), 3)
    return to_image(colour * light[..., None].astype(np.float32))


def striped_cloth(rng: np.random.Generator) -> ImageU8:
    """Stripes of several widths one way, as on tea towels."""
    image = _ground(rng)
    x = 0.0
    while x < TABLE_MM:
        wide = float(rng.choice([1.5, 3, 6, 12, 20]))
        if rng.random() < 0.5:
            image[:, int(x * _PX_PER_MM) : int((x + wide) * _PX_PER_MM)] = _ink(rng)
        x += wide
    return _woven(image, rng)


def tartan(rng: np.random.Generator) -> ImageU8:
    """Stripes both ways that mix where they cross."""
    sett = np.repeat(np.array([_ink(rng) for _ in range(7)], dtype=np.float32), rng.integers(6, 60, 7), axis=0)
    sett = np.concatenate([sett, sett[::-1]])
    line = np.resize(sett, (TABLE_PX, 3))
    mixed = (line[None] + line[:, None]) / np.float32(2)
    return _woven(np.asarray(mixed, dtype=np.float32), rng)


def dotted_cloth(rng: np.random.Generator) -> ImageU8:
    """Dots in rows, every other row shifted."""
    image = _ground(rng)
    pitch = float(rng.uniform(9, 24)) * _PX_PER_MM
    radius = pitch * float(rng.uniform(0.15, 0.34))
    colours = [_ink(rng) for _ in range(int(rng.integers(1, 4)))]
    for row, y in enumerate(np.arange(0, TABLE_PX + pitch, pitch * 0.87)):
        for column, x in enumerate(np.arange(-pitch / 2 * (row % 2), TABLE_PX + pitch, pitch)):
            at = (int(x * 16), int(y * 16))
            cv2.circle(image, at, int(radius * 16), colours[(row + column) % len(colours)], -1, cv2.LINE_AA, 4)
    return _woven(image, rng)


def flowered_cloth(rng: np.random.Generator) -> ImageU8:
    """Flowers of a few sizes with leaves, scattered."""
    image = _ground(rng)
    leaf, colours = _ink(rng), [_ink(rng) for _ in range(3)]
    for _ in range(int(rng.integers(90, 260))):
        at = rng.uniform(0, TABLE_PX, 2)
        size = float(rng.uniform(3, 13)) * _PX_PER_MM
        start = float(rng.uniform(0, 360))
        for k in range(2):
            _petal(image, at, size * 1.6, start + 140 * k, 0.28, leaf)
        petals = int(rng.integers(5, 8))
        for k in range(petals):
            _petal(image, at, size, start + 360 * k / petals, 0.42, colours[int(size) % 3])
        cv2.circle(image, (int(at[0]), int(at[1])), max(1, int(size * 0.24)), (60, 190, 220), -1, cv2.LINE_AA)
    return _woven(image, rng)


def _petal(
    image: NDArray[np.float32], root: NDArray[np.float64], length: float, turn_deg: float, wide: float, colour: Colour
) -> None:
    middle = root + length / 2 * np.array([np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))])
    axes = (max(1, int(length / 2)), max(1, int(length / 2 * wide)))
    cv2.ellipse(image, (int(middle[0]), int(middle[1])), axes, turn_deg, 0, 360, colour, -1, cv2.LINE_AA)


def carpet(rng: np.random.Generator) -> ImageU8:
    """A woven rug: borders, and a field of medallions, mirrored both ways."""
    half = TABLE_PX // 2
    quarter = np.tile(np.array(_ink(rng), dtype=np.float32), (half, half, 1))
    for depth in np.sort(rng.uniform(0.0, 0.4, int(rng.integers(2, 5)))):
        edge = int(depth * half)
        colour = _ink(rng)
        quarter[edge:, edge:] = colour
        pitch = int(rng.integers(14, 40))
        for k in range(edge, half, pitch):
            for at in ((k, edge + pitch // 2), (edge + pitch // 2, k)):
                cv2.drawMarker(quarter, at, _ink(rng), cv2.MARKER_DIAMOND, int(pitch * 0.6), 3)
    for radius in np.sort(rng.uniform(0.05, 0.6, 5))[::-1] * half:
        cv2.ellipse(quarter, (half, half), (int(radius), int(radius * 1.3)), 0, 180, 270, _ink(rng), -1)
    for _ in range(int(rng.integers(8, 24))):
        x, y = (int(v) for v in rng.uniform(0.45, 1.0, 2) * half)
        cv2.drawMarker(quarter, (x, y), _ink(rng), cv2.MARKER_STAR, int(rng.integers(12, 50)), 3)
    side = np.concatenate([quarter, quarter[:, ::-1]], axis=1)
    pile = 1 + 0.14 * noise(rng, (420, 420)) + 0.06 * fractal(rng, (4, 4), 3)
    return to_image(np.concatenate([side, side[::-1]]) * pile[..., None])


def parquet(rng: np.random.Generator) -> ImageU8:
    """Short strips of wood, set in squares by turns."""
    base = np.array((70, 112, 160), dtype=np.float32) * np.float32(rng.uniform(0.55, 1.25))
    strips = int(rng.integers(4, 7))
    block = int(rng.uniform(42, 70) * _PX_PER_MM) // strips * strips
    light: Field = np.ones((TABLE_PX, TABLE_PX), dtype=np.float32)
    for row, top in enumerate(range(0, TABLE_PX, block)):
        for column, left in enumerate(range(0, TABLE_PX, block)):
            square = light[top : top + block, left : left + block]
            lying = square if (row + column) % 2 else square.T
            for k in range(strips):
                strip = lying[k * block // strips : (k + 1) * block // strips]
                strip *= np.float32(1 + rng.normal(0, 0.07))
                strip[:1] *= 0.6
            square[:1] *= 0.7
            square[:, :1] *= 0.7
    grain = 1 + 0.05 * noise(rng, (640, 90)) + 0.05 * noise(rng, (90, 640))
    return to_image(base * (light * grain)[..., None])
