"""Handwriting: a `Hand` is one person's way of writing, the same every time and never quite the same.

A hand keeps to one form of each digit (now and then a second one), bends that form in its own way, and
writes with its own slant, width, size, speed and care. Nothing is taken from any collection of writing.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from synth.curves import bounds, extend, soften, spline, wobble
from synth.glyphs import Glyph, GlyphStroke, glyphs_of

Points = NDArray[np.float64]
Strokes = list[Points]

NAMESPACES = ("train", "eval", "sample")
_SECOND_FORM = 0.07  # how often a writer uses the other form of a digit: rare enough to be a habit
_TALL_LETTERS = 0.45  # a capital beside digits of the same hand is about as high; names are written smaller


@dataclass(frozen=True, slots=True, eq=False)
class Hand:
    """One writer. Lengths are in digit heights unless the name says otherwise.

    Attributes:
        name: where it comes from, such as `eval/12`.
        seed: the writer's own number, from which everything personal about single characters follows.
        height_mm: usual height of a digit.
        height_spread: relative standard deviation of that height.
        aspect: width of the digits relative to the model forms.
        slant: shear, x moved per height upwards; positive leans right.
        tilt_rad: turn of the writing line, anticlockwise.
        tension: 0 round, 1 angular.
        cut: how many samples a corner is rounded over.
        carelessness: 0 neat to 1 wild: scales all chance from one instance to the next.
        tremor: amplitude of a fine shake.
        spacing: gap between characters; pens of some width touch below 0.1.
        second_size: size of the second character relative to the first, as in a small 0 of 10.
        drift: how far characters stray from the baseline.
        overshoot: by how much strokes run on past their end; negative leaves loops open.
        off_centre: (2,) habitual place in a box, relative to its size, x right, y down.
        mark: habitual mark for a box, see `synth.marks`.
        pressure: how hard the pen is pressed, about 1.
        warp: (3, 4) coefficients of the hand's systematic bending of forms.
    """

    name: str
    seed: int
    height_mm: float
    height_spread: float
    aspect: float
    slant: float
    tilt_rad: float
    tension: float
    cut: int
    carelessness: float
    tremor: float
    spacing: float
    second_size: float
    drift: float
    overshoot: float
    off_centre: Points
    mark: str
    pressure: float
    warp: Points = field(repr=False)

    def strokes(self, text: str, rng: np.random.Generator) -> Strokes:
        """The text as this hand writes it this time.

        Args:
            text: digits, letters, spaces, minus.
            rng: source of the chance of this instance.

        Returns:
            Polylines, each (N, 2) float64, in digit heights, y down, the text's box starting at (0, 0).

        Raises:
            KeyError: a character that no form is known for.
        """
        out: Strokes = []
        x = 0.0
        for i, character in enumerate(text):
            if character == " ":
                x += 0.45
                continue
            glyph = self._character(character, rng)
            scale = float(np.exp(rng.normal(0, 0.05 * (0.4 + self.carelessness))))
            if i and character.isdigit():
                scale *= self.second_size ** (1 if i == 1 else 0.3)
            lift = rng.normal(0, self.drift) + (1 - scale) * rng.uniform(0.3, 1.0)
            x0, _, x1, _ = bounds(glyph)
            offset = np.array([x - x0 * scale, lift])
            out.extend(stroke * scale + offset for stroke in glyph)
            gap = self.spacing + rng.normal(0, 0.05 + 0.06 * self.carelessness)
            x += (x1 - x0) * scale + max(gap, 0.03)
        return _to_origin([self._lean(stroke) for stroke in out])

    def height(self, rng: np.random.Generator) -> float:
        """Height of the digits of one instance, millimetres."""
        return float(self.height_mm * np.exp(rng.normal(0, self.height_spread)))

    def _character(self, character: str, rng: np.random.Generator) -> Strokes:
        """One character upright, with this hand's bending and the chance of the instance."""
        own = np.random.default_rng([self.seed, ord(character)])
        glyph = _own_form(character, own, second=rng.random() < _SECOND_FORM)
        stretch = np.array([self.aspect * np.exp(own.normal(0, 0.1)), 1.0])
        waist = float(np.exp(own.normal(0, 0.09)))
        loose = 0.006 + 0.03 * self.carelessness
        paths: Strokes = []
        for stroke in glyph.strokes:
            points = self._bend(stroke.points, waist)
            points = points + own.normal(0, 0.022, points.shape) + rng.normal(0, loose, points.shape)
            if len(glyph.strokes) > 1:  # the pen comes down again not quite where it should
                points = points + rng.normal(0, 0.012 + 0.035 * self.carelessness, 2)
            paths.append(self._path(GlyphStroke(points * stretch, stroke.corners), rng))
        return [path * [np.exp(rng.normal(0, 0.05 + 0.06 * self.carelessness)), 1.0] for path in paths]

    def _path(self, stroke: GlyphStroke, rng: np.random.Generator) -> Points:
        path = soften(spline(stroke.points, stroke.corners, self.tension), self.cut)
        path = extend(path, self.overshoot + rng.normal(0, 0.02 + 0.04 * self.carelessness))
        path = wobble(path, self.tremor, 0.12, rng)
        return wobble(path, 0.004 + 0.014 * self.carelessness, 0.5, rng)

    def _bend(self, points: Points, waist: float) -> Points:
        """The hand's smooth warp of the plane: the same for all its characters."""
        x, y = points[:, 0], points[:, 1]
        waves = np.stack([np.sin(np.pi * y), np.sin(2 * np.pi * y), np.cos(np.pi * x), np.sin(2 * np.pi * x)])
        dx, dy = self.warp[:2] @ waves
        y = np.where((y > 0) & (y < 1), np.clip(y, 0, 1) ** waist, y)
        return np.column_stack([x + dx, y + dy])

    def _lean(self, path: Points) -> Points:
        x, y = path[:, 0] + self.slant * (1 - path[:, 1]), path[:, 1]
        c, s = np.cos(self.tilt_rad), np.sin(self.tilt_rad)
        return np.column_stack([c * x + s * y, c * y - s * x])


