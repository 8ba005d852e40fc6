"""Table tops made of noise: wood, planks, cloth, felt, stone and other things people play on.

Each maker returns uint8 (S, S, 3), BGR, `TABLE_MM` across, seen from straight above.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from synth.noise import TABLE_MM, TABLE_PX, Colour, Field, ImageU8, blend, fractal, grid_mm, noise, to_image
from synth.patterns import carpet, dotted_cloth, flowered_cloth, parquet, striped_cloth, tartan
from synth.press import newspaper

_PX_PER_MM = TABLE_PX / TABLE_MM

_WOODS: tuple[tuple[Colour, Colour], ...] = (
    ((58, 96, 142), (96, 142, 188)),
    ((34, 52, 82), (58, 84, 122)),
    ((92, 132, 168), (138, 178, 208)),
    ((26, 34, 48), (44, 56, 74)),
    ((120, 150, 172), (158, 186, 204)),
    ((70, 78, 84), (104, 112, 118)),
    ((38, 62, 118), (62, 92, 152)),
)


def _wood_field(rng: np.random.Generator) -> Field:
    """Growth rings cut lengthwise, fine pores along the grain; 0 to 1."""
    x, y = grid_mm()
    bend = fractal(rng, (2, 4), 2) * rng.uniform(6, 22)
    rings = (y + bend + 0.02 * x) / rng.uniform(2.5, 9)
    saw = rings - np.floor(rings)
    pores = noise(rng, (30, 640)) * 0.5 + noise(rng, (90, 1280)) * 0.5
    return np.asarray(0.22 + 0.4 * saw**1.3 + 0.28 * pores + 0.12 * noise(rng, (3, 8)), dtype=np.float32)


def _wood(rng: np.random.Generator) -> ImageU8:
    dark, light = _WOODS[int(rng.integers(len(_WOODS)))]
    return to_image(blend(_wood_field(rng), light, dark))


def _planks(rng: np.random.Generator) -> ImageU8:
    dark, light = _WOODS[int(rng.integers(len(_WOODS)))]
    field = _wood_field(rng)
    width = int(rng.uniform(55, 110) * _PX_PER_MM)
    for top in range(0, TABLE_PX, width):
        board = field[top : top + width]
        board[:] = np.roll(board, int(rng.integers(TABLE_PX)), axis=1) + rng.normal(0, 0.14)
        board[:2] = 1.6
        board[2:4] *= 0.8
        joint = int(rng.integers(TABLE_PX))
        board[:, joint : joint + 2] = 1.5
    return to_image(blend(field, light, dark) * rng.uniform(0.85, 1.05))


_CLOTHS: tuple[Colour, ...] = (
    (150, 80, 40), (60, 120, 60), (50, 50, 160), (170, 190, 205), (90, 70, 60), (60, 170, 190), (140, 150, 120),
    (120, 90, 140), (205, 210, 214), (70, 60, 110), (40, 110, 150),
)  # fmt: skip


def _cloth(rng: np.random.Generator) -> ImageU8:
    """Plain weave, creased here and there."""
    x, y = grid_mm()
    base = np.array(_CLOTHS[int(rng.integers(len(_CLOTHS)))], dtype=np.float32)
    pitch = rng.uniform(0.8, 1.6)
    slub = noise(rng, (20, 640)) * 0.4 + noise(rng, (640, 20)) * 0.4
    weave = np.sin(x * (2 * np.pi / pitch) + slub) * np.sin(y * (2 * np.pi / pitch) + slub)
    light = 1 + 0.09 * weave + 0.06 * slub + 0.07 * fractal(rng, (2, 3), 3)
    return to_image(base * light[..., None].astype(np.float32))


def _checked_cloth(rng: np.random.Generator) -> ImageU8:
    x, y = grid_mm()
    first = np.array(_CLOTHS[int(rng.integers(len(_CLOTHS)))], dtype=np.float32)
    pitch = rng.uniform(12, 34)
    stripes = ((np.sin(2 * np.pi * x / pitch) > 0).astype(np.float32) + (np.sin(2 * np.pi * y / pitch) > 0)) / 2
    light = 1 + 0.05 * noise(rng, (320, 320)) + 0.06 * fractal(rng, (2, 2), 2)
    cream = np.array((212, 220, 224), dtype=np.float32)
    mixed = cream + stripes[..., None].astype(np.float32) * (first - cream)
    return to_image(mixed * light[..., None])


def _felt(rng: np.random.Generator) -> ImageU8:
    felts = ((70, 105, 28), (96, 44, 30), (40, 36, 128), (52, 52, 52), (30, 74, 36), (90, 30, 84))
    base = np.array(felts[int(rng.integers(len(felts)))], dtype=np.float32)
    fuzz = 0.09 * noise(rng, (640, 640)) + 0.07 * noise(rng, (240, 240)) + 0.07 * fractal(rng, (3, 3), 3)
    return to_image(base * (1 + fuzz)[..., None])


def _marble(rng: np.random.Generator) -> ImageU8:
    x, y = grid_mm()
    warp = fractal(rng, (3, 3), 5)
    veins = 1 - np.abs(np.sin((x * rng.uniform(0.4, 1) + y * rng.uniform(-1, 1)) / 30 + 3.2 * warp))
    white = rng.random() < 0.65
    ground: Colour = (222, 224, 226) if white else (48, 52, 54)
    vein: Colour = (150, 156, 160) if white else (176, 182, 188)
    share = np.asarray(0.9 * veins**6 + 0.07 * (1 + fractal(rng, (4, 4), 4)), dtype=np.float32)
    return to_image(blend(share, ground, vein))


def _stone(rng: np.random.Generator) -> ImageU8:
    """Granite: speckles of several sizes."""
    tone = rng.uniform(70, 185)
    tint = rng.uniform(0.93, 1.07, 3).astype(np.float32)
    speckle = 0.5 * noise(rng, (640, 640)) + 0.5 * noise(rng, (320, 320)) + 0.3 * noise(rng, (110, 110))
    field = tone * (1 + 0.32 * speckle + 0.08 * fractal(rng, (3, 3), 3))
    return to_image(field[..., None] * tint)


def _white_desk(rng: np.random.Generator) -> ImageU8:
    tint = rng.uniform(0.97, 1.0, 3).astype(np.float32) * rng.uniform(222, 250)
    field = 1 + 0.006 * noise(rng, (640, 640)) + 0.012 * fractal(rng, (2, 2), 3)
    return to_image(field[..., None] * tint)


def _plain(rng: np.random.Generator) -> ImageU8:
    """A lacquered or laminated top in one colour."""
    base = rng.uniform(35, 190) * np.array(rng.uniform(0.75, 1.1, 3), dtype=np.float32)
    field = 1 + 0.02 * noise(rng, (640, 640)) + 0.03 * fractal(rng, (2, 2), 3)
    return to_image(field[..., None] * base)


def _tiles(rng: np.random.Generator) -> ImageU8:
    x, y = grid_mm()
    pitch = rng.uniform(28, 75)
    tone = rng.uniform(110, 215) * rng.uniform(0.9, 1.1, 3).astype(np.float32)
    near = np.minimum(np.abs(x % pitch - pitch / 2), np.abs(y % pitch - pitch / 2))
    grout = (near < rng.uniform(0.7, 1.6)).astype(np.float32)
    field = (1 + 0.05 * noise(rng, (200, 200)) + 0.05 * fractal(rng, (6, 6), 3)) * (1 - 0.4 * grout)
    return to_image(field[..., None] * tone)


def _keyboard(rng: np.random.Generator) -> ImageU8:
    """A desk with a keyboard on it."""
    image = _white_desk(rng) if rng.random() < 0.5 else _wood(rng)
    mm = _PX_PER_MM
    pitch, left, top = 19 * mm, int(rng.uniform(0, 80) * mm), int(rng.uniform(0, 250) * mm)
    cv2.rectangle(image, (left - 20, top - 20), (left + int(15.4 * pitch), top + int(5.3 * pitch)), (34, 34, 36), -1)
    for row in range(5):
        for column in range(15):
            x, y = int(left + column * pitch), int(top + row * pitch)
            far = (int(x + 0.86 * pitch), int(y + 0.86 * pitch))
            cv2.rectangle(image, (x, y), far, (52, 50, 50), -1, cv2.LINE_AA)
            cv2.rectangle(image, (x + 4, y + 2), (far[0] - 4, far[1] - 8), (64, 62, 62), -1, cv2.LINE_AA)
            letter = chr(int(rng.integers(65, 91)))
            cv2.putText(image, letter, (x + 12, y + 26), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (205, 205, 205), 1, cv2.LINE_AA)
    return image


TABLES: dict[str, Callable[[np.random.Generator], ImageU8]] = {
    "wood": _wood,
    "planks": _planks,
    "cloth": _cloth,
    "checked cloth": _checked_cloth,
    "felt": _felt,
    "marble": _marble,
    "stone": _stone,
    "white desk": _white_desk,
    "plain": _plain,
    "tiles": _tiles,
    "keyboard": _keyboard,
    "newspaper": newspaper,
    "striped cloth": striped_cloth,
    "dotted cloth": dotted_cloth,
    "flowered cloth": flowered_cloth,
    "tartan": tartan,
    "carpet": carpet,
    "parquet": parquet,
}
