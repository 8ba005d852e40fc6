"""Violations that hang on a doubtful reading, and those that stand whatever it says."""

from __future__ import annotations

import pytest

from report.data import entry_data
from report.rows import notes
from report.scanned import scored_reading
from scoring import RuleSet, parse_sheet
from tests.readings import Alternatives, reading_of

ONE_OR_SEVEN = ((1, 0.55), (7, 0.44), (None, 0.01))


def scanned(line: str, doubts: dict[str, Alternatives] | None = None):
    return scored_reading("photo.jpg", reading_of(parse_sheet(line), doubts), RuleSet.default())


@pytest.mark.parametrize(
    ("line", "doubts", "hangs"),
    [
        ("red 3 1", {}, [None]),
        ("red 3 1", {"red/2": ONE_OR_SEVEN}, ["red/2"]),
        ("red 3 1", {"red/1": ((3, 0.6), (1, 0.4))}, ["red/1"]),
        ("red 5 1 | blue 4 2", {"red/2": ONE_OR_SEVEN}, ["red/2", None]),
        ("red 3 1", {"blue/1": ((None, 0.7), (4, 0.3))}, [None]),
        ("red 9 1", {"red/2": ONE_OR_SEVEN}, [None]),  # 7 would break the order as well
    ],
)
def test_a_violation_hangs_on_the_cell_that_could_undo_it(
    line: str, doubts: dict[str, Alternatives], hangs: list[str | None]
) -> None:
    entry = scanned(line, doubts)
    found = [
        None if cell is None else cell.box.key
        for violation, cell in zip(entry.violations, entry.hanging, strict=True)
        if violation.code == "descending"
    ]
    assert found == hangs


def test_a_person_and_a_program_are_told_what_to_check_first() -> None:
    entry = scanned("red 3 1", {"red/2": ONE_OR_SEVEN})
    (text,) = (note.text for note in notes(entry) if "(descending)" in note.text)
    assert text.endswith("; check red, space 2 first")
    (data,) = (found for found in entry_data(entry, "")["violations"] if found["code"] == "descending")
    assert data["depends_on"] == {"column": "red", "space": 2, "kind": "number"}


def test_a_violation_that_stands_says_nothing_more() -> None:
    entry = scanned("red 3 1")
    assert not any("first" in note.text for note in notes(entry))
    assert all(found["depends_on"] is None for found in entry_data(entry, "")["violations"])
