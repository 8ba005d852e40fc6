"""A hand seen from above, as it holds a page down: fingers, back of the hand, wrist, perhaps a sleeve."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from synth.cutouts import Cutout
from synth.noise import ImageU8, noise, to_image

Field = NDArray[np.float32]
Points = NDArray[np.float64]

HAND_PX_PER_MM = 4.0
_SIDE_MM = 320.0
_TIP_MM = (300.0, 160.0)  # where the foremost fingertip ends; the arm comes from the left
_SKINS = (
    (158, 182, 226), (136, 168, 214), (120, 152, 204), (98, 130, 184), (70, 100, 152), (48, 70, 112), (34, 48, 78),
)  # fmt: skip


def draw_hand(rng: np.random.Generator) -> Cutout:
    """A hand that points right, its foremost fingertip at the anchor; a right hand or, turned over, a left one."""
    side = int(_SIDE_MM * HAND_PX_PER_MM)
    fingers = _flat_hand(rng) if rng.random() < 0.55 else _pointing_hand(rng)
    height = np.zeros((side, side), dtype=np.float32)
    for finger in fingers:
        _raise(height, finger)
    skin = np.array(_SKINS[int(rng.integers(len(_SKINS)))], dtype=np.float32) * np.float32(rng.uniform(0.92, 1.06))
    image = _shaded(height, skin, rng)
    for finger in fingers:
        _mark_finger(image, finger, skin, rng)
    if rng.random() < 0.5:
        _sleeve(image, height, rng)
    cover = np.asarray(cv2.GaussianBlur((height > 0.4).astype(np.uint8) * 255, (0, 0), 1.0), dtype=np.uint8)
    if rng.random() < 0.5:
        image, cover = image[::-1].copy(), cover[::-1].copy()
    return Cutout(image, cover, HAND_PX_PER_MM, _TIP_MM, 9.0)


@dataclass(frozen=True, slots=True, eq=False)
class _Limb:
    """Joints (N, 2) from the root to the tip's middle, half widths (N,), in millimetres; whether a nail shows."""

    joints: Points
    radii: Points
    nail: bool = True


def _xy(x: float, y: float) -> Points:
    return np.array([x, y], dtype=np.float64)


def _flat_hand(rng: np.random.Generator) -> list[_Limb]:
    """Four fingers side by side, the thumb spread, the back of the hand behind them."""
    tip = np.array(_TIP_MM)
    short = np.array([0.0, 7.0, 0.0, -16.0])[::-1] + rng.normal(0, 2, 4)
    spread = float(rng.uniform(0.02, 0.14))
    fingers = []
    for k in range(4):
        lean = (k - 1.5) * spread
        length = (72.0, 84.0, 78.0, 60.0)[k]
        behind = float(np.abs(short[3 - k])) + (4.0 if k != 1 else 0.0)
        end = tip + _xy(-behind - 7.5, (k - 1) * 18.5 + (k - 1) * 46 * spread)
        direction = np.array([np.cos(lean), np.sin(lean)])
        bent = np.array([-direction[1], direction[0]]) * float(rng.normal(0, 1.2))
        joints = np.stack([end - direction * length, end - direction * length * 0.55 + bent, end])
        fingers.append(_Limb(joints, np.array([10.4, 9.4, 7.8]) * (0.86 if k == 3 else 1.0)))
    roots = np.stack([finger.joints[0] for finger in fingers])
    middle = roots.mean(axis=0) + _xy(-34, 0)
    palm = [_Limb(np.stack([root, middle + (root - roots.mean(axis=0)) * 0.6]), np.array([12.0, 24.0]), False)
            for root in roots]  # fmt: skip
    thumb_root = middle + _xy(-8, -28)
    thumb_end = thumb_root + _xy(float(rng.uniform(44, 60)), -float(rng.uniform(14, 34)))
    thumb = _Limb(np.stack([thumb_root, thumb_root + _xy(18, -18), thumb_end]), np.array([15.0, 11.0, 8.4]))
    return [*fingers, *palm, thumb, _arm(middle)]


def _pointing_hand(rng: np.random.Generator) -> list[_Limb]:
    """One or two fingers hold the page, the others are bent under the hand."""
    tip = np.array(_TIP_MM)
    fingers = []
    for k in range(int(rng.integers(1, 3))):
        end = tip + _xy(-7.5 - 4.0 * k, 20.0 * k)
        lean = float(rng.normal(0.05, 0.06))
        direction = np.array([np.cos(lean), np.sin(lean)])
        joints = np.stack([end - direction * 66, end - direction * 34 + _xy(0, 1.5), end])
        fingers.append(_Limb(joints, np.array([11.0, 9.6, 8.0])))
    root = fingers[0].joints[0]
    knuckles = [_Limb(root + np.array([[-2.0, y], [14.0, y + 1]]), np.array([11.5, 10.0]), False)
                for y in (20.0, 38.0, 54.0)[len(fingers) - 1 :]]  # fmt: skip
    middle = root + _xy(-42, 27)
    palm = [_Limb(np.stack([root + _xy(0, y), middle + _xy(0, (y - 27) * 0.6)]), np.array([12.0, 24.0]), False)
            for y in (0.0, 20.0, 38.0, 54.0)]  # fmt: skip
    thumb_root = middle + _xy(6, -36)
    thumb = _Limb(
        np.stack([thumb_root, thumb_root + _xy(30, -14), thumb_root + _xy(56, -10)]), np.array([15.0, 11.0, 9.0])
    )
    return [*fingers, *knuckles, *palm, thumb, _arm(middle)]


def _arm(middle: Points) -> _Limb:
    return _Limb(np.stack([middle, middle + _xy(-60, 4), middle + _xy(-320, 16)]), np.array([33.0, 27.0, 38.0]), False)