def hand_for(namespace: str, n: int) -> Hand:
    """The n-th hand of a namespace; different namespaces share no hand.

    Raises:
        ValueError: an unknown namespace.
    """
    if namespace not in NAMESPACES:
        raise ValueError(f"unknown namespace of hands {namespace!r}: expected one of {', '.join(NAMESPACES)}")
    digest = hashlib.sha256(f"hand:{namespace}:{n}".encode()).digest()
    seed = int.from_bytes(digest[:8], "big")
    return _draw_hand(f"{namespace}/{n}", seed, np.random.default_rng(seed))


def _draw_hand(name: str, seed: int, rng: np.random.Generator) -> Hand:
    care = float(rng.beta(1.6, 2.2))
    touching = rng.random() < 0.15
    return Hand(
        name=name,
        seed=seed,
        height_mm=float(np.clip(np.exp(rng.normal(np.log(6.1), 0.19)), 3.9, 8.8)),
        height_spread=float(rng.uniform(0.04, 0.1) * (0.6 + care)),
        aspect=float(np.exp(rng.normal(0.03, 0.16))),
        slant=float(rng.normal(0.1, 0.15)),
        tilt_rad=float(rng.normal(0.02, 0.05)),
        tension=float(max(0.0, rng.normal(0.05, 0.16))),
        cut=int(rng.choice([0, 1, 1, 2, 2, 3])),
        carelessness=care,
        tremor=float(rng.choice([0.0, 0.002, 0.004, 0.009], p=[0.4, 0.3, 0.2, 0.1])),
        spacing=float(rng.uniform(0.02, 0.1) if touching else rng.uniform(0.06, 0.3)),
        second_size=float(np.clip(rng.normal(0.93, 0.13), 0.55, 1.15)),
        drift=float(rng.uniform(0.01, 0.05) * (0.5 + care)),
        overshoot=float(rng.normal(-0.005, 0.03)),
        off_centre=rng.normal(0, [0.06, 0.05]),
        mark=str(rng.choice(_MARK_NAMES, p=_MARK_SHARES)),
        pressure=float(np.clip(rng.normal(1, 0.14), 0.65, 1.35)),
        warp=rng.normal(0, 1, (3, 4)) * [0.022, 0.016, 0.012, 0.01],
    )


_MARK_NAMES = ("cross", "tick", "slash", "backslash", "scribble", "filled", "circle", "dot", "plus")
_MARK_SHARES = (0.33, 0.22, 0.13, 0.04, 0.09, 0.05, 0.07, 0.03, 0.04)


def _own_form(character: str, own: np.random.Generator, second: bool) -> Glyph:
    glyphs = glyphs_of(character)
    weights = np.array([glyph.weight for glyph in glyphs])
    ranks = own.choice(len(glyphs), size=min(2, len(glyphs)), replace=False, p=weights / weights.sum())
    return glyphs[int(ranks[-1] if second else ranks[0])]


def _to_origin(strokes: Strokes) -> Strokes:
    if not strokes:
        return strokes
    x0, y0, _, _ = bounds(strokes)
    return [stroke - [x0, y0] for stroke in strokes]
