"""Ten thousand typed sheets, scored by one call, against Python's own JSON: `python -m bench.typed`."""

from __future__ import annotations

import json
import resource
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Any

import click
import numpy as np

from bench.commands import rollwrite
from scoring import Sheet
from synth.games import play_game

_PLAYERS = 4
_ROUNDS = 5


@click.command()
@click.option("-n", "--count", default=10_000, show_default=True, metavar="N", help="Sheets in the file.")
def main(count: int) -> None:
    """Prints processor seconds of `rollwrite score --format jsonl` as a multiple of parsing the same lines."""
    games = (play_game(np.random.default_rng(seed), _PLAYERS) for seed in range(-(-count // _PLAYERS)))
    sheets = [sheet for game in games for sheet in game][:count]
    for form, shape in (("nothing left out", Sheet.to_dict), ("as typed by hand", _as_typed)):
        times = [_times([json.dumps(shape(sheet)) for sheet in sheets]) for _ in range(_ROUNDS)]
        command_s, parse_s = (median(column) for column in zip(*times, strict=True))
        click.echo(
            f"{form}: {command_s:.2f} s for {count} sheets, {command_s / parse_s:.1f} times json ({parse_s:.3f} s)"
        )


def _as_typed(sheet: Sheet) -> Mapping[str, Any]:
    """The sheet without what may be left out: empty spaces and columns, and marks that are not there."""
    typed: dict[str, Any] = {}
    for column, content in sheet.expeditions.items():
        flags = {flag: True for flag in ("double", "bridge") if getattr(content, flag)}
        if content.filled or flags:
            typed[column] = {"numbers": list(content.numbers[: content.filled]), **flags}
    for column in ("artifacts", "dice"):
        typed[column] = {"marks": sheet[column].filled}
    return typed


def _times(lines: list[str]) -> tuple[float, float]:
    """Processor seconds of the command, and of parsing the lines."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sheets.jsonl"
        path.write_text("\n".join(lines), "utf-8")
        command_s = _command_s([*rollwrite(), "score", str(path), "--format", "jsonl"])
    return command_s, min(_parse_s(lines) for _ in range(_ROUNDS))


def _parse_s(lines: list[str]) -> float:
    start = time.process_time()
    for line in lines:
        json.loads(line)
    return time.process_time() - start


def _command_s(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
