"""Each pad is printed where its layout says, can be written on, and is photographed like our own sheet."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

import cli
import synth.writing
from layouts import EXPEDITIONS, CellBox, SheetLayout, layout_to_dict, load_layout
from layouts.checks import check_layout
from layouts.files import parse_layout
from scoring import Sheet, validate
from synth import Made, make_one
from synth.fitting import fitted
from synth.games import play_game
from synth.kinds import draw
from synth.pads import PADS, pad_layout, pad_picture
from synth.pads.canvas import PX_PER_MM
from synth.writing import draw_sheet

SMALL = (1000, 750)
each_pad = pytest.mark.parametrize("pad", PADS)


def decoded(made: Made) -> np.ndarray:
    return np.asarray(cv2.imdecode(np.frombuffer(made.jpeg, dtype=np.uint8), cv2.IMREAD_COLOR), dtype=np.uint8)


def numbers(layout: SheetLayout) -> list[CellBox]:
    return [cell for cell in layout.cells if cell.kind == "number"]


def overlapping(one: CellBox, other: CellBox) -> bool:
    across = min(one.x_mm + one.w_mm, other.x_mm + other.w_mm) - max(one.x_mm, other.x_mm)
    down = min(one.y_mm + one.h_mm, other.y_mm + other.h_mm) - max(one.y_mm, other.y_mm)
    return min(across, down) > 1e-6


@each_pad
def test_its_layout_is_one_that_can_be_read(pad: str) -> None:
    layout = pad_layout(pad)
    check_layout(layout, pad)
    assert layout.name == pad
    assert layout.fiducials == ()
    assert parse_layout(json.dumps(layout_to_dict(layout)), pad).cells == layout.cells
    for column in layout.colours:
        assert layout.cell(f"{column}/bridge")
        assert layout.symbols[column]
    for column in EXPEDITIONS:
        assert layout.cell(f"{column}/double")
        assert set(layout.specials[column].values()) == {"arrow", "artifact"}


@each_pad
def test_spaces_rise_from_the_bottom_with_the_bridge_after_the_sixth(pad: str) -> None:
    layout = pad_layout(pad)
    for column in layout.colours:
        tops = [layout.cell(f"{column}/{space}").y_mm for space in range(1, 10)]
        steps = -np.diff(tops)
        assert (steps > 0).all()
        assert int(np.argmax(steps)) == 5
        bridge = layout.cell(f"{column}/bridge")
        assert tops[6] < bridge.y_mm < tops[5]
        if column in EXPEDITIONS:
            assert layout.cell(f"{column}/double").y_mm > tops[0]


@each_pad
def test_no_cell_lies_on_another(pad: str) -> None:
    pairs = combinations(pad_layout(pad).cells, 2)
    assert [(a.key, b.key) for a, b in pairs if overlapping(a, b)] == []


@each_pad
def test_its_picture_is_the_page_at_twelve_pixels_a_millimetre(pad: str) -> None:
    width, height = pad_layout(pad).page_mm
    picture = pad_picture(pad)
    assert picture.shape == (round(12 * height), round(12 * width), 3)
    assert picture.dtype == np.uint8


@each_pad
def test_spaces_are_printed_where_the_layout_says(pad: str) -> None:
    """Across the middle of each side runs an edge, within half a millimetre; 2 to 3 mm inside there is none."""
    picture = pad_picture(pad).astype(np.int32)
    for cell in numbers(pad_layout(pad)):
        if cell.special:
            continue
        x, y = cell.x_mm + cell.w_mm / 2, cell.y_mm + cell.h_mm / 2
        for way in (np.array([-1, 0]), np.array([1, 0]), np.array([0, -1]), np.array([0, 1])):
            half = abs(way @ [cell.w_mm, cell.h_mm]) / 2
            depths = np.arange(-0.6, 3.0, 1 / PX_PER_MM)
            places = np.rint((np.outer(half - depths, way) + np.array([x, y])) * PX_PER_MM - 0.5).astype(int)
            profile = picture[places[:, 1], places[:, 0]]
            steps = np.abs(np.diff(profile, axis=0)).max(axis=1)
            middle = (depths[1:] + depths[:-1]) / 2
            assert steps[np.abs(middle) < 0.55].max() > 10, (cell.key, way)
            assert steps[middle > 2.0].max() < 10, (cell.key, way)


@each_pad
def test_dark_ink_shows_on_every_space(pad: str) -> None:
    grey = cv2.cvtColor(pad_picture(pad), cv2.COLOR_BGR2GRAY)
    for cell in numbers(pad_layout(pad)):
        x, y, w, h = (v * PX_PER_MM for v in (cell.x_mm, cell.y_mm, cell.w_mm, cell.h_mm))
        inner = grey[round(y + 0.25 * h) : round(y + 0.75 * h), round(x + 0.25 * w) : round(x + 0.75 * w)]
        assert inner.min() > 130, cell.key


def test_pads_differ_in_size_order_and_marks() -> None:
    layouts = [pad_layout(pad) for pad in PADS]
    assert len({layout.page_mm for layout in layouts}) == len(PADS)
    assert {layout.bridge_marks for layout in layouts} == {"tick", "circle"}
    orders = {tuple(sorted(layout.colours, key=lambda c: layout.cell(f"{c}/1").x_mm)) for layout in layouts}
    assert len(orders) >= 3


@each_pad
def test_a_game_on_it_breaks_no_rule(pad: str) -> None:
    layout = pad_layout(pad)
    for sheet in play_game(np.random.default_rng(1), 4, layout):
        assert validate(sheet, specials=layout.specials) == ()


@each_pad
def test_a_photo_shows_the_print_where_the_truth_says(pad: str) -> None:
    """The pad's picture, laid on the photo by the true corners alone, agrees with what is there."""
    made = make_one(4, 1, only="plain", size=SMALL, pad=pad)
    layout, photo, (truth,) = pad_layout(pad), decoded(made), made.truths
    assert truth["pad"] == pad
    assert set(truth["corners"]) == {cell.key for cell in layout.read_cells}
    page = np.array([cell.corners_mm for cell in layout.read_cells]).reshape(-1, 2)
    seen = np.array([truth["corners"][cell.key] for cell in layout.read_cells]).reshape(-1, 2)
    assert (seen > 0).all()
    assert (seen < photo.shape[1::-1]).all()
    matrix, _ = cv2.findHomography(page * PX_PER_MM, seen)
    laid = cv2.warpPerspective(pad_picture(pad), matrix, photo.shape[1::-1], flags=cv2.INTER_AREA)
    hull = cv2.fillConvexPoly(np.zeros(photo.shape[:2], np.uint8), cv2.convexHull(np.rint(seen).astype(np.int32)), 1)
    there, printed = (cv2.GaussianBlur(image, (0, 0), 1.5)[hull > 0].ravel() for image in (photo, laid))
    assert np.corrcoef(there, printed)[0, 1] > 0.75


