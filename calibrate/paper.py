"""The edges of the paper around a block of spaces: four lines that meet at its corners and end there.

Beside a sheet there are many lines: frames and rules in print, joints of a table, other things that lie there. What
tells the paper's edge from them is where it ends. It runs from corner to corner, and not beyond; print ends before the
corner, and a joint goes on behind it. So the best few lines of each side are taken, and of all their combinations the
one in which they fit each other best.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from calibrate.grid import Grid
from calibrate.shapes import F64
from calibrate.straight import Straightener, flattened
from scanner.types import ImageU8

F32 = NDArray[np.float32]
Area = tuple[float, float, float, float]

_PX_PER_STEP = 48.0
"""Scale at which edges are looked for: 3 to 4 pixels a millimetre."""

_REACH = (3.5, 6.0, 3.5, 6.0)
"""How far from the block's outermost spaces the paper may end, left, top, right and bottom, in steps: titles and totals
stand above and below."""

_NEAREST = 0.55
"""The paper ends no nearer to the middle of an outermost space than this, in steps."""

_SLOPES = np.linspace(-0.05, 0.05, 31)
"""Paper is cut this much aslant to the print at most, perspective that the spaces leave unknown included."""

_SAGS = np.linspace(-0.12, 0.12, 5)
"""How far, in steps, the middle of an edge stands out: curl goes on outside the block, where nothing shows how."""

_APART = 3.0
"""Pixels beside a line over which each of its sides is averaged."""

_SHOWS = 10.0
"""Difference between both sides, in grey levels of the strongest channel, from which an edge is as good as any: white
paper on a white desk has 5 and a shadow besides, so what is less counts in part."""

_BESIDE = np.arange(-4, 5)
"""Pixels beside a line among which its steepest place is: both sides' averages make it broad."""

_CANDIDATES = 7
"""Lines of each side that are tried."""

_ALIKE_PX = 4
"""Two lines nearer to each other than this are one."""

_CORNER = 0.6
"""Steps beyond a corner over which an edge must not go on."""

_GOES_ON = 0.6
"""What an edge that goes on behind both of its corners loses, against one that shows along its whole length: a sheet in
a pile of others has some that do."""

_CENTRED = 0.1
"""What a page loses whose left and right margins differ by a step: print stands in its middle, more or less."""

_LENS_OFF = 0.035
"""Deviation of the ratio of both steps, as the usual lens gives it, from the true one, as a logarithm."""

_EDGE_SHOWS = 0.35
"""Share of an edge that has to show for its place to be known."""


@dataclass(frozen=True, slots=True, eq=False)
class Paper:
    """The paper's edges in the straight frame.

    Attributes:
        sides: left, top, right, bottom, each the middle of its edge.
        shows: how much of each shows, 0 to 1.
    """

    sides: Area
    shows: tuple[float, float, float, float]

    @property
    def seen(self) -> tuple[bool, ...]:
        """Which sides' places are known."""
        return tuple(share >= _EDGE_SHOWS for share in self.shows)


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    """A line beside the block.

    Attributes:
        at: where it stands in the frame, middle of it.
        runs: (n + 1, 3), by how much both of its sides differ, -1 to 1 in each channel, summed from the area's first
            row to each row.
    """

    at: float
    runs: F64


def find_paper(
    image: ImageU8, straight: Straightener, grid: Grid, printed: F64, ratio: float | None, aspect: float
) -> Paper:
    """The paper that a block of spaces is printed on.

    Args:
        image: the photo, uint8 (h, w, 3).
        straight: what straightens it.
        grid: its spaces.
        printed: left, top, right, bottom of everything known to be printed; the paper reaches farther.
        ratio: width of the page over its height, if known.
        aspect: length of a step right over that of a step down, as a usual lens would have it.
    """
    block = float(grid.x.min()), float(grid.y.min()), float(grid.x.max()), float(grid.y.max())
    area = block[0] - _REACH[0], block[1] - _REACH[1], block[2] + _REACH[2], block[3] + _REACH[3]
    size = round((area[2] - area[0]) * _PX_PER_STEP), round((area[3] - area[1]) * _PX_PER_STEP)
    lab = cv2.cvtColor(flattened(image, straight, area, size), cv2.COLOR_BGR2Lab).astype(np.float32)
    inside = _in_picture(image, straight, area, size)
    sides = []
    for number in range(4):
        start = max(abs(block[number] - printed[number]) + 0.08, _NEAREST)
        plane, known = (lab.transpose(1, 0, 2), inside.T) if number % 2 else (lab, inside)
        sides.append(_lines(_Side(_differences(plane, known), _slopes(plane, known)), area, block, number, start))
    return _best(sides, area, block, ratio, aspect)


def _in_picture(image: ImageU8, straight: Straightener, area: Area, size: tuple[int, int]) -> NDArray[np.bool_]:
    """Which pixels of a part of the frame lie in the picture."""
    xs, ys = np.linspace(area[0], area[2], size[0]), np.linspace(area[1], area[3], size[1])
    places = straight.to_px(np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)).reshape(size[1], size[0], 2)
    return np.asarray(((places > 1) & (places < np.array(image.shape[1::-1]) - 2)).all(axis=-1), dtype=np.bool_)


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """What may be an edge on one side; rows go along it.

    Attributes:
        shows: (h, w, 3), by how much both sides of each pixel differ, -1 to 1 in each channel.
        slopes: (h, w), how steep it is right there.
    """

    shows: F32
    slopes: F32


