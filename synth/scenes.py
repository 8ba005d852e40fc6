"""A photograph to be taken, as plain values: how the camera stands, the paper lies, the light falls."""

from __future__ import annotations

from dataclasses import dataclass, field

from synth.paper import Bend, Ear


@dataclass(frozen=True, slots=True)
class Stand:
    """Where the camera stands and what it frames.

    Attributes:
        tilt_deg: angle between the line of sight and the table's normal.
        azimuth_deg: from where it looks, 90 from the near side.
        fill: share of the photo's width or height, whichever is more, that the papers take.
        shift: where they lie in the free space, -1 to 1 across and down; beyond that they are cut.
        focal: focal length by the photo's longer side; 0.75 is a phone's main camera (26 mm on full frame).
        cut: the side (`left`, `right`, `top`, `bottom`) where the page runs out of the photo.
        cut_margin: what remains between the outermost cell and the photo's edge, by the longer side.
        cut_away: how many columns or rows of cells are wholly outside, by at least that margin; 0 keeps all cells.
    """

    tilt_deg: float = 0.0
    azimuth_deg: float = 90.0
    fill: float = 0.85
    shift: tuple[float, float] = (0.0, 0.0)
    focal: float = 0.75
    cut: str | None = None
    cut_margin: float = 0.005
    cut_away: int = 0


@dataclass(frozen=True, slots=True)
class Shade:
    """A shadow over the photo.

    Attributes:
        kind: `half` (everything beyond a line) or `blob` (a hand, a head, a phone).
        centre: relative to the photo's width and height.
        angle_deg: direction across the line, or of the longer axis.
        size: half axes of the blob, relative to the photo's longer side.
        softness: width of the edge, relative to the photo's longer side.
        factor: what is left of the light.
    """

    kind: str
    centre: tuple[float, float]
    angle_deg: float
    size: tuple[float, float]
    softness: float
    factor: float


@dataclass(frozen=True, slots=True)
class Light:
    """How the scene is lit and exposed.

    Attributes:
        exposure: how white the paper comes out, 1 is full white.
        cast_bgr: gain per channel.
        falloff: how much darker it is on the far side of the lamp, 0 to 1.
        falloff_deg: direction to that side.
        vignette: how much darker the corners are.
        relief: how much bent paper is lighter or darker by its slope.
        lamp_deg: from where the light comes, for the relief and the papers' shadows on the table.
        shadow: how dark the paper's shadow on the table is.
        shades: shadows of other things.
        glare: strength of the lamp's reflection, in grey levels; its place and size follow.
        glare_at: relative to the photo's width and height.
        glare_size: half axes, relative to the photo's longer side.
        on_page: the centres of shades and glare are relative to what the papers take of the photo.
    """

    exposure: float = 0.95
    cast_bgr: tuple[float, float, float] = (1.0, 1.0, 1.0)
    falloff: float = 0.1
    falloff_deg: float = 0.0
    vignette: float = 0.1
    relief: float = 0.5
    lamp_deg: float = 225.0
    shadow: float = 0.45
    shades: tuple[Shade, ...] = ()
    glare: float = 0.0
    glare_at: tuple[float, float] = (0.5, 0.5)
    glare_size: tuple[float, float] = (0.1, 0.1)
    on_page: bool = False


@dataclass(frozen=True, slots=True)
class Sensor:
    """What the camera does to the picture. Lengths are in pixels of a 12-megapixel photo.

    Attributes:
        blur_px: standard deviation of the defocus.
        motion_px: length of the camera shake, at most 25.
        motion_deg: its direction.
        noise: standard deviation of the noise, grey levels.
        sharpen: strength of the sharpening.
        grey: no colour at all.
        jpeg_quality: 1 to 100.
        orientation: EXIF tag 1, 3, 6 or 8: the pixels are stored turned so that it turns them upright;
            None stores them upright without any tag.
    """

    blur_px: float = 0.7
    motion_px: float = 0.0
    motion_deg: float = 0.0
    noise: float = 2.0
    sharpen: float = 0.4
    grey: bool = False
    jpeg_quality: int = 88
    orientation: int | None = None


@dataclass(frozen=True, slots=True)
class Lie:
    """How one paper lies on the table: see `synth.paper.Paper`; `page_mm` None is the layout's size."""

    turn_deg: float = 0.0
    place_mm: tuple[float, float] = (0.0, 0.0)
    bends: tuple[Bend, ...] = ()
    ear: Ear | None = None
    page_mm: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Cover:
    """A thing over the first paper's margin; it is pushed outwards until it touches no cell.

    Attributes:
        kind: `hand`, `die`, `pen` or `pencil`.
        side: `left`, `right`, `top` or `bottom`, as the page itself has them.
        along: where on that side, 0 at the page's top or left.
        reach_mm: how far into the page it would like to reach.
        turn_deg: by how much it points aside from straight inwards.
    """

    kind: str
    side: str
    along: float
    reach_mm: float
    turn_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class Scene:
    """A whole photograph.

    Attributes:
        lies: one for each paper.
        stand: the camera.
        light: the light.
        sensor: the camera's electronics.
        table: a key of `synth.tables.TABLES`.
        table_deg: how the table top is turned under the papers.
        clutter: how many things lie on the table.
        turn: quarter turns clockwise by which the whole photo is turned in the end, camera held wrong.
        portrait: the photo is upright taller than wide.
        mirrored: the whole photo is flipped left to right in the end, as front cameras do.
        covers: what lies over the first paper's margin.
        blur_mm: standard deviation of a blur beyond all reading, millimetres on the page.
        shake_mm: length of a camera shake beyond all reading, millimetres on the page.
    """

    lies: tuple[Lie, ...] = (Lie(),)
    stand: Stand = field(default_factory=Stand)
    light: Light = field(default_factory=Light)
    sensor: Sensor = field(default_factory=Sensor)
    table: str = "wood"
    table_deg: float = 0.0
    clutter: int = 0
    turn: int = 0
    portrait: bool = True
    mirrored: bool = False
    covers: tuple[Cover, ...] = ()
    blur_mm: float = 0.0
    shake_mm: float = 0.0
