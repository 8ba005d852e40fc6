"""The photograph: bent papers on a table, seen through the lens, lit and exposed, with the true mapping."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from layouts import SheetLayout
from synth.clutter import scatter
from synth.lens import Lens, frame_papers, page_to_photo, photo_to_page
from synth.lighting import add_glare, gain_image, lit
from synth.paper import Paper
from synth.scenes import Lie, Light, Scene
from synth.sensor import expose
from synth.tables import TABLE_PX, TABLE_PX_PER_MM, TABLES

ImageU8 = NDArray[np.uint8]
Points = NDArray[np.float64]

_NODE_PX = 12  # the mapping is solved every so many pixels and interpolated: below 0.1 px off even at a crease
_SHADOW_SMALL = 8
_CLOSER = 1.3  # people step closer for a photo that is wider than tall, lest the tall page gets too small


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """One paper in a photo.

    Attributes:
        paper: how it lies and bends.
        lens: the camera that sees it.
        turn: quarter turns clockwise of the photo afterwards.
        unturned_wh: the photo's size before those turns.
    """

    paper: Paper
    lens: Lens
    turn: int
    unturned_wh: tuple[int, int]

    def to_photo(self, page_points_mm: Points) -> Points:
        """Pixels (N, 2) of the upright photo for points (N, 2) of the page, bending included."""
        points = page_to_photo(self.lens, self.paper, np.asarray(page_points_mm, dtype=np.float64))
        w, h = self.unturned_wh
        for _ in range(self.turn % 4):
            points = np.column_stack([h - 1 - points[:, 1], points[:, 0]])
            w, h = h, w
        return points


@dataclass(frozen=True, slots=True, eq=False)
class Photographed:
    """A photo with its truth.

    Attributes:
        image: uint8 (H, W, 3), BGR, upright (as seen after the EXIF orientation is applied).
        shots: one for each paper, in the order given.
    """

    image: ImageU8
    shots: tuple[Shot, ...]


def photograph(
    pages: Sequence[ImageU8],
    layout: SheetLayout,
    scene: Scene,
    rng: np.random.Generator,
    size_wh: tuple[int, int] = (4032, 3024),
) -> Photographed:
    """Takes the photo of a scene.

    Args:
        pages: uint8 (H, W, 3) BGR pictures of whole pages, one for each of the scene's lies.
        layout: for the size of the page.
        scene: everything about the photo.
        rng: source of the table's pattern and of the noise.
        size_wh: the sensor's size, the wider side first; a portrait photo is as much taller.

    Raises:
        ValueError: another number of pages than lies.
    """
    if len(pages) != len(scene.lies):
        raise ValueError(f"{len(scene.lies)} papers lie in the scene, but {len(pages)} pages were given")
    upright = (size_wh[0] < size_wh[1]) != scene.portrait
    frame_wh = (size_wh[1], size_wh[0]) if upright else size_wh
    papers = [_paper(lie, layout) for lie in scene.lies]
    lens = _aim(scene, papers, frame_wh, layout)
    photo = _table(scene, lens, frame_wh, rng)
    for page, paper in zip(pages, papers, strict=True):
        _cast_shadow(photo, lens, paper, scene.light)
        _lay(photo, page, lens, paper, scene.light)
    photo = add_glare(lit(photo, gain_image(scene.light, frame_wh)), scene.light)
    photo = expose(photo, scene.sensor, rng)
    shots = tuple(Shot(paper, lens, scene.turn, frame_wh) for paper in papers)
    return Photographed(_turned(photo, scene.turn), shots)


def cell_corners(shot: Shot, layout: SheetLayout) -> dict[str, list[list[float]]]:
    """Corners of every cell that a scan reads, by `CellBox.key`, in pixels of the upright photo."""
    cells = layout.read_cells
    points = shot.to_photo(np.array([cell.corners_mm for cell in cells]).reshape(-1, 2)).reshape(-1, 4, 2)
    return {cell.key: np.round(corners, 2).tolist() for cell, corners in zip(cells, points, strict=True)}


def _paper(lie: Lie, layout: SheetLayout) -> Paper:
    return Paper(layout.page_mm, lie.bends, lie.turn_deg, lie.place_mm)


def _aim(scene: Scene, papers: Sequence[Paper], frame_wh: tuple[int, int], layout: SheetLayout) -> Lens:
    stand = scene.stand
    middle = (frame_wh[0] / 2, frame_wh[1] / 2)
    lens = Lens(stand.tilt_deg, stand.azimuth_deg, 400.0, stand.focal * max(frame_wh), middle)
    fill = stand.fill if frame_wh[0] < frame_wh[1] else min(0.97, stand.fill * _CLOSER)
    lens = frame_papers(lens, papers, frame_wh, fill, stand.shift)
    if stand.cut is None:
        return lens
    corners = np.array([cell.corners_mm for cell in layout.read_cells]).reshape(-1, 2)
    seen = np.concatenate([page_to_photo(lens, paper, corners) for paper in papers])
    margin = stand.cut_margin * max(frame_wh)
    low, high = margin - seen.min(axis=0), np.array(frame_wh) - 1 - margin - seen.max(axis=0)
    move = {"left": (low[0], 0), "right": (high[0], 0), "top": (0, low[1]), "bottom": (0, high[1])}[stand.cut]
    return replace(lens, centre_px=(lens.centre_px[0] + float(move[0]), lens.centre_px[1] + float(move[1])))


def _turned(photo: ImageU8, turn: int) -> ImageU8:
    turns = {1: cv2.ROTATE_90_CLOCKWISE, 2: cv2.ROTATE_180, 3: cv2.ROTATE_90_COUNTERCLOCKWISE}
    return photo if turn % 4 == 0 else np.asarray(cv2.rotate(photo, turns[turn % 4]), dtype=np.uint8)


def _table(scene: Scene, lens: Lens, frame_wh: tuple[int, int], rng: np.random.Generator) -> ImageU8:
    """The table top through the lens."""
    texture = TABLES[scene.table](rng)
    scatter(texture, scene.clutter, rng)
    angle = np.radians(scene.table_deg)
    c, s, half = np.cos(angle), np.sin(angle), TABLE_PX / 2
    to_table = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    step = 1 / TABLE_PX_PER_MM
    from_texture = np.array([[step, 0, -half * step], [0, step, -half * step], [0, 0, 1]])
    matrix = lens.table_homography() @ to_table @ from_texture
    seen = cv2.warpPerspective(texture, matrix, frame_wh, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(seen, dtype=np.uint8)


def _cast_shadow(photo: ImageU8, lens: Lens, paper: Paper, light: Light) -> None:
    """The paper's shadow on the table: where it lifts, the shadow parts from it."""
    if light.shadow <= 0:
        return
    space = paper.to_space(paper.outline(2.0))
    away = np.radians(light.lamp_deg + 180)
    height = space[:, 2:] + 1.2  # some space under any paper lying on a table
    fallen = np.column_stack([space[:, :2] + height * 0.9 * [np.cos(away), np.sin(away)], np.zeros(len(space))])
    outline = lens.project(fallen)
    w, h = photo.shape[1] // _SHADOW_SMALL, photo.shape[0] // _SHADOW_SMALL
    mask = np.zeros((h, w), dtype=np.uint8)
    cv2.fillPoly(mask, [np.rint(outline / _SHADOW_SMALL).astype(np.int32)], 255)
    lift_px = (1.5 + 0.35 * float(height.max())) * lens.focal_px / lens.distance_mm / _SHADOW_SMALL
    soft = cv2.GaussianBlur(mask, (0, 0), max(0.8, 0.5 * lift_px))
    gains = np.asarray(255 - soft * light.shadow, dtype=np.uint8)
    large = cv2.resize(gains, photo.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    cv2.multiply(photo, cv2.merge([large, large, large]), dst=photo, scale=1 / 255)


def _lay(photo: ImageU8, page: ImageU8, lens: Lens, paper: Paper, light: Light) -> None:
    """Draws a page into the photo, in place."""
    outline = page_to_photo(lens, paper, paper.outline(1.0))
    low = np.maximum(np.floor(outline.min(axis=0)) - 2, 0).astype(int)
    high = np.minimum(np.ceil(outline.max(axis=0)) + 3, photo.shape[1::-1]).astype(int)
    if (high - low).min() < 4:
        return
    nodes = _Nodes.over(low, high)
    on_page = photo_to_page(lens, paper, nodes.points)
    picture, px_per_mm = _fitting(page, paper, lens)
    u, v = (nodes.enlarged(on_page[:, k] * px_per_mm - 0.5) for k in (0, 1))
    colours = cv2.remap(picture, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    colours = _with_relief(colours, paper, on_page, nodes, light)
    cover = np.zeros(colours.shape[:2], dtype=np.uint8)
    cv2.fillPoly(cover, [np.rint((outline - low) * 16).astype(np.int32)], 255, cv2.LINE_8, 4)
    # the edge is hard here: the lens, whose blur comes later, softens it as it does everything else
    cv2.copyTo(colours, cover, photo[low[1] : high[1], low[0] : high[0]])


@dataclass(frozen=True, slots=True, eq=False)
class _Nodes:
    """Photo points every `_NODE_PX` over a region, with what `cv2.resize` needs to fill in between.

    Attributes:
        points: (N, 2) pixels of the photo, row by row.
        grid_wh: how many across and down.
        size_wh: the region's size.
    """

    points: Points
    grid_wh: tuple[int, int]
    size_wh: tuple[int, int]

    @classmethod
    def over(cls, low: NDArray[np.int_], high: NDArray[np.int_]) -> _Nodes:
        """The nodes of a region, with one more on every side."""
        w, h = (int(v) for v in high - low)
        grid = (-(-w // _NODE_PX) + 2, -(-h // _NODE_PX) + 2)
        x, y = (low[k] + (np.arange(grid[k]) - 0.5) * _NODE_PX - 0.5 for k in (0, 1))
        across, down = np.meshgrid(x, y)
        return cls(np.column_stack([across.ravel(), down.ravel()]), grid, (w, h))

    def enlarged(self, values: Points) -> NDArray[np.float32]:
        """Node values at every pixel of the region, float32 (h, w), linear between the nodes."""
        grid = values.reshape(self.grid_wh[1], self.grid_wh[0]).astype(np.float32)
        size = (self.grid_wh[0] * _NODE_PX, self.grid_wh[1] * _NODE_PX)
        full = np.asarray(cv2.resize(grid, size, interpolation=cv2.INTER_LINEAR), dtype=np.float32)
        w, h = self.size_wh
        return full[_NODE_PX : _NODE_PX + h, _NODE_PX : _NODE_PX + w]


def _fitting(page: ImageU8, paper: Paper, lens: Lens) -> tuple[ImageU8, float]:
    """The page shrunk to about the photo's scale, so that sampling it does not alias, and its pixels per mm."""
    px_per_mm = page.shape[1] / paper.page_mm[0]
    seen = lens.focal_px / lens.distance_mm * 1.1  # the near side is larger than the middle
    if seen > 0.8 * px_per_mm:
        return page, px_per_mm
    size = (max(8, round(page.shape[1] * seen / px_per_mm)), max(8, round(page.shape[0] * seen / px_per_mm)))
    small = np.asarray(cv2.resize(page, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return small, size[0] / paper.page_mm[0]


def _with_relief(
    colours: cv2.typing.MatLike, paper: Paper, on_page: Points, nodes: _Nodes, light: Light
) -> cv2.typing.MatLike:
    """Bent paper is lighter where it faces the lamp."""
    if not paper.bends or light.relief <= 0:
        return colours
    lamp = np.radians(light.lamp_deg)
    slopes = paper.slopes(on_page)
    facing = -(slopes[:, 0] * np.cos(lamp) + slopes[:, 1] * np.sin(lamp))
    gain = np.clip(1 + light.relief * facing - 0.1 * np.abs(facing), 0.45, 1.15)
    full = np.clip(nodes.enlarged(gain * 200), 0, 255).astype(np.uint8)
    return cv2.multiply(colours, cv2.merge([full, full, full]), scale=1 / 200)
