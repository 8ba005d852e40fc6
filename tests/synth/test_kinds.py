"""Each kind of photo shows what it is named after, and the truth says where."""

from __future__ import annotations

from itertools import combinations

import cv2
import numpy as np
import pytest

from layouts import load_layout
from synth import KINDS, Made, make_one
from synth.covers import put_over
from synth.ears import flap_mm
from synth.kinds import draw
from synth.lens import Lens, page_to_photo
from synth.packing import overlap, pack
from synth.paper import Ear, Paper
from synth.scenes import Cover, Light

SMALL = (1000, 750)
LAYOUT = load_layout()
W_MM, H_MM = LAYOUT.page_mm
READABLE = [kind for kind in KINDS if draw(kind, np.random.default_rng(0)).refused is None]
SHEETS = {"several": {4}, "several-8": {5, 6, 7, 8}}


def decoded(made: Made) -> np.ndarray:
    return np.asarray(cv2.imdecode(np.frombuffer(made.jpeg, dtype=np.uint8), cv2.IMREAD_COLOR), dtype=np.uint8)


def quads_of(truth: dict[str, dict[str, list[list[float]]]]) -> np.ndarray:
    return np.array(list(truth["corners"].values()))


def clockwise(quad: np.ndarray) -> bool:
    first, second = quad[1] - quad[0], quad[2] - quad[1]
    return bool(first[0] * second[1] - first[1] * second[0] > 0)


@pytest.mark.parametrize("kind", READABLE)
def test_every_readable_kind_makes_a_photo_with_all_cells_in_it(kind: str) -> None:
    made = make_one(3, 1, only=kind, size=SMALL)
    photo = decoded(made)
    assert sorted(photo.shape[:2]) == sorted(SMALL)
    assert len(made.truths) in SHEETS.get(kind, {1})
    for truth in made.truths:
        assert truth["kind"] == kind
        quads = quads_of(truth)
        corners = quads.reshape(-1, 2)
        assert (corners >= -0.5).all()
        assert (corners <= np.array(photo.shape[1::-1]) - 0.5).all()
        assert {clockwise(quad) for quad in quads} == {kind != "mirrored"}


def test_a_mirrored_photo_is_the_mirror_of_the_one_that_is_not() -> None:
    """Tags can be read in the flipped file only, and lie where the truth's cells say."""
    made = make_one(21, 1, only="mirrored", size=(2000, 1500))
    photo = decoded(made)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    assert detector.detectMarkers(photo)[1] is None
    found, ids, _ = detector.detectMarkers(np.ascontiguousarray(photo[:, ::-1]))
    assert set(ids.ravel()) == {0, 1, 2, 3}
    places = {int(n): quad[0].mean(axis=0) for n, quad in zip(ids.ravel(), found, strict=True)}
    for n, place in places.items():
        places[n] = np.array([photo.shape[1] - 1 - place[0], place[1]])
    corners = made.truths[0]["corners"]
    for key, tag in (("red/9", 0), ("dice/9", 1), ("dice/1", 2)):
        at = np.mean(corners[key], axis=0)
        assert min(places, key=lambda n: float(np.linalg.norm(places[n] - at))) == tag


