"""What the game and a phone camera ask of our own sheet, checked on its layout."""

from itertools import combinations

import pytest

from layouts import COLUMNS, EXPEDITIONS, CellBox, load_layout

LAYOUT = load_layout("expedition-a5")
LEAST_SPACE_MM = 11.0
LEAST_TICK_MM = 5.5
QUIET_MM = 2.0
PRINTER_EDGE_MM = 4.0


def box(cell: CellBox) -> tuple[float, float, float, float]:
    return cell.x_mm, cell.y_mm, cell.x_mm + cell.w_mm, cell.y_mm + cell.h_mm


def overlap(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def test_portrait_a5() -> None:
    assert LAYOUT.page_mm == (148.0, 210.0)


def test_columns_stand_left_to_right_in_the_order_of_the_game() -> None:
    lefts = [LAYOUT.cell(f"{column}/1").x_mm for column in COLUMNS]
    assert lefts == sorted(set(lefts))


@pytest.mark.parametrize("column", COLUMNS)
def test_spaces_climb_and_the_bridge_lies_between_the_sixth_and_the_seventh(column: str) -> None:
    tops = [LAYOUT.cell(f"{column}/{space}").y_mm for space in range(1, 10)]
    assert tops == sorted(set(tops), reverse=True)
    bridge = box(LAYOUT.cell(f"{column}/bridge"))
    assert box(LAYOUT.cell(f"{column}/7"))[3] <= bridge[1]
    assert bridge[3] <= box(LAYOUT.cell(f"{column}/6"))[1]


@pytest.mark.parametrize("column", COLUMNS)
def test_there_is_room_to_write(column: str) -> None:
    spaces = [LAYOUT.cell(f"{column}/{space}") for space in range(1, 10)]
    assert min(min(cell.w_mm, cell.h_mm) for cell in spaces) >= LEAST_SPACE_MM
    bridge = LAYOUT.cell(f"{column}/bridge")
    assert min(bridge.w_mm, bridge.h_mm) >= LEAST_TICK_MM
    assert LAYOUT.cell(f"{column}/written").w_mm >= LEAST_SPACE_MM


def test_every_field_of_a_sheet_is_there() -> None:
    keys = {cell.key for cell in LAYOUT.cells}
    assert {f"{column}/double" for column in EXPEDITIONS} <= keys
    assert {"player", "bridges/written", "total/written"} <= keys


def test_the_double_circle_lies_under_its_expedition() -> None:
    for column in EXPEDITIONS:
        lowest, double = LAYOUT.cell(f"{column}/1"), LAYOUT.cell(f"{column}/double")
        assert double.y_mm >= lowest.y_mm + lowest.h_mm
        assert double.x_mm + double.w_mm / 2 == pytest.approx(lowest.x_mm + lowest.w_mm / 2)


@pytest.mark.parametrize("column", EXPEDITIONS)
def test_two_arrows_and_two_artifacts_between_the_second_and_the_eighth_space(column: str) -> None:
    specials = LAYOUT.specials[column]
    assert sorted(specials.values()) == ["arrow", "arrow", "artifact", "artifact"]
    assert all(2 <= space <= 8 for space in specials)


def test_no_two_columns_are_alike() -> None:
    patterns = [tuple(sorted(LAYOUT.specials[column].items())) for column in EXPEDITIONS]
    assert len(set(patterns)) == len(EXPEDITIONS)
    assert set(LAYOUT.specials) == set(EXPEDITIONS)


def test_no_cell_lies_over_another() -> None:
    for one, other in combinations(LAYOUT.cells, 2):
        assert not overlap(box(one), box(other)), f"{one.key} and {other.key}"


def test_four_tags_clockwise_from_top_left_with_quiet_zones_that_a_printer_reaches() -> None:
    middle_x, middle_y = (side / 2 for side in LAYOUT.page_mm)
    quarters = [(tag.x_mm > middle_x, tag.y_mm > middle_y) for tag in LAYOUT.fiducials]
    assert [tag.id for tag in LAYOUT.fiducials] == [0, 1, 2, 3]
    assert quarters == [(False, False), (True, False), (True, True), (False, True)]
    width, height = LAYOUT.page_mm
    for tag in LAYOUT.fiducials:
        edges = (tag.x_mm, tag.y_mm, width - tag.x_mm - tag.size_mm, height - tag.y_mm - tag.size_mm)
        assert min(edges) >= PRINTER_EDGE_MM
        quiet = (
            tag.x_mm - QUIET_MM,
            tag.y_mm - QUIET_MM,
            *(c + tag.size_mm + QUIET_MM for c in (tag.x_mm, tag.y_mm)),
        )
        assert not any(overlap(quiet, box(cell)) for cell in LAYOUT.cells)