def _raise(height: Field, limb: _Limb) -> None:
    """Raises the table by a round limb, in place: a half circle across, its radius changing along the joints."""
    for (start, end), (thick, thin) in zip(pairwise(limb.joints), pairwise(limb.radii), strict=True):
        reach = max(thick, thin)
        low = np.maximum((np.minimum(start, end) - reach) * HAND_PX_PER_MM, 0).astype(int)
        high = np.maximum(((np.maximum(start, end) + reach) * HAND_PX_PER_MM).astype(int) + 1, low)
        there = height[low[1] : high[1], low[0] : high[0]]
        yy, xx = np.mgrid[0 : there.shape[0], 0 : there.shape[1]].astype(np.float32)
        x, y = (xx + low[0]) / HAND_PX_PER_MM - start[0], (yy + low[1]) / HAND_PX_PER_MM - start[1]
        way = end - start
        share = np.clip((x * way[0] + y * way[1]) / (way @ way), 0, 1)
        radius = thick + share * (thin - thick)
        off = (x - share * way[0]) ** 2 + (y - share * way[1]) ** 2
        np.maximum(there, np.sqrt(np.maximum(radius**2 - off, 0)), out=there)


def _shaded(height: Field, skin: Field, rng: np.random.Generator) -> ImageU8:
    """Skin lit from one side, redder towards the tips, blotched and finely lined."""
    limited = np.minimum(height, 12 + 0.25 * height)
    round_ = np.asarray(cv2.GaussianBlur(limited, (0, 0), 1.6 * HAND_PX_PER_MM), dtype=np.float32)
    dx, dy = (cv2.Sobel(round_, cv2.CV_32F, *axis, scale=HAND_PX_PER_MM / 8) for axis in ((1, 0), (0, 1)))
    lamp = float(rng.uniform(0, 2 * np.pi))
    steep = np.sqrt(1 + dx**2 + dy**2)
    light = (1.0 + 0.32 * (dx * np.cos(lamp) + dy * np.sin(lamp))) / steep**0.55
    side = len(height)
    fine = 0.025 * noise(rng, (400, 400), side) + 0.035 * noise(rng, (24, 24), side)
    image = skin * np.clip(light + fine, 0.35, 1.25)[..., None]
    red = np.clip((np.arange(side, dtype=np.float32) / HAND_PX_PER_MM - (_TIP_MM[0] - 30)) / 40, 0, 1)[None, :, None]
    return to_image(image * (1 - red * np.array([0.12, 0.1, 0.0], dtype=np.float32)))


def _mark_finger(image: ImageU8, finger: _Limb, skin: Field, rng: np.random.Generator) -> None:
    """The nail, and creases over the joint."""
    if not finger.nail:
        return
    way = finger.joints[-1] - finger.joints[-2]
    way = way / np.linalg.norm(way)
    turn = float(np.degrees(np.arctan2(way[1], way[0])))
    radius = float(finger.radii[-1])
    scale = HAND_PX_PER_MM * 16

    def ellipse(at_mm: Points, axes_mm: tuple[float, float], colour: NDArray[Any]) -> None:
        place = tuple(int(v * scale) for v in at_mm)
        axes = (int(axes_mm[0] * scale), int(axes_mm[1] * scale))
        tone = tuple(float(v) for v in colour)
        cv2.ellipse(image, (place[0], place[1]), axes, turn, 0, 360, tone, -1, cv2.LINE_AA, 4)

    nail = finger.joints[-1] + way * 0.12 * radius
    ellipse(nail, (0.74 * radius, 0.62 * radius), skin * 0.8)
    ellipse(nail + way * 0.25, (0.7 * radius, 0.57 * radius), np.minimum(skin * 1.07 + np.array([14, 10, 8]), 248))
    ellipse(nail + way * 0.5 * radius, (0.16 * radius, 0.4 * radius), np.minimum(skin * 1.15 + 14, 250))
    knuckle = finger.joints[-2]
    across = np.array([-way[1], way[0]])
    for shift in (-2.2, 0.0, 2.0):
        half = across * radius * float(rng.uniform(0.5, 0.75))
        ends = [tuple(int(v * scale) for v in knuckle + way * shift + sign * half) for sign in (-1, 1)]
        tone = tuple(float(v) for v in skin * 0.8)
        cv2.line(image, ends[0][:2], ends[1][:2], tone, 2, cv2.LINE_AA, 4)


def _sleeve(image: ImageU8, height: Field, rng: np.random.Generator) -> None:
    """A sleeve over the wrist, a little wider than the arm; in place, on both picture and height."""
    end = int(float(rng.uniform(0.12, 0.3)) * len(image))
    arm = (height[:, :end] > 0.4).astype(np.uint8)
    reach = int(5 * HAND_PX_PER_MM) | 1
    wide = cv2.dilate(arm, np.ones((reach, 1), np.uint8))
    cloth = np.array(rng.uniform(30, 190) + rng.normal(0, 28, 3), dtype=np.float32).clip(15, 220)
    folds = 1 + 0.16 * noise(rng, (9, 5), len(image)) + 0.05 * noise(rng, (300, 300), len(image))
    edge = np.clip(cv2.distanceTransform(wide, cv2.DIST_L2, 3) / (9 * HAND_PX_PER_MM), 0, 1)
    tone = cloth * (folds[:, :end] * (0.55 + 0.45 * np.sqrt(edge)))[..., None]
    image[:, :end] = np.where(wide[..., None] > 0, np.clip(tone, 0, 255).astype(np.uint8), image[:, :end])
    height[:, :end] = np.maximum(height[:, :end], wide * np.float32(20))
