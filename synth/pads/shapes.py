"""Outlines in millimetres, (N, 2) float64: what pads are drawn of."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from layouts import CellBox

Points = NDArray[np.float64]

_STEPS = 48  # corners of a round outline: a circle of 15 mm is then off by 0.02 mm


def ellipse(x: float, y: float, rx: float, ry: float | None = None) -> Points:
    """An ellipse, or a circle."""
    return squircle(x, y, rx, rx if ry is None else ry, 2.0)


def squircle(x: float, y: float, rx: float, ry: float, power: float = 3.0) -> Points:
    """Between an ellipse (power 2) and a box."""
    turn = np.linspace(0, 2 * np.pi, _STEPS, endpoint=False)
    c, s = np.cos(turn), np.sin(turn)
    return np.column_stack(
        [x + rx * np.sign(c) * np.abs(c) ** (2 / power), y + ry * np.sign(s) * np.abs(s) ** (2 / power)]
    )


def box(x: float, y: float, w: float, h: float, radius: float = 0.0) -> Points:
    """A box by its top left corner, its own corners rounded."""
    if radius <= 0:
        return np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]])
    quarter = np.linspace(0, np.pi / 2, 9)
    corners = ((x + w - radius, y + h - radius), (x + radius, y + h - radius), (x + radius, y + radius),
               (x + w - radius, y + radius))  # fmt: skip
    return np.concatenate(
        [
            np.column_stack(
                [cx + radius * np.cos(quarter + k * np.pi / 2), cy + radius * np.sin(quarter + k * np.pi / 2)]
            )
            for k, (cx, cy) in enumerate(corners)
        ]
    )


def cell_box(cell: CellBox, radius: float = 0.0, grown: float = 0.0) -> Points:
    """A cell's box, larger by `grown` on every side."""
    return box(cell.x_mm - grown, cell.y_mm - grown, cell.w_mm + 2 * grown, cell.h_mm + 2 * grown, radius)


def cell_round(cell: CellBox, power: float = 2.0, grown: float = 0.0) -> Points:
    """The ellipse or squircle that fills a cell."""
    x, y = centre(cell)
    return squircle(x, y, cell.w_mm / 2 + grown, cell.h_mm / 2 + grown, power)


def cell_hexagon(cell: CellBox, grown: float = 0.0) -> Points:
    """The hexagon with corners left and right that fills a cell."""
    x, y = centre(cell)
    rx, ry = cell.w_mm / 2 + grown * 1.15, cell.h_mm / 2 + grown
    corners = [(1, 0), (0.5, 1), (-0.5, 1), (-1, 0), (-0.5, -1), (0.5, -1)]
    return np.array([[x + rx * u, y + ry * v] for u, v in corners])


def centre(cell: CellBox) -> tuple[float, float]:
    """The middle of a cell."""
    return cell.x_mm + cell.w_mm / 2, cell.y_mm + cell.h_mm / 2


def smooth(points: Points, closed: bool = True, rounds: int = 3) -> Points:
    """Cuts the corners of an outline until it is round; a point given three times stays a corner."""
    for _ in range(rounds):
        following = np.roll(points, -1, axis=0)
        cut = np.stack([0.75 * points + 0.25 * following, 0.25 * points + 0.75 * following], axis=1).reshape(-1, 2)
        points = cut if closed else np.concatenate([points[:1], cut[:-2], points[-1:]])
    return points


def turned(points: Points, degrees: float, about: tuple[float, float] = (0.0, 0.0)) -> Points:
    """Turned clockwise, as seen with y down."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.asarray((points - about) @ np.array([[c, s], [-s, c]]) + about)


def rough(points: Points, amount: float, rng: np.random.Generator) -> Points:
    """As drawn by hand: each point a little off, smoothly."""
    shift = rng.normal(0, amount, (max(4, len(points) // 4), 2))
    at = np.linspace(0, len(shift), len(points), endpoint=False)
    whole = np.concatenate([shift, shift[:1]])
    return np.asarray(points + np.column_stack([np.interp(at, np.arange(len(whole)), whole[:, k]) for k in (0, 1)]))
