"""The kinds of photos that show a sheet to be read.

`normal` and `hard` vary everything at once; the others take a normal photo and change the one thing they are named
after.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from synth.pages import Mess
from synth.paper import Bend
from synth.recipes import (
    Recipe,
    Rng,
    changed,
    curvature,
    draw_bends,
    draw_cast,
    draw_light,
    draw_look,
    draw_orientation,
    draw_stand,
    draw_table,
    half_shade,
    soft_shade,
)
from synth.scenes import Lie, Light, Scene, Sensor

Maker = Callable[[Rng], Recipe]


def plain(rng: Rng) -> Recipe:
    """An easy photo: flat, well lit, a clear pen."""
    scene = Scene(
        lies=(Lie(float(rng.normal(0, 2))),),
        stand=draw_stand(rng, tilt=(0, 6), fill=(0.8, 0.95)),
        light=Light(float(rng.uniform(0.9, 1.0)), draw_cast(rng, 0.25), float(rng.uniform(0, 0.12))),
        sensor=Sensor(0.6, noise=float(rng.uniform(0.8, 2)), orientation=draw_orientation(rng)),
        table=str(rng.choice(["wood", "planks", "plain", "felt"])),
        table_deg=float(rng.uniform(0, 360)),
    )
    pens = ["blue biro", "black biro", "black gel", "blue gel"]
    return Recipe(scene, Mess(0, 0, 0), draw_look(rng, 0.4), str(rng.choice(pens)))


def normal(rng: Rng) -> Recipe:
    """What people send: everything varies within what is usual."""
    shades = (soft_shade(rng, (0.6, 0.88)),) if rng.random() < 0.35 else ()
    scene = Scene(
        lies=(Lie(float(rng.normal(0, 6)), bends=draw_bends(rng, (0.5, 5.0), 0.12)),),
        stand=draw_stand(rng, tilt=(1, 20), fill=(0.62, 0.94)),
        light=draw_light(rng, (0.76, 1.02), 1.0, (0.0, 0.35), shades, glare=(30, 60) if rng.random() < 0.1 else None),
        sensor=Sensor(
            blur_px=float(rng.uniform(0.5, 1.2)),
            motion_px=float(rng.uniform(2, 5) if rng.random() < 0.2 else 0),
            motion_deg=float(rng.uniform(0, 180)),
            noise=float(rng.uniform(1.0, 3.8)),
            sharpen=float(rng.uniform(0.2, 0.8)),
            jpeg_quality=int(rng.integers(80, 96)),
            orientation=draw_orientation(rng),
        ),
        table=draw_table(rng),
        table_deg=float(rng.uniform(0, 360)),
        clutter=int(rng.poisson(0.9)),
        turn=int(rng.choice([0, 1, 2, 3], p=[0.88, 0.03, 0.06, 0.03])),
        portrait=bool(rng.random() < 0.8),
    )
    mess = Mess(corrections=0.01, overflow=0.04, strays=0.4)
    return Recipe(scene, mess, draw_look(rng, 1.0))


def hard(rng: Rng) -> Recipe:
    """Everything at once that makes reading hard."""
    shades = tuple(soft_shade(rng, (0.4, 0.75)) for _ in range(int(rng.integers(0, 3))))
    if rng.random() < 0.2:
        shades = (*shades, half_shade(rng, float(rng.uniform(0.35, 0.6))))
    tags = str(rng.choice(["printed", "none", "covered"], p=[0.8, 0.08, 0.12]))
    scene = Scene(
        lies=(Lie(float(rng.normal(0, 14)), bends=draw_bends(rng, (2.0, 13.0), 0.35)),),
        stand=draw_stand(rng, tilt=(8, 36), fill=(0.5, 0.9)),
        light=draw_light(rng, (0.5, 1.05), 2.0, (0.1, 0.6), shades, glare=(50, 120) if rng.random() < 0.3 else None),
        sensor=Sensor(
            blur_px=float(rng.uniform(0.8, 2.2)),
            motion_px=float(rng.uniform(3, 9) if rng.random() < 0.35 else 0),
            motion_deg=float(rng.uniform(0, 180)),
            noise=float(rng.uniform(2.5, 7)),
            sharpen=float(rng.uniform(0, 1.0)),
            jpeg_quality=int(rng.integers(75, 93)),
            orientation=draw_orientation(rng),
        ),
        table=draw_table(rng),
        table_deg=float(rng.uniform(0, 360)),
        clutter=int(rng.poisson(2)),
        turn=int(rng.choice([0, 1, 2, 3], p=[0.7, 0.08, 0.14, 0.08])),
        portrait=bool(rng.random() < 0.7),
    )
    look = replace(draw_look(rng, 1.5), tags=tags)
    return Recipe(scene, Mess(0.05, 0.12, 2.0, 0.5, 0.1), look)


def blank(rng: Rng) -> Recipe:
    """A sheet fresh from the pad."""
    return replace(normal(rng), mess=Mess(0, 0, 0), blank=True)


def rotated(turn: int) -> Maker:
    """Stored turned, and no tag says so."""

    def make(rng: Rng) -> Recipe:
        recipe = normal(rng)
        sensor = replace(recipe.scene.sensor, orientation=None)
        return changed(recipe, turn=turn, sensor=sensor)

    return make


def tilted(low: float, high: float) -> Maker:
    """Seen from the side, by that many degrees."""

    def make(rng: Rng) -> Recipe:
        return changed(normal(rng), stand=draw_stand(rng, tilt=(low, high), fill=(0.7, 0.93)))

    return make


def curl(rng: Rng) -> Recipe:
    """Paper that arches or sags by 7 to 17 mm."""
    curl = curvature(float(rng.uniform(7, 17))) * float(rng.choice([-1, 1]))
    bend = Bend(float(rng.choice([0, 90]) + rng.normal(0, 12)), curl_per_mm=curl)
    return changed(normal(rng), lies=(Lie(float(rng.normal(0, 6)), bends=(bend,)),))


def fold(rng: Rng) -> Recipe:
    """Paper with a crease through its middle."""
    angle = float(rng.uniform(0.15, 0.45) * rng.choice([-1, 1], p=[0.35, 0.65]))
    bend = Bend(float(rng.choice([0, 90]) + rng.normal(0, 2)), fold_rad=angle, fold_at_mm=float(rng.normal(0, 6)))
    return changed(normal(rng), lies=(Lie(float(rng.normal(0, 6)), bends=(bend,)),))


def shadow(rng: Rng) -> Recipe:
    """A shadow over half the page that leaves 0.3 of the light."""
    recipe = normal(rng)
    light = replace(recipe.scene.light, shades=(half_shade(rng, 0.3),), exposure=0.97, glare=0.0, on_page=True)
    return changed(recipe, light=light)


def white_table(rng: Rng) -> Recipe:
    """White paper on a white desk, with hardly a shadow at its edge."""
    recipe = normal(rng)
    light = replace(recipe.scene.light, shadow=float(rng.uniform(0.06, 0.3)), exposure=float(rng.uniform(0.85, 1.0)))
    return changed(recipe, table="white desk", light=light)


def glare(rng: Rng) -> Recipe:
    """A lamp mirrored on the page."""
    recipe = normal(rng)
    at = (float(rng.uniform(0.3, 0.7)), float(rng.uniform(0.3, 0.7)))
    size = (float(rng.uniform(0.06, 0.14)), float(rng.uniform(0.05, 0.1)))
    light = replace(recipe.scene.light, glare=float(rng.uniform(90, 165)), glare_at=at, glare_size=size)
    return changed(recipe, light=replace(light, exposure=min(light.exposure, 0.85), on_page=True))


def dusk(rng: Rng) -> Recipe:
    """Too little light: dark, noisy, and the colour of evening."""
    recipe = normal(rng)
    light = replace(recipe.scene.light, exposure=float(rng.uniform(0.38, 0.5)), cast_bgr=(0.72, 0.9, 1.08))
    sensor = replace(recipe.scene.sensor, noise=float(rng.uniform(5, 9)), blur_px=1.2)
    return changed(recipe, light=light, sensor=sensor)


def colour_cast(rng: Rng) -> Recipe:
    """A lamp of a strong colour."""
    recipe = normal(rng)
    casts = ((0.66, 0.87, 1.0), (1.0, 0.92, 0.78), (0.87, 1.0, 0.87), (0.97, 0.86, 1.0))
    return changed(recipe, light=replace(recipe.scene.light, cast_bgr=casts[int(rng.integers(len(casts)))]))


def blurred(rng: Rng) -> Recipe:
    """Out of focus or shaken, but still readable."""
    recipe = normal(rng)
    shaken = rng.random() < 0.5
    blur, motion = (1.2, float(rng.uniform(8, 12))) if shaken else (float(rng.uniform(2.2, 3.2)), 0.0)
    return changed(recipe, sensor=replace(recipe.scene.sensor, blur_px=blur, motion_px=motion))


def cropped(rng: Rng) -> Recipe:
    """The page's edge is outside the photo; all cells are in it."""
    recipe = normal(rng)
    stand = draw_stand(rng, tilt=(1, 12), fill=(0.8, 0.97))
    side = str(rng.choice(["left", "right", "top", "bottom"]))
    stand = replace(stand, cut=side, cut_margin=float(rng.uniform(0.002, 0.012)))
    return changed(recipe, stand=stand, lies=(Lie(float(rng.normal(0, 2))),))


def tags(state: str) -> Maker:
    """Printed without corner tags, or with two of them covered."""

    def make(rng: Rng) -> Recipe:
        recipe = normal(rng)
        return replace(recipe, look=replace(recipe.look, tags=state))

    return make


def grey(rng: Rng) -> Recipe:
    """A grey photocopy; in part a copy of the filled sheet."""
    recipe = normal(rng)
    look = replace(recipe.look, saturation=0.0, strength=float(rng.uniform(0.9, 1.5)), grain=4.0, soft_px=0.9)
    if rng.random() < 0.4:  # the filled sheet itself was copied
        recipe = changed(recipe, sensor=replace(recipe.scene.sensor, grey=True))
    return replace(recipe, look=look)


def with_pen(*pens: str) -> Maker:
    """Written with one of these pens."""

    def make(rng: Rng) -> Recipe:
        return replace(normal(rng), pen=str(rng.choice(pens)))

    return make
