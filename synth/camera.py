"""The photograph: bent papers on a table, seen through the lens, lit and exposed, with the true mapping."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from layouts import CellBox, SheetLayout
from synth.clutter import scatter
from synth.covers import put_over
from synth.laying import cast_shadow, lay
from synth.lens import Lens, frame_papers, page_to_photo
from synth.lighting import add_glare, gain_image, lit
from synth.noise import TABLE_MM
from synth.paper import Paper
from synth.scenes import Lie, Light, Scene, Stand
from synth.sensor import expose, spoilt
from synth.tables import TABLES

ImageU8 = NDArray[np.uint8]
Points = NDArray[np.float64]

_COARSE = 2.4  # photo pixels per texture pixel from which the table is drawn at half size: nothing finer is in it
_CLOSER = 1.3  # people step closer for a photo that is wider than tall, lest the tall page gets too small


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """One paper in a photo.

    Attributes:
        paper: how it lies and bends.
        lens: the camera that sees it.
        turn: quarter turns clockwise of the photo afterwards.
        unturned_wh: the photo's size before those turns.
        mirrored: whether the photo was flipped left to right in the end.
    """

    paper: Paper
    lens: Lens
    turn: int
    unturned_wh: tuple[int, int]
    mirrored: bool = False

    def to_photo(self, page_points_mm: Points) -> Points:
        """Pixels (N, 2) of the upright photo for points (N, 2) of the page, bending included."""
        points = page_to_photo(self.lens, self.paper, np.asarray(page_points_mm, dtype=np.float64))
        w, h = self.unturned_wh
        for _ in range(self.turn % 4):
            points = np.column_stack([h - 1 - points[:, 1], points[:, 0]])
            w, h = h, w
        return np.column_stack([w - 1 - points[:, 0], points[:, 1]]) if self.mirrored else points


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
    lens = _aim(scene, papers or [Paper(layout.page_mm)], frame_wh, layout)
    photo = _table(scene, lens, frame_wh, rng)
    for page, paper in zip(pages, papers, strict=True):
        cast_shadow(photo, lens, paper, scene.light)
        lay(photo, page, lens, paper, scene.light)
    if scene.covers:
        cells_mm = np.array([cell.corners_mm for cell in layout.read_cells])
        put_over(photo, lens, papers[0], scene.covers, cells_mm, scene.light, rng)
    light = _on_page(scene.light, lens, papers, frame_wh)
    photo = add_glare(lit(photo, gain_image(light, frame_wh)), light)
    if scene.blur_mm or scene.shake_mm:
        px_per_mm = lens.focal_px / lens.distance_mm
        photo = spoilt(photo, scene.blur_mm * px_per_mm, scene.shake_mm * px_per_mm, rng)
    photo = expose(photo, scene.sensor, rng)
    shots = tuple(Shot(paper, lens, scene.turn, frame_wh, scene.mirrored) for paper in papers)
    return Photographed(_turned(photo, scene.turn, scene.mirrored), shots)


def cell_corners(shot: Shot, layout: SheetLayout) -> dict[str, list[list[float]]]:
    """Corners of every cell that a scan reads, by `CellBox.key`, in pixels of the upright photo."""
    cells = layout.read_cells
    points = shot.to_photo(np.array([cell.corners_mm for cell in cells]).reshape(-1, 2)).reshape(-1, 4, 2)
    return {cell.key: np.round(corners, 2).tolist() for cell, corners in zip(cells, points, strict=True)}


def _paper(lie: Lie, layout: SheetLayout) -> Paper:
    return Paper(lie.page_mm or layout.page_mm, lie.bends, lie.turn_deg, lie.place_mm, lie.ear)


def _aim(scene: Scene, papers: Sequence[Paper], frame_wh: tuple[int, int], layout: SheetLayout) -> Lens:
    stand = scene.stand
    middle = (frame_wh[0] / 2, frame_wh[1] / 2)
    lens = Lens(stand.tilt_deg, stand.azimuth_deg, 400.0, stand.focal * max(frame_wh), middle)
    fill = stand.fill if frame_wh[0] < frame_wh[1] else max(stand.fill, min(0.97, stand.fill * _CLOSER))
    lens = frame_papers(lens, papers, frame_wh, fill, stand.shift)
    return lens if stand.cut is None else _cut(lens, papers, stand, frame_wh, layout)


def _cut(lens: Lens, papers: Sequence[Paper], stand: Stand, frame_wh: tuple[int, int], layout: SheetLayout) -> Lens:
    """The lens turned aside until the cells are at the photo's edge, or as many rows of them beyond it as asked."""
    cells = np.array([cell.corners_mm for cell in cells_beyond(layout, stand)]).reshape(-1, 2)
    seen = np.concatenate([page_to_photo(lens, paper, cells) for paper in papers])
    margin = stand.cut_margin * max(frame_wh)
    size = np.array(frame_wh) - 1
    if stand.cut_away:
        low, high = -margin - seen.max(axis=0), size + margin - seen.min(axis=0)
    else:
        low, high = margin - seen.min(axis=0), size - margin - seen.max(axis=0)
    move = {"left": (low[0], 0), "right": (high[0], 0), "top": (0, low[1]), "bottom": (0, high[1])}[str(stand.cut)]
    return replace(lens, centre_px=(lens.centre_px[0] + float(move[0]), lens.centre_px[1] + float(move[1])))


