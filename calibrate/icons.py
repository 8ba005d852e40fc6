"""Spaces that show the same: printed icons sorted into looks, so that a person names a look and not forty spaces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase

import cv2
import numpy as np

from calibrate.fields import Field
from calibrate.shapes import F32, edge_strength
from scanner.rectify import Canvas
from scanner.types import ImageU8

_SIDE_PX = 28
"""Size at which spaces are compared: an arrow's head is ten pixels wide."""

_INNER = 0.8
"""Share of a space's width and height that is compared, so that its border does not count."""

_SHIFT_PX = 2
"""By how much two spaces may be moved against each other: half a millimetre and more."""

_ALIKE = 0.72
"""Correlation from which two spaces show the same: one icon in other colours 0.8 to 0.97, two icons 0.5 at most."""

_STRONG_SHARE, _UNLIKE = 0.6, 0.6
"""A space has something written in it if it has at least this share of the strongest spaces' contrast and correlates
less than this with every other. Of 24 blank sheets of six pads no space has; of 23 filled ones all but two have two or
more such spaces."""

_INK_QUANTILE, _INK_EDGES = 0.97, 14.0
"""Its strongest edges are at least so strong, in grey levels: handwriting has 15 to 50, and what noise and a ring that
reaches in leave in plain spaces 7 to 13."""

_PLAIN_SHARE = 0.25
"""A space that has less contrast than this share of the strongest ones is plain: paper, texture or a trace of dust."""


@dataclass(frozen=True, slots=True)
class Look:
    """Spaces that look the same.

    Attributes:
        letter: what to call it, `A` for the most frequent.
        places: (column, row) of each of them, counted from 0, rows from the top.
        plain: nothing is printed there.
    """

    letter: str
    places: tuple[tuple[int, int], ...]
    plain: bool


def looks_of(
    image: ImageU8, canvas: Canvas, spaces: Sequence[tuple[Field, tuple[float, float, float, float]]]
) -> tuple[Look, ...]:
    """The looks that more than one space has, the most frequent first.

    Args:
        image: the blank sheet, uint8 (h, w, 3), BGR.
        canvas: its scale.
        spaces: each with its box on the page, x, y, width and height in millimetres.
    """
    prints = _prints(image, canvas, [box for _, box in spaces])
    strength = prints.reshape(len(prints), -1).std(axis=1)
    plain = strength < _PLAIN_SHARE * np.quantile(strength, 0.9)
    groups = [[int(i) for i in np.flatnonzero(plain)]] if plain.any() else []
    groups += _grouped(prints, [int(i) for i in np.flatnonzero(~plain)])
    ranked = sorted((group for group in groups if len(group) > 1), key=len, reverse=True)
    return tuple(
        Look(
            letter,
            tuple((spaces[i][0].column, int(spaces[i][0].row or 0)) for i in group),
            bool(plain[group[0]]),
        )
        for letter, group in zip(ascii_uppercase, ranked, strict=False)
    )


def unlike_others(
    image: ImageU8, canvas: Canvas, boxes: Sequence[tuple[float, float, float, float]]
) -> tuple[int, ...]:
    """Which spaces hold something strong that is in no other one: handwriting, for what is printed is there again.

    Args:
        image: the sheet, uint8 (h, w, 3), BGR.
        canvas: its scale.
        boxes: of the spaces, x, y, width and height in millimetres.
    """
    prints = _prints(image, canvas, boxes)
    strength = prints.reshape(len(prints), -1).std(axis=1)
    inked = np.quantile(prints.reshape(len(prints), -1), _INK_QUANTILE, axis=1) > _INK_EDGES
    strong = np.flatnonzero(inked & (strength > _STRONG_SHARE * np.quantile(strength, 0.9)))
    return tuple(
        int(i)
        for i in strong
        if max((_correlation(prints[i], prints[j]) for j in range(len(prints)) if j != i), default=1.0) < _UNLIKE
    )


def _prints(image: ImageU8, canvas: Canvas, boxes: Sequence[tuple[float, float, float, float]]) -> F32:
    edges = edge_strength(image)
    return np.stack([_print(edges, canvas.px_per_mm, box) for box in boxes])


def _print(edges: F32, px_per_mm: float, box: tuple[float, float, float, float]) -> F32:
    """The edges in a space: those of print, for light that falls on it has none that are as sharp."""
    x, y, w, h = box
    rim_x, rim_y = w * (1 - _INNER) / 2, h * (1 - _INNER) / 2
    rows = slice(max(0, round((y + rim_y) * px_per_mm)), max(2, round((y + h - rim_y) * px_per_mm)))
    columns = slice(max(0, round((x + rim_x) * px_per_mm)), max(2, round((x + w - rim_x) * px_per_mm)))
    inner = np.ascontiguousarray(edges[rows, columns])
    return np.asarray(cv2.resize(inner, (_SIDE_PX, _SIDE_PX), interpolation=cv2.INTER_AREA), dtype=np.float32)


def _grouped(prints: F32, left: list[int]) -> list[list[int]]:
    """Groups around the space that most others look like, again and again."""
    alike = {i: {j for j in left if _correlation(prints[i], prints[j]) > _ALIKE} for i in left}
    groups = []
    while left:
        middle = max(left, key=lambda i: len(alike[i] & set(left)))
        group = sorted(alike[middle] & set(left)) or [middle]
        groups.append(group)
        left = [i for i in left if i not in group]
    return groups


def _correlation(first: F32, second: F32) -> float:
    """The highest correlation over small shifts."""
    inner = second[_SHIFT_PX:-_SHIFT_PX, _SHIFT_PX:-_SHIFT_PX]
    return float(cv2.matchTemplate(first, np.ascontiguousarray(inner), cv2.TM_CCOEFF_NORMED).max())
