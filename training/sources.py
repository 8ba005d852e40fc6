"""Where handwriting comes from: data sets on disk, cut into a training and a held-out part, as drawable glyphs.

Every bitmap becomes two small maps: the signed distance to its outline, and the distance to its skeleton. From the
first it is drawn as written but thicker or thinner; from the second with a pen of our own. Strokes become polylines.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

MAP_PX = 48
"""Side of a glyph map; the glyph's longer side fills 40 of it, the rest is room for a thicker pen."""

GLYPH_PX = 40
OUTLINE_STEP = 8.0
"""Grey levels per map pixel of distance to the outline; 128 is the outline, more is inside."""

SKELETON_STEP = 12.0
"""Grey levels per map pixel of distance to the skeleton; 255 is on it."""

HELD_OUT = 0.12
"""Share of every source that is never trained on: its last part by index, so that whole writers are held out where a
source is ordered by writer. The first half of it calibrates, the second half evaluates."""

MISJOINED = (4, 5, 7)
"""Digits of pendigits that lifted the pen: their single polyline has a joining line that was never written."""

FILES = {
    "mnist": "mnist_train.npz",
    "semeion": "semeion_train.npz",
    "mfeat": "mfeat_train.npz",
    "pendigits": "pendigits_train.npz",
    "photo_cells": "photo_cells_train.npz",
}

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Bitmaps:
    """Digits of one source as maps.

    Attributes:
        name: the source.
        outline: uint8 (N, 48, 48), see `OUTLINE_STEP`.
        skeleton: uint8 (N, 48, 48), see `SKELETON_STEP`.
        boxes: float32 (N, 4), left, top, right, bottom of the ink in map pixels.
        labels: uint8 (N,), 0 to 9.
    """

    name: str
    outline: U8
    skeleton: U8
    boxes: F32
    labels: U8


@dataclass(frozen=True, slots=True, eq=False)
class Raw:
    """The source's own pictures, as a stranger would hand them to `read_numbers`.

    Attributes:
        name: the source.
        images: uint8 (N, h, w), dark ink on light ground.
        labels: uint8 (N,): 0 to 9; for photo cells 0 is blank and 10 is other ink.
    """

    name: str
    images: U8
    labels: U8


@dataclass(frozen=True, slots=True, eq=False)
class Strokes:
    """Digits as polylines.

    Attributes:
        points: float32 (N, 8, 2), unit: height 1, y down, from the top left of the ink.
        labels: uint8 (N,), 0 to 9.
    """

    points: F32
    labels: U8


@dataclass(frozen=True, slots=True, eq=False)
class Sources:
    """One part (training or held out) of every source."""

    bitmaps: tuple[Bitmaps, ...]
    raw: tuple[Raw, ...]
    strokes: Strokes


def sha256_of(folder: Path) -> dict[str, str]:
    """SHA-256 of each data file, by source."""
    return {name: hashlib.sha256((folder / file).read_bytes()).hexdigest() for name, file in FILES.items()}


def load_sources(folder: Path, part: str, cache: Path | None = None) -> Sources:
    """The sources of a folder.

    Args:
        folder: holds the files of `FILES`.
        part: `train`, `calibrate` or `evaluate`; no digit is in two of them.
        cache: a folder that keeps the maps, which take a minute to make.

    Raises:
        FileNotFoundError: a file is missing.
    """
    raw = tuple(_raw_sources(folder, part))
    bitmaps = tuple(_cached_bitmaps(source, part, cache) for source in raw)
    return Sources(bitmaps, raw, _pen_strokes(folder, part))


def _cached_bitmaps(source: Raw, part: str, cache: Path | None) -> Bitmaps:
    if cache is None:
        return _bitmaps(source)
    path = cache / f"maps-{part}-{source.name}.npz"
    if not path.exists():
        made = _bitmaps(source)
        cache.mkdir(parents=True, exist_ok=True)
        np.savez(path, outline=made.outline, skeleton=made.skeleton, boxes=made.boxes, labels=made.labels)
    with np.load(path) as data:
        return Bitmaps(source.name, data["outline"], data["skeleton"], data["boxes"], data["labels"])


def part_of(labels: NDArray[Any], part: str) -> NDArray[np.int64]:
    """Indices of one part: by position within each class, so that files sorted by class split evenly."""
    chosen = []
    for label in np.unique(labels):
        index = np.flatnonzero(labels == label)
        first, second = round(len(index) * (1 - HELD_OUT)), round(len(index) * (1 - HELD_OUT / 2))
        chosen.append({"train": index[:first], "calibrate": index[first:second], "evaluate": index[second:]}[part])
    return np.sort(np.concatenate(chosen))


def _raw_sources(folder: Path, part: str) -> Iterator[Raw]:
    for name in ("mnist", "semeion", "mfeat"):
        with np.load(folder / FILES[name]) as data:
            images = data["x"].astype(np.float32)
            labels = data["y"].astype(np.uint8)
        index = part_of(labels, part)
        dark = 255 - images[index] * (255.0 / images.max())
        yield Raw(name, dark.astype(np.uint8), labels[index])
    with np.load(folder / FILES["photo_cells"]) as data:
        index = part_of(data["y"], part)
        yield Raw("photo_cells", data["x"][index], data["y"][index].astype(np.uint8))


