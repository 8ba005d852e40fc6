"""Photos and truth files: the same for the same seed, upright after EXIF, and true to what is on the page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path

import cv2
import numpy as np
import pytest

from layouts import blank_picture, load_layout
from scoring import Sheet, validate
from synth import DIFFICULTIES, KINDS, make, make_one
from synth.hands import hand_for
from synth.ink import pen_for
from synth.kinds import MIXES
from synth.pages import Mess, fill_page
from synth.prints import PrintLook, cover_tags, printed
from synth.samples import GAME, SINGLES, make_game, make_single
from synth.scenes import Sensor
from synth.sensor import encode, exif_segment

SMALL = (1000, 750)
LAYOUT = load_layout()


def decoded(jpeg: bytes) -> np.ndarray:
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, dtype=np.uint8), cv2.IMREAD_COLOR), dtype=np.uint8)


def blank() -> np.ndarray:
    return decoded(blank_picture(LAYOUT))


def test_a_photo_depends_on_seed_number_and_options_alone(tmp_path: Path) -> None:
    make(tmp_path / "a", 2, 11, size=SMALL)
    second = make_one(11, 2, size=SMALL)
    assert (tmp_path / "a" / "IMG_00002.jpg").read_bytes() == second.jpeg
    assert json.loads((tmp_path / "a" / "IMG_00002.json").read_text()) == json.loads(json.dumps(second.truth))
    others = [make_one(12, 2, size=SMALL), make_one(11, 3, size=SMALL), make_one(11, 2, "hard", size=SMALL)]
    assert all(other.jpeg != second.jpeg for other in others)


def test_photos_do_not_depend_on_who_makes_them_and_in_which_order(tmp_path: Path) -> None:
    """A pool's processes take them in any order."""

    def backwards(task: Callable[[int], None], numbers: Iterable[int]) -> Iterable[None]:
        return [task(i) for i in reversed(list(numbers))]

    make(tmp_path / "a", 2, 4, size=(200, 150))
    make(tmp_path / "b", 3, 4, size=(200, 150), run=backwards)
    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()


def test_truth_files_say_what_was_agreed(tmp_path: Path) -> None:
    seen = []
    make(tmp_path, 2, 5, size=SMALL, progress=lambda done, total: seen.append((done, total)))
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "IMG_00001.jpg", "IMG_00001.json", "IMG_00002.jpg", "IMG_00002.json",
    ]  # fmt: skip
    assert seen == [(1, 2), (2, 2)]
    truth = json.loads((tmp_path / "IMG_00001.json").read_text())
    assert {"sheet", "corners", "kind", "hand", "seed"} <= set(truth)
    assert truth["seed"] == 5
    assert truth["hand"].startswith("eval/")
    assert set(truth["corners"]) == {cell.key for cell in LAYOUT.read_cells}
    Sheet.from_dict(truth["sheet"])


@pytest.mark.parametrize("orientation", [None, 1, 3, 6, 8])
def test_the_decoder_turns_a_photo_upright(orientation: int | None) -> None:
    upright = np.zeros((60, 40, 3), dtype=np.uint8)
    upright[:20, :20] = (0, 0, 255)
    upright[40:, 20:] = (255, 0, 0)
    jpeg = encode(upright, Sensor(orientation=orientation, jpeg_quality=95))
    assert np.abs(decoded(jpeg).astype(int) - upright).mean() < 6
    stored = cv2.imdecode(np.frombuffer(jpeg, dtype=np.uint8), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    assert stored.shape[:2] == ((40, 60) if orientation in (6, 8) else (60, 40))


def test_the_exif_segment_is_as_long_as_it_says() -> None:
    segment = exif_segment(6)
    assert segment[:2] == b"\xff\xe1"
    assert int.from_bytes(segment[2:4], "big") == len(segment) - 2
    assert segment[4:10] == b"Exif\x00\x00"


@pytest.mark.parametrize("kind", ["plain", "rotated-90", "rotated-180", "rotated-270", "tilt"])
def test_tags_are_found_at_their_places(kind: str) -> None:
    """The true mapping agrees with an independent finder of the printed tags."""
    made = make_one(21, 1, only=kind, size=(2000, 1500))
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    found, ids, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(decoded(made.jpeg))
    assert ids is not None
    places = {int(n): quad[0].mean(axis=0) for n, quad in zip(ids.ravel(), found, strict=True)}
    corners = made.truths[0]["corners"]
    top, bottom = np.array(corners["red/9"]).mean(axis=0), np.array(corners["dice/1"]).mean(axis=0)
    assert set(places) == {0, 1, 2, 3}
    nearest = {name: min(places, key=lambda n: float(np.linalg.norm(places[n] - at))) for name, at in
               (("red/9", top), ("dice/1", bottom))}  # fmt: skip
    assert nearest == {"red/9": 0, "dice/1": 2}


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_mixes_name_known_kinds(difficulty: str) -> None:
    assert set(MIXES[difficulty]) <= set(KINDS)
    assert sum(MIXES[difficulty].values()) == pytest.approx(1.0)


def test_one_sheet_in_five_breaks_a_rule_and_the_others_none() -> None:
    from synth.writing import draw_sheet

    rng = np.random.default_rng(0)
    broken = [validate(draw_sheet(LAYOUT, rng)) for _ in range(400)]
    assert all(len(found) <= 1 for found in broken)
    assert 0.12 < np.mean([len(found) for found in broken]) < 0.26


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"only": "blury"}, "unknown kind of photo 'blury'.*normal, hard, plain"),
        ({"difficulty": "harder"}, "unknown difficulty 'harder'.*easy, normal, hard"),
        ({"namespace": "test"}, "unknown namespace"),
    ],
)
def test_unknown_words_are_named_with_the_known_ones(options: dict[str, str], message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=message):
        make(tmp_path / "out", 1, 1, **options)  # type: ignore[arg-type]
    assert not (tmp_path / "out").exists()


