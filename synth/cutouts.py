"""Flat pictures of things seen from above: pens and pencils; the form that hands have too."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

ImageU8 = NDArray[np.uint8]
Profile = list[tuple[float, float, tuple[float, float, float]]]

_PX_PER_MM = 8.0
_LENGTH_MM = 170.0
_WIDTH_MM = 16.0


@dataclass(frozen=True, slots=True, eq=False)
class Cutout:
    """A thing seen from above, cut out of its surroundings.

    Attributes:
        image: uint8 (H, W, 3), BGR.
        cover: uint8 (H, W), 255 where it is.
        px_per_mm: scale.
        anchor_mm: the place on it that is put somewhere, from its top left.
        height_mm: how high it stands, for its shadow.
    """

    image: ImageU8
    cover: ImageU8
    px_per_mm: float
    anchor_mm: tuple[float, float]
    height_mm: float


def draw_pen(rng: np.random.Generator) -> Cutout:
    """A biro that points right, its tip at the anchor."""
    barrel = _bright(rng)
    metal = (176.0, 180.0, 182.0) if rng.random() < 0.5 else (60.0, 60.0, 62.0)
    width = float(rng.uniform(7.5, 11.0))
    length = float(rng.uniform(135, 148))
    profile: Profile = [
        (0, 0.1 * width, metal), (2.5, 0.24 * width, metal), (13, 0.72 * width, metal), (13.1, 0.9 * width, barrel),
        (34, width, barrel), (0.62 * length, width, barrel), (0.62 * length + 0.1, 1.04 * width, metal),
        (0.65 * length, 1.04 * width, metal), (0.65 * length + 0.1, 0.98 * width, barrel),
        (length - 9, 0.9 * width, barrel), (length - 8.9, 0.5 * width, metal), (length, 0.45 * width, metal),
    ]  # fmt: skip
    return _turned_piece(profile, facets=0)


def draw_pencil(rng: np.random.Generator) -> Cutout:
    """A pencil with six sides that points right, its tip at the anchor."""
    lacquer = _bright(rng)
    wood = (148.0, 190.0, 218.0)
    length = float(rng.uniform(90, 165))
    profile: Profile = [
        (0, 0.6, (70.0, 68.0, 66.0)), (4, 2.0, (70.0, 68.0, 66.0)), (4.1, 2.0, wood), (20, 7.0, wood),
        (20.1, 7.2, lacquer), (length - 12, 7.2, lacquer), (length - 11.9, 7.5, (150.0, 170.0, 176.0)),
        (length, 7.5, (150.0, 170.0, 176.0)),
    ]  # fmt: skip
    return _turned_piece(profile, facets=3)


def _turned_piece(profile: Profile, facets: int) -> Cutout:
    """Something round or with flat sides, by its width and colour at places from the tip, lit from above."""
    w, h = int(_LENGTH_MM * _PX_PER_MM), int(_WIDTH_MM * _PX_PER_MM)
    back_mm = _LENGTH_MM - 1 - np.arange(w) / _PX_PER_MM
    places = [place for place, _, _ in profile]
    half = np.interp(back_mm, places, [width / 2 for _, width, _ in profile], left=0, right=0)
    colours = np.stack([np.interp(back_mm, places, [tone[k] for _, _, tone in profile]) for k in range(3)], axis=1)
    across = (np.arange(h) / _PX_PER_MM - _WIDTH_MM / 2)[:, None] / np.maximum(half, 0.05)[None]
    if facets:
        side = np.floor((np.clip(across, -0.999, 0.999) + 1) / 2 * facets) - (facets - 1) / 2
        light = 0.92 + 0.2 * np.where(side == 0, 1, -0.4 * (side + 0.6))
    else:
        light = 0.42 + 0.62 * np.sqrt(np.maximum(1 - across**2, 0)) + 0.5 * np.exp(-(((across + 0.35) / 0.16) ** 2))
    image = np.clip(colours[None] * light[..., None], 0, 255).astype(np.uint8)
    cover = np.where(np.abs(across) <= 1, 255, 0).astype(np.uint8)
    soft = np.asarray(cv2.GaussianBlur(cover, (0, 0), 0.8), dtype=np.uint8)
    return Cutout(image, soft, _PX_PER_MM, (_LENGTH_MM - 1, _WIDTH_MM / 2), 4.0)


def _bright(rng: np.random.Generator) -> tuple[float, float, float]:
    colours = (
        (40, 40, 190), (30, 140, 225), (40, 190, 225), (70, 140, 60), (170, 90, 40), (120, 50, 110), (50, 50, 52),
        (215, 218, 220), (150, 40, 20),
    )  # fmt: skip
    b, g, r = colours[int(rng.integers(len(colours)))]
    return float(b), float(g), float(r)
