"""Printed matter as it comes off a press: words nobody can read, set in lines and columns; a newspaper of them."""

from __future__ import annotations

import cv2
import numpy as np

from synth.noise import TABLE_MM, ImageU8, blend, fractal, to_image

_NEWS_PX = 3200  # 8 px/mm: what shows of a newspaper beneath a sheet is as sharp as the sheet
_SYLLABLES = (
    "an", "be", "der", "en", "in", "ge", "ten", "ver", "sch", "ing", "tion", "al", "re", "ro", "la", "mi", "ka", "os",
    "ter", "un", "wal", "ster", "na", "li", "to", "ra", "ne", "so", "vi", "el", "or", "ma", "du", "per", "con",
)  # fmt: skip
Grey = tuple[float, float, float]


def word(rng: np.random.Generator) -> str:
    """A word of one to four syllables that means nothing."""
    return "".join(str(rng.choice(_SYLLABLES)) for _ in range(int(rng.integers(1, 5))))


def words(rng: np.random.Generator, count: int) -> str:
    """So many words, the first with a capital."""
    return " ".join(word(rng) for _ in range(count)).capitalize()


def set_line(
    image: ImageU8,
    text: str,
    left_baseline_px: tuple[float, float],
    height_px: float,
    colour: Grey = (40.0, 40.0, 42.0),
    font: int = cv2.FONT_HERSHEY_SIMPLEX,
    width_px: float | None = None,
    bold: float = 1.0,
) -> float:
    """Draws one line of text, in place, cut where it would be wider than `width_px`.

    Args:
        image: uint8 (H, W, 3), BGR.
        text: what to write, ASCII.
        left_baseline_px: where it starts.
        height_px: of its capitals.
        colour: of the ink, BGR.
        font: one of OpenCV's stroke fonts.
        width_px: the column's width.
        bold: thickness of the strokes, 1 is normal.

    Returns:
        How wide it came out, pixels.
    """
    scale = height_px / 21.0  # capitals of these fonts are 21 units high
    thickness = max(1, round(height_px * 0.11 * bold))
    while width_px is not None and len(text) > 1:
        (wide, _), _ = cv2.getTextSize(text, font, scale, thickness)
        if wide <= width_px:
            break
        text = text[: max(1, int(len(text) * width_px / wide))]
    at = (int(left_baseline_px[0]), int(left_baseline_px[1]))
    cv2.putText(image, text, at, font, scale, colour, thickness, cv2.LINE_AA)
    return float(cv2.getTextSize(text, font, scale, thickness)[0][0])


def set_column(
    image: ImageU8,
    box_px: tuple[float, float, float, float],
    height_px: float,
    rng: np.random.Generator,
    colour: Grey = (40.0, 40.0, 42.0),
    font: int = cv2.FONT_HERSHEY_SIMPLEX,
) -> None:
    """Fills a box (left, top, right, bottom) with paragraphs, in place."""
    left, top, right, bottom = box_px
    y = top + height_px
    while y < bottom:
        lines = int(rng.integers(3, 12))
        for k in range(lines):
            if y >= bottom:
                return
            indent = 2 * height_px if k == 0 else 0.0
            width = (right - left - indent) * (float(rng.uniform(0.3, 0.9)) if k == lines - 1 else 1.0)
            text = words(rng, int(width / height_px / 3.6) + 2)
            set_line(image, text if k == 0 else text.lower(), (left + indent, y), height_px, colour, font, width)
            y += height_px * 1.75
        y += height_px * 0.6 * float(rng.random() < 0.4)


def picture_block(image: ImageU8, box_px: tuple[float, float, float, float], rng: np.random.Generator) -> None:
    """A printed photograph: soft blobs of grey or colour, in place."""
    left, top, right, bottom = (int(v) for v in box_px)
    there = image[top:bottom, left:right]
    if min(there.shape[:2]) < 8:
        return
    grey = rng.uniform(30, 230, (5, 6, 1))
    colour = rng.normal(0, 22, (5, 6, 3)) if rng.random() < 0.5 else np.zeros((5, 6, 3))
    small = (grey + colour).astype(np.float32)
    soft = cv2.resize(small, there.shape[1::-1], interpolation=cv2.INTER_CUBIC)
    there[:] = np.clip(soft, 20, 235).astype(np.uint8)


def newspaper(rng: np.random.Generator) -> ImageU8:
    """A spread newspaper: columns, headlines, pictures, rules between."""
    side = _NEWS_PX
    mm = side / TABLE_MM
    tone = 0.3 + 0.2 * fractal(rng, (4, 4), 4)
    paper = to_image(blend(tone, (206, 214, 220), (188, 198, 206)))
    image = np.asarray(cv2.resize(paper, (side, side), interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
    pitch = float(rng.uniform(44, 60)) * mm
    gap = 4 * mm
    for left in np.arange(6 * mm, side, pitch):
        right = min(left + pitch - gap, side - 4)
        cv2.line(image, (int(right + gap / 2), 0), (int(right + gap / 2), side), (150, 154, 158), 1, cv2.LINE_AA)
        y = float(rng.uniform(0, 30)) * mm
        while y < side:
            if rng.random() < 0.7:
                size = float(rng.uniform(3.5, 8)) * mm
                for _ in range(int(rng.integers(1, 4))):
                    y += size * 1.5
                    headline = words(rng, 4)
                    font = cv2.FONT_HERSHEY_TRIPLEX
                    set_line(image, headline, (left, y), size, (44, 44, 48), font, right - left, 1.2)
                y += 4 * mm
            if rng.random() < 0.4:
                tall = float(rng.uniform(25, 60)) * mm
                picture_block(image, (left, y, right, min(y + tall, side)), rng)
                y += tall + 3 * mm
            tall = float(rng.uniform(40, 120)) * mm
            set_column(image, (left, y, right, min(y + tall, side)), 1.7 * mm, rng, (62, 62, 66))
            y += tall + 3 * mm
    return image