class TestPages:
    def filled(self, sheet: Sheet, mess: Mess) -> tuple[np.ndarray, tuple[str, ...]]:
        rng = np.random.default_rng(2)
        page = fill_page(blank(), LAYOUT, sheet, hand_for("eval", 4), pen_for(rng, "black biro"), rng, 12.0, mess)
        return page.image, page.corrected

    def test_an_empty_sheet_leaves_the_page_blank(self) -> None:
        page, corrected = self.filled(Sheet(), Mess(strays=0))
        assert (page == blank()).all()
        assert corrected == ()

    def test_ink_is_in_the_cells_that_are_filled_and_in_no_other(self) -> None:
        sheet = Sheet.from_dict(
            {
                "player": "Ana",
                "red": {"numbers": [1, 10], "double": True, "bridge": True},
                "artifacts": {"marks": 2},
                "written": {"total": -35},
            }
        )
        page, _ = self.filled(sheet, Mess(overflow=0, strays=0))
        inked = np.abs(page.astype(int) - blank()).max(axis=2) > 40
        keys = set()
        for cell in LAYOUT.cells:
            box = inked[
                int((cell.y_mm + 1.5) * 12) : int((cell.y_mm + cell.h_mm - 1.5) * 12),
                int((cell.x_mm + 1.5) * 12) : int((cell.x_mm + cell.w_mm - 1.5) * 12),
            ]
            if box.sum() > 40:
                keys.add(cell.key)
        expected = {"red/1", "red/2", "red/double", "red/bridge", "artifacts/1", "artifacts/2", "player"}
        assert keys == expected | {"total/written"}

    def test_corrections_are_reported(self) -> None:
        sheet = Sheet.from_dict({"blue": {"numbers": [2, 4, 7]}})
        _, corrected = self.filled(sheet, Mess(corrections=1.0))
        assert corrected == ("blue/1", "blue/2", "blue/3")


class TestPrints:
    def test_a_perfect_printer_changes_nothing(self) -> None:
        look = PrintLook(soft_px=0, grain=0)
        assert np.abs(printed(blank(), LAYOUT, look, np.random.default_rng(0)).astype(int) - blank()).max() <= 1

    def test_a_grey_printer_prints_no_colour(self) -> None:
        page = printed(blank(), LAYOUT, PrintLook(saturation=0, soft_px=0, grain=0), np.random.default_rng(0))
        assert np.ptp(page.astype(int), axis=2).max() <= 2

    def test_tags_can_be_left_out(self) -> None:
        page = printed(blank(), LAYOUT, PrintLook(soft_px=0, grain=0, tags="none"), np.random.default_rng(0))
        for tag in LAYOUT.fiducials:
            x, y, side = (int(v * 12) for v in (tag.x_mm, tag.y_mm, tag.size_mm))
            assert page[y : y + side, x : x + side].min() > 250

    def test_covered_tags_leave_every_cell_free(self) -> None:
        page = blank()
        cover_tags(page, LAYOUT, 4, np.random.default_rng(0))
        changed = (page != blank()).any(axis=2)
        assert changed.any()
        for cell in LAYOUT.read_cells:
            x0, y0 = int(cell.x_mm * 12), int(cell.y_mm * 12)
            assert not changed[y0 : y0 + int(cell.h_mm * 12), x0 : x0 + int(cell.w_mm * 12)].any()


class TestSamples:
    def test_a_game_is_written_photo_by_photo_with_bare_sheets(self, tmp_path: Path) -> None:
        sheets = make_game(tmp_path, GAME, seed=1, size=SMALL)
        for name, sheet in zip(GAME, sheets, strict=True):
            truth = Sheet.from_dict(json.loads((tmp_path / f"{name.lower()}.json").read_text()))
            assert truth == sheet
            assert validate(truth) == ()
            assert truth.player == name
            assert decoded((tmp_path / f"{name.lower()}.jpg").read_bytes()).size

    @pytest.mark.parametrize("single", SINGLES, ids=lambda single: single.name)
    def test_a_single_shows_its_fault_and_no_other(self, single: object, tmp_path: Path) -> None:
        sheet = make_single(tmp_path, single, size=(400, 300))  # type: ignore[arg-type]
        codes = [violation.code for violation in validate(sheet)]
        assert codes == ([single.fault] if single.fault else [])  # type: ignore[attr-defined]
