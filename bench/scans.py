"""Scans inside one process, on one thread, against the plain decoding of the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from time import perf_counter

import cv2
import numpy as np

from scanner import ScanError, scan_photo

_REPEATS = 5
_ROUNDS = 2


@dataclass(frozen=True, slots=True)
class ScanTimes:
    """What one photo took.

    Attributes:
        scan_ms: the whole scan, best of several.
        decode_ms: decoding its bytes in full colour, best of as many, in turn with the scans.
        stage_ms: each stage, in the best scan.
    """

    scan_ms: float
    decode_ms: float
    stage_ms: dict[str, float]


def single_threaded() -> None:
    """Keeps OpenCV on one thread."""
    cv2.setNumThreads(1)


def time_scans(photos: Sequence[Path]) -> list[ScanTimes]:
    """Times every photo that can be read; the first scan, which loads the net, is not counted."""
    single_threaded()
    loaded = [photo.read_bytes() for photo in photos]
    readable = [data for data in loaded if _readable(data)]
    return [_time(data) for data in readable]


def scans_per_second(photos: Sequence[Path], processes: int) -> float:
    """Throughput of several processes, each on one thread, once all have started and loaded the net."""
    work = [str(photo) for photo in photos] * _ROUNDS
    with ProcessPoolExecutor(processes, get_context("spawn"), single_threaded) as pool:
        list(pool.map(_scan, work[: 4 * processes]))
        start = perf_counter()
        list(pool.map(_scan, work))
        return len(work) / (perf_counter() - start)


def _time(data: bytes) -> ScanTimes:
    decodes, scans = [], []
    for _ in range(_REPEATS):
        start = perf_counter()
        cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        middle = perf_counter()
        readings = scan_photo(data)
        scans.append((perf_counter() - middle, readings[0].timing_ms))
        decodes.append(middle - start)
    best_s, stage_ms = min(scans, key=lambda scan: scan[0])
    return ScanTimes(best_s * 1000, min(decodes) * 1000, dict(stage_ms))


def _readable(data: bytes) -> bool:
    try:
        scan_photo(data)
    except ScanError:
        return False
    return True


def _scan(photo: str) -> None:
    try:
        scan_photo(photo)
    except ScanError:
        return


def stage_medians(times: Sequence[ScanTimes]) -> dict[str, float]:
    """Median milliseconds of each stage."""
    stages = list(dict.fromkeys(stage for entry in times for stage in entry.stage_ms))
    return {stage: median(entry.stage_ms.get(stage, 0.0) for entry in times) for stage in stages}
