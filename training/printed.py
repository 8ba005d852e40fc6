"""What can be printed in a cell: our own layouts' cells, and invented ones of great variety.

A printed cell is a picture of 144 x 144 pixels whose middle 72 x 72 are the cell's box, so that half a box of its
surroundings is visible on each side. Reading other editions of the sheet needs no new training only if the net has
seen many boxes, colours and icons, so most of these are invented.
"""

from __future__ import annotations

import colorsys
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from layouts import blank_picture, known_layouts, load_layout
from layouts.model import READ_KINDS

CANVAS_PX = 144
BOX_PX = 72
EDGE_PX = (CANVAS_PX - BOX_PX) // 2

U8 = NDArray[np.uint8]
Rng = np.random.Generator
Colour = tuple[float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Printed:
    """One printed cell.

    Attributes:
        image: uint8 (144, 144, 3), BGR, the box in the middle.
        kind: `number`, `mark`, `double` or `bridge`.
        size_mm: mean of the box's width and height.
        order: which channel of `image` is seen as blue, green and red: other colours at no cost.
    """

    image: U8
    kind: str
    size_mm: float
    order: tuple[int, int, int] = (0, 1, 2)


def own_cells() -> list[Printed]:
    """Every readable cell of every layout that comes with the program, one of each look."""
    cells = []
    for name in known_layouts():
        layout = load_layout(name)
        page = cv2.imdecode(np.frombuffer(blank_picture(layout), np.uint8), cv2.IMREAD_COLOR)
        px_per_mm = page.shape[1] / layout.page_mm[0]
        for cell in layout.cells:
            if cell.kind not in READ_KINDS:
                continue
            x_scale, y_scale = BOX_PX / (cell.w_mm * px_per_mm), BOX_PX / (cell.h_mm * px_per_mm)
            matrix = np.array(
                [
                    [x_scale, 0, EDGE_PX - cell.x_mm * px_per_mm * x_scale],
                    [0, y_scale, EDGE_PX - cell.y_mm * px_per_mm * y_scale],
                ]
            )
            image = cv2.warpAffine(page, matrix, (CANVAS_PX, CANVAS_PX), borderMode=cv2.BORDER_REPLICATE)
            cells.append(Printed(image, cell.kind, (cell.w_mm + cell.h_mm) / 2))
    return cells


def invent(rng: Rng) -> Printed:
    """A printed cell that no pad has."""
    kind = str(rng.choice(["number", "mark", "double", "bridge"], p=[0.55, 0.2, 0.13, 0.12]))
    if kind == "double":
        return _invent_circle(rng)
    size_mm = rng.uniform(5, 9) if kind == "bridge" else rng.uniform(9, 15)
    ground = _ground_colour(rng)
    image = np.full((CANVAS_PX, CANVAS_PX, 3), ground, np.uint8)
    if rng.random() < 0.25:
        _texture(image, rng)
    inside = _inside_colour(rng)
    _surroundings(image, inside, rng)
    _box(image, rng, inside, ground)
    icon_share = {"number": 0.45, "mark": 0.8, "bridge": 0.5}[kind]
    if rng.random() < icon_share:
        _icon(image, rng, inside, kind)
    return Printed(image, kind, size_mm)


def recoloured(printed: Printed, rng: Rng) -> Printed:
    """The same cell in other colours: channels exchanged, hue kept as contrasty as it was."""
    blue, green, red = (int(channel) for channel in rng.permutation(3))
    return replace(printed, order=(blue, green, red))


def _bgr(hue: float, saturation: float, value: float) -> Colour:
    red, green, blue = colorsys.hsv_to_rgb(hue % 1.0, min(max(saturation, 0), 1), min(max(value, 0), 1))
    return 255 * blue, 255 * green, 255 * red


def _ground_colour(rng: Rng) -> Colour:
    """Around the boxes: white or tinted paper, or a column's full or dark colour."""
    style = rng.random()
    if style < 0.25:
        return _bgr(rng.random(), rng.uniform(0, 0.12), rng.uniform(0.88, 1.0))
    if style < 0.85:
        return _bgr(rng.random(), rng.uniform(0.3, 0.95), rng.uniform(0.4, 0.98))
    return _bgr(rng.random(), rng.uniform(0, 0.6), rng.uniform(0.1, 0.4))


def _inside_colour(rng: Rng) -> Colour:
    """Where one writes: mostly white, else a tint, seldom a colour that still takes dark ink."""
    style = rng.random()
    if style < 0.6:
        return _bgr(rng.random(), rng.uniform(0, 0.04), rng.uniform(0.95, 1.0))
    if style < 0.94:
        return _bgr(rng.random(), rng.uniform(0.04, 0.25), rng.uniform(0.85, 1.0))
    return _bgr(rng.random(), rng.uniform(0.2, 0.6), rng.uniform(0.65, 0.98))


def _mix(first: Colour, second: Colour, share: float) -> Colour:
    return (
        first[0] + (second[0] - first[0]) * share,
        first[1] + (second[1] - first[1]) * share,
        first[2] + (second[2] - first[2]) * share,
    )


def _texture(image: U8, rng: Rng) -> None:
    """Watercolour-like clouds over what is there."""
    coarse = rng.normal(0, rng.uniform(6, 22), (rng.integers(3, 9), rng.integers(3, 9), 3)).astype(np.float32)
    clouds = cv2.resize(coarse, (CANVAS_PX, CANVAS_PX), interpolation=cv2.INTER_CUBIC)
    image[:] = np.clip(image + clouds, 0, 255).astype(np.uint8)


def _surroundings(image: U8, inside: Colour, rng: Rng) -> None:
    """Neighbouring boxes above, below and beside, a column's edge, lines of text."""
    pitch = rng.uniform(1.02, 1.35)
    for dx, dy, share in ((0, -1, 0.75), (0, 1, 0.75), (-1, 0, 0.4), (1, 0, 0.4)):
        if rng.random() < share:
            x, y = EDGE_PX + dx * pitch * BOX_PX, EDGE_PX + dy * pitch * BOX_PX
            _rounded(image, (x, y, x + BOX_PX, y + BOX_PX), rng.uniform(0, 0.2), inside, None, 0)
    for side in (-1, 1):
        if rng.random() < 0.3:
            x = int(CANVAS_PX / 2 + side * BOX_PX * rng.uniform(0.53, 0.8))
            colour = _ground_colour(rng)
            if side < 0:
                cv2.rectangle(image, (0, 0), (x, CANVAS_PX), colour, -1)
            else:
                cv2.rectangle(image, (x, 0), (CANVAS_PX, CANVAS_PX), colour, -1)
    if rng.random() < 0.12:
        text = "".join(rng.choice(list("0123456789x+-ABCDEFGH"), rng.integers(1, 4)))
        place = (int(rng.uniform(8, 90)), int(rng.choice([rng.uniform(15, 34), rng.uniform(120, 142)])))
        cv2.putText(
            image, text, place, cv2.FONT_HERSHEY_DUPLEX, rng.uniform(0.4, 0.8), _ground_colour(rng), 2, cv2.LINE_AA
        )


def _box(image: U8, rng: Rng, inside: Colour, ground: Colour) -> None:
    """The box itself: rounded, square, round or six-sided, with or without a border, drawn not quite to its edge."""
    inset = rng.choice([0.0, 0.0, rng.uniform(-0.02, 0.05)]) * BOX_PX
    corners = (EDGE_PX + inset, EDGE_PX + inset, EDGE_PX + BOX_PX - inset, EDGE_PX + BOX_PX - inset)
    border = _mix(_ground_colour(rng), ground, float(rng.random() < 0.6))
    width = int(rng.choice([0, 1, 2, 4, 6]))
    style = rng.random()
    if style < 0.7:
        _rounded(image, corners, rng.choice([0.0, rng.uniform(0.03, 0.25)]), inside, border, width)
    elif style < 0.85:
        centre, radius = (CANVAS_PX // 2, CANVAS_PX // 2), int(BOX_PX / 2 - inset)
        cv2.circle(image, centre, radius, inside, -1, cv2.LINE_AA)
        if width:
            cv2.circle(image, centre, radius, border, width, cv2.LINE_AA)
    else:
        angles = np.arange(6) * np.pi / 3 + rng.choice([0, np.pi / 6])
        points = CANVAS_PX / 2 + BOX_PX * 0.54 * np.stack([np.cos(angles), np.sin(angles)], 1)
        cv2.fillPoly(image, [points.astype(np.int32)], inside, cv2.LINE_AA)
        if width:
            cv2.polylines(image, [points.astype(np.int32)], True, border, width, cv2.LINE_AA)


def _rounded(
    image: U8, corners: tuple[float, float, float, float], radius: float, fill: Colour, line: Colour | None, width: int
) -> None:
    x0, y0, x1, y1 = corners
    r = radius * BOX_PX
    angles = np.linspace(0, np.pi / 2, 6)
    arc = np.stack([np.cos(angles), np.sin(angles)], 1) * r
    points = np.concatenate(
        [
            np.array([x1 - r, y1 - r]) + arc,
            np.array([x0 + r, y1 - r]) + arc[::-1] * [-1, 1],
            np.array([x0 + r, y0 + r]) + arc * [-1, -1],
            np.array([x1 - r, y0 + r]) + arc[::-1] * [1, -1],
        ]
    )
    polygon = [np.round(points * 16).astype(np.int32)]
    cv2.fillPoly(image, polygon, fill, cv2.LINE_AA, 4)
    if line is not None and width:
        cv2.polylines(image, polygon, True, line, width, cv2.LINE_AA, 4)


def _icon(image: U8, rng: Rng, inside: Colour, kind: str) -> None:
    """An arrow, vase, die, star, moon, drop, figure or frame in a light or middling tint."""
    strength = rng.uniform(0.15, 0.55) if rng.random() < 0.8 else rng.uniform(0.55, 1.0)
    colour = _mix(inside, _bgr(rng.random(), rng.uniform(0.2, 1.0), rng.uniform(0.2, 0.9)), strength)
    size = BOX_PX * rng.uniform(0.4, 0.85)
    middle = CANVAS_PX / 2 + rng.normal(0, 3, 2)
    if rng.random() < 0.35:
        half = BOX_PX * rng.uniform(0.36, 0.45)
        frame = (middle[0] - half, middle[1] - half, middle[0] + half, middle[1] + half)
        _rounded(image, frame, rng.uniform(0, 0.12), inside, colour, int(rng.integers(1, 4)))
        size *= 0.75
    names = ["arrow", "vase", "die", "star", "moon", "ring", "figure"]
    weights = [0.25, 0.2, 0.15, 0.1, 0.05, 0.05, 0.2] if kind != "bridge" else [0.1, 0, 0, 0.1, 0, 0.1, 0.7]
    name = str(rng.choice(names, p=weights))
    if name == "figure":
        _figure(image, rng, middle, size, colour)
    elif name == "die":
        _die(image, middle, size * 0.7, colour, inside, int(rng.integers(1, 7)))
    elif name == "ring":
        cv2.circle(image, _at(middle), int(size / 2), colour, int(rng.integers(2, 7)), cv2.LINE_AA)
    elif name == "moon":
        cv2.circle(image, _at(middle), int(size / 2), colour, -1, cv2.LINE_AA)
        cv2.circle(image, _at(middle + size * 0.25), int(size * 0.4), inside, -1, cv2.LINE_AA)
    else:
        points = (SHAPES[name] - 0.5) * size
        turn = rng.choice([0, 0, 0, 1, 2, 3]) * np.pi / 2 if name == "arrow" else 0.0
        rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        polygon = [np.round((points @ rotation.T + middle) * 16).astype(np.int32)]
        if rng.random() < 0.8:
            cv2.fillPoly(image, polygon, colour, cv2.LINE_AA, 4)
        else:
            cv2.polylines(image, polygon, True, colour, int(rng.integers(2, 5)), cv2.LINE_AA, 4)


def _figure(image: U8, rng: Rng, middle: NDArray[np.float64], size: float, colour: Colour) -> None:
    text = str(rng.choice(["20", "x2", "10", "5", "+5", "2x", "30", "1", "7", "3", "?", "!", "A", "20"]))
    font = int(rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX]))
    (width, height), _ = cv2.getTextSize(text, font, 1.0, 2)
    scale = min(size * 0.6 / height, size / width)
    place = (int(middle[0] - width * scale / 2), int(middle[1] + height * scale / 2))
    cv2.putText(image, text, place, font, scale, colour, int(rng.integers(2, 6)), cv2.LINE_AA)


