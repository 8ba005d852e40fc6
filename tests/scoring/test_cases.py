"""Cases as files: a sheet in notation, its points and its violations, counted by hand from the rules."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from layouts.model import COLUMNS
from scoring import RuleSet, parse_sheet, score, validate

CASES = sorted(Path(__file__).with_name("cases").glob("*.txt"))
GAME_CODES = {"bridge-claimed-twice", "bridge-unclaimed", "game-not-over", "player-count", "sheet-twice", "turn-count"}
SHEET_CODES = (
    "gap",
    "descending",
    "out-of-range",
    "unreadable",
    "starts-with-ten",
    "double-without-expedition",
    "bridge-not-reached",
    "artifacts-missing",
    "artifacts-surplus",
    "written-total-wrong",
)


@dataclass
class Case:
    sheet: str = ""
    points: dict[str, int] = field(default_factory=dict)
    total: int | None = None
    boxes: dict[str, dict[int, str]] | None = None
    violations: list[tuple[str, str, str, int | None]] = field(default_factory=list)


def read_case(path: Path) -> Case:
    case = Case()
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        key, _, value = line.partition(":")
        words = value.split()
        if key == "sheet":
            case.sheet = value
        elif key == "points":
            pairs = [entry.split() for entry in value.split(",") if entry.strip()]
            case.points = {column: int(points) for column, points in pairs}
        elif key == "boxes":
            entries = [entry.split() for entry in value.split(",")]
            case.boxes = {name: {int(space): "artifact" for space in spaces} for name, *spaces in entries}
        elif key == "total":
            case.total = int(value)
        elif key == "violation":
            code, severity, column, space = words
            case.violations.append((code, severity, column, None if space == "-" else int(space)))
        else:
            raise AssertionError(f"{path.name}: unknown line {line!r}")
    return case


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path):
    case = read_case(path)
    sheet = parse_sheet(case.sheet, path.name)
    expected = {**dict.fromkeys((*COLUMNS, "bridges"), 0), **case.points, "total": case.total}
    assert score(sheet).to_dict() == expected
    found = validate(sheet, specials=case.boxes)
    assert [(v.code, v.severity, v.column, v.space) for v in found] == case.violations


@pytest.mark.parametrize("code", SHEET_CODES)
def test_every_code_has_a_case_and_a_near_case(code):
    names = {path.stem: path for path in CASES}
    assert code in [entry[0] for entry in read_case(names[code]).violations]
    assert code not in [entry[0] for entry in read_case(names[f"{code}-near"]).violations]


def test_no_code_is_forgotten():
    assert {*SHEET_CODES, *GAME_CODES} == set(RuleSet.default().severity)
