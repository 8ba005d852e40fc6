"""`rollwrite rules`: what it prints can be given back."""

import tomllib

import pytest

from scoring import RuleSet


def test_prints_the_rules_with_their_sources(run):
    result = run("rules")
    assert (result.exit_code, result.stderr) == (0, "")
    assert tomllib.loads(result.stdout) == RuleSet.default().to_dict()
    assert "two or more sources" in result.stdout


@pytest.mark.parametrize("own", ["", "bridge_points = 7\n[severity]\ngap = 'warning'\n[cards]\nrounds = 0\n"])
def test_what_it_prints_can_be_given_back(run, tmp_path, own):
    mine, printed = tmp_path / "mine.toml", tmp_path / "printed.toml"
    mine.write_text(own)
    first = run("rules", "--rules", mine, "-o", printed)
    assert (first.exit_code, first.stdout) == (0, "")
    again = tomllib.loads(run("rules", "--rules", printed).stdout)
    assert again == tomllib.loads(printed.read_text("utf-8")) == RuleSet.from_toml(own).to_dict()


def test_what_differs_says_from_where(run, tmp_path):
    mine = tmp_path / "mine.toml"
    mine.write_text("bridge_points = 7")
    lines = run("rules", "--rules", mine).stdout.splitlines()
    assert lines[lines.index("bridge_points = 7") - 1] == f"# Changed by {mine}; the default is 20."


def test_corrected_rules_score(run, tmp_path):
    mine = tmp_path / "mine.toml"
    mine.write_text(run("rules").stdout.replace("bridge_points = 20", "bridge_points = 21"))
    table = run("score", "-", "--rules", mine, input="dice 7 b").stdout
    assert ["bridges", "21"] in [line.split() for line in table.splitlines()]


def test_rules_never_overwrite_what_they_come_from(run, tmp_path):
    mine = tmp_path / "mine.toml"
    mine.write_text("bridge_points = 7")
    result = run("rules", "--rules", mine, "-o", mine)
    assert result.exit_code == 2
    assert mine.read_text() == "bridge_points = 7"
