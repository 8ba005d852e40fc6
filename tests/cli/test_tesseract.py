"""`--reader` and `--names` on the command line."""

import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest

import scanner.pipeline
from scoring import parse_sheet
from tests.readings import reading_of


@pytest.fixture
def asked(monkeypatch):
    """The options that scans are asked with; each gives one sheet, of Ana."""
    seen = []

    def scan_sheets(source, layout=None, options=None, debug=None):
        seen.append(options)
        reading = reading_of(parse_sheet("dice 2"))
        yield replace(reading, sheet=reading.sheet.named("Ana"))

    monkeypatch.setattr(scanner.pipeline, "scan_sheets", scan_sheets)
    return seen


@pytest.fixture
def installed(monkeypatch):
    module = SimpleNamespace(
        TesseractNotFoundError=FileNotFoundError, TesseractError=RuntimeError, get_tesseract_version=lambda: "5.3.0"
    )
    monkeypatch.setitem(sys.modules, "pytesseract", module)


def test_the_net_reads_unless_told_otherwise(run, asked):
    run("scan", "a.jpg")
    assert (asked[0].reader, asked[0].names) == ("net", False)


@pytest.mark.usefixtures("installed")
def test_choices_reach_the_scan(run, asked):
    assert run("scan", "a.jpg", "--reader", "tesseract", "--names").exit_code == 0
    assert (asked[0].reader, asked[0].names) == ("tesseract", True)


@pytest.mark.usefixtures("installed", "asked")
def test_names_given_win_over_names_read(run):
    assert "Ben" in run("scan", "a.jpg", "--names", "--players", "Ben").stdout
    assert "Ana" in run("scan", "a.jpg", "--names").stdout


@pytest.mark.parametrize("options", [["--reader", "tesseract"], ["--names"]])
def test_without_tesseract_it_is_wrong_usage_with_a_remedy(run, asked, monkeypatch, options):
    monkeypatch.setitem(sys.modules, "pytesseract", None)
    result = run("scan", "a.jpg", *options)
    assert result.exit_code == 2
    assert "pip install pytesseract" in result.stderr
    assert not asked


def test_without_tesseract_eval_does_not_start(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pytesseract", None)
    assert run("eval", tmp_path, "--reader", "tesseract").exit_code == 2
