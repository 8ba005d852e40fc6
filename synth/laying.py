"""Papers laid into a photo: their shadow on the table, then the page itself, bent as it is."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from synth.lens import Lens, page_to_photo, photo_to_page
from synth.paper import Paper
from synth.scenes import Light

ImageU8 = NDArray[np.uint8]
Points = NDArray[np.float64]

_NODE_PX = 12  # the mapping is solved every so many pixels and interpolated: below 0.1 px off even at a crease
_SHADOW_SMALL = 8


def cast_shadow(photo: ImageU8, lens: Lens, paper: Paper, light: Light) -> None:
    """The paper's shadow on the table: where it lifts, the shadow parts from it."""
    if light.shadow <= 0:
        return
    space = paper.to_space(paper.outline(2.0))
    away = np.radians(light.lamp_deg + 180)
    height = space[:, 2:] + 1.2  # some space under any paper lying on a table
    fallen = np.column_stack([space[:, :2] + height * 0.9 * [np.cos(away), np.sin(away)], np.zeros(len(space))])
    outline = lens.project(fallen)
    w, h = photo.shape[1] // _SHADOW_SMALL, photo.shape[0] // _SHADOW_SMALL
    mask = np.zeros((h, w), dtype=np.uint8)
    cv2.fillPoly(mask, [np.rint(outline / _SHADOW_SMALL).astype(np.int32)], 255)
    lift_px = (1.5 + 0.35 * float(height.max())) * lens.focal_px / lens.distance_mm / _SHADOW_SMALL
    soft = cv2.GaussianBlur(mask, (0, 0), max(0.8, 0.5 * lift_px))
    gains = np.asarray(255 - soft * light.shadow, dtype=np.uint8)
    large = cv2.resize(gains, photo.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    cv2.multiply(photo, cv2.merge([large, large, large]), dst=photo, scale=1 / 255)


def lay(photo: ImageU8, page: ImageU8, lens: Lens, paper: Paper, light: Light) -> None:
    """Draws a page into the photo, in place."""
    outline = page_to_photo(lens, paper, paper.outline(1.0))
    low = np.maximum(np.floor(outline.min(axis=0)) - 2, 0).astype(int)
    high = np.minimum(np.ceil(outline.max(axis=0)) + 3, photo.shape[1::-1]).astype(int)
    if (high - low).min() < 4:
        return
    nodes = _Nodes.over(low, high)
    on_page = photo_to_page(lens, paper, nodes.points)
    picture, px_per_mm = _fitting(page, paper, lens)
    u, v = (nodes.enlarged(on_page[:, k] * px_per_mm - 0.5) for k in (0, 1))
    colours = cv2.remap(picture, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    colours = _with_relief(colours, paper, on_page, nodes, light)
    cover = np.zeros(colours.shape[:2], dtype=np.uint8)
    cv2.fillPoly(cover, [np.rint((outline - low) * 16).astype(np.int32)], 255, cv2.LINE_8, 4)
    # the edge is hard here: the lens, whose blur comes later, softens it as it does everything else
    cv2.copyTo(colours, cover, photo[low[1] : high[1], low[0] : high[0]])


@dataclass(frozen=True, slots=True, eq=False)
class _Nodes:
    """Photo points every `_NODE_PX` over a region, with what `cv2.resize` needs to fill in between.

    Attributes:
        points: (N, 2) pixels of the photo, row by row.
        grid_wh: how many across and down.
        size_wh: the region's size.
    """

    points: Points
    grid_wh: tuple[int, int]
    size_wh: tuple[int, int]

    @classmethod
    def over(cls, low: NDArray[np.int_], high: NDArray[np.int_]) -> _Nodes:
        """The nodes of a region, with one more on every side."""
        w, h = (int(v) for v in high - low)
        grid = (-(-w // _NODE_PX) + 2, -(-h // _NODE_PX) + 2)
        x, y = (low[k] + (np.arange(grid[k]) - 0.5) * _NODE_PX - 0.5 for k in (0, 1))
        across, down = np.meshgrid(x, y)
        return cls(np.column_stack([across.ravel(), down.ravel()]), grid, (w, h))

    def enlarged(self, values: Points) -> NDArray[np.float32]:
        """Node values at every pixel of the region, float32 (h, w), linear between the nodes."""
        grid = values.reshape(self.grid_wh[1], self.grid_wh[0]).astype(np.float32)
        size = (self.grid_wh[0] * _NODE_PX, self.grid_wh[1] * _NODE_PX)
        full = np.asarray(cv2.resize(grid, size, interpolation=cv2.INTER_LINEAR), dtype=np.float32)
        w, h = self.size_wh
        return full[_NODE_PX : _NODE_PX + h, _NODE_PX : _NODE_PX + w]


def _fitting(page: ImageU8, paper: Paper, lens: Lens) -> tuple[ImageU8, float]:
    """The page shrunk to about the photo's scale, so that sampling it does not alias, and its pixels per mm."""
    px_per_mm = page.shape[1] / paper.page_mm[0]
    seen = lens.focal_px / lens.distance_mm * 1.1  # the near side is larger than the middle
    if seen > 0.8 * px_per_mm:
        return page, px_per_mm
    size = (max(8, round(page.shape[1] * seen / px_per_mm)), max(8, round(page.shape[0] * seen / px_per_mm)))
    small = np.asarray(cv2.resize(page, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return small, size[0] / paper.page_mm[0]


def _with_relief(
    colours: cv2.typing.MatLike, paper: Paper, on_page: Points, nodes: _Nodes, light: Light
) -> cv2.typing.MatLike:
    """Bent paper is lighter where it faces the lamp."""
    if not paper.bends or light.relief <= 0:
        return colours
    lamp = np.radians(light.lamp_deg)
    slopes = paper.slopes(on_page)
    facing = -(slopes[:, 0] * np.cos(lamp) + slopes[:, 1] * np.sin(lamp))
    gain = np.clip(1 + light.relief * facing - 0.1 * np.abs(facing), 0.45, 1.15)
    full = np.clip(nodes.enlarged(gain * 200), 0, 255).astype(np.uint8)
    return cv2.multiply(colours, cv2.merge([full, full, full]), scale=1 / 200)