def _die(image: U8, middle: NDArray[np.float64], size: float, colour: Colour, pip: Colour, eyes: int) -> None:
    corners = (middle[0] - size / 2, middle[1] - size / 2, middle[0] + size / 2, middle[1] + size / 2)
    _rounded(image, corners, 0.1, colour, None, 0)
    for x, y in EYES[eyes]:
        cv2.circle(image, _at(middle + np.array([x, y]) * size * 0.27), max(2, int(size * 0.08)), pip, -1, cv2.LINE_AA)


def _invent_circle(rng: Rng) -> Printed:
    """A circle to mark, as under an expedition: one or two rings, a light figure, perhaps a filled ground."""
    ground = _ground_colour(rng) if rng.random() < 0.35 else _inside_colour(rng)
    image = np.full((CANVAS_PX, CANVAS_PX, 3), ground, np.uint8)
    if rng.random() < 0.3:
        _texture(image, rng)
    middle = np.array([CANVAS_PX / 2, CANVAS_PX / 2])
    inside = _inside_colour(rng)
    colour = _bgr(rng.random(), rng.uniform(0.3, 1.0), rng.uniform(0.3, 0.95))
    if rng.random() < 0.4:
        half = int(rng.uniform(6, 20))
        cv2.rectangle(image, (CANVAS_PX // 2 - half, 0), (CANVAS_PX // 2 + half, CANVAS_PX), colour, -1)
    radius = BOX_PX * rng.uniform(0.42, 0.52)
    cv2.circle(image, _at(middle), int(radius), inside, -1, cv2.LINE_AA)
    cv2.circle(image, _at(middle), int(radius), colour, int(rng.integers(2, 8)), cv2.LINE_AA)
    if rng.random() < 0.35:
        cv2.circle(image, _at(middle), int(radius * rng.uniform(0.7, 0.88)), colour, 2, cv2.LINE_AA)
    if rng.random() < 0.8:
        tint = _mix(inside, colour, rng.uniform(0.15, 0.8))
        _figure(image, rng, middle, BOX_PX * rng.uniform(0.4, 0.7), tint)
    for side in (-1, 1):
        if rng.random() < 0.4:
            y = CANVAS_PX / 2 + side * BOX_PX * rng.uniform(0.6, 0.8)
            edge = (8.0, y, 136.0, y + 70) if side > 0 else (8.0, y - 70, 136.0, y)
            _rounded(image, edge, 0.1, _inside_colour(rng), colour, int(rng.integers(2, 6)))
    return Printed(image, "double", rng.uniform(6, 11))


def _at(point: NDArray[np.float64]) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))


def _star() -> NDArray[np.float64]:
    angles = np.arange(10) * np.pi / 5 - np.pi / 2
    radii = np.where(np.arange(10) % 2 == 0, 0.5, 0.22)
    return 0.5 + np.stack([np.cos(angles) * radii, np.sin(angles) * radii], 1)


SHAPES = {
    "arrow": np.array([(0.5, 0), (0.95, 0.5), (0.7, 0.5), (0.7, 1), (0.3, 1), (0.3, 0.5), (0.05, 0.5)]),
    "vase": np.array(
        [
            *[(0.35, 0), (0.65, 0), (0.6, 0.1), (0.6, 0.25), (0.85, 0.45), (0.85, 0.7), (0.65, 0.95), (0.68, 1)],
            *[(0.32, 1), (0.35, 0.95), (0.15, 0.7), (0.15, 0.45), (0.4, 0.25), (0.4, 0.1)],
        ]
    ),
    "star": _star(),
}
EYES = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    6: [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
}
