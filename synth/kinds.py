"""The kinds of photos, by name, and the mixes that make a difficulty.

A kind draws a `Recipe`: everything about a photo except what the sheet says and who wrote it. `normal` and
`hard` vary everything at once; the others take a normal photo and change the one thing they are named after.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from synth.pages import Mess
from synth.paper import Bend
from synth.prints import PrintLook
from synth.scenes import Lie, Light, Scene, Sensor, Shade, Stand

Rng = np.random.Generator
Maker = Callable[[Rng], "Recipe"]

DIFFICULTIES = ("easy", "normal", "hard")

_TABLES = (
    ("wood", 0.22), ("planks", 0.15), ("cloth", 0.13), ("checked cloth", 0.05), ("felt", 0.08), ("marble", 0.06),
    ("stone", 0.06), ("white desk", 0.05), ("plain", 0.08), ("tiles", 0.05), ("keyboard", 0.04), ("newspaper", 0.03),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a kind decides.

    Attributes:
        scene: camera, light, paper, table.
        mess: how carelessly the sheet is filled in.
        look: the printer.
        pen: a key of `synth.ink.PENS`, or None for any.
    """

    scene: Scene
    mess: Mess = field(default_factory=Mess)
    look: PrintLook = field(default_factory=PrintLook)
    pen: str | None = None


def draw(kind: str, rng: Rng) -> Recipe:
    """A recipe of that kind.

    Raises:
        ValueError: an unknown kind; the message names the known ones.
    """
    if kind not in KINDS:
        raise ValueError(f"unknown kind of photo {kind!r}: expected one of {', '.join(KINDS)}")
    return KINDS[kind](rng)


def draw_kind(difficulty: str, rng: Rng) -> str:
    """A kind of that difficulty's mix.

    Raises:
        ValueError: an unknown difficulty.
    """
    if difficulty not in MIXES:
        raise ValueError(f"unknown difficulty {difficulty!r}: expected one of {', '.join(MIXES)}")
    mix = MIXES[difficulty]
    shares = np.array(list(mix.values()))
    return list(mix)[int(rng.choice(len(mix), p=shares / shares.sum()))]


def _plain(rng: Rng) -> Recipe:
    scene = Scene(
        lies=(Lie(float(rng.normal(0, 2))),),
        stand=_stand(rng, tilt=(0, 6), fill=(0.8, 0.95)),
        light=Light(float(rng.uniform(0.9, 1.0)), _cast(rng, 0.25), float(rng.uniform(0, 0.12))),
        sensor=Sensor(0.6, noise=float(rng.uniform(0.8, 2)), orientation=_orientation(rng)),
        table=str(rng.choice(["wood", "planks", "plain", "felt"])),
        table_deg=float(rng.uniform(0, 360)),
    )
    pens = ["blue biro", "black biro", "black gel", "blue gel"]
    return Recipe(scene, Mess(0, 0, 0), _look(rng, 0.4), str(rng.choice(pens)))


def _normal(rng: Rng) -> Recipe:
    shades = (_soft_shade(rng, (0.6, 0.88)),) if rng.random() < 0.35 else ()
    scene = Scene(
        lies=(Lie(float(rng.normal(0, 6)), bends=_bends(rng, (0.5, 5.0), 0.12)),),
        stand=_stand(rng, tilt=(1, 20), fill=(0.62, 0.94)),
        light=_light(rng, (0.76, 1.02), 1.0, (0.0, 0.35), shades, glare=(30, 60) if rng.random() < 0.1 else None),
        sensor=Sensor(
            blur_px=float(rng.uniform(0.5, 1.2)),
            motion_px=float(rng.uniform(2, 5) if rng.random() < 0.2 else 0),
            motion_deg=float(rng.uniform(0, 180)),
            noise=float(rng.uniform(1.0, 3.8)),
            sharpen=float(rng.uniform(0.2, 0.8)),
            jpeg_quality=int(rng.integers(80, 96)),
            orientation=_orientation(rng),
        ),
        table=_table(rng),
        table_deg=float(rng.uniform(0, 360)),
        clutter=int(rng.poisson(0.9)),
        turn=int(rng.choice([0, 1, 2, 3], p=[0.88, 0.03, 0.06, 0.03])),
        portrait=bool(rng.random() < 0.8),
    )
    mess = Mess(corrections=0.01, overflow=0.04, strays=0.4)
    return Recipe(scene, mess, _look(rng, 1.0))


