"""Prints every figure that the project promises, measured here and now."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

# Before numpy and OpenCV are loaded, also by the processes started from here.
os.environ["OMP_NUM_THREADS"] = "1"

import click

from bench.commands import Against, against_import, peak_memory_mb
from bench.photos import bench_photos
from evaluation.alignment import percentile

if TYPE_CHECKING:
    from bench.scans import ScanTimes


@click.command()
@click.option("--photos", "folder", default="out/bench", show_default=True, metavar="DIR", help="Photos to scan.")
@click.option("-n", "--count", default=20, show_default=True, metavar="N", help="How many of them.")
def main(folder: str, count: int) -> None:
    """Measures scans of 12-megapixel photos, one thread a process."""
    photos = bench_photos(Path(folder), count)
    without_tags = bench_photos(Path(folder) / "no-tags", count, "no-tags")
    # Processes first, while this one is still small: see `peak_memory_mb`.
    _print_commands(photos[0])
    _print_scans(photos, without_tags)


def _print_commands(photo: Path) -> None:
    _print_against("rollwrite --help", "import click", against_import(["--help"], "click"))
    _print_against("rollwrite scan PHOTO", "import cv2", against_import(["scan", str(photo)], "cv2"))
    scan = peak_memory_mb(f"from scanner import scan_photo; scan_photo({str(photo)!r})")
    _print("peak memory of a scan", f"{scan:.0f} MB, of which import cv2 {peak_memory_mb('import cv2'):.0f} MB")


def _print_scans(photos: list[Path], without_tags: list[Path]) -> None:
    from bench.scans import scans_per_second, stage_medians, time_scans

    times = time_scans(photos)
    if not times:
        sys.exit("none of the photos could be read")
    for stage, time_ms in stage_medians(times).items():
        _print(f"stage {stage}", f"{time_ms:.1f} ms")
    _print("whole scan", f"{median(entry.scan_ms for entry in times):.1f} ms, median of {len(times)} photos")
    _print("cv2.imdecode, full colour", f"{median(entry.decode_ms for entry in times):.1f} ms")
    _print_ratios("scan to decode", times)
    _print_ratios("  of sheets without tags", time_scans(without_tags))
    one, two = scans_per_second(photos, 1), scans_per_second(photos, 2)
    _print("throughput", f"{one:.1f} photos/s in one process, {two:.1f} in two ({two / one:.2f} times)")


def _print_ratios(label: str, times: Sequence[ScanTimes]) -> None:
    ratios = [entry.scan_ms / entry.decode_ms for entry in times]
    _print(label, f"median {median(ratios):.2f}, 95th percentile {percentile(ratios, 95):.2f}")


def _print_against(command: str, partner: str, times: Against) -> None:
    spent = f"{times.command_s * 1000:.0f} ms, {times.ratio:.2f} times"
    _print(command, f'{spent} python -c "{partner}" ({times.partner_s * 1000:.0f} ms)')


def _print(label: str, value: str) -> None:
    click.echo(f"{label:<28}{value}")


if __name__ == "__main__":
    main()
