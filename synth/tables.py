"""Table tops made of noise: wood, planks, cloth, felt, stone and other things people play on.

Each maker returns uint8 (S, S, 3), BGR, at `TABLE_PX_PER_MM`, seen from straight above.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

ImageU8 = NDArray[np.uint8]
Field = NDArray[np.float32]
Colour = tuple[float, float, float]

TABLE_PX = 1280
TABLE_PX_PER_MM = 3.2  # the tile covers 400 mm and is mirrored beyond


def _noise(rng: np.random.Generator, cells_wh: tuple[int, int]) -> Field:
    """Smooth noise with so many cells across and down, about -1 to 1."""
    small = rng.uniform(-1, 1, (cells_wh[1], cells_wh[0])).astype(np.float32)
    return np.asarray(cv2.resize(small, (TABLE_PX, TABLE_PX), interpolation=cv2.INTER_CUBIC), dtype=np.float32)


def _fractal(rng: np.random.Generator, cells_wh: tuple[int, int], octaves: int) -> Field:
    total = np.zeros((TABLE_PX, TABLE_PX), dtype=np.float32)
    for k in range(octaves):
        total += _noise(rng, (cells_wh[0] << k, cells_wh[1] << k)) * np.float32(0.55**k)
    return total


def _blend(share: Field, first: Colour, second: Colour) -> NDArray[np.float32]:
    weight = np.clip(share, 0, 1)[..., None]
    a, b = np.array(first, dtype=np.float32), np.array(second, dtype=np.float32)
    return np.asarray(a + weight * (b - a), dtype=np.float32)


def _to_image(colour: NDArray[np.float32]) -> ImageU8:
    return np.asarray(np.clip(colour, 0, 255), dtype=np.uint8)


def _grid() -> tuple[Field, Field]:
    y, x = np.mgrid[0:TABLE_PX, 0:TABLE_PX].astype(np.float32)
    return x / np.float32(TABLE_PX_PER_MM), y / np.float32(TABLE_PX_PER_MM)


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
    x, y = _grid()
    bend = _fractal(rng, (2, 4), 2) * rng.uniform(6, 22)
    rings = (y + bend + 0.02 * x) / rng.uniform(2.5, 9)
    saw = rings - np.floor(rings)
    pores = _noise(rng, (30, 640)) * 0.5 + _noise(rng, (90, 1280)) * 0.5
    return np.asarray(0.22 + 0.4 * saw**1.3 + 0.28 * pores + 0.12 * _noise(rng, (3, 8)), dtype=np.float32)


def _wood(rng: np.random.Generator) -> ImageU8:
    dark, light = _WOODS[int(rng.integers(len(_WOODS)))]
    return _to_image(_blend(_wood_field(rng), light, dark))


def _planks(rng: np.random.Generator) -> ImageU8:
    dark, light = _WOODS[int(rng.integers(len(_WOODS)))]
    field = _wood_field(rng)
    width = int(rng.uniform(55, 110) * TABLE_PX_PER_MM)
    for top in range(0, TABLE_PX, width):
        board = field[top : top + width]
        board[:] = np.roll(board, int(rng.integers(TABLE_PX)), axis=1) + rng.normal(0, 0.14)
        board[:2] = 1.6
        board[2:4] *= 0.8
        joint = int(rng.integers(TABLE_PX))
        board[:, joint : joint + 2] = 1.5
    return _to_image(_blend(field, light, dark) * rng.uniform(0.85, 1.05))


_CLOTHS: tuple[Colour, ...] = (
    (150, 80, 40), (60, 120, 60), (50, 50, 160), (170, 190, 205), (90, 70, 60), (60, 170, 190), (140, 150, 120),
    (120, 90, 140), (205, 210, 214), (70, 60, 110), (40, 110, 150),
)  # fmt: skip


def _cloth(rng: np.random.Generator) -> ImageU8:
    """Plain weave, creased here and there."""
    x, y = _grid()
    base = np.array(_CLOTHS[int(rng.integers(len(_CLOTHS)))], dtype=np.float32)
    pitch = rng.uniform(0.8, 1.6)
    slub = _noise(rng, (20, 640)) * 0.4 + _noise(rng, (640, 20)) * 0.4
    weave = np.sin(x * (2 * np.pi / pitch) + slub) * np.sin(y * (2 * np.pi / pitch) + slub)
    light = 1 + 0.09 * weave + 0.06 * slub + 0.07 * _fractal(rng, (2, 3), 3)
    return _to_image(base * light[..., None].astype(np.float32))


def _checked_cloth(rng: np.random.Generator) -> ImageU8:
    x, y = _grid()
    first = np.array(_CLOTHS[int(rng.integers(len(_CLOTHS)))], dtype=np.float32)
    pitch = rng.uniform(12, 34)
    stripes = ((np.sin(2 * np.pi * x / pitch) > 0).astype(np.float32) + (np.sin(2 * np.pi * y / pitch) > 0)) / 2
    light = 1 + 0.05 * _noise(rng, (320, 320)) + 0.06 * _fractal(rng, (2, 2), 2)
    cream = np.array((212, 220, 224), dtype=np.float32)
    mixed = cream + stripes[..., None].astype(np.float32) * (first - cream)
    return _to_image(mixed * light[..., None])


def _felt(rng: np.random.Generator) -> ImageU8:
    felts = ((70, 105, 28), (96, 44, 30), (40, 36, 128), (52, 52, 52), (30, 74, 36), (90, 30, 84))
    base = np.array(felts[int(rng.integers(len(felts)))], dtype=np.float32)
    fuzz = 0.09 * _noise(rng, (640, 640)) + 0.07 * _noise(rng, (240, 240)) + 0.07 * _fractal(rng, (3, 3), 3)
    return _to_image(base * (1 + fuzz)[..., None])


def _marble(rng: np.random.Generator) -> ImageU8:
    x, y = _grid()
    warp = _fractal(rng, (3, 3), 5)
    veins = 1 - np.abs(np.sin((x * rng.uniform(0.4, 1) + y * rng.uniform(-1, 1)) / 30 + 3.2 * warp))
    white = rng.random() < 0.65
    ground: Colour = (222, 224, 226) if white else (48, 52, 54)
    vein: Colour = (150, 156, 160) if white else (176, 182, 188)
    share = np.asarray(0.9 * veins**6 + 0.07 * (1 + _fractal(rng, (4, 4), 4)), dtype=np.float32)
    return _to_image(_blend(share, ground, vein))


def _stone(rng: np.random.Generator) -> ImageU8:
    """Granite: speckles of several sizes."""
    tone = rng.uniform(70, 185)
    tint = rng.uniform(0.93, 1.07, 3).astype(np.float32)
    speckle = 0.5 * _noise(rng, (640, 640)) + 0.5 * _noise(rng, (320, 320)) + 0.3 * _noise(rng, (110, 110))
    field = tone * (1 + 0.32 * speckle + 0.08 * _fractal(rng, (3, 3), 3))
    return _to_image(field[..., None] * tint)


def _white_desk(rng: np.random.Generator) -> ImageU8:
    tint = rng.uniform(0.97, 1.0, 3).astype(np.float32) * rng.uniform(222, 250)
    field = 1 + 0.006 * _noise(rng, (640, 640)) + 0.012 * _fractal(rng, (2, 2), 3)
    return _to_image(field[..., None] * tint)


def _plain(rng: np.random.Generator) -> ImageU8:
    """A lacquered or laminated top in one colour."""
    base = rng.uniform(35, 190) * np.array(rng.uniform(0.75, 1.1, 3), dtype=np.float32)
    field = 1 + 0.02 * _noise(rng, (640, 640)) + 0.03 * _fractal(rng, (2, 2), 3)
    return _to_image(field[..., None] * base)


def _tiles(rng: np.random.Generator) -> ImageU8:
    x, y = _grid()
    pitch = rng.uniform(28, 75)
    tone = rng.uniform(110, 215) * rng.uniform(0.9, 1.1, 3).astype(np.float32)
    near = np.minimum(np.abs(x % pitch - pitch / 2), np.abs(y % pitch - pitch / 2))
    grout = (near < rng.uniform(0.7, 1.6)).astype(np.float32)
    field = (1 + 0.05 * _noise(rng, (200, 200)) + 0.05 * _fractal(rng, (6, 6), 3)) * (1 - 0.4 * grout)
    return _to_image(field[..., None] * tone)


def _keyboard(rng: np.random.Generator) -> ImageU8:
    """A desk with a keyboard on it."""
    image = _white_desk(rng) if rng.random() < 0.5 else _wood(rng)
    mm = TABLE_PX_PER_MM
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


def _newspaper(rng: np.random.Generator) -> ImageU8:
    """Columns of print: words as dark dashes, headlines in letters."""
    image = _to_image(_blend(0.3 + 0.2 * _fractal(rng, (4, 4), 4), (206, 214, 220), (188, 198, 206)))
    mm = TABLE_PX_PER_MM
    for left in range(int(6 * mm), TABLE_PX, int(52 * mm)):
        y = int(rng.uniform(0, 30) * mm)
        while y < TABLE_PX:
            if rng.random() < 0.05:
                y += int(9 * mm)
                word = "".join(chr(int(rng.integers(97, 123))) for _ in range(10)).capitalize()
                cv2.putText(image, word, (left, y), cv2.FONT_HERSHEY_TRIPLEX, 0.9, (40, 40, 44), 2, cv2.LINE_AA)
            x = left
            while x < left + 44 * mm:
                length = int(rng.uniform(2, 8) * mm)
                cv2.line(image, (x, y), (min(x + length, int(left + 46 * mm)), y), (92, 92, 96), 4)
                x += length + 5
            y += int(3.6 * mm)
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
    "newspaper": _newspaper,
}