def _hard(rng: Rng) -> Recipe:
    shades = tuple(_soft_shade(rng, (0.4, 0.75)) for _ in range(int(rng.integers(0, 3))))
    if rng.random() < 0.2:
        shades = (*shades, _half_shade(rng, float(rng.uniform(0.35, 0.6))))
    tags = str(rng.choice(["printed", "none", "covered"], p=[0.8, 0.08, 0.12]))
    scene = Scene(
        lies=(Lie(float(rng.normal(0, 14)), bends=_bends(rng, (2.0, 13.0), 0.35)),),
        stand=_stand(rng, tilt=(8, 36), fill=(0.5, 0.9)),
        light=_light(rng, (0.5, 1.05), 2.0, (0.1, 0.6), shades, glare=(50, 120) if rng.random() < 0.3 else None),
        sensor=Sensor(
            blur_px=float(rng.uniform(0.8, 2.2)),
            motion_px=float(rng.uniform(3, 9) if rng.random() < 0.35 else 0),
            motion_deg=float(rng.uniform(0, 180)),
            noise=float(rng.uniform(2.5, 7)),
            sharpen=float(rng.uniform(0, 1.0)),
            jpeg_quality=int(rng.integers(75, 93)),
            orientation=_orientation(rng),
        ),
        table=_table(rng),
        table_deg=float(rng.uniform(0, 360)),
        clutter=int(rng.poisson(2)),
        turn=int(rng.choice([0, 1, 2, 3], p=[0.7, 0.08, 0.14, 0.08])),
        portrait=bool(rng.random() < 0.7),
    )
    look = replace(_look(rng, 1.5), tags=tags)
    return Recipe(scene, Mess(0.05, 0.12, 2.0, 0.5, 0.1), look)


def _changed(recipe: Recipe, **scene: object) -> Recipe:
    return replace(recipe, scene=replace(recipe.scene, **scene))  # type: ignore[arg-type]


def _rotated(turn: int) -> Maker:
    """Stored turned, and no tag says so."""

    def make(rng: Rng) -> Recipe:
        recipe = _normal(rng)
        sensor = replace(recipe.scene.sensor, orientation=None)
        return _changed(recipe, turn=turn, sensor=sensor)

    return make


def _tilted(low: float, high: float) -> Maker:
    def make(rng: Rng) -> Recipe:
        return _changed(_normal(rng), stand=_stand(rng, tilt=(low, high), fill=(0.7, 0.93)))

    return make


def _curl(rng: Rng) -> Recipe:
    curl = _curvature(float(rng.uniform(7, 17))) * float(rng.choice([-1, 1]))
    bend = Bend(float(rng.choice([0, 90]) + rng.normal(0, 12)), curl_per_mm=curl)
    return _changed(_normal(rng), lies=(Lie(float(rng.normal(0, 6)), bends=(bend,)),))


def _fold(rng: Rng) -> Recipe:
    angle = float(rng.uniform(0.15, 0.45) * rng.choice([-1, 1], p=[0.35, 0.65]))
    bend = Bend(float(rng.choice([0, 90]) + rng.normal(0, 2)), fold_rad=angle, fold_at_mm=float(rng.normal(0, 6)))
    return _changed(_normal(rng), lies=(Lie(float(rng.normal(0, 6)), bends=(bend,)),))


