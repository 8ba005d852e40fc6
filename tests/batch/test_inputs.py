"""What a stack consists of."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from batch.inputs import find_inputs
from scanner.overlay import overlay_file

JPEG, PNG = b"\xff\xd8\xff\xe0 a photo", b"\x89PNG\r\n\x1a\n a photo"


@pytest.fixture
def folder(tmp_path) -> Path:
    """Photos, what lies beside them in real folders, and a batch folder inside."""
    root = tmp_path / "Fotos für Jürgen"
    for name, data in {
        "IMG_10.jpg": JPEG,
        "IMG_9.JPG": JPEG,
        "evening [1]/a.png": PNG,
        "evening [1]/without ending": PNG,
        "evening [1]/empty.jpg": b"",
        "scan.pdf": b"%PDF-1.7",
        "results.csv": b"a,b",
        "IMG_9.json": b"{}",
        "notes.txt": b"P5 is not a picture",
        ".hidden.jpg": JPEG,
        "Thumbs.db": b"x",
        "out/pictures/IMG_9.jpg": JPEG,
        "old/results.jsonl": b"",
        "old/run.json": b"{}",
        "old/pictures/IMG_1.jpg": JPEG,
    }.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return root


def names(folder: Path, *paths: str | Path) -> list[str]:
    found = find_inputs([str(path) for path in paths], folder / "out")
    return [os.path.relpath(item.name, folder) for item in found.items]


PHOTOS = [
    "evening [1]/a.png",
    "evening [1]/empty.jpg",
    "evening [1]/without ending",
    "IMG_9.JPG",
    "IMG_10.jpg",
    "scan.pdf",
]


def test_a_folder_gives_its_photos_in_the_order_that_people_count_in(folder):
    assert names(folder, folder) == PHOTOS


def test_what_is_left_out_is_named_with_the_reason(folder):
    (folder / "overlay.jpg").write_bytes(overlay_file(np.zeros((8, 8, 3), np.uint8)))
    found = find_inputs([str(folder)], folder / "out")
    left_out = {os.path.relpath(entry.name, folder): entry.reason for entry in found.skipped}
    assert set(left_out) == {"IMG_9.json", "notes.txt", "results.csv", "old", "overlay.jpg"}
    assert "drawn by this program" in left_out["overlay.jpg"]
    assert "another stack" in left_out["old"]


def test_a_file_that_is_named_is_tried_whatever_it_is(folder):
    assert names(folder, folder / "notes.txt", folder / "gone.jpg") == ["gone.jpg", "notes.txt"]


def test_patterns_are_filled_in_here_too(folder):
    assert names(folder, folder / "*.[jJ][pP][gG]") == ["IMG_9.JPG", "IMG_10.jpg"]
    assert names(folder, folder / "**" / "*.png") == ["evening [1]/a.png"]
    assert names(folder, folder / "*") == PHOTOS
    assert names(folder, folder / "**" / "*.jpg") == ["evening [1]/empty.jpg", "IMG_10.jpg"]
    assert names(folder, folder / "*.gif") == ["*.gif"]  # reading it says that there is none


def test_brackets_in_a_name_that_is_there_are_no_pattern(folder):
    assert names(folder, folder / "evening [1]") == PHOTOS[:3]


def test_a_file_counts_once_by_whatever_ways_it_is_reached(folder):
    (folder / "link.jpg").symlink_to(folder / "IMG_9.JPG")
    (folder / "again").symlink_to(folder / "evening [1]")
    (folder / "evening [1]" / "round").symlink_to(folder)
    twice = names(folder, folder, folder / "IMG_9.JPG", f"{folder}/./evening [1]/../IMG_9.JPG", folder)
    assert len(twice) == len(PHOTOS)
    assert set(twice) == set(names(folder, folder / "IMG_9.JPG", folder))


def test_a_folder_called_like_a_photo_is_no_silent_nothing(folder):
    (folder / "oops.jpg").mkdir()
    (folder / "more.jpg").mkdir()
    (folder / "more.jpg" / "1.jpg").write_bytes(JPEG)
    assert set(names(folder, folder)) - set(PHOTOS) == {"oops.jpg", "more.jpg/1.jpg"}


def test_a_pipe_in_a_folder_stops_nobody(folder):
    os.mkfifo(folder / "pipe")
    assert names(folder, folder) == PHOTOS
