"""The report in a real browser: sorting, filtering, opening, no error, no request, and nothing that axe finds."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.batch.test_page import folder, page_of

__all__ = ["folder"]

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture
def page(folder: Path):
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    if CHROMIUM is None:
        pytest.skip("needs a Chromium")
    page_of(folder)
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        told: list[str] = []
        page.on("console", lambda message: told.append(message.text))
        page.on("pageerror", lambda error: told.append(str(error)))
        page.on("request", lambda request: told.append(request.url))
        page.goto((folder / "report.html").as_uri())
        yield page
        elsewhere = [line for line in told if not line.startswith(("data:", (folder / "report.html").as_uri()))]
        browser.close()
    assert elsewhere == []


def totals(page) -> list[str]:
    return page.locator("#list tbody tr:visible td:nth-child(4)").all_inner_texts()


def test_it_sorts_filters_and_opens(page):
    page.click("#list th button:text-is('Total')")
    rising = totals(page)
    numbers = [int(total) for total in rising if total]
    assert numbers == sorted(numbers)
    assert rising[-1] == ""  # what was not read comes last
    page.click("#list th button:text-is('Total')")
    assert [int(total) for total in totals(page) if total] == sorted(numbers, reverse=True)
    assert page.get_attribute("#list th:nth-child(4)", "aria-sort") == "descending"

    page.fill("#find", "BEN")
    assert page.inner_text("#count") == "1 of 4"
    assert len(totals(page)) == 1
    page.fill("#find", "")
    page.select_option("#kind", "failed")
    assert page.locator("details:visible").count() == 1
    page.select_option("#kind", "")

    page.click("#list a:text-is('ana')")
    assert page.locator("details[open] svg[role=img]").is_visible()


def test_axe_finds_nothing_serious(page):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python")
    page.click("#list a:text-is('ana')")
    found = axe.Axe().run(page).response["violations"]
    assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []
