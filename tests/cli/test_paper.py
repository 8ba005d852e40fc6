import json

import pypdfium2
import pytest

from layouts import known_layouts, load_layout
from sheets import PAPERS

MM = 72 / 25.4


def pages(path):
    document = pypdfium2.PdfDocument(path)
    sizes = [tuple(side / MM for side in page.get_size()) for page in document]
    document.close()
    return sizes


def test_sheet_is_a_page_of_the_layouts_size(run, tmp_path):
    target = tmp_path / "sheet.pdf"
    assert run("print", "-o", target).exit_code == 0
    assert pages(target) == [pytest.approx(load_layout().page_mm, abs=0.1)]


def test_one_page_is_filled_unless_copies_are_asked_for(run, tmp_path):
    one, three = tmp_path / "one.pdf", tmp_path / "three.pdf"
    result = run("print", "-o", one, "--paper", "a4")
    # Two A5 make one A4.
    assert "2 of expedition-a5" in result.stderr
    assert len(pages(one)) == 1
    run("print", "-o", three, "--paper", "a4", "--copies", "3")
    assert len(pages(three)) == 2


def test_pdf_on_stdout(run):
    assert run("print", "-o", "-").stdout_bytes.startswith(b"%PDF-")


@pytest.mark.parametrize("paper", PAPERS)
def test_every_paper_is_offered(run, tmp_path, paper):
    assert run("print", "-o", tmp_path / "x.pdf", "--paper", paper).exit_code == 0


def test_layouts_are_listed(run):
    lines = run("layouts").stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(known_layouts())
    assert "148 x 210 mm" in lines[0]


def test_layout_is_shown_as_json_that_can_be_used_again(run, tmp_path):
    shown = run("layouts", "--show", "expedition-a5").stdout
    cells = json.loads(shown)["cells"]
    assert {"column", "space", "kind", "x", "y", "w", "h"} <= set(cells[0])
    assert {cell["kind"] for cell in cells} == {"number", "mark", "double", "bridge", "player", "written"}
    copy = tmp_path / "copy.json"
    copy.write_text(shown, encoding="utf-8")
    assert run("print", "-o", tmp_path / "copy.pdf", "--layout", copy).exit_code == 0
