"""The kinds of photos in which something has been done to the sheet, or lies on, under or beside it."""

from __future__ import annotations

from dataclasses import replace

from synth.packing import pack
from synth.paper import Bend, Ear
from synth.recipes import Recipe, Rng, changed, draw_bends, draw_stand
from synth.scenes import Cover, Lie
from synth.views import normal

_A5_MM = (148.0, 210.0)
_CLOTHS = ("checked cloth", "striped cloth", "dotted cloth", "flowered cloth", "tartan")
_SIDES = ("left", "right", "top", "bottom")
# How far a thing may reach from each side of the page, millimetres: to the outermost cell, and a little further, from
# where it is pushed back.
_REACH_MM = {"left": 13.0, "right": 13.0, "top": 34.0, "bottom": 34.0}


def turned(rng: Rng) -> Recipe:
    """At any angle on the table."""
    recipe = normal(rng)
    (lie,) = recipe.scene.lies
    return changed(recipe, lies=(replace(lie, turn_deg=float(rng.uniform(0, 360))),))


def mirrored(rng: Rng) -> Recipe:
    """Flipped left to right, as front cameras store it."""
    return changed(normal(rng), mirrored=True)


def lifted_corner(rng: Rng) -> Recipe:
    """One corner stands up from the table."""
    recipe = normal(rng)
    corner = float(rng.choice([55, 125, 235, 305]) + rng.normal(0, 8))
    lift = Bend(corner, lift_from_mm=float(rng.uniform(72, 96)), lift_per_mm=float(rng.uniform(0.012, 0.026)))
    return changed(recipe, lies=(Lie(float(rng.normal(0, 8)), bends=(lift,)),))


def dog_ear(rng: Rng) -> Recipe:
    """A corner folded over: the tag there is gone, no cell is covered."""
    recipe = normal(rng)
    across = float(rng.uniform(17, 26))
    ear = Ear(int(rng.integers(4)), across, across * float(rng.uniform(0.85, 1.2)))
    (lie,) = recipe.scene.lies
    return changed(recipe, lies=(replace(lie, ear=ear),))


def hand(rng: Rng) -> Recipe:
    """One hand, sometimes two, on the page's margin."""
    first = int(rng.integers(4))
    sides = [_SIDES[first]]
    if rng.random() < 0.3:
        sides.append(_SIDES[first ^ 1])
    covers = []
    for side in sides:
        reach = _REACH_MM[side] * float(rng.uniform(0.5, 1.0))
        covers.append(Cover("hand", side, float(rng.uniform(0.1, 0.9)), reach, float(rng.normal(0, 20))))
    return changed(normal(rng), covers=tuple(covers))


def dice(rng: Rng) -> Recipe:
    """Dice and pens over the page's margin, and more of them beside it."""
    covers = []
    for _ in range(int(rng.integers(2, 6))):
        kind = str(rng.choice(["die", "die", "pen", "pencil"]))
        side = str(rng.choice(_SIDES))
        reach = _REACH_MM[side] * float(rng.uniform(0.3, 1.0)) - (7.0 if kind == "die" else 0.0)
        covers.append(Cover(kind, side, float(rng.uniform(0.03, 0.97)), reach, float(rng.normal(0, 35))))
    recipe = normal(rng)
    return changed(recipe, covers=tuple(covers), clutter=recipe.scene.clutter + 2)


def cloth(rng: Rng) -> Recipe:
    """On a patterned tablecloth."""
    return changed(normal(rng), table=str(rng.choice(_CLOTHS)))


def newspaper(rng: Rng) -> Recipe:
    """On a newspaper."""
    return changed(normal(rng), table="newspaper")


def several(rng: Rng) -> Recipe:
    """Four sheets on one table, two by two, in reading order."""
    lies = []
    for row in (-0.5, 0.5):
        for column in (-0.5, 0.5):
            place = (column * 164 + float(rng.normal(0, 3)), row * 228 + float(rng.normal(0, 3)))
            turn = float(rng.normal(0, 3)) + (180 if rng.random() < 0.15 else 0)
            lies.append(Lie(turn, place, draw_bends(rng, (0.5, 3.0), 0.05)))
    return _table_of(tuple(lies), portrait=True, rng=rng)


def several_eight(rng: Rng) -> Recipe:
    """Five to eight sheets on one table, any angle each, as close together as that allows."""
    portrait = bool(rng.random() < 0.4)
    lies = pack(int(rng.integers(5, 9)), _A5_MM, 0.75 if portrait else 4 / 3, rng)
    bent = tuple(replace(lie, bends=draw_bends(rng, (0.5, 3.0), 0.05)) for lie in lies)
    return _table_of(bent, portrait, rng)


def _table_of(lies: tuple[Lie, ...], portrait: bool, rng: Rng) -> Recipe:
    recipe = normal(rng)
    stand = draw_stand(rng, tilt=(0, 14), fill=(0.9, 0.97))
    sensor = replace(recipe.scene.sensor, motion_px=0.0, blur_px=0.6)
    return changed(recipe, lies=lies, stand=stand, sensor=sensor, portrait=portrait, turn=0, clutter=0)
