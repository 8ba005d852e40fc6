"""Colours as `#rrggbb`, made lighter or darker to a wanted luminance, so that any column prints legibly."""

from __future__ import annotations

from functools import cache

Rgb = tuple[float, float, float]

# Steps of the halving search for a mix: 1/4096 is finer than an 8-bit colour.
_HALVINGS = 12
# White on a colour of this luminance has a contrast of 2.1 to 1, below what WCAG 2.2 asks of large figures.
_LIGHT = 0.45


def rgb(colour: str) -> Rgb:
    """Red, green and blue of `#rrggbb`, 0 to 1."""
    return int(colour[1:3], 16) / 255, int(colour[3:5], 16) / 255, int(colour[5:7], 16) / 255


def mix(colour: str, other: str, share: float) -> str:
    """`colour` with a share (0 to 1) of `other` in it."""
    parts = (round(255 * (a + (b - a) * share)) for a, b in zip(rgb(colour), rgb(other), strict=True))
    return "#" + "".join(f"{part:02x}" for part in parts)


def luminance(colour: str) -> float:
    """Relative luminance, 0 black to 1 white (WCAG 2.2: linear light, Rec. 709 weights)."""
    red, green, blue = (_linear(part) for part in rgb(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    """One sRGB component in linear light."""
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def is_light(colour: str) -> bool:
    """Whether white on this colour cannot be read."""
    return luminance(colour) >= _LIGHT


@cache
def toned(colour: str, target: float) -> str:
    """The colour mixed with white or black until its relative luminance is `target`.

    Yellow and purple toned alike print equally dark on a grey printer, and keep their hue.
    """
    other = "#ffffff" if luminance(colour) < target else "#000000"
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        reached = luminance(mix(colour, other, middle))
        too_little = reached < target if other == "#ffffff" else reached > target
        low, high = (middle, high) if too_little else (low, middle)
    return mix(colour, other, (low + high) / 2)