def _shadow(rng: Rng) -> Recipe:
    recipe = _normal(rng)
    light = replace(recipe.scene.light, shades=(_half_shade(rng, 0.3),), exposure=0.97, glare=0.0)
    return _changed(recipe, light=light)


def _white_table(rng: Rng) -> Recipe:
    recipe = _normal(rng)
    light = replace(recipe.scene.light, shadow=float(rng.uniform(0.06, 0.3)), exposure=float(rng.uniform(0.85, 1.0)))
    return _changed(recipe, table="white desk", light=light)


def _glare(rng: Rng) -> Recipe:
    recipe = _normal(rng)
    at = (float(rng.uniform(0.3, 0.7)), float(rng.uniform(0.3, 0.7)))
    size = (float(rng.uniform(0.06, 0.14)), float(rng.uniform(0.05, 0.1)))
    light = replace(recipe.scene.light, glare=float(rng.uniform(90, 165)), glare_at=at, glare_size=size)
    return _changed(recipe, light=replace(light, exposure=min(light.exposure, 0.85)))


def _dusk(rng: Rng) -> Recipe:
    recipe = _normal(rng)
    light = replace(recipe.scene.light, exposure=float(rng.uniform(0.38, 0.5)), cast_bgr=(0.72, 0.9, 1.08))
    sensor = replace(recipe.scene.sensor, noise=float(rng.uniform(5, 9)), blur_px=1.2)
    return _changed(recipe, light=light, sensor=sensor)


def _colour_cast(rng: Rng) -> Recipe:
    recipe = _normal(rng)
    casts = ((0.66, 0.87, 1.0), (1.0, 0.92, 0.78), (0.87, 1.0, 0.87), (0.97, 0.86, 1.0))
    return _changed(recipe, light=replace(recipe.scene.light, cast_bgr=casts[int(rng.integers(len(casts)))]))


def _blurred(rng: Rng) -> Recipe:
    recipe = _normal(rng)
    shaken = rng.random() < 0.5
    blur, motion = (1.2, float(rng.uniform(8, 12))) if shaken else (float(rng.uniform(2.2, 3.2)), 0.0)
    return _changed(recipe, sensor=replace(recipe.scene.sensor, blur_px=blur, motion_px=motion))


def _cropped(rng: Rng) -> Recipe:
    recipe = _normal(rng)
    stand = _stand(rng, tilt=(1, 12), fill=(0.8, 0.97))
    side = str(rng.choice(["left", "right", "top", "bottom"]))
    stand = replace(stand, cut=side, cut_margin=float(rng.uniform(0.002, 0.012)))
    return _changed(recipe, stand=stand, lies=(Lie(float(rng.normal(0, 2))),))


def _tags(state: str) -> Maker:
    def make(rng: Rng) -> Recipe:
        recipe = _normal(rng)
        return replace(recipe, look=replace(recipe.look, tags=state))

    return make


def _grey(rng: Rng) -> Recipe:
    recipe = _normal(rng)
    look = replace(recipe.look, saturation=0.0, strength=float(rng.uniform(0.9, 1.5)), grain=4.0, soft_px=0.9)
    if rng.random() < 0.4:  # the filled sheet itself was copied
        recipe = _changed(recipe, sensor=replace(recipe.scene.sensor, grey=True))
    return replace(recipe, look=look)


def _with_pen(*pens: str) -> Maker:
    def make(rng: Rng) -> Recipe:
        return replace(_normal(rng), pen=str(rng.choice(pens)))

    return make


