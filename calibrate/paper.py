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

_SHOWS = 12.0
"""Difference between both sides, in grey levels of a channel, at which an edge counts for half: a share of it counts
however faint it is, as white paper on a white desk is, and none counts for more than one."""

_BESIDE = np.arange(-3, 4)
"""Pixels beside a line among which its steepest place is."""

_CANDIDATES = 8
"""Lines of each side that are tried."""

_ALIKE_PX = 4
"""Two lines nearer to each other than this are one."""

_ASIDE_PX = 2
"""How far an edge may stray from its line: paper is not cut that straight, and bends."""

_CORNER = 0.6
"""Steps beyond a corner over which an edge must not go on."""

_GOES_ON = 0.6
"""What an edge that goes on behind both of its corners loses, against one that shows along its whole length: a sheet in
a pile of others has some that do."""

_OUTSIDE = 0.2
"""What a side gains with each step that it lies farther out: a frame printed on the paper has four sides that fit as
well, and where both show, the paper is around the print."""

_CENTRED = 0.1
"""What a page loses whose left and right margins differ by a step: print stands in its middle, more or less."""

_LENS_OFF = 0.035
"""Deviation of the ratio of both steps, as the usual lens gives it, from the true one, as a logarithm."""

_OFF_RATIO = 0.15
"""What a page loses whose ratio is one deviation off; nine times as much at most. On 59 photos of seven pads these four
weights put all sides within a millimetre on 44, and nearly any other choice on 38 or more."""

_EDGE_SHOWS = 0.25
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
        sides.append(_lines(_differences(plane, known), area, block, number, start))
    return _best(sides, area, block, ratio, aspect)


def _in_picture(image: ImageU8, straight: Straightener, area: Area, size: tuple[int, int]) -> NDArray[np.bool_]:
    """Which pixels of a part of the frame lie in the picture."""
    xs, ys = np.linspace(area[0], area[2], size[0]), np.linspace(area[1], area[3], size[1])
    places = straight.to_px(np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)).reshape(size[1], size[0], 2)
    return np.asarray(((places > 1) & (places < np.array(image.shape[1::-1]) - 2)).all(axis=-1), dtype=np.bool_)


def _differences(plane: F32, known: NDArray[np.bool_]) -> F32:
    """By how much both sides of each pixel differ, (h, w, 3), -1 to 1; rows go along the side that is looked at."""
    seen = cv2.filter2D(np.ascontiguousarray(plane), cv2.CV_32F, np.array([[-1.0, 0.0, 1.0]]))
    whole = cv2.erode(known.astype(np.uint8), np.ones((1, 5), np.uint8))[..., None]
    return np.asarray(seen / (np.abs(seen) + _SHOWS) * whole, dtype=np.float32)


def _lines(shows: F32, area: Area, block: Area, number: int, start: float) -> list[_Line]:
    """The best lines of a side, at most one near each place."""
    sign, across, along = (-1 if number < 2 else 1), number % 2, 1 - number % 2
    rows = (np.arange(shows.shape[0]) + 0.5) / _PX_PER_STEP + area[along]
    middle, half = (block[along] + block[along + 2]) / 2, (block[along + 2] - block[along]) / 2
    beside = np.flatnonzero(np.abs(rows - middle) < half + 0.4)
    far = (rows - middle) / half
    distances = np.arange(start, _REACH[number] - 0.15, 1 / _PX_PER_STEP)
    base = (block[number] - area[across] + sign * distances) * _PX_PER_STEP - 0.5
    best = np.full(len(base), -1.0)
    shapes = np.zeros((len(base), len(rows)))
    for slope, sag in product(_SLOPES, _SAGS):
        shape = (slope * half * far - sag * np.minimum(np.abs(far), 1.6) ** 2) * _PX_PER_STEP
        # Every second row is enough to tell lines apart.
        columns = np.clip(np.round(base[None] + shape[beside[::2], None]).astype(int), 0, shows.shape[1] - 1)
        means = np.abs(shows[beside[::2, None], columns].mean(axis=0)).max(axis=1)
        better = means > best
        best[better], shapes[better] = means[better], shape
    lines: list[_Line] = []
    taken: list[int] = []
    for i in np.argsort(-best).tolist():
        if len(lines) < _CANDIDATES and all(abs(i - other) > _ALIKE_PX for other in taken):
            taken.append(i)
            lines.append(_line(shows, base[i] + shapes[i], float(base[i]), beside, area[across]))
    return lines


def _line(shows: F32, columns: F64, base: float, beside: NDArray[np.intp], origin: float) -> _Line:
    """A line with how much of it shows; it stands where it is steepest, between pixels by the centre of the peak."""
    rows, last = np.arange(shows.shape[0]), shows.shape[1] - 1
    whole = np.clip(np.round(columns).astype(int), _ASIDE_PX, last - _ASIDE_PX)
    near = np.stack([shows[rows, whole + aside] for aside in range(-_ASIDE_PX, _ASIDE_PX + 1)])
    there = np.take_along_axis(near, np.abs(near).argmax(axis=0)[None], axis=0)[0]
    profile = [shows[beside, np.clip(whole[beside] + aside, 0, last)].mean(axis=0) for aside in _BESIDE]
    peak = np.abs(np.stack(profile)).max(axis=1)
    peak = np.maximum(peak - 0.6 * peak.max(), 0)
    shift = float((peak * _BESIDE).sum() / max(float(peak.sum()), 1e-9))
    runs = np.concatenate([np.zeros((1, 3)), np.cumsum(there, axis=0, dtype=np.float64)])
    return _Line((base + shift + 0.5) / _PX_PER_STEP + origin, runs)


def _best(sides: list[list[_Line]], area: Area, block: Area, ratio: float | None, aspect: float) -> Paper:
    """The combination of lines that end at each other."""
    best, most = None, -np.inf
    for lines in product(*sides):
        left, top, right, bottom = at = tuple(line.at for line in lines)
        ends = ((top, bottom), (left, right)) * 2
        shares = [_share(line, area[1 - i % 2], *ends[i]) for i, line in enumerate(lines)]
        beyond = [_beyond(line, area[1 - i % 2], *ends[i]) for i, line in enumerate(lines)]
        value = sum(share - _GOES_ON * share * other for share, other in zip(shares, beyond, strict=True))
        value += _OUTSIDE * sum(abs(place - inner) for place, inner in zip(at, block, strict=True))
        value -= _CENTRED * ((block[0] - left) - (right - block[2])) ** 2
        if ratio is not None:
            off = float(np.log((right - left) * aspect / (bottom - top) / ratio)) / _LENS_OFF
            value -= _OFF_RATIO * min(off * off, 9.0)
        if value > most:
            best, most = Paper((left, top, right, bottom), (shares[0], shares[1], shares[2], shares[3])), value
    assert best is not None
    return best


def _beyond(line: _Line, origin: float, first: float, last: float) -> float:
    """How much of a line shows just behind both of its corners."""
    before = _share(line, origin, first - _CORNER, first - 0.1)
    return (before + _share(line, origin, last + 0.1, last + _CORNER)) / 2


def _share(line: _Line, origin: float, first: float, last: float) -> float:
    low, high = (int(np.clip(round((end - origin) * _PX_PER_STEP), 0, len(line.runs) - 1)) for end in (first, last))
    return float(np.abs(line.runs[high] - line.runs[low]).max()) / max((last - first) * _PX_PER_STEP, 1.0)
