"""Stacks through the command line: `python -m bench.stack` prints speed, memory and what becomes of broken files."""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from bench.commands import rollwrite
from bench.photos import bench_photos
from bench.spoilt import spoil

_RECORD = "results.jsonl"


@dataclass(frozen=True, slots=True)
class StackRun:
    """One run over a stack.

    Attributes:
        exit_code: of the program.
        seconds: from its start to its end.
        rate: photos a second between the first and the last result.
        memory_mb: of the parent process, by the number of results at that moment.
    """

    exit_code: int
    seconds: float
    rate: float
    memory_mb: dict[int, float]


def run_stack(paths: Sequence[Path], out: Path, jobs: int) -> StackRun:
    """Runs `rollwrite batch` and watches its record grow."""
    command = [*rollwrite(), "batch", *map(str, paths), "-o", str(out), "--jobs", str(jobs)]
    start_s = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    memory_mb: dict[int, float] = {}
    times_s: list[tuple[int, float]] = []
    record = Tail(out / _RECORD)
    while process.poll() is None:
        done = record.look()
        if done and (not times_s or done > times_s[-1][0]):
            times_s.append((done, time.monotonic()))
            memory_mb[done] = _resident_mb(process.pid)
        time.sleep(0.02)
    seconds = time.monotonic() - start_s
    (first, begin_s), (last, end_s) = times_s[0], times_s[-1]
    rate = (last - first) / (end_s - begin_s) if end_s > begin_s else 0.0
    return StackRun(process.returncode, seconds, rate, memory_mb)


def codes_in(out: Path) -> dict[str, str | None]:
    """By input, the code of its refusal, None where it was read."""
    with (out / _RECORD).open(encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    return {line["batch"]["input"]: line["error"]["code"] if line["status"] == "error" else None for line in lines}


def mixed_stack(folder: Path, photos: Sequence[Path], good: int, broken: int) -> dict[str, str]:
    """A folder of good photos, no two with the same bytes, and broken ones.

    Returns:
        By path, the codes of the broken ones.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(good):
        data = photos[number % len(photos)].read_bytes()
        # What stands behind the end of a JPEG changes nothing but its digest.
        (folder / f"good {number + 1:03}.jpg").write_bytes(data + b"\0" * (number // len(photos)))
    return spoil(folder, photos[0].read_bytes(), broken)


@click.command()
@click.option("--photos", "folder", default="out/bench", show_default=True, metavar="DIR", help="Photos to read.")
@click.option("-n", "--count", default=200, show_default=True, metavar="N", help="How many of them.")
@click.option("--good", default=900, show_default=True, metavar="N", help="Good files of the mixed stack.")
@click.option("--broken", default=100, show_default=True, metavar="N", help="Broken ones.")
def main(folder: str, count: int, good: int, broken: int) -> None:
    """Measures one process against two, memory as a stack grows, and a stack with broken files."""
    photos = bench_photos(Path(folder), count)
    with tempfile.TemporaryDirectory() as scratch:
        _print_speed(photos, Path(scratch))
        _print_mixed(photos, Path(scratch), good, broken)


def _print_speed(photos: Sequence[Path], scratch: Path) -> None:
    one, two = (run_stack(photos, scratch / f"jobs{jobs}", jobs) for jobs in (1, 2))
    click.echo(f"photos a second   {one.rate:.1f} by one process, {two.rate:.1f} by two")
    click.echo(f"two against one   {two.rate / one.rate:.2f} times; with start and end {one.seconds / two.seconds:.2f}")
    for run in (one, two):
        early, late = (min(run.memory_mb, key=lambda n: abs(n - at)) for at in (len(photos) // 4, len(photos)))
        grown_mb = run.memory_mb[late] - run.memory_mb[early]
        click.echo(f"parent's memory   {run.memory_mb[late]:.0f} MB, {grown_mb:+.1f} from result {early} to {late}")


def _print_mixed(photos: Sequence[Path], scratch: Path, good: int, broken: int) -> None:
    codes = mixed_stack(scratch / "mixed", photos, good, broken)
    run = run_stack([scratch / "mixed"], scratch / "out", 2)
    found = codes_in(scratch / "out")
    wrong = {path: (code, found.get(path)) for path, code in codes.items() if found.get(path) != code}
    counts = Counter(code or "read" for code in found.values())
    click.echo(f"mixed stack       {len(found)} results, exit {run.exit_code}: {dict(counts.most_common())}")
    click.echo(f"other codes       {wrong or 'none'}")


def _resident_mb(pid: int) -> float:
    """Resident memory of a process, 0 where this system does not tell."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    sizes = [line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")]
    return int(sizes[0]) / 1024 if sizes else 0.0


class Tail:
    """Counts the lines of a file as it grows."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read = 0
        self.lines = 0

    def look(self) -> int:
        """How many lines there are by now."""
        if self._path.exists():
            with self._path.open("rb") as file:
                file.seek(self._read)
                data = file.read()
            self._read += len(data)
            self.lines += data.count(b"\n")
        return self.lines


if __name__ == "__main__":
    main()
