"""Wrong usage ends with 2 and says what was expected, before any work."""

import subprocess
import sys

import pytest

COMMANDS = ("scan", "score", "cards", "rules", "print", "layouts", "synth", "eval")


def test_help_names_every_command(run):
    result = run("--help")
    assert result.exit_code == 0
    assert all(f"\n  {command} " in result.output for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(run, command):
    result = run(command, "--help")
    assert result.exit_code == 0
    assert f"Usage: rollwrite {command}" in result.output


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["nonsense"], "No such command"),
        (["scan"], "Missing argument"),
        (["score"], "Missing argument"),
        (["score", "-", "--explain", "--format", "csv"], "--explain needs another --format"),
        (["cards"], "Missing argument"),
        (["cards", "-", "--rounds", "-1"], "is not in the range"),
        (["cards", "-", "--bonus-counts", "some"], "is not one of"),
        (["cards", "-", "--rules", "no-such.toml"], "No such file"),
        (["rules", "--rules", "no-such.toml"], "No such file"),
        (["rules", "-o", "no/such/folder/rules.toml"], "there is no folder"),
        (["print"], "Missing option"),
        (["scan", "a.jpg", "--format", "xml"], "is not one of"),
        (["scan", "a.jpg", "--layout", "no-such"], "neither a known layout (expedition-a5)"),
        (["scan", "a.jpg", "--rules", "no-such.toml"], "No such file"),
        (["scan", "a.jpg", "-o", "no/such/folder/x.json"], "there is no folder"),
        (["score", "a.json", "-o", "."], "is a folder"),
        (["scan", "a.jpg", "--overlay", "pyproject.toml"], "cannot make this folder"),
        (["print", "-o", "-", "--layout", "no-such"], "neither a known layout"),
        (["print", "-o", "-", "--paper", "b9"], "is not one of"),
        (["print", "-o", "-", "--copies", "0"], "is not in the range"),
        (["print", "-o", "-", "--copies", "1000000000"], "copies"),
        (["layouts", "--show", "no-such"], "neither a known layout"),
        (["synth", "-o", "unused", "--size", "huge"], "expected width x height"),
        (["synth", "-o", "unused", "--size", "99999x99999"], "at most 200 megapixels"),
        (["synth", "-o", "unused", "--only", "no-such-kind"], "is not one of"),
        (["synth"], "Missing option"),
        (["eval", "no-such-folder"], "there is no such folder"),
        (["eval", "docs"], "no photo with a truth file"),
    ],
)
def test_wrong_usage(run, args, said):
    result = run(*args)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())
    assert result.stdout == ""


def test_wrong_rules_name_file_and_key(run, tmp_path):
    rules = tmp_path / "rules.toml"
    rules.write_text("bridge_pionts = 3")
    result = run("score", "-", "--rules", rules, input="dice 2")
    assert result.exit_code == 2
    assert 'rules.toml: unknown key "bridge_pionts"' in result.stderr


def test_rules_that_are_no_text_are_named(run):
    result = run("score", "-", "--rules", "docs/img/sheet.png", input="dice 2")
    assert result.exit_code == 2
    assert "docs/img/sheet.png: not a text in UTF-8" in result.stderr


@pytest.mark.parametrize("form", ["table", "json", "jsonl", "csv"])
@pytest.mark.parametrize("command", ["scan", "score"])
def test_results_never_overwrite_what_they_are_made_from(run, tmp_path, monkeypatch, command, form):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sheet.txt").write_text("dice 2")
    (tmp_path / "link.txt").hardlink_to("sheet.txt")
    for output in ("sheet.txt", "./sheet.txt", "link.txt"):
        result = run(command, "sheet.txt", "-o", output, "--format", form)
        assert result.exit_code == 2
        assert "would be overwritten" in " ".join(result.stderr.split())
    assert (tmp_path / "sheet.txt").read_text() == "dice 2"


@pytest.mark.parametrize("command", ["score - >&-", "score - >&- 2>&-", "print -o - >&-", "eval samples/single >&-"])
def test_results_for_a_closed_stdout_are_wrong_usage(command):
    script = f"echo dice 2 | {sys.executable} -m cli {command}"
    result = subprocess.run(script, shell=True, capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert "stdout is closed" in result.stderr or "2>&-" in command


def test_a_file_is_written_with_stdout_closed(tmp_path):
    script = f"echo dice 2 | {sys.executable} -m cli score - -o {tmp_path}/out.json --format json >&-"
    result = subprocess.run(script, shell=True, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")
    assert (tmp_path / "out.json").is_file()


def test_layout_without_its_picture_makes_no_photos(run, tmp_path):
    layout = tmp_path / "mine.json"
    layout.write_text(run("layouts", "--show", "expedition-a5").stdout, "utf-8")
    layout.with_suffix(".png").write_bytes(b"no PNG")
    result = run("synth", "-o", tmp_path / "out", "-n", 1, "--size", "400x300", "--layout", layout)
    assert result.exit_code == 2
    assert "the picture of the blank sheet is damaged" in " ".join(result.stderr.replace("\n", " ").split())
