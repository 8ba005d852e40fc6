"""Whole commands in processes of their own, against the import that each cannot do without."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

_MEMORY = """
import resource, sys
{work}
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


@dataclass(frozen=True, slots=True)
class Against:
    """Median seconds of a command and of its partner, run in turn."""

    command_s: float
    partner_s: float

    @property
    def ratio(self) -> float:
        """How many times the partner's time the command takes."""
        return self.command_s / self.partner_s


def against_import(arguments: Sequence[str], module: str, rounds: int = 9) -> Against:
    """Times `rollwrite ARGUMENTS` against `python -c "import MODULE"`, in turn, after one unmeasured round."""
    command = [*rollwrite(), *arguments]
    partner = [sys.executable, "-c", f"import {module}"]
    pairs = [(_seconds(command), _seconds(partner)) for _ in range(rounds + 1)][1:]
    return Against(median(pair[0] for pair in pairs), median(pair[1] for pair in pairs))


def peak_memory_mb(work: str) -> float:
    """The most resident memory that a process takes for some Python code, in MB.

    The caller has to be small itself: Linux counts what a process was before it became the new program.
    """
    result = subprocess.run(
        [sys.executable, "-c", _MEMORY.format(work=work)], capture_output=True, text=True, check=True
    )
    return float(result.stdout)


def rollwrite() -> list[str]:
    """How to start the program: the installed command, else the module."""
    installed = Path(sys.executable).with_name("rollwrite")
    return [str(installed)] if installed.exists() else [sys.executable, "-m", "cli"]


def _seconds(command: Sequence[str]) -> float:
    start = perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return perf_counter() - start