def _several(rng: Rng) -> Recipe:
    """Four sheets on one table, two by two, in reading order."""
    lies = []
    for row in (-0.5, 0.5):
        for column in (-0.5, 0.5):
            place = (column * 164 + float(rng.normal(0, 3)), row * 228 + float(rng.normal(0, 3)))
            turn = float(rng.normal(0, 3)) + (180 if rng.random() < 0.15 else 0)
            lies.append(Lie(turn, place, _bends(rng, (0.5, 3.0), 0.05)))
    recipe = _normal(rng)
    stand = _stand(rng, tilt=(0, 14), fill=(0.9, 0.97))
    sensor = replace(recipe.scene.sensor, motion_px=0.0, blur_px=0.6)
    return _changed(recipe, lies=tuple(lies), stand=stand, sensor=sensor, portrait=True, turn=0, clutter=0)


KINDS: dict[str, Maker] = {
    "normal": _normal,
    "hard": _hard,
    "plain": _plain,
    "rotated-90": _rotated(1),
    "rotated-180": _rotated(2),
    "rotated-270": _rotated(3),
    "tilt": _tilted(20, 35),
    "tilt-hard": _tilted(35, 50),
    "curl": _curl,
    "fold": _fold,
    "shadow": _shadow,
    "white-table": _white_table,
    "glare": _glare,
    "dusk": _dusk,
    "cast": _colour_cast,
    "blur-ok": _blurred,
    "cropped": _cropped,
    "no-tags": _tags("none"),
    "tags-covered": _tags("covered"),
    "grey": _grey,
    "pencil": _with_pen("pencil", "pencil", "faint pencil"),
    "felt": _with_pen("black felt", "black felt", "blue felt", "red felt"),
    "several": _several,
}

MIXES: dict[str, dict[str, float]] = {
    "easy": {"plain": 0.85, "normal": 0.15},
    "normal": {
        "normal": 0.66, "pencil": 0.05, "felt": 0.04, "curl": 0.04, "fold": 0.03, "tilt": 0.04, "shadow": 0.02,
        "cast": 0.03, "white-table": 0.02, "rotated-90": 0.01, "rotated-180": 0.02, "rotated-270": 0.01, "grey": 0.03,
    },
    "hard": {
        "hard": 0.56, "tilt": 0.03, "tilt-hard": 0.03, "curl": 0.03, "fold": 0.03, "shadow": 0.04, "white-table": 0.03,
        "glare": 0.04, "dusk": 0.04, "cast": 0.02, "blur-ok": 0.03, "cropped": 0.03, "no-tags": 0.02,
        "tags-covered": 0.02, "grey": 0.02, "several": 0.03,
    },
}  # fmt: skip


def _stand(rng: Rng, tilt: tuple[float, float], fill: tuple[float, float]) -> Stand:
    """Most people look from the near side, whatever way they lean."""
    azimuth = float(rng.normal(90, 35) if rng.random() < 0.75 else rng.uniform(0, 360))
    shift = (float(rng.uniform(-0.7, 0.7)), float(rng.uniform(-0.7, 0.7)))
    return Stand(float(rng.uniform(*tilt)), azimuth, float(rng.uniform(*fill)), shift, float(rng.uniform(0.68, 0.85)))


def _curvature(sagitta_mm: float) -> float:
    """Curvature of an A5 page's longer side that rises so far: 8 s / l^2 for a flat arc."""
    return 8 * sagitta_mm / 210.0**2


def _bends(rng: Rng, sagitta_mm: tuple[float, float], creased: float) -> tuple[Bend, ...]:
    """Paper that has been handled: a little curl, sometimes a crease or a lifted corner."""
    if rng.random() < 0.25:
        return ()
    sign = float(rng.choice([-1, 1]))
    axis = float(rng.choice([0, 90]) + rng.normal(0, 18))
    bends = [Bend(axis, curl_per_mm=sign * _curvature(float(rng.uniform(*sagitta_mm))))]
    if rng.random() < creased:
        fold = Bend(float(rng.choice([0, 90]) + rng.normal(0, 4)), fold_rad=float(rng.uniform(0.05, 0.25)))
        bends.append(replace(fold, fold_at_mm=float(rng.normal(0, 15))))
    if rng.random() < 0.15:
        corner = float(rng.choice([55, 125, 235, 305]))
        bends.append(
            Bend(corner, lift_from_mm=float(rng.uniform(85, 105)), lift_per_mm=float(rng.uniform(0.004, 0.02)))
        )
    return tuple(bends)


