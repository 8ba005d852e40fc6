"""The workbook: the same as the record, and names that look like formulas stay names."""

from __future__ import annotations

import sys

import pytest

from batch.record import read_record
from batch.workbook import write_workbook
from tests.batch.stacks import lines_of, refused, sheet, stack
from tests.readings import Alternatives

UNSURE: Alternatives = ((7, 0.55), (None, 0.45))


@pytest.fixture
def record(tmp_path):
    texts = [
        lines_of(sheet("red 3 7 4 | dice 2", "=1+2.jpg", {"red/2": UNSURE})),
        lines_of(refused("http://x.jpg", "truncated")),
    ]
    return read_record(stack(tmp_path, texts))


def test_what_is_in_it(record):
    openpyxl = pytest.importorskip("openpyxl")
    pytest.importorskip("xlsxwriter")
    assert write_workbook(record)
    book = openpyxl.load_workbook(record.folder / "results.xlsx")
    sheets, violations, review = (list(book[name].values) for name in ("sheets", "violations", "to check"))
    (summary,) = (result.summary for result in record.results if result.summary)
    assert sheets[1][0] == "=1+2"
    assert book["sheets"]["A2"].data_type == "s"
    assert sheets[1][3:7] == ("violating", summary.total, summary.low, summary.high)
    assert sheets[2][1:4] == ("http://x.jpg", None, "truncated")
    assert ("error", "descending") in [row[2:4] for row in violations]
    assert review[1][2:6] == ("red", 2, "number", "7")


def test_without_the_package_there_is_none(record, monkeypatch):
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    assert not write_workbook(record)
    assert not (record.folder / "results.xlsx").exists()