@pytest.mark.parametrize("pad", [None, "rings"])
def test_a_blank_sheet_has_no_ink(pad: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(synth.writing, "fill_page", lambda *_: pytest.fail("somebody wrote"))
    made = make_one(3, 1, only="blank", size=(400, 300), pad=pad)
    (truth,) = made.truths
    assert truth["kind"] == "blank"
    assert Sheet.from_dict(truth["sheet"]) == Sheet.of({})
    assert truth["corrected"] == []


def test_other_kinds_call_for_the_pen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(synth.writing, "fill_page", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        make_one(3, 1, only="plain", size=(400, 300))


@each_pad
def test_a_folded_corner_lies_on_no_cell(pad: str) -> None:
    from synth.ears import flap_mm

    layout = pad_layout(pad)
    boxes = [np.array(cell.corners_mm, dtype=np.float32) for cell in layout.read_cells]
    for seed in range(20):
        ear = fitted(draw("dog-ear", np.random.default_rng(seed)), layout).scene.lies[0].ear
        assert ear is not None
        assert ear.across_mm > 8
        for piece in (
            flap_mm(ear, layout.page_mm),
            np.vstack([ear.crease_mm(layout.page_mm), ear.corner_mm(layout.page_mm)]),
        ):
            hull = cv2.convexHull(np.asarray(piece, dtype=np.float32))
            assert all(cv2.intersectConvexConvex(hull, quad)[0] < 1e-3 for quad in boxes)


def test_wide_pages_are_photographed_wide() -> None:
    recipe = draw("normal", np.random.default_rng(0))
    assert fitted(recipe, pad_layout("landscape")).scene.portrait != recipe.scene.portrait
    assert fitted(recipe, pad_layout("pastel")).scene.portrait == recipe.scene.portrait


def test_pads_of_one_seed_are_filled_in_by_others() -> None:
    hands = {make_one(1, 1, only="plain", size=(200, 150), pad=pad).truths[0]["hand"] for pad in PADS[:3]}
    assert len(hands) == 3


def test_the_command_line_knows_them_all() -> None:
    assert cli._PADS == PADS


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--pad", "papyrus"], "'papyrus' is not one of 'pastel'"),
        (["--pad", "rings", "--layout", "expedition-a5"], "--pad and --layout both say which sheet it is"),
        (["--pad", "rings", "--only", "tags-covered"], "'tags-covered' is about corner tags, which pads do not have"),
    ],
)
def test_what_makes_no_sense_is_refused(options: list[str], said: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(cli.main, ["synth", "-o", str(tmp_path / "out"), *options])
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("options", [{"pad": "papyrus"}, {"pad": "rings", "only": "no-tags"}])
def test_the_library_refuses_the_same(options: dict[str, str]) -> None:
    with pytest.raises(
        ValueError, match=r"unknown pad 'papyrus': expected one of pastel|'no-tags' is about corner tags"
    ):
        make_one(1, 1, **options)  # type: ignore[arg-type]


def test_photos_of_a_pad_come_with_their_truth(tmp_path: Path) -> None:
    options = ["-n", "1", "--pad", "touching", "--size", "400x300"]
    result = CliRunner().invoke(cli.main, ["synth", "-o", str(tmp_path), *options])
    assert result.exit_code == 0
    assert json.loads((tmp_path / "IMG_00001.json").read_text())["pad"] == "touching"


def test_developers_get_layout_files_with_pictures(tmp_path: Path) -> None:
    from synth.pads.__main__ import write_pads

    write_pads(tmp_path)
    assert {path.stem for path in tmp_path.glob("*.json")} == set(PADS)
    layout = load_layout(str(tmp_path / "vases.json"))
    assert layout.cells == pad_layout("vases").cells
    assert layout.picture is not None
    assert np.array_equal(cv2.imread(layout.picture), pad_picture("vases"))


def test_totals_are_written_only_where_the_pad_has_boxes_for_them() -> None:
    layout = pad_layout("rings")
    assert not any(cell.kind == "written" for cell in layout.cells)
    rng = np.random.default_rng(0)
    assert all(not draw_sheet(layout, rng).written for _ in range(20))
    assert {key for _ in range(40) for key in draw_sheet(pad_layout("pastel"), rng).written} == {"total"}


@pytest.mark.parametrize(
    ("kind", "pad", "sheets"),
    [
        ("hard", "hexagons", {1}), ("mirrored", "touching", {1}), ("fold", "vases", {1}), ("hand", "rings", {1}),
        ("dog-ear", "pastel", {1}), ("several", "landscape", {4}), ("several-8", "hexagons", {5, 6, 7, 8}),
    ],
)  # fmt: skip
def test_kinds_of_photos_work_with_pads(kind: str, pad: str, sheets: set[int]) -> None:
    made = make_one(2, 1, only=kind, size=(400, 300), pad=pad)
    size = np.array(decoded(made).shape[1::-1])
    assert len(made.truths) in sheets
    for truth in made.truths:
        corners = np.array(list(truth["corners"].values()))
        assert ((corners > -0.5) & (corners < size - 0.5)).all()


def test_a_pad_that_is_cut_off_lacks_whole_rows_or_columns() -> None:
    refusal = make_one(2, 1, only="cut-off", size=(400, 300), pad="landscape").refusal
    assert refusal is not None
    assert (refusal["refused"], refusal["pad"]) == ("sheet-cut-off", "landscape")
    assert len([key for key in refusal["outside"] if key[-1].isdigit()]) >= 8
