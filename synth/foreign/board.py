"""A page to print and write on, in millimetres from its top left."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from synth.curves import bounds
from synth.hands import Hand
from synth.ink import Pen, draw_strokes
from synth.marks import mark_strokes
from synth.press import set_line

ImageU8 = NDArray[np.uint8]
Colour = tuple[float, float, float]

PX_PER_MM = 8.0  # more than a photo of a whole page shows
BLACK: Colour = (36.0, 36.0, 38.0)
GREY: Colour = (150.0, 150.0, 150.0)
WHITE: Colour = (255.0, 255.0, 255.0)
_SUB = 4  # bits below a pixel that OpenCV draws with


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """Paper with everything that is needed to print on it and to write on it.

    Attributes:
        image: uint8 (H, W, 3), BGR, drawn on in place.
        page_mm: its size.
        hand: who fills it in.
        pen: with what.
        rng: source of chance.
    """

    image: ImageU8
    page_mm: tuple[float, float]
    hand: Hand
    pen: Pen
    rng: np.random.Generator

    @classmethod
    def blank(
        cls, page_mm: tuple[float, float], hand: Hand, pen: Pen, rng: np.random.Generator, paper: Colour | None = None
    ) -> Board:
        """An empty page; its paper is nearly white unless a colour is given."""
        tone = np.array(paper or 255 - np.abs(rng.normal(0, 5, 3)))
        image = np.empty((round(page_mm[1] * PX_PER_MM), round(page_mm[0] * PX_PER_MM), 3), dtype=np.uint8)
        image[:] = np.clip(tone, 0, 255)
        return cls(image, page_mm, hand, pen, rng)

    def rect(
        self,
        box_mm: tuple[float, float, float, float],
        fill: Colour | None = None,
        line: Colour | None = None,
        line_mm: float = 0.35,
        round_mm: float = 0.0,
    ) -> None:
        """A box (x, y, width, height), perhaps with round corners."""
        x, y, w, h = box_mm
        self.polygon(_rounded(x, y, w, h, round_mm), fill, line, line_mm)

    def polygon(
        self,
        points_mm: NDArray[np.float64],
        fill: Colour | None = None,
        line: Colour | None = None,
        line_mm: float = 0.35,
    ) -> None:
        """A closed shape through points (N, 2)."""
        points = [np.rint((points_mm * PX_PER_MM) * (1 << _SUB)).astype(np.int32)]
        if fill is not None:
            cv2.fillPoly(self.image, points, fill, cv2.LINE_AA, _SUB)
        if line is not None:
            cv2.polylines(self.image, points, True, line, _thick(line_mm), cv2.LINE_AA, _SUB)

    def line(
        self, start_mm: tuple[float, float], end_mm: tuple[float, float], line: Colour = BLACK, line_mm: float = 0.3
    ) -> None:
        """A straight line."""
        ends = [tuple(round(v * PX_PER_MM * (1 << _SUB)) for v in end) for end in (start_mm, end_mm)]
        first, last = (ends[0][0], ends[0][1]), (ends[1][0], ends[1][1])
        cv2.line(self.image, first, last, line, _thick(line_mm), cv2.LINE_AA, _SUB)

    def circle(
        self,
        centre_mm: tuple[float, float],
        radius_mm: float,
        fill: Colour | None = None,
        line: Colour | None = None,
        line_mm: float = 0.35,
    ) -> None:
        """A circle."""
        around = np.linspace(0, 2 * np.pi, 48, endpoint=False)
        rim = np.array(centre_mm) + radius_mm * np.column_stack([np.cos(around), np.sin(around)])
        self.polygon(rim, fill, line, line_mm)

    def text(
        self,
        at_mm: tuple[float, float],
        text: str,
        height_mm: float,
        colour: Colour = BLACK,
        centred: bool = False,
        bold: float = 1.0,
        font: int = cv2.FONT_HERSHEY_SIMPLEX,
    ) -> None:
        """A line of print; the place is its left end on the baseline, or the middle of the text."""
        height = height_mm * PX_PER_MM
        x, y = at_mm[0] * PX_PER_MM, at_mm[1] * PX_PER_MM
        if centred:
            (wide, _), _ = cv2.getTextSize(text, font, height / 21.0, max(1, round(height * 0.11 * bold)))
            x, y = x - wide / 2, y + height / 2
        set_line(self.image, text, (x, y), height, colour, font, None, bold)

    def write(self, centre_mm: tuple[float, float], text: str, height_mm: float, widest_mm: float = 30.0) -> None:
        """Handwriting around a place, smaller where it would be wider than `widest_mm`."""
        strokes = self.hand.strokes(text, self.rng)
        x0, y0, x1, y1 = bounds(strokes)
        scale = min(height_mm, widest_mm / max(x1 - x0, 0.2)) * PX_PER_MM
        middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
        place = np.array(centre_mm) * PX_PER_MM + self.rng.normal(0, 0.06 * height_mm * PX_PER_MM, 2)
        self._ink([(stroke - middle) * scale + place for stroke in strokes])

    def mark(self, centre_mm: tuple[float, float], size_mm: float, style: str | None = None) -> None:
        """A cross, tick or whatever this hand makes, or one of `synth.marks.MARKS`."""
        corner = np.array(centre_mm) - size_mm / 2
        strokes = mark_strokes(self.hand, self.rng, style)
        self._ink([(stroke * size_mm + corner) * PX_PER_MM for stroke in strokes])

    def tag(self, corner_mm: tuple[float, float], size_mm: float, number: int, dictionary: int) -> None:
        """A square code of OpenCV's dictionaries."""
        side = round(size_mm * PX_PER_MM)
        code = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(dictionary), number, side)
        x, y = (round(v * PX_PER_MM) for v in corner_mm)
        there = self.image[y : y + side, x : x + side]
        there[:] = code[: there.shape[0], : there.shape[1], None]

    def _ink(self, strokes_px: list[NDArray[np.float64]]) -> None:
        draw_strokes(self.image, strokes_px, self.pen, PX_PER_MM, self.rng, self.hand.pressure)


def tinted(colour: Colour, share: float) -> Colour:
    """The colour mixed with so much white."""
    b, g, r = (v + (255 - v) * share for v in colour)
    return b, g, r


def _thick(line_mm: float) -> int:
    return max(1, round(line_mm * PX_PER_MM))


def _rounded(x: float, y: float, w: float, h: float, radius: float) -> NDArray[np.float64]:
    if radius <= 0:
        return np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]])
    quarter = np.radians(np.linspace(180, 270, 6))
    arcs = []
    for k, (cx, cy) in enumerate(
        [(x + radius, y + radius), (x + w - radius, y + radius), (x + w - radius, y + h - radius),
         (x + radius, y + h - radius)]
    ):  # fmt: skip
        turn = quarter + np.radians(90 * k)
        arcs.append(np.column_stack([cx + radius * np.cos(turn), cy + radius * np.sin(turn)]))
    return np.concatenate(arcs)
