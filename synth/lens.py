"""A phone's camera over the table: where a point in space falls on the photo, and the way back.

Photo frame: pixels of the upright photo, x right, y down, whole numbers at the middles of pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from synth.paper import Paper

Points = NDArray[np.float64]

_NEWTON_STEPS = 5
_CLOSE_PX = 0.02  # far below what a pixel shows


@dataclass(frozen=True, slots=True, eq=False)
class Lens:
    """A pinhole camera.

    Attributes:
        tilt_deg: angle between the line of sight and the table's normal.
        azimuth_deg: from where on the table's compass it looks, 0 is from +x, 90 from +y (the near side).
        distance_mm: from the camera to the point of the table at the origin.
        focal_px: focal length in pixels.
        centre_px: where the table's origin falls.
    """

    tilt_deg: float
    azimuth_deg: float
    distance_mm: float
    focal_px: float
    centre_px: tuple[float, float]

    def project(self, space_mm: Points) -> Points:
        """Pixels (N, 2) of points (N, 3) in space; those behind the camera have no meaning."""
        position, axes = self._pose()
        x, y, z = (space_mm[:, k] - position[k] for k in range(3))
        right, down, far = (axis[0] * x + axis[1] * y + axis[2] * z for axis in axes)
        scale = self.focal_px / far
        return np.column_stack([right * scale + self.centre_px[0], down * scale + self.centre_px[1]])

    def table_homography(self) -> Points:
        """(3, 3): table millimetres (z = 0) to pixels."""
        position, axes = self._pose()
        to_camera = np.column_stack([axes[:, 0], axes[:, 1], -axes @ position])
        cx, cy = self.centre_px
        inner = np.array([[self.focal_px, 0, cx], [0, self.focal_px, cy], [0, 0, 1]])
        return np.asarray(inner @ to_camera)

    def position_mm(self) -> Points:
        """Where the camera is, (3,), table millimetres."""
        return self._pose()[0]

    def _pose(self) -> tuple[Points, Points]:
        """Position (3,) and the axes right, down, forward as rows (3, 3)."""
        tilt, azimuth = np.radians(self.tilt_deg), np.radians(self.azimuth_deg)
        back = np.array([np.sin(tilt) * np.cos(azimuth), np.sin(tilt) * np.sin(azimuth), np.cos(tilt)])
        forward = -back
        down = np.array([0.0, 1.0, 0.0])
        down = down - (down @ forward) * forward
        down /= np.linalg.norm(down)
        right = np.array([1.0, 0.0, 0.0])
        right = right - (right @ forward) * forward - (right @ down) * down
        right /= np.linalg.norm(right)
        return back * self.distance_mm, np.stack([right, down, forward])


def frame_papers(
    lens: Lens, papers: Sequence[Paper], size_wh: tuple[int, int], fill: float, shift: tuple[float, float]
) -> Lens:
    """The lens moved along its line of sight and turned until the papers fill the photo as asked.

    Args:
        lens: whose direction is kept.
        papers: all that shall be seen.
        size_wh: the photo's size.
        fill: how much of the photo's width or height the papers take, whichever is more.
        shift: where they lie, -1 to 1 from one side of the free space to the other; beyond that they are cut.
    """
    outline = np.concatenate([paper.to_space(paper.outline(10.0)) for paper in papers])
    size = np.array(size_wh, dtype=np.float64)
    for _ in range(8):
        seen = lens.project(outline)
        share = float(((seen.max(axis=0) - seen.min(axis=0)) / size).max())
        lens = replace(lens, distance_mm=lens.distance_mm * share / fill)
    seen = lens.project(outline)
    low, high = seen.min(axis=0), seen.max(axis=0)
    wanted = size / 2 + np.array(shift) * (size - (high - low)) / 2
    centre = np.array(lens.centre_px) + wanted - (low + high) / 2
    return replace(lens, centre_px=(float(centre[0]), float(centre[1])))


def page_to_photo(lens: Lens, paper: Paper, page_points_mm: Points) -> Points:
    """Pixels (N, 2) of points (N, 2) of a page, bending included."""
    return lens.project(paper.to_space(page_points_mm))


def photo_to_page(lens: Lens, paper: Paper, photo_points_px: Points) -> Points:
    """Page millimetres (N, 2) seen at pixels (N, 2), by Newton's method from the flat page.

    Where the paper is bent so far that it hides itself the result is one of the answers.
    """
    w, h = paper.page_mm
    square = np.array([[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]])
    guess = _through(_homography(page_to_photo(lens, paper, square), square), photo_points_px)
    low, high = np.array([-0.25 * w, -0.25 * h]), np.array([1.25 * w, 1.25 * h])
    guess = np.clip(guess, low, high)
    step = 0.25
    for _ in range(_NEWTON_STEPS):
        here = page_to_photo(lens, paper, guess)
        error = photo_points_px - here
        if float(np.abs(error).max()) < _CLOSE_PX:
            break
        du = (page_to_photo(lens, paper, guess + np.array([step, 0.0])) - here) / step
        dv = (page_to_photo(lens, paper, guess + np.array([0.0, step])) - here) / step
        det = du[:, 0] * dv[:, 1] - du[:, 1] * dv[:, 0]
        det = np.where(np.abs(det) < 1e-3, 1e-3, det)
        move = np.column_stack(
            [
                (error[:, 0] * dv[:, 1] - error[:, 1] * dv[:, 0]) / det,
                (error[:, 1] * du[:, 0] - error[:, 0] * du[:, 1]) / det,
            ]
        )
        guess = np.clip(guess + np.clip(move, -20, 20), low, high)
    return guess


def _homography(source: Points, target: Points) -> Points:
    """(3, 3) that takes four points to four points."""
    rows = []
    for (x, y), (u, v) in zip(source, target, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y])
    solution = np.linalg.solve(np.array(rows), target.ravel())
    return np.append(solution, 1.0).reshape(3, 3)


def _through(matrix: Points, points: Points) -> Points:
    moved = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(moved[:, :2] / moved[:, 2:])