def cells_beyond(layout: SheetLayout, stand: Stand) -> tuple[CellBox, ...]:
    """The cells that a cut takes out of the photo; all cells where it takes none."""
    if not stand.cut_away:
        return layout.read_cells
    across = stand.cut in ("left", "right")
    spaces = [cell for cell in layout.read_cells if cell.space is not None]
    lines = sorted({cell.x_mm if across else cell.y_mm for cell in spaces})
    if stand.cut in ("left", "top"):
        last = lines[stand.cut_away - 1]
        return tuple(cell for cell in spaces if (cell.x_mm if across else cell.y_mm) <= last)
    first = lines[-stand.cut_away]
    return tuple(cell for cell in spaces if (cell.x_mm if across else cell.y_mm) >= first)


def _on_page(light: Light, lens: Lens, papers: Sequence[Paper], frame_wh: tuple[int, int]) -> Light:
    """The light with its shadows and reflections placed in the photo, where they are given on the papers."""
    if not light.on_page:
        return light
    seen = np.concatenate([page_to_photo(lens, paper, paper.outline(10.0)) for paper in papers]) / np.array(frame_wh)
    low, span = seen.min(axis=0), np.ptp(seen, axis=0)

    def placed(at: tuple[float, float]) -> tuple[float, float]:
        return float(low[0] + at[0] * span[0]), float(low[1] + at[1] * span[1])

    shades = tuple(replace(shade, centre=placed(shade.centre)) for shade in light.shades)
    return replace(light, shades=shades, glare_at=placed(light.glare_at))


def _turned(photo: ImageU8, turn: int, mirrored: bool) -> ImageU8:
    turns = {1: cv2.ROTATE_90_CLOCKWISE, 2: cv2.ROTATE_180, 3: cv2.ROTATE_90_COUNTERCLOCKWISE}
    if turn % 4:
        photo = np.asarray(cv2.rotate(photo, turns[turn % 4]), dtype=np.uint8)
    return np.asarray(cv2.flip(photo, 1), dtype=np.uint8) if mirrored else photo


def _table(scene: Scene, lens: Lens, frame_wh: tuple[int, int], rng: np.random.Generator) -> ImageU8:
    """The table top through the lens."""
    texture = TABLES[scene.table](rng)
    scatter(texture, scene.clutter, rng)
    angle = np.radians(scene.table_deg)
    c, s, middle = np.cos(angle), np.sin(angle), TABLE_MM / 2
    to_table = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    step = TABLE_MM / texture.shape[0]
    from_texture = np.array([[step, 0, -middle], [0, step, -middle], [0, 0, 1]])
    matrix = lens.table_homography() @ to_table @ from_texture
    if lens.focal_px / lens.distance_mm * step < _COARSE:
        seen = cv2.warpPerspective(texture, matrix, frame_wh, borderMode=cv2.BORDER_REFLECT)
        return np.asarray(seen, dtype=np.uint8)
    half = np.array([[0.5, 0, -0.25], [0, 0.5, -0.25], [0, 0, 1]])
    half_wh = (-(-frame_wh[0] // 2), -(-frame_wh[1] // 2))
    small = cv2.warpPerspective(texture, half @ matrix, half_wh, borderMode=cv2.BORDER_REFLECT)
    large = cv2.resize(small, (2 * half_wh[0], 2 * half_wh[1]), interpolation=cv2.INTER_LINEAR)
    return np.ascontiguousarray(large[: frame_wh[1], : frame_wh[0]], dtype=np.uint8)
