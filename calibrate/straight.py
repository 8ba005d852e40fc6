"""A picture of the sheet as if it lay flat and straight: perspective and the paper's bend taken out."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibrate.frame import in_frame
from calibrate.grid import Grid
from calibrate.shapes import F64, Shapes
from scanner.types import ImageU8

_POWERS = tuple((i, j) for i in range(4) for j in range(4 - i))
"""Terms of the bend: a cubic in both directions. Paper curls and lenses distort smoothly; folds are left in."""

_STIFF = 1e-3
"""Weight against large terms, so that a corner without shapes is not thrown far."""

_ASTRAY = 0.12
"""Shapes farther than this share of a step from where the others have them are not what they seem."""

_FEW = 12
"""Fewer spaces seen are no reason to move a grid that was told."""

_MEANT = 0.07
"""A distance that differs from those beside it by more than this share is printed so."""

_EDGE = 1.0
"""Fifths of a step from the middle up to which spaces say how the paper bends."""

_NET = 65
"""Points a side of the coarse net that is bent exactly; the bend is smooth, and between them it is bilinear."""


@dataclass(frozen=True, slots=True, eq=False)
class Straightener:
    """Where in the picture each point of the straight sheet is.

    Attributes:
        homography: (3, 3), frame to pixels.
        terms: (10, 2), the bend as a polynomial of the place in the frame, in steps.
    """

    homography: F64
    terms: F64

    def to_px(self, points: F64) -> F64:
        """Points (N, 2) of the straight frame in pixels of the picture."""
        bent = points + _powers(points) @ self.terms
        return np.asarray(cv2.perspectiveTransform(bent[None], self.homography)[0], dtype=np.float64)

    def at_scale(self, factor: float) -> Straightener:
        """The same for the picture at another scale; pixel centres lie at whole numbers in both."""
        shift = (factor - 1) / 2
        scaling = np.array([[factor, 0, shift], [0, factor, shift], [0, 0, 1]], np.float64)
        return Straightener(scaling @ self.homography, self.terms)

    def unbent(self, points: F64) -> F64:
        """Points (N, 2) of the frame, as bent as in the picture, in the straight frame."""
        straight = points
        for _ in range(3):
            straight = points - _powers(straight) @ self.terms
        return straight


def straightened(grid: Grid, shapes: Shapes) -> tuple[Straightener, Grid, float]:
    """What straightens a grid, and the grid in the frame that this makes.

    Print is regular: columns and rows stand at equal distances, but for gaps that are meant. Where they do not in the
    grid's frame, the frame is still aslant or the paper is bent, so equal distances are what it is straightened to. The
    new frame has the block's middle as its origin and a step as its unit in both directions, so that frames of several
    photos of one pad are the same.

    Returns:
        It, the grid, and how far spaces are from where they should be then (95th percentile, in steps).
    """
    x, rows = regular(grid.x), regular(grid.y[0])
    across, down = float(np.median(np.diff(x))), float(np.median(np.diff(rows)))
    y = (rows[None] - rows[[0, -1]].mean() + grid.y - grid.y[:1]) / down  # what columns are staggered by is meant
    x = (x - x[[0, -1]].mean()) / across
    which = grid.found >= 0
    if which.sum() < _FEW:
        return _as_told(grid, x, y)
    ideal = np.stack([np.broadcast_to(x[:, None], y.shape), y], axis=-1)[which]
    seen_px = shapes.centres_px[grid.found[which]]
    homography = _fitted(ideal, seen_px, _ASTRAY * float(np.median(shapes.sides_px[grid.found[which]])))
    seen = cv2.perspectiveTransform(seen_px[None], np.linalg.inv(homography))[0]
    terms, rest = _bend(ideal, seen)
    frame = in_frame(shapes, homography, grid.found[which])
    return Straightener(homography, terms), replace(grid, frame=frame, x=x, y=y), float(np.percentile(rest, 95))


def _as_told(grid: Grid, x: F64, y: F64) -> tuple[Straightener, Grid, float]:
    """The grid's own frame as the straight one, with the block's middle as its origin: nothing shows how it bends."""
    at = np.stack([np.broadcast_to(grid.x[:, None], y.shape), grid.y], axis=-1).reshape(-1, 2)
    ideal = np.stack([np.broadcast_to(x[:, None], y.shape), y], axis=-1).reshape(-1, 2)
    between, _ = cv2.findHomography(ideal, at, 0)
    frame = replace(
        grid.frame, homography=grid.frame.homography @ between, boxes=np.full_like(grid.frame.boxes, np.nan)
    )
    return Straightener(frame.homography, np.zeros((len(_POWERS), 2))), replace(grid, frame=frame, x=x, y=y), 0.0


def _fitted(ideal: F64, seen_px: F64, near_px: float) -> F64:
    found, _ = cv2.findHomography(ideal, seen_px, cv2.USAC_MAGSAC, near_px)
    if found is None:
        found, _ = cv2.findHomography(ideal, seen_px, 0)
    return np.asarray(found, dtype=np.float64)


def _bend(ideal: F64, seen: F64) -> tuple[F64, F64]:
    """Terms of the bend from where spaces are to where they are seen, and how far it leaves each of them."""
    fits, terms = np.ones(len(ideal), np.bool_), np.zeros((len(_POWERS), 2), np.float64)
    rest = np.asarray(seen - ideal, dtype=np.float64)
    for _ in range(3):
        if fits.sum() < 2 * len(_POWERS):
            return np.zeros_like(terms), np.linalg.norm(seen - ideal, axis=1)
        known = _powers(ideal[fits])
        square = known.T @ known + _STIFF * np.diag([1.0 + 10.0 * (i + j) for i, j in _POWERS])
        terms = np.asarray(np.linalg.solve(square, known.T @ (seen - ideal)[fits]), dtype=np.float64)
        rest = np.asarray(seen - ideal - _powers(ideal) @ terms, dtype=np.float64)
        fits = np.linalg.norm(rest, axis=1) < _ASTRAY
    return terms, np.linalg.norm(rest[fits], axis=1)


def regular(values: F64) -> F64:
    """Rising positions at equal distances, but for gaps that stand out from their neighbours; same middle and step."""
    steps = np.diff(values)
    trend = np.array([np.median(steps[max(0, i - 2) : i + 3]) for i in range(len(steps))])
    meant = np.abs(steps / trend - 1) > _MEANT
    usual = float(np.median(steps[~meant])) if (~meant).any() else float(np.median(steps))
    even = np.concatenate([[0.0], np.cumsum(np.where(meant, steps / trend, 1.0) * usual)])
    return np.asarray(even - even.mean() + values.mean(), dtype=np.float64)


def _powers(points: F64) -> F64:
    """Terms (N, 10) at points (N, 2); beyond the block each goes on straight."""
    u = points / 5.0
    inner = np.clip(u, -_EDGE, _EDGE)
    x, y = ([inner[:, k] ** i + i * inner[:, k] ** max(i - 1, 0) * (u - inner)[:, k] for i in range(4)] for k in (0, 1))
    return np.stack([x[i] * y[j] for i, j in _POWERS], axis=1)


def flattened(
    image: ImageU8, straight: Straightener, area: tuple[float, float, float, float], size_wh: tuple[int, int]
) -> ImageU8:
    """A part of the straight frame as a picture.

    Args:
        image: uint8 (h, w, 3), the photo that the straightener is for.
        straight: where its points are.
        area: left, top, right, bottom, in the frame.
        size_wh: pixels of the result.
    """
    (left, top, right, bottom), (width, height), last = area, size_wh, _NET - 1
    columns, rows = np.linspace(0, width - 1, _NET), np.linspace(0, height - 1, _NET)
    across, along = left + (columns + 0.5) / width * (right - left), top + (rows + 0.5) / height * (bottom - top)
    net = np.stack(np.meshgrid(across, along), axis=-1).reshape(-1, 2)
    places = straight.to_px(net).reshape(_NET, _NET, 2).astype(np.float32)
    xs, ys = np.meshgrid(
        np.arange(width, dtype=np.float32) * last / max(width - 1, 1),
        np.arange(height, dtype=np.float32) * last / max(height - 1, 1),
    )
    where = cv2.remap(places, xs, ys, cv2.INTER_LINEAR)
    scale = float(np.linalg.norm(places[32, 40] - places[32, 24]) / (16 * (width - 1) / last))
    if scale > 1.5:
        # Sampling every other pixel would alias thin lines.
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.35 * scale), dtype=np.uint8)
    flat = cv2.remap(image, where[..., 0], where[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, dtype=np.uint8)


def aspect_of(homography: F64, size_wh: tuple[int, int]) -> float:
    """Length of a step right over that of a step down on the paper, as a phone camera would have to see it.

    A homography of a plane is K [r1 s1, r2 s2, t] for a camera K with focal length f and its middle in the picture's;
    r1 and r2 are of length 1, so f alone gives s1 / s2. Phones' main cameras have 24 to 27 mm in terms of 35 mm film.
    """
    focal_px = 0.75 * max(size_wh)
    inverse = np.linalg.inv(np.array([[focal_px, 0, size_wh[0] / 2], [0, focal_px, size_wh[1] / 2], [0, 0, 1]]))
    first, second, _ = (inverse @ homography).T
    return float(np.linalg.norm(first) / np.linalg.norm(second))
