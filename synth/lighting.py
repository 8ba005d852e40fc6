"""Light on the photographed scene: gains computed small, enlarged and multiplied onto the photo."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from synth.scenes import Light, Shade

ImageU8 = NDArray[np.uint8]
Field = NDArray[np.float32]

_SMALL = 16  # the light is computed at a sixteenth of the photo: shadows' edges are softer than that
UNIT = 140.0  # gain 1 in the 8-bit gain image, so gains up to 1.8 fit with steps below one grey level


def gain_image(light: Light, size_wh: tuple[int, int]) -> ImageU8:
    """The light's gain for every pixel: uint8 (H, W, 3), `UNIT` meaning 1."""
    w, h = (max(8, -(-side // _SMALL)) for side in size_wh)
    x, y = np.meshgrid(np.linspace(0, 1, w, dtype=np.float32), np.linspace(0, 1, h, dtype=np.float32))
    longer = max(size_wh)
    px, py = x * np.float32(size_wh[0] / longer), y * np.float32(size_wh[1] / longer)
    middle = (size_wh[0] / longer / 2, size_wh[1] / longer / 2)
    field = _falloff(light, px - middle[0], py - middle[1])
    for shade in light.shades:
        centre = (shade.centre[0] * size_wh[0] / longer, shade.centre[1] * size_wh[1] / longer)
        field = field * _shade(shade, px - centre[0], py - centre[1])
    gains = field[..., None] * (np.array(light.cast_bgr, dtype=np.float32) * np.float32(light.exposure))
    small = np.clip(gains * UNIT, 0, 255).astype(np.uint8)
    return np.asarray(cv2.resize(small, size_wh, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)


def _falloff(light: Light, dx: Field, dy: Field) -> Field:
    """Lamp to one side and the lens's own darker corners; 1 at the brightest place."""
    angle = np.radians(light.falloff_deg)
    along = dx * np.float32(np.cos(angle)) + dy * np.float32(np.sin(angle))
    lamp = 1 - np.float32(light.falloff) * np.clip(along + 0.5, 0, 1)
    return np.asarray(lamp * (1 - np.float32(light.vignette) * (dx**2 + dy**2) / 0.39), dtype=np.float32)


def _shade(shade: Shade, dx: Field, dy: Field) -> Field:
    angle = np.radians(shade.angle_deg)
    u = dx * np.float32(np.cos(angle)) + dy * np.float32(np.sin(angle))
    v = dy * np.float32(np.cos(angle)) - dx * np.float32(np.sin(angle))
    if shade.kind == "half":
        inside = u / np.float32(shade.softness)
    else:
        radius = np.sqrt((u / shade.size[0]) ** 2 + (v / shade.size[1]) ** 2)
        inside = (1 - radius) * np.float32(min(shade.size) / shade.softness)
    share = 1 / (1 + np.exp(-np.clip(4 * inside, -30, 30)))
    return np.asarray(1 - (1 - shade.factor) * share, dtype=np.float32)


def add_glare(photo: ImageU8, light: Light) -> ImageU8:
    """The photo with the lamp's reflection in it; the same array if there is none."""
    if light.glare <= 0:
        return photo
    height, width = photo.shape[:2]
    w, h = max(8, width // _SMALL), max(8, height // _SMALL)
    longer = max(height, width)
    x, y = np.meshgrid(np.arange(w, dtype=np.float32), np.arange(h, dtype=np.float32))
    dx = (x / w - light.glare_at[0]) * width / longer / light.glare_size[0]
    dy = (y / h - light.glare_at[1]) * height / longer / light.glare_size[1]
    spot = light.glare * np.exp(-((dx**2 + dy**2) ** 1.3))
    small = np.clip(spot, 0, 255).astype(np.uint8)
    large = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.add(photo, cv2.merge([large, large, large])), dtype=np.uint8)


def lit(photo: ImageU8, gains: ImageU8) -> ImageU8:
    """The photo times the gains of `gain_image`."""
    return np.asarray(cv2.multiply(photo, gains, scale=1 / UNIT), dtype=np.uint8)
