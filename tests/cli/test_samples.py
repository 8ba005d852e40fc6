"""The photos that come with the project give what their truth files say."""

import json
from pathlib import Path

import pytest

from evaluation.truth import load_truth, truth_path
from scoring import rank, score, validate

SAMPLES = Path(__file__).parents[2] / "samples"
GAME = sorted((SAMPLES / "game-1").glob("*.jpg"))
SINGLES = sorted((SAMPLES / "single").glob("*.jpg"))

pytestmark = pytest.mark.skipif(not GAME, reason="the samples are not made yet")


def truth_of(photo):
    (truth,) = load_truth(truth_path(photo))
    return truth.sheet


@pytest.fixture(scope="module")
def scanned():
    """Every sample through the command line, once."""
    from click.testing import CliRunner

    from cli import main

    result = CliRunner().invoke(main, ["scan", *map(str, GAME + SINGLES), "--format", "json"])
    return {Path(entry["source"]["path"]): entry for entry in json.loads(result.stdout)}


def test_there_is_a_game_of_four_and_eight_single_sheets():
    assert len(GAME) == 4
    assert len(SINGLES) >= 8
    assert sum(path.stat().st_size for path in SAMPLES.rglob("*") if path.is_file()) < 15e6


@pytest.mark.parametrize("photo", GAME + SINGLES, ids=lambda photo: photo.stem)
def test_total_is_that_of_the_truth(scanned, photo):
    assert scanned[photo]["status"] == "ok"
    assert scanned[photo]["score"]["total"] == score(truth_of(photo)).total


@pytest.mark.parametrize("photo", GAME + SINGLES, ids=lambda photo: photo.stem)
def test_errors_are_those_of_the_truth_where_nothing_is_doubtful(scanned, photo):
    doubtful = {cell["column"] for cell in scanned[photo]["review"]}
    found = {(v["code"], v["column"], v["space"]) for v in scanned[photo]["violations"] if v["severity"] == "error"}
    there = {(v.code, v.column, v.space) for v in validate(truth_of(photo)) if v.severity == "error"}
    assert {column for _, column, _ in found ^ there} <= doubtful


@pytest.mark.parametrize(
    "photo",
    [photo for photo in SINGLES if photo.stem.startswith("violation-")],
    ids=lambda photo: photo.stem,
)
def test_a_sample_of_a_violation_shows_it(scanned, photo):
    assert photo.stem.removeprefix("violation-") in [v["code"] for v in scanned[photo]["violations"]]


def test_the_game_is_legal_and_ranked(run):
    result = run("scan", *GAME, "--game", "--format", "json")
    assert result.exit_code == 0
    totals = [(photo.stem, score(truth_of(photo)).total) for photo in GAME]
    places = [(entry["total"], entry["place"]) for entry in json.loads(result.stdout)["ranking"]]
    assert places == [(entry.total, entry.place) for entry in rank(totals)]
