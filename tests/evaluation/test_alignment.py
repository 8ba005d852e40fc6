"""Where cells were found, against where they are: aligned, misplaced, mirrored."""

import pytest

from evaluation.alignment import ALIGNED_MM, corner_errors_mm, is_aligned
from evaluation.text import figures_text
from evaluation.truth import TruthSheet
from layouts import load_layout
from scanner import SheetNotFound
from scoring import parse_sheet
from tests.readings import PX_PER_MM, reading_of, true_corners

SHEET = parse_sheet("red 1 2 3 | dice 4")
CORNERS = 4 * len(load_layout().read_cells)


def truth_of(shift_mm=0.0, **corners):
    return {"sheet": SHEET.to_dict(), "corners": true_corners((shift_mm * PX_PER_MM, 0)) | corners, "kind": "desk"}


@pytest.mark.parametrize(("shift_mm", "aligned"), [(ALIGNED_MM - 0.01, 1), (ALIGNED_MM + 0.01, 0)])
def test_sheets_are_aligned_up_to_half_a_millimetre(figures, shift_mm, aligned):
    found = figures((truth_of(shift_mm), (reading_of(SHEET),)))
    assert found["aligned"] == {"right": aligned, "of": 1, "share": float(aligned)}
    assert [off["sheet"] for off in found["not_aligned"]] == ([] if aligned else ["IMG_0.jpg"])
    assert found["misplaced_sheets"] == []


def test_a_twentieth_of_the_corners_may_be_off():
    good = [0.1] * (CORNERS - CORNERS // 20)
    assert is_aligned([*good, *[3.0] * (CORNERS // 20)])
    assert not is_aligned([*good[:-8], *[3.0] * (CORNERS // 20 + 8)])


def test_one_cell_elsewhere_is_named_with_its_error(figures):
    """Aligned as a whole, misplaced in one cell."""
    box = load_layout().read_cells[0]
    far = [(x * PX_PER_MM + 40, y * PX_PER_MM) for x, y in box.corners_mm]
    found = figures((truth_of(**{box.key: far}), (reading_of(SHEET),)))
    assert found["aligned"]["right"] == 1
    assert found["misplaced_sheets"] == ["IMG_0.jpg"]


def test_sheets_off_are_listed_with_their_errors(figures):
    found = figures((truth_of(2.0), (reading_of(SHEET),)))
    assert found["not_aligned"] == [{"sheet": "IMG_0.jpg", "p95_mm": 2.0, "max_mm": 2.0}]
    assert "not aligned: IMG_0.jpg: 95th percentile 2.00 mm, largest 2.00" in figures_text(found)


def test_refused_sheets_count_as_not_aligned_and_those_without_places_not_at_all(figures):
    refusal = SheetNotFound("no-sheet", "no sheet", "photograph it")
    found = figures((truth_of(), refusal), (truth_of(), (reading_of(SHEET),)), (SHEET.to_dict(), (reading_of(SHEET),)))
    assert found["aligned"] == {"right": 1, "of": 2, "share": 0.5}
    assert found["found"] == {"right": 2, "of": 3, "share": 2 / 3}


class TestMirrored:
    """A front camera's photo: the cells of the reading and of the truth lie flipped."""

    def truth(self):
        quads = {key: [(2000 - x, y) for x, y in quad] for key, quad in true_corners().items()}
        return TruthSheet(SHEET, quads)

    def reading(self, order):
        plain = reading_of(SHEET)
        flipped = [tuple((2000 - cell.corners_px[k][0], cell.corners_px[k][1]) for k in order) for cell in plain.cells]
        cells = tuple(type(cell)(cell.box, cell.reading, quad) for cell, quad in zip(plain.cells, flipped, strict=True))
        return type(plain)(
            plain.source, 1, plain.layout, cells, plain.sheet, (), plain.outline_px, plain.quality, plain.timing_ms
        )  # fmt: skip

    @pytest.mark.parametrize("order", [(0, 1, 2, 3), (1, 0, 3, 2)])
    def test_either_order_of_the_corners_is_right(self, order):
        errors = corner_errors_mm(self.truth(), self.reading(order))
        assert len(errors) == CORNERS
        assert max(errors) == pytest.approx(0, abs=1e-9)

    def test_turned_cells_are_wrong(self):
        assert max(corner_errors_mm(self.truth(), self.reading((2, 3, 0, 1)))) > 5

    def test_a_reading_that_did_not_notice_is_misplaced(self):
        """Red read where dice lies: its corners are right for a sheet that is not mirrored."""
        assert max(corner_errors_mm(self.truth(), reading_of(SHEET, shift_px=(520, 0)))) > 20

    def test_plain_photos_are_not_given_that_licence(self):
        plain = TruthSheet(SHEET, true_corners())
        reading = reading_of(SHEET)
        cells = tuple(
            type(cell)(cell.box, cell.reading, tuple(cell.corners_px[k] for k in (1, 0, 3, 2)))
            for cell in reading.cells
        )
        swapped = type(reading)(
            reading.source, 1, reading.layout, cells, reading.sheet, (), reading.outline_px, reading.quality
        )
        assert max(corner_errors_mm(plain, swapped)) > 5
