"""Shapes seen from straight above: in a frame in which columns and rows are straight, whatever the camera did."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibrate.lattice import Lattice
from calibrate.shapes import F64, Shapes

_STRAIGHTENED = 3
"""Rounds of fitting the frame to columns and rows: the first is off by a tenth of a step at the far end."""

_BEYOND = 14.0
"""Steps from the lattice's middle beyond which nothing of a sheet lies; the horizon may be there."""

_SIZE_OFF = 0.22
"""Spaces differ in width or height by less than this share: artifacts' and dice's may be a little smaller."""


@dataclass(frozen=True, slots=True, eq=False)
class Framed:
    """Shapes in a frame.

    Attributes:
        homography: (3, 3), frame to pixels of the picture. In the frame x runs to the right and y down.
        boxes: (N, 4), middle x, middle y, width, height of each shape; NaN where it lies too far out.
        filled: (N,), share of its box that a shape fills: circles 0.79, hexagons 0.75, boxes 0.9 and more.
        like: width and height of a space.
    """

    homography: F64
    boxes: F64
    filled: F64
    like: tuple[float, float]

    @property
    def alike(self) -> NDArray[np.bool_]:
        """Which shapes (N,) are as large as a space."""
        with np.errstate(invalid="ignore"):
            wide = np.abs(self.boxes[:, 2] / self.like[0] - 1) < _SIZE_OFF
            high = np.abs(self.boxes[:, 3] / self.like[1] - 1) < _SIZE_OFF
        return np.asarray(wide & high, dtype=np.bool_)


def framed(shapes: Shapes, lattice: Lattice) -> Framed:
    """Shapes in the frame of a lattice, straightened by all that are like its members."""
    places = np.array(list(lattice.members), np.float64)
    homography = _upright(lattice.homography @ _origin(places))
    frame = in_frame(shapes, homography, np.array(list(lattice.members.values())))
    for _ in range(_STRAIGHTENED):
        better = _straightened(shapes, frame)
        if better is None:
            break
        frame = in_frame(shapes, better, np.flatnonzero(frame.alike))
    return frame


def turned(frame: Framed, shapes: Shapes, quarters: int) -> Framed:
    """The frame turned by quarters clockwise."""
    turn = np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 1]], np.float64)
    homography = frame.homography @ np.linalg.matrix_power(turn, quarters % 4)
    return in_frame(shapes, homography, np.flatnonzero(frame.alike))


def _origin(places: F64) -> F64:
    middle = np.round(places.mean(axis=0))
    return np.array([[1, 0, middle[0]], [0, 1, middle[1]], [0, 0, 1]], np.float64)


def _upright(homography: F64) -> F64:
    """The frame with its axes chosen so that it is not sheared or mirrored, and y runs down the picture.

    A lattice of staggered columns has a slanting axis; what crosses most squarely is taken.
    """
    reduced = _reduced(homography)
    best, squarest = reduced, float("inf")
    for slant in (0.0, 0.5, -0.5):
        for place in ((1, 0), (0, 1)):
            shear = np.eye(3)
            shear[place] = slant
            x, y = _axes(reduced @ shear)
            cosine = abs(float(x @ y)) / float(np.linalg.norm(x) * np.linalg.norm(y)) + 0.15 * (slant != 0)
            if cosine < squarest:
                best, squarest = reduced @ shear, cosine
    x, y = _axes(best)
    if abs(x[0]) / np.linalg.norm(x) < abs(y[0]) / np.linalg.norm(y):
        best = best @ np.array([[0, 1, 0], [1, 0, 0], [0, 0, 1]], np.float64)
    x, y = _axes(best)
    return np.asarray(best @ np.diag([np.sign(x[0]) or 1.0, np.sign(y[1]) or 1.0, 1.0]), dtype=np.float64)


def _reduced(homography: F64) -> F64:
    """The frame with the shortest steps that make the same lattice (Lagrange and Gauss): no axis is a diagonal."""
    for _ in range(8):
        x, y = _axes(homography)
        if x @ x > y @ y:
            homography = homography @ np.array([[0, 1, 0], [1, 0, 0], [0, 0, 1]], np.float64)
            continue
        steps = round(float(x @ y) / float(x @ x))
        if steps == 0:
            break
        homography = homography @ np.array([[1, -steps, 0], [0, 1, 0], [0, 0, 1]], np.float64)
    return homography


def _axes(homography: F64) -> tuple[F64, F64]:
    """Where a step right and a step down lead in the picture, from the frame's origin."""
    ends = cv2.perspectiveTransform(np.array([[[0.0, 0], [1, 0], [0, 1]]]), homography)[0]
    return ends[1] - ends[0], ends[2] - ends[0]


def in_frame(shapes: Shapes, homography: F64, members: NDArray[np.intp]) -> Framed:
    """Shapes in the frame of a homography; those of `members` are as large as a space."""
    inverse = np.linalg.inv(homography)
    origin = homography[:, 2] / homography[2, 2]
    known = np.append(shapes.centres_px[members].mean(axis=0), 1.0) if len(members) else origin
    inverse = inverse * np.sign(inverse[2] @ known)
    boxes = np.full((len(shapes.sides_px), 4), np.nan)
    filled = np.zeros(len(boxes))
    for i, outline in enumerate(shapes.contours_px):
        deep = np.column_stack([outline, np.ones(len(outline))]) @ inverse.T
        if (deep[:, 2] <= 1e-9).any():
            continue
        points = deep[:, :2] / deep[:, 2:]
        if np.abs(points).max() > _BEYOND:
            continue
        low, high = points.min(axis=0), points.max(axis=0)
        boxes[i] = *(low + high) / 2, *(high - low)
        filled[i] = cv2.contourArea(points.astype(np.float32)) / max(float(np.prod(high - low)), 1e-9)
    sized = boxes[members, 2:][np.isfinite(boxes[members, 2])]
    like = np.median(sized, axis=0) if len(sized) else np.ones(2)
    return Framed(homography, boxes, filled, (float(like[0]), float(like[1])))


def _straightened(shapes: Shapes, frame: Framed) -> F64 | None:
    """A homography under which shapes that share a column or a row come to lie on straight lines, a step apart."""
    which = np.flatnonzero(frame.alike)
    if len(which) < 9:
        return None
    x, y = (levelled(frame.boxes[which, axis]) for axis in (0, 1))
    lined = np.isfinite(x) & np.isfinite(y)
    if lined.sum() < 9:
        return None
    near_px = 0.15 * float(np.median(shapes.sides_px[which]))
    homography, _ = cv2.findHomography(
        np.column_stack([x, y])[lined], shapes.centres_px[which[lined]], cv2.RANSAC, near_px
    )
    return None if homography is None else np.asarray(homography, dtype=np.float64)


def levelled(values: F64) -> F64:
    """Each value replaced by the middle one of its cluster; NaN for those that stand alone."""
    levels = np.full(len(values), np.nan)
    for members in clusters(values):
        if len(members) >= 2:
            levels[members] = np.median(values[members])
    return levels


def clusters(values: F64, apart: float = 0.25) -> list[NDArray[np.intp]]:
    """Indices of values sorted into groups, rising, with a gap of at least so much between two."""
    order = np.argsort(values)
    cuts = np.flatnonzero(np.diff(values[order]) > apart) + 1
    return [np.asarray(group, dtype=np.intp) for group in np.split(order, cuts)] if len(values) else []
