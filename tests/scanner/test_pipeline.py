"""A whole scan: what it returns, how long it says it took, what it draws, and what it says of a second sheet."""

from __future__ import annotations

import concurrent.futures
import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from layouts import SheetLayout
from scanner import (
    PoorPhoto,
    RefusedSheet,
    ScanError,
    SheetNotFound,
    SheetReading,
    UnreadableFile,
    scan_photo,
    scan_sheets,
)
from scanner.debug import FolderDebug
from scanner.pipeline import assemble
from scanner.types import ImageU8
from scoring import Sheet
from tests.scanner.pictures import GoodPhoto, cell_errors_mm, values


def test_an_easy_photo_is_read_as_it_was_written(plain: GoodPhoto, plain_reading: SheetReading) -> None:
    written = Sheet.from_dict(plain.sheet)
    assert {key: plain_reading.sheet[key] for key in written.columns} == written.columns


def test_every_readable_cell_has_one_reading_in_the_order_of_the_layout(
    plain_reading: SheetReading, layout: SheetLayout
) -> None:
    assert tuple(cell.box for cell in plain_reading.cells) == layout.read_cells
    for cell in plain_reading.cells:
        chances = [chance for _, chance in cell.reading.alternatives]
        assert sum(chances) == pytest.approx(1)
        assert chances == sorted(chances, reverse=True)
        assert (cell.reading.value, cell.reading.confidence) == cell.reading.alternatives[0]


def test_the_sheet_is_what_the_cells_say(plain_reading: SheetReading) -> None:
    assert assemble(plain_reading.cells) == replace(plain_reading.sheet, written={})
    said = values(plain_reading)
    for column, content in plain_reading.sheet.expeditions.items():
        assert content.numbers == tuple(said[f"{column}/{space}"] for space in range(1, 10))


def test_a_path_its_bytes_and_its_pixels_are_read_alike(
    plain: GoodPhoto, plain_reading: SheetReading, tmp_path: Path
) -> None:
    path = tmp_path / "photo.jpg"
    path.write_bytes(plain.jpeg)
    for source in (path, str(path), plain.jpeg):
        (reading,) = scan_photo(source)
        assert values(reading) == values(plain_reading)
        # A reduced decode is not pixel by pixel what shrinking the whole picture gives.
        assert np.abs(np.array(reading.outline_px) - plain_reading.outline_px).max() < 1
    assert (reading.source.width, reading.source.height) == (plain.image.shape[1], plain.image.shape[0])


def test_the_same_photo_gives_the_same_result(plain: GoodPhoto, plain_reading: SheetReading) -> None:
    (again,) = scan_photo(plain.image)
    assert again.cells == plain_reading.cells
    assert again.quality == plain_reading.quality


