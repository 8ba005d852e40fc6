"""Fourth stage: how far the paper's bend moves the print away from where a flat sheet would have it.

A homography maps flat paper only; on a curled or folded sheet it is millimetres off. The dense optical flow from the
blank sheet to the flattened photo (DIS, Kroeger et al., ECCV 2016), both locally normalised so that light and ink
colour drop out, measures the rest. It is trusted where there is print to follow and smoothed across the paper between.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.debug import NO_DEBUG, DebugSink
from scanner.options import DEFAULT_OPTIONS, ScanOptions
from scanner.rectify import Blank, Canvas, RectifiedSheet
from scanner.types import ImageU8, Points

ImageF32 = NDArray[np.float32]

NO_MAP: Any = None
"""What `cv2.remap` takes for its second map where the first holds both coordinates; its stubs know no None, but an
empty array scrambles the picture without a word."""

_NORMALISE_MM = 9.0
"""Side of the window of the local normalisation: a little less than a space, so that each sees its own light."""

_SMOOTH_MM = 5.0
"""Standard deviation of the smoothing of the flow: paper bends over centimetres, a fold over one cell."""

_NOISE_LEVEL = 6.0
"""Grey levels added to the local deviation, so that noise on empty paper is not blown up into texture."""


@dataclass(frozen=True, slots=True, eq=False)
class Bend:
    """Where the print of a bent sheet is.

    Attributes:
        offset_px: float32 (h, w, 2), pixels of `canvas`: the print of canvas pixel p is found at p + offset_px[p].
        canvas: the coarse canvas it is measured on.
    """

    offset_px: ImageF32
    canvas: Canvas

    def at_mm(self, points_mm: Points) -> Points:
        """Offsets (N, 2) in millimetres at page points (N, 2)."""
        to_canvas = self.canvas.page_to_canvas
        xy = points_mm @ to_canvas[:2, :2].T + to_canvas[:2, 2]
        maps = xy.astype(np.float32).reshape(-1, 1, 2)
        sampled = cv2.remap(self.offset_px, maps, NO_MAP, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(sampled.reshape(-1, 2) / self.canvas.px_per_mm, dtype=np.float64)


def measure_bend(
    sheet: RectifiedSheet,
    blank: Blank,
    options: ScanOptions = DEFAULT_OPTIONS,
    debug: DebugSink = NO_DEBUG,
    start: Bend | None = None,
) -> Bend:
    """The displacement of the print by the paper's bend.

    Args:
        sheet: the flattened photo.
        blank: the blank sheet on the same canvas.
        options: the scale of the measurement.
        debug: takes a picture of the offsets as arrows.
        start: an earlier measurement to go on from. Behind a sharp fold the print may be too far off for the flow;
            straightened by what is known already, it comes within reach.
    """
    reference, weight, canvas = _reference(blank, options.flow_px_per_mm)
    observed = normalised(_coarse_grey(sheet.image, canvas), canvas.px_per_mm)
    if start is not None:
        observed = np.asarray(_moved(observed, start.offset_px), dtype=np.uint8)
    still = np.zeros((*reference.shape, 2), np.float32)
    flow = np.asarray(_flow().calc(reference, observed, still), dtype=np.float32)
    if start is not None:
        flow = np.asarray(_moved(start.offset_px, flow) + flow, dtype=np.float32)
    bend = Bend(_smoothed(flow, weight, canvas.px_per_mm), canvas)
    if debug.active:
        debug.draw("bend", draw_bend(sheet, bend))
    return bend


def _moved(picture: NDArray[Any], offset_px: ImageF32) -> NDArray[Any]:
    """What stands at each pixel plus its offset."""
    height, width = offset_px.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32)
    where = np.dstack([x, y]) + offset_px
    return np.asarray(cv2.remap(picture, where, NO_MAP, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def normalised(grey: ImageU8, px_per_mm: float) -> ImageU8:
    """The picture with local mean 128 and local deviation 48: lit paper and shaded paper look the same.

    Args:
        grey: uint8 (h, w).
        px_per_mm: its scale.
    """
    side = int(_NORMALISE_MM * px_per_mm) | 1
    pixels = grey.astype(np.float32)
    mean = cv2.boxFilter(pixels, cv2.CV_32F, (side, side))
    square = cv2.sqrBoxFilter(pixels, cv2.CV_32F, (side, side))
    deviation = cv2.sqrt(np.maximum(square - mean * mean, 0)) + _NOISE_LEVEL
    return np.asarray(cv2.convertScaleAbs((pixels - mean) / deviation, alpha=48, beta=128), dtype=np.uint8)


_OF_THREAD = threading.local()
"""Holds each thread's own flow: it keeps its pyramids between calls, and two threads in one crash the process."""