def _bitmaps(source: Raw) -> Bitmaps:
    hand = source.labels != 10
    if source.name == "photo_cells":
        hand &= source.labels != 0
    masks, boxes, kept = [], [], []
    for number in np.flatnonzero(hand):
        mask = _photo_ink(source.images[number]) if source.name == "photo_cells" else 255 - source.images[number]
        fitted = _fit(mask)
        if fitted is not None:
            masks.append(fitted)
            kept.append(number)
    ink = np.stack(masks)
    skeletons = np.concatenate([thin(ink[start : start + 4096]) for start in range(0, len(ink), 4096)])
    outline = np.empty(ink.shape, np.uint8)
    skeleton = np.empty(ink.shape, np.uint8)
    for number, (mask, line) in enumerate(zip(ink, skeletons, strict=True)):
        inside = cv2.distanceTransform(mask.astype(np.uint8), cv2.DIST_L2, 5)
        outside = cv2.distanceTransform((~mask).astype(np.uint8), cv2.DIST_L2, 5)
        outline[number] = np.clip(128 + (inside - outside) * OUTLINE_STEP, 0, 255)
        away = cv2.distanceTransform((~line).astype(np.uint8), cv2.DIST_L2, 5)
        skeleton[number] = np.clip(255 - away * SKELETON_STEP, 0, 255)
        rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
        boxes.append((columns[0], rows[0], columns[-1] + 1, rows[-1] + 1))
    return Bitmaps(source.name, outline, skeleton, np.array(boxes, np.float32), source.labels[np.array(kept, np.int64)])


def _photo_ink(image: U8) -> U8:
    """The pencil in a photographed sudoku cell: what is darker than its surroundings, away from the grid lines."""
    paper = cv2.medianBlur(image, 31).astype(np.float32)
    dark = cv2.GaussianBlur(np.clip((paper - image) * (255.0 / 60.0), 0, 255), (0, 0), 0.8).astype(np.uint8)
    edge = 6
    dark[:edge], dark[-edge:], dark[:, :edge], dark[:, -edge:] = 0, 0, 0, 0
    _, parts, stats, _ = cv2.connectedComponentsWithStats((dark > 70).astype(np.uint8), connectivity=8)
    for part, (left, top, width, height, _) in enumerate(stats[1:], 1):
        at_edge = min(left, top) < edge + 4 or max(left + width, top + height) > len(dark) - edge - 4
        if at_edge and ((width < 9 and height > 24) or (height < 9 and width > 20)):
            dark[parts == part] = 0
    return dark


def _fit(ink: U8) -> NDArray[np.bool_] | None:
    """The ink, light on dark, thresholded and scaled into the middle of a map; None if there is next to none."""
    large = cv2.resize(ink, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC)
    mask = large > 100
    if mask.sum() < 60:
        return None
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    crop = large[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    scale = GLYPH_PX / max(crop.shape)
    size = (max(1, round(crop.shape[1] * scale)), max(1, round(crop.shape[0] * scale)))
    small = cv2.resize(crop, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    out = np.zeros((MAP_PX, MAP_PX), np.bool_)
    top, left = (MAP_PX - size[1]) // 2, (MAP_PX - size[0]) // 2
    out[top : top + size[1], left : left + size[0]] = small > 110
    return out if out.any() else None


def thin(masks: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Skeletons of many masks (N, h, w) at once, by Zhang and Suen's parallel thinning (CACM 27(3), 1984)."""
    image = np.pad(masks, ((0, 0), (1, 1), (1, 1)))
    for _ in range(40):
        changed = False
        for first in (True, False):
            # Neighbours clockwise from north: P2 ... P9 in the paper.
            n = [
                np.roll(image, shift, (1, 2))
                for shift in ((1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1))
            ]
            count = np.zeros(image.shape, np.uint8)
            turns = np.zeros(image.shape, np.uint8)
            for here, following in zip(n, [*n[1:], n[0]], strict=True):
                count += here
                turns += ~here & following
            north, east, south, west = n[0], n[2], n[4], n[6]
            kept = (east & south & (north | west)) if first else (north & west & (east | south))
            remove = image & (count >= 2) & (count <= 6) & (turns == 1) & ~kept
            changed |= bool(remove.any())
            image &= ~remove
        if not changed:
            break
    return image[:, 1:-1, 1:-1]


def _pen_strokes(folder: Path, part: str) -> Strokes:
    with np.load(folder / FILES["pendigits"]) as data:
        points, labels = data["strokes"].astype(np.float32), data["y"].astype(np.uint8)
    index = part_of(labels, part)
    points, labels = points[index], labels[index]
    points[..., 1] = 100 - points[..., 1]
    good = ~np.isin(labels, MISJOINED) & ~((labels == 1) & footed(points))
    points, labels = points[good], labels[good]
    points -= points.min(1, keepdims=True)
    # The tablet stretched every digit to the full height; 0 to 100 is one height.
    return Strokes(points / 100.0, labels)


def footed(points: F32) -> NDArray[np.bool_]:
    """Which polylines (N, 8, 2; y down) end in a level stroke along their bottom, as a 1 with a foot does."""
    last = points[:, -1] - points[:, -2]
    low = points[:, -1, 1] > points[..., 1].max(1) - 12
    return low & (np.abs(last[:, 0]) > 2.5 * np.abs(last[:, 1])) & (np.abs(last[:, 0]) > 15)