def _differences(plane: F32, known: NDArray[np.bool_]) -> F32:
    width = round(_APART)
    kernel = np.concatenate([np.full(width, -1.0), [0.0], np.full(width, 1.0)])[None] / width
    seen = cv2.filter2D(np.ascontiguousarray(plane), cv2.CV_32F, kernel)
    whole = cv2.erode(known.astype(np.uint8), np.ones((1, 2 * width + 3), np.uint8))
    return np.asarray(np.clip(seen / _SHOWS, -1, 1) * whole[..., None], dtype=np.float32)


def _slopes(plane: F32, known: NDArray[np.bool_]) -> F32:
    seen = cv2.filter2D(np.ascontiguousarray(plane), cv2.CV_32F, np.array([[-1.0, 0.0, 1.0]]))
    return np.asarray(np.minimum(np.abs(seen).max(axis=2), 2 * _SHOWS) * known, dtype=np.float32)


def _lines(side: _Side, area: Area, block: Area, number: int, start: float) -> list[_Line]:
    """The best lines of a side; where nothing shows, one at the least distance."""
    sign, across, along = (-1 if number < 2 else 1), number % 2, 1 - number % 2
    shows = side.shows
    rows = (np.arange(shows.shape[0]) + 0.5) / _PX_PER_STEP + area[along]
    middle, half = (block[along] + block[along + 2]) / 2, (block[along + 2] - block[along]) / 2
    beside = np.flatnonzero(np.abs(rows - middle) < half + 0.4)
    far = (rows - middle) / half
    distances = np.arange(start, _REACH[number] - 0.15, 1 / _PX_PER_STEP)
    base = (block[number] - area[across] + sign * distances) * _PX_PER_STEP - 0.5
    found: list[tuple[float, float, F64]] = []
    for slope, sag in product(_SLOPES, _SAGS):
        offsets = (slope * half * far - sag * (np.minimum(np.abs(far), 1.6) ** 2)) * _PX_PER_STEP
        columns = np.clip(np.round(base[None] + offsets[beside, None]).astype(int), 0, shows.shape[1] - 1)
        means = np.abs(shows[beside[:, None], columns].mean(axis=0)).max(axis=1)
        for at in np.argsort(-means)[:2]:
            found.append((float(means[at]), float(distances[at]), offsets))
    lines: list[_Line] = []
    places: list[float] = []
    for _, distance, offsets in sorted(found, key=lambda line: -line[0]):
        if len(lines) < _CANDIDATES and all(abs(distance - other) * _PX_PER_STEP > _ALIKE_PX for other in places):
            places.append(distance)
            lines.append(_line(side, area, block, number, distance, offsets))
    return lines


def _line(side: _Side, area: Area, block: Area, number: int, distance: float, offsets: F64) -> _Line:
    sign, across, along = (-1 if number < 2 else 1), number % 2, 1 - number % 2
    base = (block[number] - area[across] + sign * distance) * _PX_PER_STEP - 0.5
    shows, rows = side.shows, np.arange(side.shows.shape[0])
    columns = np.clip(np.round(base + offsets).astype(int), 1, shows.shape[1] - 2)
    near = np.stack([shows[rows, columns + aside] for aside in (-1, 0, 1)])
    there = np.take_along_axis(near, np.abs(near).argmax(axis=0)[None], axis=0)[0]
    beside = rows[
        int((block[along] - area[along]) * _PX_PER_STEP) : int((block[along + 2] - area[along]) * _PX_PER_STEP)
    ]
    steepest = [
        side.slopes[beside, np.clip(columns[beside] + aside, 0, shows.shape[1] - 1)].mean() for aside in _BESIDE
    ]
    # Where a line stands is where it is steepest, between pixels by the centre of the peak.
    peak = np.maximum(np.array(steepest) - 0.6 * max(steepest), 0)
    shift = float((peak * _BESIDE).sum() / max(float(peak.sum()), 1e-9))
    return _Line(
        (base + shift + 0.5) / _PX_PER_STEP + area[across],
        np.concatenate([np.zeros((1, 3)), np.cumsum(there, axis=0, dtype=np.float64)]),
    )


def _best(sides: list[list[_Line]], area: Area, block: Area, ratio: float | None, aspect: float) -> Paper:
    """The combination of lines that end at each other."""
    best, most = None, -np.inf
    for lines in product(*sides):
        at = [line.at for line in lines]
        shares = []
        value = 0.0
        for number, line in enumerate(lines):
            along = 1 - number % 2
            first, last = at[along], at[along + 2]
            share = _share(line, area[along], first, last)
            beyond = (
                _share(line, area[along], first - _CORNER, first - 0.1)
                + _share(line, area[along], last + 0.1, last + _CORNER)
            ) / 2
            shares.append(share)
            value += share - _GOES_ON * share * beyond
        if ratio is not None:
            off = np.log((at[2] - at[0]) * aspect / (at[3] - at[1]) / ratio) / _LENS_OFF
            value -= 0.15 * float(min(off * off, 9.0))
        value -= _CENTRED * ((block[0] - at[0]) - (at[2] - block[2])) ** 2
        if value > most:
            best, most = Paper((at[0], at[1], at[2], at[3]), (shares[0], shares[1], shares[2], shares[3])), value
    assert best is not None
    return best


def _share(line: _Line, origin: float, first: float, last: float) -> float:
    low, high = (int(np.clip(round((end - origin) * _PX_PER_STEP), 0, len(line.runs) - 1)) for end in (first, last))
    return float(np.abs(line.runs[high] - line.runs[low]).max()) / max((last - first) * _PX_PER_STEP, 1.0)
