"""What a photo is made by, short of what the sheet says and who wrote it, and the chance that draws its parts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from synth.pages import Mess
from synth.paper import Bend
from synth.prints import PrintLook
from synth.scenes import Light, Scene, Shade, Stand

Rng = np.random.Generator

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
        refused: the code with which a scan has to refuse the photo, or None where there are sheets to be read.
        foreign: family and design of `synth.foreign.FAMILIES` of the page that lies there in place of our sheet.
        blank: nobody has written on the sheet yet.
    """

    scene: Scene
    mess: Mess = field(default_factory=Mess)
    look: PrintLook = field(default_factory=PrintLook)
    pen: str | None = None
    refused: str | None = None
    foreign: tuple[str, str] | None = None
    blank: bool = False


def changed(recipe: Recipe, **scene: object) -> Recipe:
    """The recipe with those fields of its scene replaced."""
    return replace(recipe, scene=replace(recipe.scene, **scene))  # type: ignore[arg-type]


def draw_stand(rng: Rng, tilt: tuple[float, float], fill: tuple[float, float]) -> Stand:
    """Most people look from the near side, whatever way they lean."""
    azimuth = float(rng.normal(90, 35) if rng.random() < 0.75 else rng.uniform(0, 360))
    shift = (float(rng.uniform(-0.7, 0.7)), float(rng.uniform(-0.7, 0.7)))
    return Stand(float(rng.uniform(*tilt)), azimuth, float(rng.uniform(*fill)), shift, float(rng.uniform(0.68, 0.85)))


def curvature(sagitta_mm: float) -> float:
    """Curvature of an A5 page's longer side that rises so far: 8 s / l^2 for a flat arc."""
    return 8 * sagitta_mm / 210.0**2


def draw_bends(rng: Rng, sagitta_mm: tuple[float, float], creased: float) -> tuple[Bend, ...]:
    """Paper that has been handled: a little curl, sometimes a crease or a lifted corner."""
    if rng.random() < 0.25:
        return ()
    sign = float(rng.choice([-1, 1]))
    axis = float(rng.choice([0, 90]) + rng.normal(0, 18))
    bends = [Bend(axis, curl_per_mm=sign * curvature(float(rng.uniform(*sagitta_mm))))]
    if rng.random() < creased:
        fold = Bend(float(rng.choice([0, 90]) + rng.normal(0, 4)), fold_rad=float(rng.uniform(0.05, 0.25)))
        bends.append(replace(fold, fold_at_mm=float(rng.normal(0, 15))))
    if rng.random() < 0.15:
        corner = float(rng.choice([55, 125, 235, 305]))
        bends.append(
            Bend(corner, lift_from_mm=float(rng.uniform(85, 105)), lift_per_mm=float(rng.uniform(0.004, 0.02)))
        )
    return tuple(bends)


def draw_light(
    rng: Rng,
    exposure: tuple[float, float],
    colour: float,
    falloff: tuple[float, float],
    shades: tuple[Shade, ...],
    glare: tuple[float, float] | None,
) -> Light:
    """Light within those bounds: exposure, colour of the lamp (0 is white), falloff; glare if it has bounds."""
    return Light(
        exposure=float(rng.uniform(*exposure)),
        cast_bgr=draw_cast(rng, colour),
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


def draw_cast(rng: Rng, amount: float) -> tuple[float, float, float]:
    """Warm or cold, and a touch of green or magenta; the brightest channel stays at 1."""
    warm, green = rng.normal(0.4, 0.7) * amount, rng.normal(0, 0.35) * amount
    gains = np.exp(np.array([-0.09 * warm, 0.04 * green, 0.07 * warm]))
    b, g, r = (float(v) for v in np.clip(gains / gains.max(), 0.55, 1))
    return b, g, r


def soft_shade(rng: Rng, factor: tuple[float, float]) -> Shade:
    """The shadow of a hand, a head or a phone, somewhere in the photo."""
    centre = (float(rng.uniform(0, 1)), float(rng.uniform(0, 1)))
    size = (float(rng.uniform(0.15, 0.5)), float(rng.uniform(0.1, 0.25)))
    softness = float(rng.choice([0.02, 0.06, 0.15]))
    return Shade("blob", centre, float(rng.uniform(0, 180)), size, softness, float(rng.uniform(*factor)))


def half_shade(rng: Rng, factor: float) -> Shade:
    """A shadow beyond a line near the middle."""
    centre = (float(rng.uniform(0.42, 0.58)), float(rng.uniform(0.42, 0.58)))
    softness = float(rng.choice([0.004, 0.015, 0.05]))
    return Shade("half", centre, float(rng.uniform(0, 360)), (1.0, 1.0), softness, factor)


def draw_look(rng: Rng, amount: float) -> PrintLook:
    """A printer, the further from perfect the larger the amount."""
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


def draw_orientation(rng: Rng) -> int | None:
    """How phones store: mostly sensor-wise with a tag, some upright without any."""
    return (None, 1, 3, 6, 8)[int(rng.choice(5, p=[0.25, 0.2, 0.13, 0.3, 0.12]))]


def draw_table(rng: Rng) -> str:
    """A table top, by how common it is."""
    names = [name for name, _ in _TABLES]
    shares = np.array([share for _, share in _TABLES])
    return str(rng.choice(names, p=shares / shares.sum()))