def test_sheets_turned_by_any_angle_meet_all_quarters() -> None:
    quarters = {int(draw("turned", np.random.default_rng(k)).scene.lies[0].turn_deg // 90) for k in range(40)}
    assert quarters == {0, 1, 2, 3}


@pytest.mark.parametrize(("kind", "low", "high"), [("tilt", 20, 35), ("tilt-hard", 35, 50)])
def test_tilts_stay_between_their_angles(kind: str, low: float, high: float) -> None:
    tilts = [draw(kind, np.random.default_rng(k)).scene.stand.tilt_deg for k in range(60)]
    assert low <= min(tilts) < low + 2
    assert high - 2 < max(tilts) <= high


@pytest.mark.parametrize("kind", ["rotated-90", "rotated-180", "rotated-270"])
def test_no_tag_tells_that_a_photo_is_turned(kind: str) -> None:
    assert all(draw(kind, np.random.default_rng(k)).scene.sensor.orientation is None for k in range(20))
    assert b"Exif" not in make_one(1, 1, only=kind, size=(200, 150)).jpeg[:40]


@pytest.mark.parametrize("i", range(1, 4))
def test_half_of_the_page_is_shadowed(i: int) -> None:
    """The page's light is in two levels, the lower at a third of the higher, each over a good part of it."""
    made = make_one(17, i, only="shadow", size=SMALL)
    photo = decoded(made).max(axis=2)
    cells = [cell for quad in quads_of(made.truths[0]) for cell in [np.rint(quad.mean(axis=0)).astype(int)]]
    light = np.array([np.percentile(photo[y - 5 : y + 6, x - 5 : x + 6], 90) for x, y in cells])
    dark = light < 0.55 * np.percentile(light, 95)
    assert 0.15 < dark.mean() < 0.9


def test_up_to_eight_sheets_do_not_overlap() -> None:
    counts = set()
    for k in range(12):
        lies = draw("several-8", np.random.default_rng(k)).scene.lies
        places = [(*lie.place_mm, float(np.radians(lie.turn_deg))) for lie in lies]
        assert not any(overlap(first, second, LAYOUT.page_mm) for first, second in combinations(places, 2))
        counts.add(len(lies))
    assert counts == {5, 6, 7, 8}


def test_rectangles_overlap_as_their_drawn_pictures_do() -> None:
    rng = np.random.default_rng(0)
    seen = set()
    for _ in range(200):
        places = [(*rng.uniform(-110, 110, 2), float(rng.uniform(0, 7))) for _ in range(2)]
        rectangles = [((x, y), LAYOUT.page_mm, float(np.degrees(angle))) for x, y, angle in places]
        status, _ = cv2.rotatedRectangleIntersection(*rectangles)
        assert overlap(places[0], places[1], LAYOUT.page_mm) == (status != cv2.INTERSECT_NONE)
        seen.add(status)
    assert len(seen) > 1


def test_packed_sheets_fill_a_good_part_of_the_picture() -> None:
    for count in (5, 8):
        lies = pack(count, LAYOUT.page_mm, 4 / 3, np.random.default_rng(count))
        outlines = np.concatenate([Paper(LAYOUT.page_mm, (), lie.turn_deg, lie.place_mm).outline() for lie in lies])
        assert len(outlines)
        spaces = [Paper(LAYOUT.page_mm, (), lie.turn_deg, lie.place_mm) for lie in lies]
        points = np.concatenate([paper.to_space(paper.outline())[:, :2] for paper in spaces])
        wide, high = np.ptp(points, axis=0)
        height = max(high, wide / (4 / 3))
        assert count * W_MM * H_MM / (height**2 * 4 / 3) > 0.3


class TestDogEar:
    @pytest.mark.parametrize("seed", range(12))
    def test_it_takes_the_tag_and_no_cell(self, seed: int) -> None:
        ear = draw("dog-ear", np.random.default_rng(seed)).scene.lies[0].ear
        assert ear is not None
        flap = flap_mm(ear, LAYOUT.page_mm).astype(np.float32)
        gone = np.stack([*ear.crease_mm(LAYOUT.page_mm), ear.corner_mm(LAYOUT.page_mm)]).astype(np.float32)
        for cell in LAYOUT.read_cells:
            for part in (flap, gone):
                box = np.array(cell.corners_mm, dtype=np.float32)
                assert cv2.intersectConvexConvex(part, box)[0] == 0
        tag = next(tag for tag in LAYOUT.fiducials if tag.id == ear.corner)
        for point in tag.corners_mm:
            inside = [cv2.pointPolygonTest(part, (float(point[0]), float(point[1])), False) for part in (flap, gone)]
            assert max(inside) >= 0

    def test_the_page_ends_at_the_crease(self) -> None:
        ear = Ear(2, 20.0, 25.0)
        outline = Paper(LAYOUT.page_mm, ear=ear).outline(0.5)
        beyond, _ = ear.beyond_mm(outline, LAYOUT.page_mm)
        assert beyond.max() == pytest.approx(0, abs=1e-9)
        area = cv2.contourArea(outline.astype(np.float32))
        assert area == pytest.approx(W_MM * H_MM - 20 * 25 / 2, rel=1e-3)

    def test_the_corner_is_mirrored_at_the_crease(self) -> None:
        """For equal legs the corner comes to lie at the square's far end."""
        flap = flap_mm(Ear(0, 20.0, 20.0), LAYOUT.page_mm)
        assert np.allclose(flap, [[20, 0], [0, 20], [20, 20]])


@pytest.mark.parametrize("side", ["left", "right", "top", "bottom"])
@pytest.mark.parametrize("kind", ["hand", "die", "pen", "pencil"])
def test_things_lie_on_the_margin_and_touch_no_cell(kind: str, side: str) -> None:
    """Aimed at the middle of the page, they are pushed out of the cells, but not off the page's surroundings."""
    lens = Lens(18.0, 70.0, 420.0, 700.0, (375.0, 500.0))
    paper = Paper(LAYOUT.page_mm, turn_deg=8.0)
    photo = np.full((1000, 750, 3), 120, dtype=np.uint8)
    cells_mm = np.array([cell.corners_mm for cell in LAYOUT.read_cells])
    light = Light(shadow=0.0)
    cover = Cover(kind, side, 0.5, 40.0, 10.0)
    put_over(photo, lens, paper, (cover,), cells_mm, light, np.random.default_rng(3))
    changed = np.abs(photo.astype(int) - 120).max(axis=2)
    assert (changed > 60).sum() > 100
    quads = page_to_photo(lens, paper, cells_mm.reshape(-1, 2)).reshape(-1, 4, 2)
    cells = np.zeros(photo.shape[:2], dtype=np.uint8)
    for quad in quads:
        cv2.fillPoly(cells, [np.rint(quad).astype(np.int32)], 255)
    # A shadow may fall on cells: it takes no more than a part of the light, the thing itself changes the colour.
    in_cells = photo[cells > 0].astype(int)
    assert np.ptp(in_cells, axis=1).max() <= 1
    assert in_cells.min() > 60
