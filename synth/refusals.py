"""The kinds of photos that hold no sheet which anyone could read: a scan has to say so, with the right code."""

from __future__ import annotations

from dataclasses import replace

from synth.foreign import FAMILIES, draw_size
from synth.recipes import Recipe, Rng, changed, draw_stand
from synth.scenes import Lie
from synth.tables import TABLES
from synth.views import Maker, normal

_SIDES = ("left", "right", "top", "bottom")


def texture(rng: Rng) -> Recipe:
    """Nothing but a table top, a cloth, a floor, and what else may lie on it."""
    recipe = normal(rng)
    scene = replace(recipe.scene, lies=(), table=str(rng.choice(list(TABLES))), clutter=int(rng.poisson(1.0)))
    return replace(recipe, scene=scene, refused="no-sheet")


def foreign(family: str) -> Maker:
    """A page of another kind, sometimes two; see `synth.foreign`."""

    def make(rng: Rng) -> Recipe:
        recipe = normal(rng)
        (lie,) = recipe.scene.lies
        design = str(rng.choice(list(FAMILIES[family])))
        page_mm = draw_size(family, design, rng)
        # What is curved for an A5 page would throw an A4 page into rolls.
        bends = lie.bends if max(page_mm) <= 210 else ()
        turn = float(rng.uniform(0, 360)) if rng.random() < 0.3 else lie.turn_deg
        scene = replace(recipe.scene, lies=(Lie(turn, bends=bends, page_mm=page_mm),))
        return replace(recipe, scene=scene, refused="no-sheet", foreign=(family, design))

    return make


def cut_off(rng: Rng) -> Recipe:
    """Our sheet, but one to three columns or rows of its cells are outside the photo."""
    recipe = normal(rng)
    stand = draw_stand(rng, tilt=(1, 16), fill=(0.75, 1.15))
    away = int(rng.choice([1, 2, 3], p=[0.5, 0.3, 0.2]))
    stand = replace(stand, cut=str(rng.choice(_SIDES)), cut_margin=float(rng.uniform(0.001, 0.01)), cut_away=away)
    return replace(changed(recipe, stand=stand, lies=(Lie(float(rng.normal(0, 3))),)), refused="sheet-cut-off")


def blurred(rng: Rng) -> Recipe:
    """Our sheet, so far out of focus or so shaken that no digit can be told from another."""
    recipe = normal(rng)
    if rng.random() < 0.65:
        spoilt = changed(recipe, blur_mm=float(rng.uniform(1.3, 3.0)))
    else:
        spoilt = changed(recipe, blur_mm=float(rng.uniform(0.6, 0.9)), shake_mm=float(rng.uniform(9, 13)))
    return replace(spoilt, refused="blurred")
