import json

import pytest

from evaluation.truth import TruthError, load_photo_truth, load_truth, photos_with_truth
from scoring import Sheet, parse_sheet

SHEET = parse_sheet("red 1 2 3 x2 | dice 4 b")
QUAD = [[0, 0], [10, 0], [10, 10], [0, 10]]


@pytest.fixture
def truth(tmp_path):
    def load(data):
        path = tmp_path / "IMG_00001.json"
        path.write_text(json.dumps(data), encoding="utf-8")
        return load_truth(path)

    return load


def test_bare_sheet(truth):
    (found,) = truth(SHEET.to_dict())
    assert (found.sheet, dict(found.corners_px)) == (SHEET, {})


def test_synthetic_truth(truth):
    (found,) = truth(
        {"sheet": SHEET.to_dict(), "corners": {"red/1": QUAD}, "kind": "desk", "hand": "eval-1", "seed": 7}
    )
    assert found.sheet == SHEET
    assert found.corners_px["red/1"] == [tuple(point) for point in QUAD]


@pytest.mark.parametrize("wrap", [lambda entries: entries, lambda entries: {"kind": "desk", "sheets": entries}])
def test_several_sheets(truth, wrap):
    found = truth(wrap([{"sheet": SHEET.to_dict()}, Sheet().to_dict()]))
    assert [entry.sheet for entry in found] == [SHEET, Sheet()]


@pytest.mark.parametrize(
    ("data", "due"),
    [
        ({"sheets": [], "refused": "blurred", "kind": "b"}, ("blurred",)),
        ({"sheets": [], "refused": ["blurred", "no-sheet"], "kind": "b"}, ("blurred", "no-sheet")),
        ({"sheets": [], "kind": "b"}, ("no-sheet",)),
        ([], ("no-sheet",)),
    ],
)
def test_photos_without_a_sheet_name_the_codes_that_are_due(tmp_path, data, due):
    path = tmp_path / "IMG_00001.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    found = load_photo_truth(path)
    assert (found.sheets, found.due) == ((), due)
    assert found.kind == ("b" if data else "")


def test_kind_is_that_of_the_file_or_of_its_sheets(tmp_path):
    path = tmp_path / "IMG_00001.json"
    path.write_text(json.dumps([{"sheet": SHEET.to_dict(), "kind": "several"}] * 2), encoding="utf-8")
    found = load_photo_truth(path)
    assert (found.kind, found.due, len(found.sheets)) == ("several", (), 2)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"sheets": [], "refused": "blury"}, "refused: 'blury' is not one of no-sheet"),
        ({"sheets": [{"sheet": {}}], "refused": "blurred"}, "holds sheets and says that the photo is refused"),
        ({"sheets": [], "refused": 3}, "not a truth file"),
        ({"red": {"numbers": "12"}}, "red.numbers"),
        ({"sheet": {"violet": {}}}, "unknown key"),
        (3, "expected an object"),
        ({"sheet": {}, "corners": {"red/1": [1, 2]}}, "not a truth file"),
    ],
)
def test_wrong_truth_names_the_file_and_the_place(truth, data, said):
    with pytest.raises(TruthError, match=r"IMG_00001\.json") as caught:
        truth(data)
    assert said in str(caught.value)


def test_truth_nested_beyond_reason_is_refused(tmp_path):
    path = tmp_path / "deep.json"
    path.write_text("[" * 100_000)
    with pytest.raises(TruthError, match=r"deep\.json: not a truth file"):
        load_truth(path)


def test_photos_are_paired_by_name(tmp_path):
    for name in ("b.jpg", "b.json", "a.PNG", "a.json", "c.jpg", "notes.txt"):
        (tmp_path / name).touch()
    known, unknown = photos_with_truth(tmp_path)
    assert [path.name for path in known] == ["a.PNG", "b.jpg"]
    assert [path.name for path in unknown] == ["c.jpg"]


def test_folder_without_truth_is_refused(tmp_path):
    (tmp_path / "a.jpg").touch()
    with pytest.raises(TruthError, match="no photo with a truth file"):
        photos_with_truth(tmp_path)
