"""Wrong usage ends with 2 and says what was expected, before any work."""

import pytest

COMMANDS = ("scan", "score", "print", "layouts", "synth", "eval")


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
