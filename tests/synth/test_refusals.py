"""Photos without a readable sheet: their truth, and that they are what they claim to be."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from layouts import load_layout
from scanner.errors import PoorPhoto, SheetNotFound
from synth import KINDS, make, make_one
from synth.camera import cell_corners, cells_beyond, photograph
from synth.foreign import FAMILIES, draw_page, draw_size
from synth.hands import hand_for
from synth.ink import pen_for
from synth.kinds import draw
from synth.scenes import Lie, Light, Scene, Sensor, Stand
from synth.sensor import spoilt

SMALL = (600, 450)
LAYOUT = load_layout()
REFUSED = [kind for kind in KINDS if draw(kind, np.random.default_rng(0)).refused is not None]
DESIGNS = [(family, design) for family in FAMILIES for design in FAMILIES[family]]
DETECTOR = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
OURS = {tag.id for tag in LAYOUT.fiducials}


def page_of(family: str, design: str, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    size_mm = draw_size(family, design, rng)
    return draw_page(family, design, size_mm, hand_for("eval", 3), pen_for(rng, None), rng)


def test_the_kinds_of_refusals() -> None:
    assert set(REFUSED) == {
        "no-sheet-texture", "no-sheet-text", "no-sheet-form", "no-sheet-game", "cut-off", "blurred",
    }  # fmt: skip


@pytest.mark.parametrize("kind", REFUSED)
def test_truth_names_the_code_that_is_due(kind: str, tmp_path: Path) -> None:
    make(tmp_path, 1, 8, only=kind, size=SMALL)
    truth = json.loads((tmp_path / "IMG_00001.json").read_text())
    assert truth["sheets"] == []
    assert (truth["kind"], truth["seed"]) == (kind, 8)
    code = {"cut-off": "sheet-cut-off", "blurred": "blurred"}.get(kind, "no-sheet")
    assert truth["refused"] == code
    assert code in SheetNotFound.codes + PoorPhoto.codes
    photo = cv2.imread(str(tmp_path / "IMG_00001.jpg"))
    assert sorted(photo.shape[:2]) == sorted(SMALL)


@pytest.mark.parametrize(("family", "design"), DESIGNS)
def test_only_one_design_bears_our_tags(family: str, design: str) -> None:
    for seed in range(3 if "columns" in design else 1):
        _, ids, _ = DETECTOR.detectMarkers(page_of(family, design, seed))
        found = set() if ids is None else {int(number) for number in ids.ravel()}
        assert found & OURS == (OURS if design == "same-tags" else set())


@pytest.mark.parametrize(("family", "design"), DESIGNS)
def test_designs_differ_and_are_filled_in_each_time_anew(family: str, design: str) -> None:
    first, again, other = (page_of(family, design, seed) for seed in (1, 1, 2))
    assert (first == again).all()
    assert first.shape != other.shape or (first != other).any()
    assert first.std() > 5


@pytest.mark.parametrize("kind", ["no-sheet-text", "no-sheet-form", "no-sheet-game"])
def test_every_design_of_a_family_comes_up(kind: str) -> None:
    drawn = {draw(kind, np.random.default_rng(seed)).foreign for seed in range(80)}
    family = kind.removeprefix("no-sheet-")
    assert drawn == {(family, design) for design in FAMILIES[family]}


@pytest.mark.parametrize("i", range(1, 7))
def test_a_cut_sheet_lacks_a_whole_column_or_row(i: int) -> None:
    refusal = make_one(31, i, only="cut-off", size=SMALL).refusal
    assert refusal is not None
    outside = set(refusal["outside"])
    numbered = [cell for cell in LAYOUT.read_cells if cell.space is not None]
    lines = [{cell.key for cell in numbered if cell.column == column} for column in {c.column for c in numbered}]
    lines += [{cell.key for cell in numbered if cell.space == space} for space in range(1, 10)]
    assert any(line <= outside for line in lines)
    assert len(outside) < 0.6 * len(LAYOUT.read_cells)


@pytest.mark.parametrize("away", [1, 2])
@pytest.mark.parametrize("side", ["left", "right", "top", "bottom"])
def test_as_much_is_cut_as_asked(side: str, away: int) -> None:
    stand = Stand(6.0, 80.0, 0.9, cut=side, cut_margin=0.004, cut_away=away)
    scene = Scene(lies=(Lie(1.0),), stand=stand, sensor=Sensor(0, noise=0, sharpen=0), light=Light(shadow=0))
    page = np.full((420, 296, 3), 240, dtype=np.uint8)
    photo = photograph([page], LAYOUT, scene, np.random.default_rng(0), SMALL)
    corners = cell_corners(photo.shots[0], LAYOUT)
    across, ends = side in ("left", "right"), photo.image.shape[1::-1]
    axis = 0 if across else 1
    beyond = cells_beyond(LAYOUT, stand)
    assert len(beyond) == away * (9 if across else 8)
    reach = np.array([corners[cell.key] for cell in beyond])[..., axis]
    gap = 0.004 * max(ends)
    nearest = -reach.max() if side in ("left", "top") else reach.min() - (ends[axis] - 1)
    assert nearest == pytest.approx(gap, abs=0.05)
    next_stand = replace(stand, cut_away=away + 1)
    more = {cell.key for cell in cells_beyond(LAYOUT, next_stand)} - {cell.key for cell in beyond}
    seen = np.array([corners[key] for key in more])[..., axis]
    assert (seen > 0).any() if side in ("left", "top") else (seen < ends[axis]).any()


class TestBlur:
    def spot(self, blur_px: float, shake_px: float, seed: int) -> np.ndarray:
        """How a bright point comes out."""
        photo = np.zeros((601, 601, 3), dtype=np.uint8)
        photo[280:321, 280:321] = 255
        return spoilt(photo, blur_px, shake_px, np.random.default_rng(seed))[..., 0].astype(float)

    def spread(self, image: np.ndarray) -> tuple[float, float]:
        yy, xx = np.mgrid[0:601, 0:601] - 300.0
        own = (41**2 - 1) / 12  # variance of the square itself
        weight = image / image.sum()
        return float((xx**2 * weight).sum() - own), float((yy**2 * weight).sum() - own)

    @pytest.mark.parametrize("seed", range(4))
    def test_defocus_has_the_spread_asked_for(self, seed: int) -> None:
        for variance in self.spread(self.spot(30.0, 0.0, seed)):
            assert np.sqrt(variance) == pytest.approx(30.0, rel=0.08)

    @pytest.mark.parametrize("seed", range(4))
    def test_shaking_spreads_in_both_directions(self, seed: int) -> None:
        """The path turns by a right angle or more, so that strokes along it go too."""
        x, y = self.spread(self.spot(0.0, 120.0, seed))
        assert np.sqrt(x + y) > 20
        assert np.sqrt(x + y) < 120

    def test_digits_are_blurred_beyond_reading(self) -> None:
        """No stroke survives: a blur of 1.2 mm or more, or a path longer than any digit is high."""
        for seed in range(40):
            scene = draw("blurred", np.random.default_rng(seed)).scene
            assert scene.blur_mm >= 1.2 or scene.shake_mm >= 9

    def test_noise_comes_after_the_blur(self) -> None:
        """Otherwise the file would be smoother than any camera's."""
        made = make_one(2, 1, only="blurred", size=(1200, 900))
        grey = cv2.imdecode(np.frombuffer(made.jpeg, np.uint8), cv2.IMREAD_GRAYSCALE).astype(np.float32)
        fine = grey - cv2.GaussianBlur(grey, (0, 0), 1.5)
        assert fine.std() > 0.3
