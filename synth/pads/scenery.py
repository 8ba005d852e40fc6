"""What pads print behind and around their spaces: plants, ruins, hills, stars, waves."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sheets.colour import mix
from synth.pads.canvas import Canvas, Paint
from synth.pads.shapes import box, ellipse, rough, smooth, turned

Points = NDArray[np.float64]
Rng = np.random.Generator


def leaf(canvas: Canvas, base: tuple[float, float], length: float, degrees: float, colour: str, alpha: float) -> None:
    """A pointed leaf with its veins, growing to the right before it is turned."""
    half = 0.23 * length
    blade = smooth(np.array([[0, 0]] * 2 + [[0.3 * length, -half], [0.75 * length, -0.7 * half]] + [[length, 0]] * 3
                            + [[0.75 * length, 0.7 * half], [0.3 * length, half]]))  # fmt: skip
    veins = [np.array([[0, 0], [0.95 * length, 0]])]
    for share in (0.2, 0.35, 0.5, 0.65):
        reach = half * (1 - abs(share - 0.35))
        veins += [np.array([[share * length, 0], [(share + 0.16) * length, sign * reach * 0.75]]) for sign in (-1, 1)]
    canvas.area(turned(blade, degrees) + base, Paint(colour, alpha=alpha))
    pale = Paint(mix(colour, "#ffffff", 0.45), alpha=alpha)
    canvas.line([turned(vein, degrees) + base for vein in veins], max(0.12, 0.018 * length), pale)


def fern(canvas: Canvas, base: tuple[float, float], length: float, degrees: float, colour: str, alpha: float) -> None:
    """A bent frond with many leaflets."""
    t = np.linspace(0, 1, 15)
    spine = turned(np.column_stack([length * t, 0.25 * length * t**2]), degrees) + base
    canvas.line(spine, 0.02 * length, Paint(colour, alpha=alpha))
    for k in range(1, 15):
        ahead = spine[k] - spine[k - 1]
        heading = float(np.degrees(np.arctan2(ahead[1], ahead[0])))
        size = 0.3 * length * float(np.sin(np.pi * (0.12 + 0.85 * t[k])))
        for side in (-58, 58):
            canvas.area(_leaflet(spine[k], size, heading + side), Paint(colour, alpha=alpha))


def _leaflet(at: Points, length: float, degrees: float) -> Points:
    blade = smooth(np.array([[0, 0], [0.5, -0.16], [1, 0], [1, 0], [0.5, 0.16]])) * length
    return turned(blade, degrees) + at


def liana(canvas: Canvas, start: tuple[float, float], length: float, colour: str, alpha: float, rng: Rng) -> None:
    """A vine that hangs down in waves, with small leaves."""
    t = np.linspace(0, 1, 40)
    sway = rng.uniform(1.5, 3.5) * np.sin(rng.uniform(0, 6) + t * length / rng.uniform(6, 10))
    vine = np.column_stack([start[0] + sway, start[1] + t * length])
    canvas.line(vine, 0.5, Paint(colour, alpha=alpha))
    for k in range(3, 40, 3):
        side = 25.0 if k % 2 else 155.0
        leaf(
            canvas,
            (float(vine[k, 0]), float(vine[k, 1])),
            float(rng.uniform(3, 5.5)),
            side + float(rng.normal(0, 15)),
            colour,
            alpha,
        )


def pyramid(canvas: Canvas, x: float, base_y: float, width: float, steps: int, colour: str, alpha: float) -> None:
    """A stepped temple with a stair and a shrine, one side in shade."""
    height = 0.085 * width
    for k in range(steps):
        half = width / 2 * (1 - k / (steps + 1.2))
        y = base_y - (k + 1) * height
        canvas.area(box(x - half, y, 2 * half, height), Paint(mix(colour, "#ffffff", 0.08 * k), alpha=alpha))
        canvas.area(box(x + half * 0.25, y, half * 0.75, height), Paint(mix(colour, "#000000", 0.3), alpha=alpha))
        canvas.area(box(x - half, y, 2 * half, height * 0.18), Paint(mix(colour, "#ffffff", 0.5), alpha=alpha))
    top = base_y - steps * height
    canvas.area(box(x - 0.11 * width, top - 1.6 * height, 0.22 * width, 1.6 * height), Paint(colour, alpha=alpha))
    canvas.area(
        box(x - 0.14 * width, top - 2.1 * height, 0.28 * width, 0.5 * height),
        Paint(mix(colour, "#000000", 0.2), alpha=alpha),
    )
    canvas.area(
        box(x - 0.035 * width, top - 1.1 * height, 0.07 * width, 1.1 * height),
        Paint(mix(colour, "#000000", 0.6), alpha=alpha),
    )
    stair = np.array(
        [[x - 0.05 * width, top], [x + 0.05 * width, top], [x + 0.08 * width, base_y], [x - 0.08 * width, base_y]]
    )
    canvas.area(stair, Paint(mix(colour, "#ffffff", 0.3), alpha=alpha))
    for k in range(1, 2 * steps):
        y = base_y - k * height / 2
        canvas.line(
            np.array([[x - 0.07 * width, y], [x + 0.07 * width, y]]),
            0.15,
            Paint(mix(colour, "#000000", 0.3), alpha=alpha),
        )


def hills(canvas: Canvas, y: float, swing: float, bumps: int, paint: Paint, rng: Rng, jagged: bool = False) -> None:
    """A line of hills or peaks across the page, filled down to its lower edge."""
    w, h = canvas.page_mm
    x = np.linspace(-5, w + 5, 2 * bumps + 1)
    line = np.column_stack([x, y + swing * rng.uniform(0.2, 1.0, len(x)) * np.where(np.arange(len(x)) % 2, -1, 1)])
    top = line if jagged else smooth(line, closed=False)
    canvas.area(np.concatenate([top, [[w + 5, h + 5], [-5, h + 5]]]), paint)


def stars(canvas: Canvas, region: tuple[float, float, float, float], count: int, colour: str, rng: Rng) -> None:
    """Dots and small crosses of light."""
    x, y, w, h = region
    for _ in range(count):
        at = (x + float(rng.uniform(0, w)), y + float(rng.uniform(0, h)))
        size = float(rng.choice([0.12, 0.18, 0.28, 0.5], p=[0.45, 0.3, 0.17, 0.08]))
        alpha = float(rng.uniform(0.35, 0.95))
        if size > 0.4:
            ray = np.array(
                [[0, -2.4], [0.22, -0.22], [2.4, 0], [0.22, 0.22], [0, 2.4], [-0.22, 0.22], [-2.4, 0], [-0.22, -0.22]]
            )
            canvas.area(ray * size + at, Paint(colour, alpha=alpha))
        else:
            canvas.area(ellipse(*at, size), Paint(colour, alpha=alpha))


def waves(canvas: Canvas, rows: list[float], length: float, swing: float, width: float, paint: Paint) -> None:
    """Wavy lines across the page."""
    x = np.linspace(-2, canvas.page_mm[0] + 2, 160)
    for k, y in enumerate(rows):
        canvas.line(np.column_stack([x, y + swing * np.sin(2 * np.pi * x / length + k * 1.7)]), width, paint)


def contours(canvas: Canvas, centres: list[tuple[float, float]], reach: float, paint: Paint, rng: Rng) -> None:
    """Height lines of a map around some summits."""
    for centre in centres:
        for radius in np.arange(5, reach, 4.5):
            ring = rough(ellipse(0, 0, 1.0, 0.8), 0.1, rng)
            canvas.line(smooth(ring, rounds=2) * radius + centre, 0.18, paint, closed=True)


def ribbon(x: float, y: float, w: float, h: float) -> Points:
    """A banner with swallow tails, by its middle."""
    half, high = w / 2, h / 2
    return np.array([[x - half, y - high], [x + half, y - high], [x + half - high, y], [x + half, y + high],
                     [x - half, y + high], [x - half + high, y]])  # fmt: skip
