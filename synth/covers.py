"""Hands, dice and pens over a paper's margin: pushed outwards until they touch no cell, then drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from synth.cutouts import Cutout, draw_pen, draw_pencil
from synth.dice import die_outline, paint_die
from synth.fingers import draw_hand
from synth.lens import Lens, page_to_photo
from synth.paper import Paper
from synth.scenes import Cover, Light

ImageU8 = NDArray[np.uint8]
Points = NDArray[np.float64]

_SMALL = 8  # cells and things are held against each other at this fraction of the photo
_STEP_MM = 1.5
_STEPS = 60  # from wherever it starts, so many steps bring anything off the page
_CLEAR_MM = 1.0  # left free around every cell
_DIE_MM = 15.0
_MAKERS = {"hand": draw_hand, "pen": draw_pen, "pencil": draw_pencil}
# The inward direction of each side of the page, in degrees as they are drawn, y down.
_INWARDS = {"left": 0.0, "top": 90.0, "right": 180.0, "bottom": 270.0}


def put_over(
    photo: ImageU8,
    lens: Lens,
    paper: Paper,
    covers: Sequence[Cover],
    cells_mm: Points,
    light: Light,
    rng: np.random.Generator,
) -> None:
    """Lays things over a paper's margin, in place; none touches a cell.

    Args:
        photo: uint8 (H, W, 3), BGR.
        lens: the camera.
        paper: what they lie on.
        covers: the things.
        cells_mm: (N, 4, 2), what has to stay free, page millimetres.
        light: from where their shadows fall.
        rng: source of chance: how each looks.
    """
    kept = _cells_mask(photo, lens, paper, cells_mm)
    for cover in covers:
        if cover.kind == "die":
            _put_die(photo, lens, paper, cover, kept, light, rng)
        else:
            _put_cutout(photo, lens, paper, cover, _MAKERS[cover.kind](rng), kept, light)


def _cells_mask(photo: ImageU8, lens: Lens, paper: Paper, cells_mm: Points) -> ImageU8:
    """Where cells are, with a little around them, at the small scale."""
    centres = cells_mm.mean(axis=1, keepdims=True)
    half = np.abs(cells_mm - centres)
    grown = centres + (cells_mm - centres) * (1 + _CLEAR_MM / half)
    quads = page_to_photo(lens, paper, grown.reshape(-1, 2)).reshape(-1, 4, 2)
    mask = np.zeros((photo.shape[0] // _SMALL + 1, photo.shape[1] // _SMALL + 1), dtype=np.uint8)
    for quad in quads:
        cv2.fillPoly(mask, [np.rint(quad / _SMALL).astype(np.int32)], 255)
    return np.asarray(cv2.dilate(mask, np.ones((3, 3), np.uint8)), dtype=np.uint8)


@dataclass(frozen=True, slots=True)
class _Way:
    """Where a thing starts on the page, millimetres, and the direction in which it points, radians."""

    start: tuple[float, float]
    out: tuple[float, float]
    turn_rad: float

    @classmethod
    def of(cls, cover: Cover, paper: Paper) -> _Way:
        w, h = paper.page_mm
        start = {
            "left": (cover.reach_mm, cover.along * h),
            "right": (w - cover.reach_mm, cover.along * h),
            "top": (cover.along * w, cover.reach_mm),
            "bottom": (cover.along * w, h - cover.reach_mm),
        }[cover.side]
        out = {"left": (-1.0, 0.0), "right": (1.0, 0.0), "top": (0.0, -1.0), "bottom": (0.0, 1.0)}[cover.side]
        return cls(start, out, float(np.radians(_INWARDS[cover.side] + cover.turn_deg)))

    def at(self, step: int) -> Points:
        """The place after so many steps outwards."""
        return np.array(self.start) + np.array(self.out) * step * _STEP_MM


def _put_cutout(
    photo: ImageU8, lens: Lens, paper: Paper, cover: Cover, thing: Cutout, kept: ImageU8, light: Light
) -> None:
    way = _Way.of(cover, paper)
    size = kept.shape[1::-1]
    shrink = np.diag([1 / _SMALL, 1 / _SMALL, 1.0])
    for step in range(_STEPS):
        matrix = _to_photo(lens, paper, thing, way.at(step), way.turn_rad)
        seen = cv2.warpPerspective(thing.cover, shrink @ matrix, size, flags=cv2.INTER_AREA)
        if not cv2.bitwise_and(np.asarray(seen > 8, dtype=np.uint8), kept).any():
            _shade(photo, np.asarray(seen, dtype=np.uint8), thing.height_mm, lens, light)
            _blend(photo, thing, matrix)
            return


def _to_photo(lens: Lens, paper: Paper, thing: Cutout, at_mm: Points, turn_rad: float) -> Points:
    """(3, 3) from a cutout's pixels to the photo's, its anchor at a place of the page."""
    turn = turn_rad + np.radians(paper.turn_deg)
    c, s = np.cos(turn), np.sin(turn)
    at = paper.to_space(at_mm[None])[0, :2]
    anchor = np.array(thing.anchor_mm)
    moved = at - np.array([[c, -s], [s, c]]) @ anchor
    to_table = np.array([[c, -s, moved[0]], [s, c, moved[1]], [0, 0, 1.0]])
    return np.asarray(lens.table_homography() @ to_table @ np.diag([1 / thing.px_per_mm, 1 / thing.px_per_mm, 1.0]))


def _blend(photo: ImageU8, thing: Cutout, matrix: Points) -> None:
    size = photo.shape[1::-1]
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], dtype=np.float64) * thing.cover.shape[1::-1]
    seen = cv2.perspectiveTransform(corners[None], matrix)[0]
    low = np.maximum(np.floor(seen.min(axis=0)), 0).astype(int)
    high = np.minimum(np.ceil(seen.max(axis=0)), size).astype(int)
    if (high - low).min() < 2:
        return
    shifted = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1.0]]) @ matrix
    region = (int(high[0] - low[0]), int(high[1] - low[1]))
    image = cv2.warpPerspective(thing.image, shifted, region)
    cover = cv2.warpPerspective(thing.cover, shifted, region)
    there = photo[low[1] : high[1], low[0] : high[0]]
    share = cv2.merge([cover, cover, cover])
    front = cv2.multiply(image, share, scale=1 / 255)
    back = cv2.multiply(there, cv2.bitwise_not(share), scale=1 / 255)
    there[:] = cv2.add(front, back)


def _shade(photo: ImageU8, seen: ImageU8, height_mm: float, lens: Lens, light: Light) -> None:
    """The soft shadow of something seen there, at the small scale, falling away from the lamp."""
    away = np.radians(light.lamp_deg + 180)
    reach = height_mm * 0.7 * lens.focal_px / lens.distance_mm / _SMALL
    move = np.array([[1, 0, reach * np.cos(away)], [0, 1, reach * np.sin(away)]])
    fallen = cv2.warpAffine(seen, move, seen.shape[1::-1])
    soft = cv2.GaussianBlur(fallen, (0, 0), max(0.8, 0.45 * reach))
    gains = np.asarray(255 - soft * (0.25 + light.shadow * 0.6), dtype=np.uint8)
    size = (seen.shape[1] * _SMALL, seen.shape[0] * _SMALL)
    large = cv2.resize(gains, size, interpolation=cv2.INTER_LINEAR)[: photo.shape[0], : photo.shape[1]]
    cv2.multiply(photo, cv2.merge([large, large, large]), dst=photo, scale=1 / 255)


def _put_die(
    photo: ImageU8, lens: Lens, paper: Paper, cover: Cover, kept: ImageU8, light: Light, rng: np.random.Generator
) -> None:
    way = _Way.of(cover, paper)
    for step in range(_STEPS):
        place = paper.to_space(way.at(step)[None])[0]
        at, turn = (float(place[0]), float(place[1])), way.turn_rad
        outline = die_outline(lens, at, turn, _DIE_MM)
        seen = np.zeros_like(kept)
        cv2.fillPoly(seen, [np.rint(outline / _SMALL).astype(np.int32)], 255)
        if not cv2.bitwise_and(seen, kept).any():
            _shade(photo, seen, _DIE_MM / 2, lens, light)
            paint_die(photo, lens, at, turn, _DIE_MM, rng)
            return
