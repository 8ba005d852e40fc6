"""A sheet of paper in space: lying on the table, bent without stretching, seen from above.

Frames: page millimetres (u right, v down, origin at the page's top left); the table in millimetres (x right,
y down, z up to the viewer, the table itself at z = 0).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]

_REACH_MM = 260.0  # further than any corner of an A5 page, with some table around it, from its middle
_STEP_MM = 0.5
_CREASE_MM = 1.6  # a fold is not sharper than this: paper breaks over a small radius


@dataclass(frozen=True, slots=True)
class Bend:
    """One bending of the paper about parallel lines, as paper bends: it is not stretched.

    Attributes:
        axis_deg: direction across the lines, 0 is along u, 90 along v.
        curl_per_mm: curvature everywhere; positive arches up in the middle.
        fold_rad: angle of one crease; positive makes a ridge.
        fold_at_mm: where the crease runs, from the page's middle.
        lift_from_mm: where a lifted part begins, from the page's middle.
        lift_per_mm: curvature of the lifted part, upwards.
    """

    axis_deg: float
    curl_per_mm: float = 0.0
    fold_rad: float = 0.0
    fold_at_mm: float = 0.0
    lift_from_mm: float = _REACH_MM
    lift_per_mm: float = 0.0

    def table(self) -> tuple[Points, Points, Points, Points]:
        """Along the direction across the lines: place, sideways shift, height and slope (dz/ds), from a scan."""
        s = np.arange(-_REACH_MM, _REACH_MM + _STEP_MM, _STEP_MM)
        angle = -self.curl_per_mm * np.clip(s, -150, 150)
        angle -= self.fold_rad / 2 * np.tanh((s - self.fold_at_mm) / _CREASE_MM)
        angle += self.lift_per_mm * np.clip(s - self.lift_from_mm, 0, 40)
        along = _integral(np.cos(angle)) * _STEP_MM
        height = _integral(np.sin(angle)) * _STEP_MM
        middle = len(s) // 2
        return s, along - along[middle] - s, height - height[middle], np.tan(angle)


@dataclass(frozen=True, slots=True)
class Ear:
    """A corner folded over flat, so that the paper's back shows.

    Attributes:
        corner: which, clockwise from the page's top left.
        across_mm: where the crease meets the upper or lower edge, from that corner.
        down_mm: where it meets the left or right edge.
    """

    corner: int
    across_mm: float
    down_mm: float

    def crease_mm(self, page_mm: tuple[float, float]) -> tuple[Points, Points]:
        """The ends of the crease, (2,) each: the one on the upper or lower edge first."""
        at = self.corner_mm(page_mm)
        inwards = np.where(at > 0, -1.0, 1.0)
        reach = inwards * [self.across_mm, self.down_mm]
        return at + reach * [1, 0], at + reach * [0, 1]

    def corner_mm(self, page_mm: tuple[float, float]) -> Points:
        """Where the corner would be."""
        return np.array([page_mm[0] * (self.corner in (1, 2)), page_mm[1] * (self.corner in (2, 3))], dtype=np.float64)

    def beyond_mm(self, points: Points, page_mm: tuple[float, float]) -> tuple[Points, Points]:
        """How far points (N, 2) lie beyond the crease, (N,), and the direction (2,) across it, to the corner."""
        first, second = self.crease_mm(page_mm)
        along = second - first
        across = np.array([-along[1], along[0]]) / np.linalg.norm(along)
        if (self.corner_mm(page_mm) - first) @ across < 0:
            across = -across
        return (points - first) @ across, across


def _integral(values: Points) -> Points:
    return np.concatenate([[0.0], np.cumsum((values[1:] + values[:-1]) / 2)])


@dataclass(frozen=True)
class Paper:
    """A page on the table.

    Attributes:
        page_mm: its width and height.
        bends: how it is bent, each adding to the others (exact for one, close for gentle ones together).
        turn_deg: how it is turned on the table, clockwise as seen.
        place_mm: where its middle lies on the table.
        ear: a corner folded over; there the page ends at the crease.
    """

    page_mm: tuple[float, float]
    bends: tuple[Bend, ...] = ()
    turn_deg: float = 0.0
    place_mm: tuple[float, float] = (0.0, 0.0)
    ear: Ear | None = None

    def to_space(self, page_points_mm: Points) -> Points:
        """Where points of the page are in space.

        Args:
            page_points_mm: (N, 2) float64; points off the page lie on its continuation.

        Returns:
            (N, 3) float64, table millimetres; the lowest point of the page lies on the table.
        """
        flat = page_points_mm - np.array(self.page_mm) / 2
        bent = self._bent(flat)
        bent[:, 2] -= self._lowest
        c, s = np.cos(np.radians(self.turn_deg)), np.sin(np.radians(self.turn_deg))
        x = c * bent[:, 0] - s * bent[:, 1] + self.place_mm[0]
        y = s * bent[:, 0] + c * bent[:, 1] + self.place_mm[1]
        return np.column_stack([x, y, bent[:, 2]])

    def slopes(self, page_points_mm: Points) -> Points:
        """How steeply the paper rises there, (N, 2) float64: dz per table x and y."""
        flat = page_points_mm - np.array(self.page_mm) / 2
        total = np.zeros_like(flat)
        for bend, (places, _, _, slope) in zip(self.bends, self._tables, strict=True):
            direction = _direction(bend.axis_deg)
            total += np.interp(flat @ direction, places, slope)[:, None] * direction
        c, s = np.cos(np.radians(self.turn_deg)), np.sin(np.radians(self.turn_deg))
        return np.asarray(total @ np.array([[c, s], [-s, c]]))

    def outline(self, step_mm: float = 3.0) -> Points:
        """Points along the page's edge, clockwise from its top left, (N, 2) page millimetres."""
        w, h = self.page_mm
        across, down = (np.arange(0, side, step_mm) for side in (w, h))
        edge = np.concatenate(
            [
                np.column_stack([across, np.zeros_like(across)]),
                np.column_stack([np.full_like(down, w), down]),
                np.column_stack([w - across, np.full_like(across, h)]),
                np.column_stack([np.zeros_like(down), h - down]),
            ]
        )
        if self.ear is None:
            return edge
        beyond, across_crease = self.ear.beyond_mm(edge, self.page_mm)
        return edge - np.maximum(beyond, 0)[:, None] * across_crease

    def _bent(self, flat: Points) -> Points:
        out = np.column_stack([flat, np.zeros(len(flat))])
        for bend, (places, shift, height, _) in zip(self.bends, self._tables, strict=True):
            direction = _direction(bend.axis_deg)
            s = flat @ direction
            out[:, :2] += np.interp(s, places, shift)[:, None] * direction
            out[:, 2] += np.interp(s, places, height)
        return out

    @cached_property
    def _tables(self) -> tuple[tuple[Points, Points, Points, Points], ...]:
        return tuple(bend.table() for bend in self.bends)

    @cached_property
    def _lowest(self) -> float:
        w, h = self.page_mm
        u, v = np.meshgrid(np.linspace(0, w, 25), np.linspace(0, h, 25))
        flat = np.column_stack([u.ravel(), v.ravel()]) - np.array(self.page_mm) / 2
        return float(self._bent(flat)[:, 2].min())


def _direction(axis_deg: float) -> Points:
    return np.array([np.cos(np.radians(axis_deg)), np.sin(np.radians(axis_deg))])