def _flow() -> cv2.DISOpticalFlow:
    if not hasattr(_OF_THREAD, "flow"):
        _OF_THREAD.flow = _new_flow()
    flow: cv2.DISOpticalFlow = _OF_THREAD.flow
    return flow


def _new_flow() -> cv2.DISOpticalFlow:
    flow = cv2.DISOpticalFlow.create(cv2.DISOPTICAL_FLOW_PRESET_ULTRAFAST)
    flow.setFinestScale(1)
    # Patches of 12 pixels hold more than one printed line: with the preset's 8, the flow on a strongly curled
    # sheet locks onto the next column's border. Patches that overlap by a third and 12 steps are as exact as more of
    # either (0.14 mm at the 95th percentile on normal photos, 0.19 on curled and hard ones).
    flow.setPatchSize(12)
    flow.setPatchStride(8)
    flow.setGradientDescentIterations(12)
    return flow


@lru_cache(maxsize=16)
def _reference(blank: Blank, px_per_mm: float) -> tuple[ImageU8, ImageF32, Canvas]:
    """The normalised blank, and how much print there is to follow at each pixel."""
    canvas = blank.canvas.at_scale(px_per_mm)
    reference = normalised(_coarse_grey(blank.image, canvas), px_per_mm)
    gradient_x = cv2.Sobel(reference, cv2.CV_32F, 1, 0)
    gradient_y = cv2.Sobel(reference, cv2.CV_32F, 0, 1)
    energy = cv2.boxFilter(gradient_x**2 + gradient_y**2, cv2.CV_32F, (5, 5))
    weight = (
        energy / (energy + np.float32(np.partition(energy.ravel(), energy.size // 2)[energy.size // 2]) + 1.0) + 1e-3
    )
    return reference, np.asarray(weight, dtype=np.float32), canvas


def _coarse_grey(image: ImageU8, canvas: Canvas) -> ImageU8:
    small = cv2.resize(image, canvas.size_wh, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def _smoothed(flow: ImageF32, weight: ImageF32, px_per_mm: float) -> ImageF32:
    """Median against outliers, then a weighted Gaussian mean (normalised convolution)."""
    sigma_px = _SMOOTH_MM * px_per_mm
    smooth = []
    for axis in range(2):
        calm = cv2.medianBlur(np.ascontiguousarray(flow[..., axis]), 5)
        smooth.append(_blur(calm * weight, sigma_px) / _blur(weight, sigma_px))
    return np.asarray(np.dstack(smooth), dtype=np.float32)


def _blur(plane: ImageF32, sigma_px: float) -> ImageF32:
    """A Gaussian blur on a quarter of the pixels: at this width the difference is nil and the time a tenth."""
    height, width = plane.shape
    small = cv2.resize(plane, (width // 4, height // 4), interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), sigma_px / 4, borderType=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), dtype=np.float32)


def bent_corners_px(points_mm: Points, sheet: RectifiedSheet, bend: Bend) -> Points:
    """Page points (N, 2) in pixels of `Photo.image`, by the homography and the paper's bend."""
    moved_mm = points_mm + bend.at_mm(points_mm)
    return np.asarray(cv2.perspectiveTransform(moved_mm[None], sheet.homography)[0], dtype=np.float64)


def draw_bend(sheet: RectifiedSheet, bend: Bend) -> ImageU8:
    """A copy of the flattened sheet with an arrow from where flat paper would be to where the print is."""
    canvas = sheet.image.copy()
    factor = sheet.canvas.px_per_mm / bend.canvas.px_per_mm
    step = int(8 * bend.canvas.px_per_mm)
    for y in range(step // 2, bend.offset_px.shape[0], step):
        for x in range(step // 2, bend.offset_px.shape[1], step):
            start = np.array([x, y]) * factor
            end = start + bend.offset_px[y, x] * factor
            cv2.arrowedLine(
                canvas, start.astype(int).tolist(), end.astype(int).tolist(), (200, 0, 200), 2, tipLength=0.3
            )
    return canvas