def _light(
    rng: Rng,
    exposure: tuple[float, float],
    colour: float,
    falloff: tuple[float, float],
    shades: tuple[Shade, ...],
    glare: tuple[float, float] | None,
) -> Light:
    return Light(
        exposure=float(rng.uniform(*exposure)),
        cast_bgr=_cast(rng, colour),
        falloff=float(rng.uniform(*falloff)),
        falloff_deg=float(rng.uniform(0, 360)),
        vignette=float(rng.uniform(0.03, 0.2)),
        relief=float(rng.uniform(0.25, 0.9)),
        lamp_deg=float(rng.uniform(0, 360)),
        shadow=float(rng.uniform(0.2, 0.6)),
        shades=shades,
        glare=float(rng.uniform(*glare)) if glare else 0.0,
        glare_at=(float(rng.uniform(0.15, 0.85)), float(rng.uniform(0.15, 0.85))),
        glare_size=(float(rng.uniform(0.07, 0.2)), float(rng.uniform(0.06, 0.16))),
    )


def _cast(rng: Rng, amount: float) -> tuple[float, float, float]:
    """Warm or cold, and a touch of green or magenta; the brightest channel stays at 1."""
    warm, green = rng.normal(0.4, 0.7) * amount, rng.normal(0, 0.35) * amount
    gains = np.exp(np.array([-0.09 * warm, 0.04 * green, 0.07 * warm]))
    b, g, r = (float(v) for v in np.clip(gains / gains.max(), 0.55, 1))
    return b, g, r


def _soft_shade(rng: Rng, factor: tuple[float, float]) -> Shade:
    centre = (float(rng.uniform(0, 1)), float(rng.uniform(0, 1)))
    size = (float(rng.uniform(0.15, 0.5)), float(rng.uniform(0.1, 0.25)))
    softness = float(rng.choice([0.02, 0.06, 0.15]))
    return Shade("blob", centre, float(rng.uniform(0, 180)), size, softness, float(rng.uniform(*factor)))


def _half_shade(rng: Rng, factor: float) -> Shade:
    centre = (float(rng.uniform(0.42, 0.58)), float(rng.uniform(0.42, 0.58)))
    softness = float(rng.choice([0.004, 0.015, 0.05]))
    return Shade("half", centre, float(rng.uniform(0, 360)), (1.0, 1.0), softness, factor)


def _look(rng: Rng, amount: float) -> PrintLook:
    paper = np.clip(1 - np.abs(rng.normal(0, 0.02 * amount, 3)) - [0.02 * amount * rng.random(), 0, 0], 0.85, 1)
    balance = np.exp(rng.normal(0, 0.07 * amount, 3))
    return PrintLook(
        paper_bgr=(float(paper[0]), float(paper[1]), float(paper[2])),
        strength=float(np.exp(rng.normal(0, 0.13 * amount))),
        balance_bgr=(float(balance[0]), float(balance[1]), float(balance[2])),
        saturation=float(np.clip(rng.normal(0.96, 0.07 * amount), 0.6, 1.1)),
        soft_px=float(rng.uniform(0.2, 0.8)),
        grain=float(rng.uniform(0, 2.5)),
    )


def _orientation(rng: Rng) -> int | None:
    """How phones store: mostly sensor-wise with a tag, some upright without any."""
    return (None, 1, 3, 6, 8)[int(rng.choice(5, p=[0.25, 0.2, 0.13, 0.3, 0.12]))]


def _table(rng: Rng) -> str:
    names = [name for name, _ in _TABLES]
    shares = np.array([share for _, share in _TABLES])
    return str(rng.choice(names, p=shares / shares.sum()))
