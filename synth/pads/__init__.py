"""Pads of the game that look unlike our own sheet and unlike each other, for finders that know only how it is built."""

from __future__ import annotations

from functools import cache
from types import ModuleType

from layouts import SheetLayout
from synth.pads import hexagons, landscape, pastel, rings, touching, vases
from synth.pads.canvas import ImageU8

_PADS: dict[str, ModuleType] = {
    "pastel": pastel,
    "rings": rings,
    "landscape": landscape,
    "touching": touching,
    "hexagons": hexagons,
    "vases": vases,
}
PADS: tuple[str, ...] = tuple(_PADS)


@cache
def pad_layout(name: str) -> SheetLayout:
    """The layout of a pad.

    Raises:
        KeyError: no such pad; `PADS` names them.
    """
    plan: SheetLayout = _PADS[name].layout()
    return plan


@cache
def pad_picture(name: str) -> ImageU8:
    """The blank page of a pad, uint8 (H, W, 3), BGR, 12 pixels a millimetre; read-only.

    Raises:
        KeyError: no such pad; `PADS` names them.
    """
    image: ImageU8 = _PADS[name].draw(pad_layout(name)).image
    image.setflags(write=False)
    return image
