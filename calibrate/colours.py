"""Which column is which: by what stands below it and by its colour, in the game's order unless they say otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import cv2
import numpy as np

from layouts import COLUMNS, EXPEDITIONS
from scanner.types import ImageU8

_TRACKS = COLUMNS[len(EXPEDITIONS) :]

_HUES_DEG = {"red": 35.0, "orange": 62.0, "yellow": 90.0, "green": 145.0, "blue": 265.0, "purple": 315.0}
"""Hue of each expedition in Lab, where 0 is red towards purple and 90 yellow."""

_CONTRADICTS_DEG = 100.0
"""By how much all hues together have to fit better before another order than the game's is believed: lamps shift hues
by 20 degrees, but hardly their order."""

_GREYER = 1.15
"""One of two columns is the grey one if the other is more coloured by this factor."""

_SWAPPED_DEG = 30.0
"""By how much two columns' hues have to fit each other's names better before a person is asked to look."""

_COLOURED_SHARE = 0.25
"""Share of a column's pixels, the most coloured ones, that give its colour."""


@dataclass(frozen=True, slots=True)
class Colour:
    """The colour of a column.

    Attributes:
        rgb: `#rrggbb`.
        hue_deg: 0 is red towards purple, 90 yellow.
        chroma: how far from grey it is, in steps of Lab.
    """

    rgb: str
    hue_deg: float
    chroma: float


def column_colours(strips: Sequence[ImageU8]) -> tuple[Colour, ...]:
    """The colour of each column's strip of the picture."""
    found = []
    for strip in strips:
        lab = cv2.cvtColor(strip, cv2.COLOR_BGR2Lab).reshape(-1, 3).astype(np.float32)
        chroma = np.hypot(lab[:, 1] - 128, lab[:, 2] - 128)
        middle = np.median(lab[chroma >= np.quantile(chroma, 1 - _COLOURED_SHARE)], axis=0)
        blue, green, red = cv2.cvtColor(middle.round().astype(np.uint8)[None, None], cv2.COLOR_Lab2BGR)[0, 0]
        hue = float(np.degrees(np.arctan2(middle[2] - 128, middle[1] - 128)) % 360)
        found.append(Colour(f"#{red:02x}{green:02x}{blue:02x}", hue, float(np.hypot(middle[1] - 128, middle[2] - 128))))
    return tuple(found)


def column_names(colours: Sequence[Colour], with_circles: frozenset[int]) -> tuple[str, ...]:
    """Names of eight columns, left to right.

    Args:
        colours: of each.
        with_circles: which of them have a double circle. Where those are six, the others are artifacts and dice;
            else these are the last two. Dice are the greyer one, where one of them clearly is.
    """
    six = len(EXPEDITIONS)
    is_known = len(with_circles) == six
    expeditions = sorted(with_circles) if is_known else list(range(six))
    cost = {
        order: sum(
            _apart(colours[column].hue_deg, _HUES_DEG[name]) for column, name in zip(expeditions, order, strict=True)
        )
        for order in permutations(EXPEDITIONS)
    }
    best = min(cost, key=lambda order: cost[order])
    chosen = best if cost[EXPEDITIONS] - cost[best] > _CONTRADICTS_DEG else EXPEDITIONS
    names = dict(zip(expeditions, chosen, strict=True))
    first, second = (column for column in range(len(COLUMNS)) if column not in names)
    is_dice_first = _GREYER * colours[first].chroma < colours[second].chroma
    names.update(zip((second, first) if is_dice_first else (first, second), _TRACKS, strict=True))
    return tuple(names[column] for column in range(len(COLUMNS)))


def like_others(colours: Sequence[Colour], names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Pairs of expeditions whose colours would fit the other one's name better."""
    hue = {name: colour.hue_deg for name, colour in zip(names, colours, strict=True)}
    return tuple(
        (first, second)
        for first, second in combinations(EXPEDITIONS, 2)
        if _apart(hue[first], _HUES_DEG[second]) + _apart(hue[second], _HUES_DEG[first]) + _SWAPPED_DEG
        < _apart(hue[first], _HUES_DEG[first]) + _apart(hue[second], _HUES_DEG[second])
    )


def _apart(first: float, second: float) -> float:
    return abs((first - second + 180) % 360 - 180)
