"""The blank sheet as it comes out of somebody's printer, and what lies on its corner tags."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from layouts import SheetLayout

ImageU8 = NDArray[np.uint8]

TAGS = ("printed", "none", "covered")
_QUIET_MM = 0.8  # left white around a tag that is not printed


@dataclass(frozen=True, slots=True)
class PrintLook:
    """How a printer renders the sheet.

    Attributes:
        paper_bgr: the paper's colour, 1 is white.
        strength: how heavy the inks are: 1 as designed, below paler.
        balance_bgr: the same per channel, for a cartridge that runs low.
        saturation: 0 is a grey printer.
        soft_px: blur of the print.
        grain: standard deviation of the toner's unevenness, grey levels.
        tags: one of `TAGS`.
    """

    paper_bgr: tuple[float, float, float] = (1.0, 1.0, 1.0)
    strength: float = 1.0
    balance_bgr: tuple[float, float, float] = (1.0, 1.0, 1.0)
    saturation: float = 1.0
    soft_px: float = 0.5
    grain: float = 1.0
    tags: str = "printed"


def printed(blank_bgr: ImageU8, layout: SheetLayout, look: PrintLook, rng: np.random.Generator) -> ImageU8:
    """The blank sheet as that printer prints it, uint8 (H, W, 3), BGR."""
    page = blank_bgr.copy()
    px_per_mm = page.shape[1] / layout.page_mm[0]
    if look.tags == "none":
        for tag in layout.fiducials:
            corners = np.array([tag.corners_mm[0], tag.corners_mm[2]]) + np.array([[-_QUIET_MM], [_QUIET_MM]])
            (x0, y0), (x1, y1) = np.rint(corners * px_per_mm).astype(int)
            page[max(y0, 0) : y1, max(x0, 0) : x1] = 255
    if look.saturation != 1.0:
        page = _saturated(page, look.saturation)
    page = np.asarray(cv2.LUT(page, _ink_table(look)), dtype=np.uint8)
    if look.soft_px > 0.3:
        page = np.asarray(cv2.GaussianBlur(page, (0, 0), look.soft_px), dtype=np.uint8)
    if look.grain > 0:
        coarse = rng.normal(0, look.grain, (page.shape[0] // 2, page.shape[1] // 2)).astype(np.int16)
        grain = cv2.resize(coarse, page.shape[1::-1], interpolation=cv2.INTER_NEAREST)
        page = np.asarray(cv2.add(page, cv2.merge([grain, grain, grain]), dtype=cv2.CV_8U), dtype=np.uint8)
    return page


def _ink_table(look: PrintLook) -> ImageU8:
    """Per channel: the paper's colour times the ink's share of light to the power of its strength."""
    share = np.linspace(0, 1, 256)[:, None]
    table = np.array(look.paper_bgr) * share ** (look.strength * np.array(look.balance_bgr))
    return np.asarray(np.clip(table * 255, 0, 255)[:, None, :], dtype=np.uint8)


def _saturated(page: ImageU8, amount: float) -> ImageU8:
    grey = np.array([0.114, 0.587, 0.299])
    matrix = amount * np.eye(3) + (1 - amount) * np.tile(grey, (3, 1))
    return np.asarray(cv2.transform(page, matrix), dtype=np.uint8)


def cover_tags(page: ImageU8, layout: SheetLayout, count: int, rng: np.random.Generator) -> None:
    """Lays tokens and thumbs on so many of the corner tags, in place; no cell is touched."""
    px_per_mm = page.shape[1] / layout.page_mm[0]
    tags = layout.fiducials
    for k in rng.permutation(len(tags))[:count]:
        tag = tags[int(k)]
        centre_mm = np.array(tag.corners_mm).mean(axis=0)
        if rng.random() < 0.5:
            _token(page, centre_mm + rng.normal(0, 0.6, 2), float(rng.uniform(5.2, 6.6)), px_per_mm, rng)
        else:
            _thumb(page, centre_mm, layout.page_mm, px_per_mm, rng)


def _token(
    page: ImageU8, centre_mm: NDArray[np.float64], radius_mm: float, px_per_mm: float, rng: np.random.Generator
) -> None:
    """A wooden disc with its shadow."""
    shade = rng.uniform(0.5, 1.0)
    colour = tuple(float(v) for v in np.array([90, 150, 195]) * shade)
    for offset_mm, grown, tone in ((0.7, 1.04, (95.0, 95.0, 95.0)), (0.0, 1.0, colour)):
        centre = tuple(int(v) for v in (centre_mm + offset_mm) * px_per_mm)
        cv2.circle(page, (centre[0], centre[1]), int(radius_mm * grown * px_per_mm), tone, -1, cv2.LINE_AA)


def _thumb(
    page: ImageU8,
    centre_mm: NDArray[np.float64],
    page_mm: tuple[float, float],
    px_per_mm: float,
    rng: np.random.Generator,
) -> None:
    """The tip of a finger that holds the paper down, coming in from its nearer side."""
    inwards = 1.0 if centre_mm[0] < page_mm[0] / 2 else -1.0
    tip = centre_mm + np.array([-inwards * 4.0, 0.0])
    skin = np.array([128, 160, 214]) * rng.uniform(0.55, 1.05)
    axes = (int(10.5 * px_per_mm), int(7.0 * px_per_mm))
    place = tuple(int(v) for v in tip * px_per_mm)
    for shift, tone in ((6, skin * 0.55), (0, skin)):
        colour = tuple(float(v) for v in tone)
        cv2.ellipse(page, (place[0] + shift // 2, place[1] + shift), axes, 0, 0, 360, colour, -1, cv2.LINE_AA)
    nail = (place[0] + int(inwards * 6.0 * px_per_mm), place[1])
    pale = tuple(float(min(255, v * 1.12 + 8)) for v in skin)
    cv2.ellipse(page, nail, (int(3.2 * px_per_mm), int(4.0 * px_per_mm)), 0, 0, 360, pale, -1, cv2.LINE_AA)
