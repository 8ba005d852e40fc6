"""The report: everything on it, nothing from elsewhere, and names that are code stay names."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from batch.games import league, played_games
from batch.page import write_page
from batch.page.overview import histogram
from batch.record import read_record
from batch.run import GameChoice, Run
from tests.batch.stacks import RUN, lines_of, refused, sheet, stack
from tests.readings import Alternatives

UNSURE: Alternatives = ((7, 0.55), (None, 0.45))
EVIL = "</script><img src=x onerror=alert(1)>.jpg"


class Page(HTMLParser):
    """The tags of a page with their attributes, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text += data


def page_of(folder: Path, run: Run = RUN, games: GameChoice | None = None) -> str:
    record = read_record(folder)
    played = tuple(played_games(record))
    write_page(record, played, league(played))
    return (folder / "report.html").read_text("utf-8")


@pytest.fixture
def folder(tmp_path) -> Path:
    texts = [
        lines_of(sheet("red 3 7 4 x2 | dice 2", "a/ana.jpg", {"red/2": UNSURE}), picture="pictures/ana.jpg"),
        lines_of(sheet("red 1 2 3 | dice 9", "a/ben.jpg")),
        lines_of(refused("a/torn.jpg", "truncated")),
        lines_of(sheet("blue 1 2", EVIL)),
    ]
    made = stack(tmp_path / "evening", texts)
    (made / "pictures").mkdir()
    flat = np.random.default_rng(1).integers(0, 255, (630, 444, 3), np.uint8)
    cv2.imwrite(str(made / "pictures" / "ana.jpg"), cv2.GaussianBlur(flat, (0, 0), 3))
    return made


def test_every_result_has_its_row_and_its_part(folder):
    page = Page(page_of(folder))
    parts = [attrs for tag, attrs in page.tags if tag == "details"]
    assert [part["data-kind"] for part in parts].count("failed") == 1
    links = [attrs["href"] for tag, attrs in page.tags if tag == "a" and (attrs.get("href") or "").startswith("#s")]
    assert [link for link in links if link != "#sheets"] == [f"#{part['id']}" for part in parts]
    assert "truncated" in page.text
    assert "Take the whole sheet into the picture" in page.text


def test_nothing_is_fetched_from_anywhere(folder):
    html = page_of(folder)
    for tag, attrs in Page(html).tags:
        assert tag not in ("iframe", "object", "embed", "base")
        for name in ("src", "href", "xlink:href", "action"):
            value = attrs.get(name) or ""
            assert value.startswith(("#", "data:", "pictures/")) or not value, (tag, name, value)
    assert "url(" not in html
    assert "@import" not in html
    assert "default-src 'none'" in html


def test_names_that_are_code_stay_names(folder):
    html = page_of(folder)
    assert "<img" not in html
    assert "onerror=alert(1)&gt;" in html
    assert html.count("</script>") == 1


def test_doubtful_and_broken_cells_are_told_apart_by_more_than_colour(folder):
    html = page_of(folder)
    (doubtful,) = re.findall(r'<g class="m doubtful">(.*?)</g>', html)
    broken = re.findall(r'<g class="m broken">(.*?)</g>', html)
    assert "7?" in doubtful
    assert broken
    assert all(mark.count("<rect") == 2 and "!" in mark for mark in broken)
    assert "stroke-dasharray" in html
    assert html.count('class="crop"') >= 2  # the violation and the doubtful cell


def test_the_picture_is_there_once(folder):
    html = page_of(folder)
    assert html.count("data:image/jpeg;base64,") == 1
    assert len(html) < 150_000 + (folder / "pictures" / "ana.jpg").stat().st_size * 4 / 3


def test_without_room_pictures_are_links(folder, monkeypatch):
    monkeypatch.setattr("batch.page.document._MOST_PICTURE_BYTES", 10)
    html = page_of(folder)
    assert "data:image/jpeg" not in html
    assert 'href="pictures/ana.jpg"' in html


def test_games_and_their_league(tmp_path):
    run = Run(RUN.layout_names, RUN.rules, games=GameChoice("count", players=2))
    texts = [lines_of(sheet(f"dice {n}", f"{n}.jpg")) for n in range(1, 5)]
    page = Page(page_of(stack(tmp_path, texts, run)))
    assert page.text.count("League") == 1
    assert [attrs.get("value") for tag, attrs in page.tags if tag == "li" and "value" in attrs] == ["1", "2"] * 2


def test_an_empty_stack_and_failures_alone_make_a_page(tmp_path):
    assert "0 of 0" in page_of(stack(tmp_path / "none", []))
    assert "no-sheet" in page_of(stack(tmp_path / "failed", [lines_of(refused("x.jpg"))]))


@pytest.mark.parametrize("totals", [[0], [-160, 600], [5, 5, 5], list(range(-200, 700, 7)), [10**6, 0]])
def test_every_total_is_in_one_bar(totals):
    bars = histogram(totals)
    assert sum(bar.count for bar in bars) == len(totals)
    assert all(sum(bar.low <= total < bar.high for bar in bars) == 1 for total in totals)
    assert all(first.high == second.low for first, second in pairwise(bars))
    assert len(bars) <= 17


@pytest.mark.parametrize(
    "picture", ["../secret.txt", "/etc/hostname", "pictures/../../x", "javascript:alert(1)", "pictures/.x"]
)
def test_a_record_from_elsewhere_shows_no_other_files(tmp_path, picture):
    (tmp_path / "secret.txt").write_text("secret")
    html = page_of(stack(tmp_path / "out", [lines_of(sheet("dice 2", "a.jpg"), picture=picture)]))
    assert "data:image" not in html
    assert picture not in html