def test_corners_are_in_pixels_of_the_full_photo(plain: GoodPhoto) -> None:
    large = cv2.resize(plain.image, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    (reading,) = scan_photo(np.asarray(large, np.uint8))
    full_px = {key: (corners + 0.5) * 2 - 0.5 for key, corners in plain.corners_px.items()}
    assert cell_errors_mm(reading, full_px).max() < 0.3


def test_the_page_lies_around_its_cells(plain: GoodPhoto, plain_reading: SheetReading) -> None:
    expected = plain.to_photo([[0, 0], [148, 0], [148, 210], [0, 210]])
    off_mm = np.linalg.norm(np.array(plain_reading.outline_px) - expected, axis=1) / plain_reading.quality.px_per_mm
    assert off_mm.max() < 1.0


STAGES = {"decode", "locate", "rectify", "warp", "cells", "quality", "read"}


def test_every_stage_is_timed_and_the_total_is_their_sum(plain_reading: SheetReading) -> None:
    timing_ms = dict(plain_reading.timing_ms)
    total_ms = timing_ms.pop("total")
    assert timing_ms.keys() >= STAGES
    assert all(spent >= 0 for spent in timing_ms.values())
    assert total_ms == pytest.approx(sum(timing_ms.values()), abs=0.01 * len(timing_ms))
    assert total_ms > 1


def test_each_stage_draws_its_numbered_picture(plain: GoodPhoto, plain_reading: SheetReading, tmp_path: Path) -> None:
    folder = tmp_path / "debug" / "photo"
    (reading,) = scan_photo(plain.image, debug=FolderDebug(folder))
    names = sorted(path.stem for path in folder.iterdir())
    assert [int(name[:2]) for name in names] == list(range(1, len(names) + 1))
    assert [name[3:] for name in names] == ["photo", "tags", "rectified", "bend", "cells", "reading"]
    for path in folder.iterdir():
        picture = cv2.imread(str(path))
        assert picture is not None
        assert picture.size > 0
    assert reading.cells == plain_reading.cells


def test_a_folder_that_cannot_be_written_costs_pictures_only(
    plain: GoodPhoto, plain_reading: SheetReading, tmp_path: Path
) -> None:
    (tmp_path / "debug").write_text("a file where the folder would be")
    sink = FolderDebug(tmp_path / "debug")
    (reading,) = scan_photo(plain.image, debug=sink)
    assert reading.cells == plain_reading.cells
    assert isinstance(sink.failure, FileExistsError)
    assert not sink.active


def beside(left: ImageU8, right: ImageU8) -> ImageU8:
    return np.hstack([left, right])


def covered(plain: GoodPhoto) -> ImageU8:
    """The photo with a sheet of paper over most of the cells, the tags still showing."""
    return plain.painted([[[14, 14], [134, 14], [134, 120], [14, 120]]])


def test_two_good_sheets_are_two_readings(plain: GoodPhoto, plain_reading: SheetReading) -> None:
    readings = scan_photo(beside(plain.image, plain.image))
    assert [reading.index for reading in readings] == [1, 2]
    assert [reading.sheet for reading in readings] == [plain_reading.sheet] * 2
    assert all(reading.quality.warnings == () for reading in readings)
    width = plain.image.shape[1]
    assert np.array(readings[1].outline_px) - readings[0].outline_px == pytest.approx(np.array([[width, 0]] * 4), abs=2)


@pytest.mark.parametrize("good_first", [True, False])
def test_an_unreadable_sheet_beside_a_good_one_is_named(
    plain: GoodPhoto, plain_reading: SheetReading, good_first: bool
) -> None:
    bad = covered(plain)
    with pytest.raises(SheetNotFound):
        scan_photo(bad)
    image = beside(plain.image, bad) if good_first else beside(bad, plain.image)
    outcomes = tuple(scan_sheets(image))
    reading, refused = outcomes if good_first else outcomes[::-1]
    assert isinstance(reading, SheetReading)
    assert reading.sheet == plain_reading.sheet
    assert isinstance(refused, RefusedSheet)
    assert "printed grid" in refused.error.message
    assert [outcome.index for outcome in outcomes] == [1, 2]


def test_when_no_sheet_can_be_read_the_cause_is_raised(plain: GoodPhoto) -> None:
    with pytest.raises(SheetNotFound) as caught:
        scan_photo(beside(covered(plain), covered(plain)))
    assert caught.value.code == "no-sheet"


def test_scans_may_run_side_by_side(plain: GoodPhoto, plain_reading: SheetReading) -> None:
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        results = list(pool.map(scan_photo, [plain.image] * 4))
    assert [values(reading) for (reading,) in results] == [values(plain_reading)] * 4


def errors() -> list[ScanError]:
    return [
        kind(name, f"the cause of {name}", f"the remedy of {name}")
        for kind in (UnreadableFile, SheetNotFound, PoorPhoto)
        for name in kind.codes
    ]


@pytest.mark.parametrize("error", errors(), ids=lambda error: error.code)
def test_errors_cross_process_borders_whole(error: ScanError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert (again.code, again.message, again.remedy) == (error.code, error.message, error.remedy)
    assert str(again) == str(error)
    assert error.message in str(error)
    assert error.remedy in str(error)


def test_the_codes_are_those_agreed_and_each_has_one_kind() -> None:
    codes = [error.code for error in errors()]
    assert sorted(codes) == sorted(
        [
            "not-an-image",
            "truncated",
            "too-large",
            "too-small",
            "no-sheet",
            "sheet-cut-off",
            "blurred",
            "unknown-layout",
            "encrypted",
            "unsupported-format",
            "not-found",
            "permission",
        ]
    )


def test_another_code_is_refused() -> None:
    with pytest.raises(ValueError, match="no code 'blury'"):
        PoorPhoto("blury", "cause", "remedy")


@pytest.mark.parametrize("after_s", [0.02, 0.04, 0.06])
def test_a_process_that_ends_while_the_net_is_loaded_ends_in_peace(after_s: float) -> None:
    script = f"""
import time
from layouts import load_layout
from scanner.pipeline import _preparation
_preparation(load_layout(), 4.0)
time.sleep({after_s})
"""
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
