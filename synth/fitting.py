"""A recipe is drawn for our own sheet, A5 with corner tags; this fits it to a page of another size and print."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from layouts import SheetLayout
from synth.ears import flap_mm
from synth.paper import Ear
from synth.recipes import Recipe, changed
from synth.scenes import Lie

_A5_MM = (148.0, 210.0)
_GAP_MM = 24.0  # between papers that lie side by side, so that slightly turned ones do not touch
_UPRIGHT_DEG = 25.0  # papers turned further than that are packed for any angle: all directions grow alike
_SMALLER = 0.9  # an ear that would lie on a cell shrinks by steps of a tenth


def fitted(recipe: Recipe, layout: SheetLayout) -> Recipe:
    """The recipe for that page: papers as far apart as their size asks, ears on no cell, wide pages in wide photos."""
    width, height = layout.page_mm
    lies = recipe.scene.lies
    upright = all(abs((lie.turn_deg + 90) % 180 - 90) < _UPRIGHT_DEG for lie in lies)
    if upright:
        spread = ((width + _GAP_MM) / (_A5_MM[0] + _GAP_MM), (height + _GAP_MM) / (_A5_MM[1] + _GAP_MM))
    else:
        spread = (max(1.0, width / _A5_MM[0], height / _A5_MM[1]),) * 2
    fitting = tuple(_fitted_lie(lie, spread, layout) for lie in lies)
    flipped = upright or len(lies) == 1
    return changed(recipe, lies=fitting, portrait=recipe.scene.portrait != (flipped and width > height))


def _fitted_lie(lie: Lie, spread: tuple[float, float], layout: SheetLayout) -> Lie:
    place = (lie.place_mm[0] * spread[0], lie.place_mm[1] * spread[1])
    ear = lie.ear
    while ear is not None and _on_cells(ear, layout):
        ear = Ear(ear.corner, ear.across_mm * _SMALLER, ear.down_mm * _SMALLER)
    return replace(lie, place_mm=place, ear=ear)


def _on_cells(ear: Ear, layout: SheetLayout) -> bool:
    """Whether the box around the folded corner reaches into a cell that is read."""
    corner = ear.corner_mm(layout.page_mm)
    flap = np.vstack([flap_mm(ear, layout.page_mm), corner])
    low, high = flap.min(axis=0), flap.max(axis=0)
    boxes = np.array([(cell.corners_mm[0], cell.corners_mm[2]) for cell in layout.read_cells])
    return bool(((boxes[:, 0] < high) & (boxes[:, 1] > low)).all(axis=1).any())
