"""The symbols of the columns and of the special spaces, as paths in a square from -1 to 1, y down.

Each is a list of layers, painted in order: `ink` in the symbol's own colour, `mid` lighter, `paper` in the
colour of the ground. Told apart by outline alone: grey printers and colour-blind players have nothing else. A
layout may bring its own under `art.symbols` in the same form.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from layouts import LayoutError, SheetLayout
from sheets.pen import Ink, Pen, circle, polygon

Layers = Sequence[tuple[str, str]]


def _rays(count: int, inner: float, outer: float, half_width: float) -> str:
    spikes = []
    for i in range(count):
        turn = 2 * math.pi * i / count
        length = outer if i % 2 == 0 else outer * 0.86
        spikes.append(
            polygon(
                [
                    (r * math.sin(turn + a), -r * math.cos(turn + a))
                    for r, a in ((inner, -half_width), (length, 0.0), (inner, half_width))
                ]
            )
        )
    return "".join(spikes)


def _star(count: int, inner: float) -> str:
    radii = [1.0, inner] * count
    turns = [math.pi * i / count for i in range(2 * count)]
    return polygon([(r * math.sin(turn), -r * math.cos(turn)) for r, turn in zip(radii, turns, strict=True)])


def _pips(*places: tuple[float, float]) -> str:
    return "".join(circle(x, y, 0.17) for x, y in places)


_DIE = (
    "M-.62 -.82L.62 -.82C.75 -.82 .82 -.75 .82 -.62L.82 .62C.82 .75 .75 .82 .62 .82L-.62 .82"
    "C-.75 .82 -.82 .75 -.82 .62L-.82 -.62C-.82 -.75 -.75 -.82 -.62 -.82Z"
)
_AMPHORA = (
    "M-.34 -.95L.34 -.95L.34 -.78L.22 -.74L.22 -.5C.5 -.38 .66 -.12 .6 .18C.54 .46 .34 .62 .22 .74L.34 .8"
    "L.34 .95L-.34 .95L-.34 .8L-.22 .74C-.34 .62 -.54 .46"
    " -.6 .18C-.66 -.12 -.5 -.38 -.22 -.5L-.22 -.74L-.34 -.78Z"
)
_HANDLES = (
    "M-.24 -.74C-.62 -.8 -.84 -.5 -.66 -.12L-.54 -.2C-.64 -.44 -.52 -.6 -.24 -.56Z"
    "M.24 -.74C.62 -.8 .84 -.5 .66 -.12L.54 -.2C.64 -.44 .52 -.6 .24 -.56Z"
)

SYMBOLS: Mapping[str, Layers] = {
    "volcano": (
        ("ink", "M-1 .85C-.66 .5 -.46 .05 -.34 -.3L.34 -.3C.46 .05 .66 .5 1 .85Z"),
        (
            "paper",
            "M-.36 -.33L.36 -.33C.37 -.2 .38 -.1 .36 .02C.34 .14 .24 .12 .22 0C.18 -.08 .1 -.08 .1 .04"
            "C.1 .34 -.08 .4 -.1 .1C-.1 -.04 -.2 -.06 -.22 .04C-.26 .16 -.36 .1 -.38 -.04Z",
        ),
        (
            "ink",
            "M0 -.42C-.18 -.56 -.16 -.76 0 -.98C.16 -.76 .18 -.56 0 -.42Z"
            "M-.3 -.46C-.5 -.5 -.58 -.66 -.56 -.84C-.36 -.76 -.26 -.64 -.3 -.46Z"
            "M.3 -.46C.5 -.5 .58 -.66 .56 -.84C.36 -.76 .26 -.64 .3 -.46Z",
        ),
    ),
    "sun": (("ink", _rays(12, 0.6, 1.0, 0.2)), ("ink", circle(0, 0, 0.48))),
    "pyramid": (
        ("ink", "M-.14 -.86L-1 .8L-.14 .8Z"),
        ("mid", "M-.14 -.86L-.14 .8L.98 .8Z"),
        ("paper", "M-.6 .16L-.14 .16L-.14 .24L-.64 .24ZM-.36 -.3L-.14 -.3L-.14 -.22L-.4 -.22Z"),
    ),
    "leaf": (
        ("ink", "M-.86 .9C-1 .1 -.7 -.86 .9 -.9C.94 .7 0 1 -.62 .66L-.78 .94Z"),
        (
            "paper",
            "M-.66 .7C-.42 .16 0 -.24 .5 -.52L.54 -.46C.1 -.14 -.3 .22 -.56 .74Z"
            "M-.26 .16L-.36 -.3L-.28 -.3L-.18 .08ZM.02 -.12L.04 -.54L.12 -.52L.1 -.2Z"
            "M-.3 .3L.22 .34L.22 .26L-.24 .22ZM-.02 0L.5 .02L.5 -.06L.06 -.08Z",
        ),
    ),
    "wave": (
        (
            "ink",
            "M-1 .86C-.9 .1 -.6 -.84 .2 -.84C.72 -.84 .98 -.4 .84 .02C.74 .26 .44 .26 .36 .04"
            "C.32 -.12 .46 -.24 .58 -.16C.6 -.4 .34 -.5 .12 -.36C-.2 -.14 -.12 .4 .3 .56C.56 .66 .8 .6 1 .5"
            "L1 .86Z",
        ),
        ("paper", "M-.78 .7C-.66 .2 -.5 -.2 -.3 -.42C-.42 -.04 -.4 .4 -.14 .7Z"),
    ),
    "gem": (
        ("ink", "M-.52 -.74L.52 -.74L.96 -.2L0 .92L-.96 -.2Z"),
        ("paper", "M-.78 -.24L-.74 -.3L.74 -.3L.78 -.24L.36 -.24L.04 .66L-.04 .66L-.36 -.24Z"),
        ("ink", "M-.29 -.24L.29 -.24L0 .6Z"),
    ),
    "vase": (
        ("ink", _AMPHORA + _HANDLES),
        (
            "paper",
            "M-.52 -.14L-.36 -.02L-.2 -.14L-.04 -.02L.12 -.14L.28 -.02L.44 -.14L.54 -.06L.54 .02"
            "L.44 -.04L.28 .08L.12 -.04L-.04 .08L-.2 -.04L-.36 .08L-.54 -.04Z"
            "M-.56 .24L.56 .24L.52 .32L-.52 .32Z",
        ),
    ),
    "die": (
        ("ink", _DIE),
        ("paper", _pips((-0.42, -0.42), (0.42, -0.42), (0, 0), (-0.42, 0.42), (0.42, 0.42))),
    ),
    "flame": (
        (
            "ink",
            "M.08 -1C.3 -.5 .78 -.2 .72 .34C.68 .74 .36 .96 0 .96C-.4 .96 -.72 .7 -.72 .3C-.72 0 -.52 -.2"
            " -.44 -.46C-.3 -.32 -.22 -.2 -.18 -.04C.04 -.28 .14 -.6 .08 -1Z",
        ),
        ("paper", "M.04 .2C.1 .38 .34 .46 .3 .66C.26 .84 -.22 .86 -.26 .64C-.3 .46 .04 .42 .04 .2Z"),
    ),
    "star": (("ink", _star(5, 0.42)),),
    "drop": (
        (
            "ink",
            "M0 -1C.2 -.6 .68 -.14 .68 .32C.68 .72 .38 .96 0 .96C-.38 .96 -.68 .72 -.68 .32C-.68 -.14 -.2 -.6 0 -1Z",
        ),
    ),
    "moon": (
        (
            "ink",
            "M.3 -.92C-.34 -1.02 -.92 -.56 -.92 .06C-.92 .62 -.46 1 .08 .96"
            "C.4 .94 .68 .76 .82 .48C.3 .6 -.2 .28 -.24 -.22C-.26 -.5 -.06 -.8 .3 -.92Z",
        ),
    ),
    "gate": (
        (
            "ink",
            "M-.95 -.95L-.55 -.95L-.55 -.7L-.2 -.7L-.2 -.95L.2 -.95L.2 -.7L.55 -.7L.55 -.95L.95 -.95L.95 .95L-.95 .95Z",
        ),
        ("paper", "M-.55 -.35L.55 -.35L.55 .6L-.55 .6Z"),
    ),
    "arrow": (("ink", "M0 -1L.9 -.06L.38 -.06L.38 .95L-.38 .95L-.38 -.06L-.9 -.06Z"),),
}


def symbol_of(layout: SheetLayout, name: str) -> Layers:
    """The layers of a symbol, from the layout's own art or from ours.

    Raises:
        LayoutError: no such symbol.
    """
    own = layout.art.get("symbols", {})
    if name in own:
        return [(str(layer), str(path)) for layer, path in own[name]]
    if name not in SYMBOLS:
        raise LayoutError(f"{layout.name}: symbols: no symbol {name!r}; known: {', '.join(sorted(SYMBOLS))}")
    return SYMBOLS[name]


def draw_symbol(
    pen: Pen, layers: Layers, at: tuple[float, float], radius_mm: float, ink: str, mid: str, paper: str
) -> None:
    """Paints a symbol centred at `at`, its square reaching `radius_mm` to each side."""
    colours = {"ink": ink, "mid": mid, "paper": paper}
    for layer, path in layers:
        pen.path(path, Ink(fill=colours[layer]), at, radius_mm)
