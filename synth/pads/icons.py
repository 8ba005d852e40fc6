"""Small pictures that pads print: in columns' heads, in spaces and in the scenery.

Each is written in a square from -1 to 1, y down, as layers `tone: outline; outline`. Points flow into each other; a
`!` makes one a corner. `|` before an outline mirrors it: it runs down the right side and back up the left. `~w`
before one draws it as an open line of that width. Tones: `ink`, `mid`, half way to `paper`, the ground.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from sheets.colour import mix
from synth.pads.canvas import Canvas, Paint
from synth.pads.shapes import box, ellipse, smooth

Points = NDArray[np.float64]

_PIPS = {
    1: ((0, 0),), 2: ((-1, -1), (1, 1)), 3: ((-1, -1), (0, 0), (1, 1)), 4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)), 6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}  # fmt: skip

ICONS: dict[str, tuple[str, ...]] = {
    # Artifacts
    "amphora": (
        "ink: |.3,-.97! .3,-.85! .15,-.75 .15,-.5 .44,-.28 .52,.05 .36,.5 .12,.78! .3,.97!;"
        "~.1 .16,-.7 .5,-.72 .62,-.4 .42,-.2; ~.1 -.16,-.7 -.5,-.72 -.62,-.4 -.42,-.2",
        "paper: ~.07 -.46,.0 -.2,.1 .2,.1 .46,.0; ~.07 -.42,.28 -.2,.36 .2,.36 .42,.28",
    ),
    "pot": (
        "ink: |.5,-.8! .5,-.62! .34,-.5 .5,-.36 .86,.05 .8,.55 .44,.86! ",
        "paper: ~.09 -.78,-.02! -.52,.22! -.26,-.02! .0,.22! .26,-.02! .52,.22! .78,-.02!; ~.08 -.7,.46 .7,.46",
    ),
    "jug": (
        "ink: -.5,-.95! .1,-.95! .06,-.7 .1,-.4 .46,-.1 .5,.4 .3,.9! -.5,.9! -.7,.4 -.66,-.1 -.34,-.4 -.3,-.7;"
        "~.13 .1,-.72 .6,-.7 .78,-.3 .44,.14",
        "paper: ~.08 -.6,.08 .4,.08; ~.08 -.62,.34 .44,.34",
    ),
    "urn": (
        "ink: |.08,-1.0! .1,-.88 .42,-.74! .42,-.64! .6,-.3 .58,.05 .3,.44 .14,.6 .16,.74 .4,.88! .4,.98!;"
        "~.1 .52,-.42 .86,-.3 .7,.08 .52,.12; ~.1 -.52,-.42 -.86,-.3 -.7,.08 -.52,.12",
        "paper: ~.07 -.5,-.6 .5,-.6; ~.07 -.56,-.12 .56,-.12; ~.07 -.5,.12 .5,.12",
    ),
    "chalice": (
        "ink: |.7,-.9! .66,-.2 .3,.16 .12,.24 .1,.62 .5,.84! .5,.95!",
        "paper: ~.08 -.6,-.5 .6,-.5; .0,-.36! .16,-.18! .0,.0! -.16,-.18!",
    ),
    "mask": (
        "ink: |.0,-.95 .5,-.9! .78,-.6 .7,.1 .5,.6 .2,.95 .0,.98",
        "paper: .16,-.3 .4,-.42 .6,-.28 .4,-.18; -.16,-.3 -.4,-.42 -.6,-.28 -.4,-.18; -.3,.44 .0,.36 .3,.44 .0,.66;"
        "~.08 .0,-.34 .1,.16 -.1,.16; ~.08 -.5,-.68 .5,-.68",
    ),
    # Arrows
    "block arrow": ("ink: |.0,-1.0! .9,-.1! .4,-.1! .4,.95!",),
    "chevrons": ("ink: |.0,-.95! .85,-.2! .85,.2! .0,-.5!; |.0,-.2! .85,.55! .85,.95! .0,.25!",),
    "flight": ("ink: |.0,-1.0! .55,-.3! .14,-.42! .14,.5! .42,.9! .14,.8! .0,.95!",),
    "swing": ("ink: ~.3 -.75,.8 -.75,.0 -.2,-.35 .35,-.35; .2,-.95! .98,-.35! .2,.25!",),
    "triangle": ("ink: |.0,-.85! .95,.75!", "paper: |.0,-.3! .4,.42!"),
    "spear": ("ink: |.0,-1.0! .6,-.2! .22,-.3 .3,.3 .5,.95! .0,.7!",),
    # Expeditions
    "mountain": ("ink: -1.0,.8! -.35,-.5! -.05,-.05! .3,-.75! 1.0,.8!", "paper: .3,-.75! .52,-.25! .32,-.38! "
        ".18,-.15! .08,-.3!"),
    "palm": (
        "ink: ~.16 .1,.95 .0,.4 .1,-.2; .05,-.2! -.3,-.65 -.75,-.6 -.98,-.2! -.6,-.4; "
        ".05,-.2! -.1,-.75 .2,-.98 .5,-.9! .25,-.6;"
        ".05,-.2! .4,-.55 .8,-.45 .95,-.05! .6,-.28; .05,-.2! -.3,-.2 -.6,.05 -.55,.45! -.3,.1; "
        ".05,-.2! .4,-.1 .6,.15 .5,.5! .3,.1",
    ),
    "fish": (
        "ink: -.95,.0 -.5,-.5 .1,-.5 .5,-.1! .95,-.5! .8,.0 .95,.5! .5,.1! .1,.5 -.5,.5",
        "paper: -.62,-.18 -.5,-.26 -.4,-.16 -.52,-.06; ~.08 -.2,-.36 -.08,.0 -.2,.36",
    ),
    "bird": (
        "ink: -.95,-.25! -.6,-.5 -.35,-.3 .1,-.2! .2,-.95! .6,-.4 .5,.1 .98,.4! .4,.45 -.1,.6 -.5,.3 -.6,-.1",
        "paper: -.6,-.32 -.52,-.36 -.46,-.28 -.54,-.22",
    ),
    "feather": (
        "ink: .8,-.95! .95,-.3 .4,.3 -.3,.55! -.45,.2 -.1,-.5; ~.1 -.9,.95 -.3,.3 .2,-.2",
        "paper: ~.06 -.3,.42 .1,-.05 .6,-.6; ~.06 .1,-.05 .5,-.05; ~.06 -.1,.2 .2,.24; ~.06 .2,-.2 .16,-.5",
    ),
    "temple": (
        "ink: -.98,.85! -.98,.6! -.72,.6! -.72,.25! -.48,.25! -.48,-.1! -.3,-.1! -.3,-.4! -.4,-.4! -.4,-.6! "
        ".0,-.9! .4,-.6!"
        ".4,-.4! .3,-.4! .3,-.1! .48,-.1! .48,.25! .72,.25! .72,.6! .98,.6! .98,.85!",
        "paper: -.13,.85! -.13,.3! .13,.3! .13,.85!; -.1,-.2! -.1,-.42! .1,-.42! .1,-.2!",
    ),
    "flower": (
        "ink: .0,.0! -.4,-.5 -.2,-.98 .2,-.98 .4,-.5; .0,.0! .3,-.5 .85,-.5 .95,-.1 .5,.1; "
        ".0,.0! .55,.1 .75,.6 .4,.9 .1,.5;"
        ".0,.0! -.1,.5 -.4,.9 -.75,.6 -.55,.1; .0,.0! -.5,.1 -.95,-.1 -.85,-.5 -.3,-.5",
        "paper: -.2,-.05 .0,-.25 .2,-.05 .1,.2 -.1,.2",
    ),
    "crystal": (
        "ink: .0,-1.0! .35,-.6! .35,.9! -.35,.9! -.35,-.6!; .45,-.3! .75,-.5! .95,-.1! .8,.9! .42,.9!; "
        "-.45,.0! -.75,-.2! -.95,.2! -.85,.9! -.42,.9!",
        "paper: ~.06 .0,-.9 .0,.85; ~.06 -.3,-.55! .0,-.4! .3,-.55!",
    ),
    "crescent": ("ink: .35,-.92! -.5,-.8 -.95,.0 -.5,.8 .35,.92! -.25,.5 -.35,.0 -.25,-.5; "
        ".5,-.4! .58,-.12! .86,-.1! .64,.08! .72,.36! .5,.2! .28,.36! .36,.08! .14,-.1! .42,-.12!",),
    "snake": (
        "ink: ~.24 -.8,.75 .3,.85 .7,.5 .2,.2 -.5,.1 -.6,-.3 -.1,-.5 .5,-.5; "
        ".4,-.75 .8,-.75 .95,-.5 .8,-.28 .4,-.3",
        "paper: .68,-.62 .76,-.6 .74,-.52",
    ),
    "shell": (
        "ink: .0,.9! -.2,.8 -.95,.1 -.8,-.5 -.4,-.8 .0,-.9 .4,-.8 .8,-.5 .95,.1 .2,.8",
        "paper: ~.07 .0,.7 .0,-.7; ~.07 -.1,.7 -.45,-.58; ~.07 .1,.7 .45,-.58; ~.07 -.2,.65 -.75,-.1; "
        "~.07 .2,.65 .75,-.1",
    ),
    "eye": (
        "ink: -.98,.0! -.5,-.5 .0,-.62 .5,-.5 .98,.0! .5,.5 .0,.62 -.5,.5",
        "paper: -.36,.0 -.25,-.3 .0,-.4 .25,-.3 .36,.0 .25,.3 .0,.4 -.25,.3",
        "ink: -.16,.0 .0,-.2 .16,.0 .0,.2",
    ),
    "blaze": (
        "ink: .1,-1.0! .2,-.5 .7,-.1 .7,.5 .3,.95 -.3,.95 -.7,.5 -.65,-.1! -.4,.1 -.3,-.4",
        "paper: .05,.1! .3,.45 .2,.8 -.15,.82 -.3,.5",
    ),
    "ripples": ("ink: ~.2 -.95,-.5 -.6,-.75 -.3,-.4 .1,-.75 .4,-.4 .7,-.75 .95,-.5; "
        "~.2 -.95,.05 -.6,-.2 -.3,.15 .1,-.2 .4,.15 .7,-.2 .95,.05; "
        "~.2 -.95,.6 -.6,.35 -.3,.7 .1,.35 .4,.7 .7,.35 .95,.6",),
    "rose": (
        "ink: .0,-1.0! .16,-.16! 1.0,.0! .16,.16! .0,1.0! -.16,.16! -1.0,.0! -.16,-.16!",
        "mid: .55,-.55! .3,.0! .55,.55! .0,.3! -.55,.55! -.3,.0! -.55,-.55! .0,-.3!",
        "paper: -.14,.0 .0,-.14 .14,.0 .0,.14",
    ),
    "key": (
        "ink: -.35,-.9 .35,-.9 .5,-.5 .3,-.1 .12,.0! .12,.9! -.12,.9! -.12,.0! -.3,-.1 -.5,-.5; "
        ".1,.4! .45,.4! .45,.58! .1,.58!; .1,.72! .4,.72! .4,.9! .1,.9!",
        "paper: -.2,-.6 .0,-.74 .2,-.6 .18,-.34 -.18,-.34",
    ),
    "ship": (
        "ink: -.98,.35! .98,.35! .65,.85! -.6,.85!; -.06,-.95! .06,-.95! .06,.4! -.06,.4!; "
        ".12,-.8! .8,-.3 .75,.2! .12,.2!; -.12,-.6! -.6,-.2 -.7,.2! -.12,.2!",
    ),
    "leaf": (
        "ink: -.8,.9! -.95,.1 -.4,-.7 .9,-.9! .8,.2 .2,.8",
        "paper: ~.08 -.75,.85 -.1,.1 .5,-.5; ~.07 -.1,.1 -.2,-.35; ~.07 .1,-.1 .5,.05; ~.07 -.35,.4 .1,.5",
    ),
    "sun": ("ink: .0,-.45 .45,.0 .0,.45 -.45,.0; " + "; ".join(
        f"~.14 {.62 * np.cos(t):.2f},{.62 * np.sin(t):.2f} {.95 * np.cos(t):.2f},{.95 * np.sin(t):.2f}"
        for t in np.arange(10) * np.pi / 5),),
    "cactus": ("ink: ~.36 .0,.95 .0,-.75; ~.24 -.05,.3 -.6,.25 -.62,-.25; ~.24 .05,.05 .6,.0 .62,-.55",),
    "penguin": (
        "ink: -.3,-.95 .3,-.95 .5,-.5 .8,.2! .5,.1 .45,.9! -.45,.9! -.5,.1 -.8,.2! -.5,-.5",
        "paper: -.25,-.3 .0,-.2 .25,-.3 .35,.2 .2,.75 -.2,.75 -.35,.2; -.2,-.68 -.1,-.76 -.06,-.62; "
        ".2,-.68 .1,-.76 .06,-.62",
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Piece:
    """One outline of an icon: a line of that width if it has one, else an area."""

    points: tuple[tuple[float, float], ...]
    width: float

    def placed(self, x: float, y: float, radius: float) -> Points:
        return np.array(self.points) * radius + (x, y)


def draw_icon(
    canvas: Canvas, name: str, at: tuple[float, float], radius_mm: float, ink: str, ground: str, alpha: float = 1.0
) -> None:
    """Paints an icon centred at `at`, its square reaching `radius_mm` to each side.

    Raises:
        KeyError: no such icon.
    """
    tones = {"ink": ink, "mid": mix(ink, ground, 0.5), "paper": ground}
    for tone, pieces in _icon(name):
        paint = Paint(tones[tone], alpha=alpha)
        areas = [piece.placed(*at, radius_mm) for piece in pieces if not piece.width]
        if areas:
            canvas.area(areas, paint)
        for piece in pieces:
            if piece.width:
                canvas.line(piece.placed(*at, radius_mm), piece.width * radius_mm, paint)


def draw_die(
    canvas: Canvas, pips: int, at: tuple[float, float], radius_mm: float, ink: str, ground: str, alpha: float = 1.0
) -> None:
    """A die seen from above."""
    x, y = at
    canvas.area(
        box(x - radius_mm, y - radius_mm, 2 * radius_mm, 2 * radius_mm, 0.3 * radius_mm), Paint(ink, alpha=alpha)
    )
    for u, v in _PIPS[pips]:
        canvas.area(
            ellipse(x + 0.5 * radius_mm * u, y + 0.5 * radius_mm * v, 0.19 * radius_mm), Paint(ground, alpha=alpha)
        )


def draw_cube(
    canvas: Canvas, pips: int, at: tuple[float, float], radius_mm: float, ink: str, ground: str, alpha: float = 1.0
) -> None:
    """A die seen from a corner: three faces of three tones, drawn with outlines."""
    middle = np.array(at)
    up, right, left = (radius_mm * np.array(v) for v in ((0.0, -1.0), (0.87, 0.5), (-0.87, 0.5)))
    for tone, (a, b), count in ((0.75, (-right, -left), pips), (0.35, (-right, -up), 3), (0.1, (-left, -up), 2)):
        face = np.array([middle, middle + a, middle + a + b, middle + b])
        canvas.area(face, Paint(mix(ink, ground, tone), alpha=alpha))
        canvas.line(face, 0.1 * radius_mm, Paint(ink, alpha=alpha), closed=True)
        for u, v in _PIPS[count]:
            spot = middle + a * (0.5 + 0.25 * u) + b * (0.5 + 0.25 * v)
            round_ = ellipse(0, 0, 0.13) @ np.array([a, b]) + spot
            canvas.area(round_, Paint(ink if tone > 0.5 else ground, alpha=alpha))


@cache
def _icon(name: str) -> tuple[tuple[str, tuple[_Piece, ...]], ...]:
    layers = []
    for layer in ICONS[name]:
        tone, outlines = layer.split(":")
        pieces = [_piece(text.strip()) for text in outlines.split(";") if "," in text]
        layers.append((tone, tuple(pieces)))
    return tuple(layers)


def _piece(text: str) -> _Piece:
    width = 0.0
    if text.startswith("~"):
        first, text = text.split(" ", 1)
        width = float(first[1:])
    mirrored = text.startswith("|")
    points: list[list[float]] = []
    for word in text.lstrip("|").replace("!", "! ").split():
        place = [float(value) for value in word.rstrip("!").split(",")]
        points += [place] * (3 if word.endswith("!") else 1)
    if mirrored:
        points += [[-x, y] for x, y in reversed(points)]
    rounded = smooth(np.array(points), closed=not width)
    return _Piece(tuple((float(x), float(y)) for x, y in rounded), width)
