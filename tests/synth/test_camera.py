"""The camera's mapping is the truth: what lies at a place of the page is seen at the predicted pixel."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from layouts import load_layout
from synth.camera import cell_corners, photograph
from synth.lens import Lens, page_to_photo, photo_to_page
from synth.paper import Bend, Paper
from synth.scenes import Lie, Light, Scene, Sensor, Stand

LAYOUT = load_layout()
W_MM, H_MM = LAYOUT.page_mm
SIZE = (1600, 1200)
PX_PER_MM = 8.0
DOTS_MM = np.array([[x, y] for x in (12.0, 74.0, 136.0) for y in (15.0, 62.0, 105.0, 151.0, 196.0)])

BENDS = {
    "flat": (),
    "arched": (Bend(90, curl_per_mm=0.0022),),
    "hollow": (Bend(12, curl_per_mm=-0.003),),
    "creased": (Bend(90, fold_rad=0.35, fold_at_mm=8.0),),
    "corner": (Bend(55, lift_from_mm=80.0, lift_per_mm=0.012),),
    "both": (Bend(80, curl_per_mm=0.001), Bend(2, fold_rad=0.15)),
}


def plain_scene(bends: tuple[Bend, ...] = (), turn: int = 0, tilt: float = 24.0, portrait: bool = True) -> Scene:
    return Scene(
        lies=(Lie(7.0, (3.0, -2.0), bends),),
        stand=Stand(tilt, 65.0, 0.85, (0.3, -0.2)),
        light=Light(1.0, falloff=0.0, vignette=0.0, relief=0.0, shadow=0.0),
        sensor=Sensor(0.0, noise=0.0, sharpen=0.0),
        table="felt",
        turn=turn,
        portrait=portrait,
    )


def dotted_page() -> np.ndarray:
    page = np.full((round(H_MM * PX_PER_MM), round(W_MM * PX_PER_MM), 3), 255, dtype=np.uint8)
    for dot in DOTS_MM:
        centre = np.rint((dot * PX_PER_MM - 0.5) * 16).astype(int)
        cv2.circle(page, (int(centre[0]), int(centre[1])), int(1.5 * PX_PER_MM * 16), (0, 0, 0), -1, cv2.LINE_AA, 4)
    return page


def dot_seen_near(photo: np.ndarray, place_px: np.ndarray) -> np.ndarray:
    """Centre of the dark spot around a pixel, by weight."""
    x, y = (int(v) for v in np.rint(place_px))
    reach = 16
    patch = 255 - photo[y - reach : y + reach + 1, x - reach : x + reach + 1].mean(axis=2)
    patch = np.where(patch > 60, patch, 0)
    assert patch.sum() > 0
    yy, xx = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    return np.array([x + (xx * patch).sum() / patch.sum(), y + (yy * patch).sum() / patch.sum()])


@pytest.mark.parametrize("name", BENDS)
def test_dots_are_seen_where_the_mapping_says(name: str) -> None:
    photo = photograph([dotted_page()], LAYOUT, plain_scene(BENDS[name]), np.random.default_rng(0), SIZE)
    predicted = photo.shots[0].to_photo(DOTS_MM)
    seen = np.array([dot_seen_near(photo.image, place) for place in predicted])
    assert np.abs(seen - predicted).max() < 1.0


@pytest.mark.parametrize("portrait", [True, False])
@pytest.mark.parametrize("turn", [0, 1, 2, 3])
def test_the_mapping_follows_quarter_turns(turn: int, portrait: bool) -> None:
    scene = plain_scene(BENDS["arched"], turn, portrait=portrait)
    photo = photograph([dotted_page()], LAYOUT, scene, np.random.default_rng(0), SIZE)
    taller = photo.image.shape[0] > photo.image.shape[1]
    assert taller == (portrait == (turn % 2 == 0))
    predicted = photo.shots[0].to_photo(DOTS_MM)
    seen = np.array([dot_seen_near(photo.image, place) for place in predicted])
    assert np.abs(seen - predicted).max() < 1.0


@pytest.mark.parametrize("name", BENDS)
@pytest.mark.parametrize("tilt", [0.0, 20.0, 45.0])
def test_the_way_back_undoes_the_mapping(name: str, tilt: float) -> None:
    lens = Lens(tilt, 70.0, 450.0, 1200.0, (600.0, 800.0))
    paper = Paper((W_MM, H_MM), BENDS[name], 11.0, (4.0, -6.0))
    pixels = page_to_photo(lens, paper, DOTS_MM)
    assert np.abs(photo_to_page(lens, paper, pixels) - DOTS_MM).max() < 0.05


def test_a_flat_paper_is_seen_through_a_homography() -> None:
    lens = Lens(33.0, 120.0, 400.0, 1000.0, (500.0, 700.0))
    on_table = np.column_stack([DOTS_MM, np.zeros(len(DOTS_MM))])
    through = np.column_stack([DOTS_MM, np.ones(len(DOTS_MM))]) @ lens.table_homography().T
    assert np.allclose(lens.project(on_table), through[:, :2] / through[:, 2:])


def test_straight_from_above_the_scale_is_focal_length_by_distance() -> None:
    lens = Lens(0.0, 90.0, 500.0, 1000.0, (0.0, 0.0))
    assert np.allclose(lens.project(np.array([[30.0, -20.0, 0.0]])), [[60.0, -40.0]])


def test_the_near_side_is_seen_larger() -> None:
    lens = Lens(30.0, 90.0, 500.0, 1000.0, (0.0, 0.0))
    near, far = (lens.project(np.array([[-10.0, y, 0.0], [10.0, y, 0.0]])) for y in (80.0, -80.0))
    assert np.ptp(near[:, 0]) > np.ptp(far[:, 0])


@pytest.mark.parametrize("name", ["arched", "hollow", "creased", "corner"])
def test_paper_bends_without_stretching(name: str) -> None:
    paper = Paper((W_MM, H_MM), BENDS[name])
    points = np.array([[x, y] for x in np.arange(10, 140, 9.0) for y in np.arange(10, 200, 9.0)])
    for step in ([0.5, 0.0], [0.0, 0.5], [0.35, 0.35]):
        length = np.linalg.norm(paper.to_space(points + np.array(step)) - paper.to_space(points), axis=1)
        assert np.abs(length / np.linalg.norm(step) - 1).max() < 0.01


def test_the_lowest_point_of_the_page_lies_on_the_table() -> None:
    for bends in BENDS.values():
        paper = Paper((W_MM, H_MM), bends)
        u, v = np.meshgrid(np.linspace(0, W_MM, 30), np.linspace(0, H_MM, 30))
        heights = paper.to_space(np.column_stack([u.ravel(), v.ravel()]))[:, 2]
        assert heights.min() == pytest.approx(0.0, abs=0.2)


def test_every_cell_has_corners_clockwise_from_its_own_top_left() -> None:
    photo = photograph([dotted_page()], LAYOUT, plain_scene(), np.random.default_rng(0), SIZE)
    corners = cell_corners(photo.shots[0], LAYOUT)
    assert set(corners) == {cell.key for cell in LAYOUT.read_cells}
    for quad in corners.values():
        (x0, y0), (x1, y1), (x2, y2), (x3, y3) = quad
        assert (x1 - x0) * (y2 - y1) - (y1 - y0) * (x2 - x1) > 0
        assert (x2 - x1) * (y3 - y2) - (y2 - y1) * (x3 - x2) > 0
    assert corners["red/9"][0][1] < corners["red/1"][0][1]


@pytest.mark.parametrize("side", ["left", "right", "top", "bottom"])
def test_a_cut_page_leaves_all_its_cells_in_the_photo(side: str) -> None:
    scene = Scene(stand=Stand(8.0, 90.0, 0.9, cut=side, cut_margin=0.004), portrait=True)
    photo = photograph([dotted_page()], LAYOUT, scene, np.random.default_rng(0), SIZE)
    height, width = photo.image.shape[:2]
    cells = np.array(list(cell_corners(photo.shots[0], LAYOUT).values())).reshape(-1, 2)
    assert (cells >= 0).all()
    assert (cells <= [width - 1, height - 1]).all()
    page = photo.shots[0].to_photo(np.array([[0, 0], [W_MM, 0], [W_MM, H_MM], [0, H_MM]], dtype=np.float64))
    outside = {
        "left": page[:, 0] < 0,
        "right": page[:, 0] > width,
        "top": page[:, 1] < 0,
        "bottom": page[:, 1] > height,
    }
    assert outside[side].any()


def test_as_many_pages_as_lies_are_needed() -> None:
    with pytest.raises(ValueError, match="1 papers lie in the scene, but 2 pages"):
        photograph([dotted_page()] * 2, LAYOUT, plain_scene(), np.random.default_rng(0), SIZE)
