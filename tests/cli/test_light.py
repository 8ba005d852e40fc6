"""Asking for help costs no more than click."""

import subprocess
import sys

import pytest

HEAVY = (
    "cv2",
    "numpy",
    "rich",
    "reportlab",
    "scanner",
    "scoring",
    "layouts",
    "report",
    "commands",
    "importlib.metadata",
)


def loaded_after(code):
    script = f"import sys\n{code}\nprint(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(result.stdout.splitlines()[-1].split())


@pytest.mark.parametrize(
    "code",
    [
        "import cli",
        "import cli, contextlib\nwith contextlib.suppress(SystemExit): cli.main(['--help'])",
        "import cli, contextlib\nwith contextlib.suppress(SystemExit): cli.main(['scan', '--help'])",
        "import cli, contextlib\nwith contextlib.suppress(SystemExit): cli.main(['synth', '--help'])",
        "import cli, contextlib\nwith contextlib.suppress(SystemExit): cli.main([])",
    ],
)
def test_help_loads_nothing_heavy(code):
    loaded = loaded_after(code)
    assert "click" in loaded
    assert not loaded.intersection(HEAVY)


def test_scoring_needs_no_pixels():
    loaded = loaded_after("import scoring, report.plain, report.data, report.spreadsheet, commands.score")
    assert not loaded.intersection(("cv2", "numpy", "rich", "scanner"))


def test_runs_as_a_module():
    result = subprocess.run([sys.executable, "-m", "cli", "--help"], capture_output=True, text=True, check=True)
    assert result.stdout.startswith("Usage: rollwrite ")
