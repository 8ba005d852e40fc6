"""Whatever stops a run, and whenever: started again with --resume, it ends as if nothing had happened."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.batch.conftest import record_of

ROOT = Path(__file__).parents[2]
KILLS = 10

pytestmark = pytest.mark.skipif(not hasattr(os, "killpg"), reason="this system has no process groups")


def start(*arguments: object) -> subprocess.Popen[str]:
    """The program in a process group of its own, whose members can be counted later."""
    return subprocess.Popen(
        [sys.executable, "-m", "cli", "batch", *map(str, arguments)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )


def wait_until(condition: Callable[[], bool], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.002)


def lines_in(folder: Path) -> int:
    record = folder / "results.jsonl"
    return record.read_bytes().count(b"\n") if record.exists() else 0


def is_gone(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


def state(folder: Path) -> tuple[object, ...]:
    files = {
        path.relative_to(folder): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name not in ("results.jsonl", ".lock")
    }
    return record_of(folder), files


@pytest.fixture(scope="module")
def inputs(small_photos, tmp_path_factory) -> list[Path]:
    """The small photos and a file that is none."""
    bad = tmp_path_factory.mktemp("bad") / "bad.jpg"
    bad.write_text("no picture")
    return [small_photos, bad]


@pytest.fixture(scope="module")
def undisturbed(inputs, tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("undisturbed") / "out"
    run = start(*inputs, "-o", out, "--jobs", 2)
    run.communicate(timeout=60)
    assert run.returncode == 3
    return out


def test_killed_at_ten_random_moments_it_ends_as_if_undisturbed(inputs, undisturbed, tmp_path):
    out = tmp_path / "out"
    rng = random.Random(11)
    moments = sorted(rng.randrange(13) for _ in range(KILLS))
    in_the_middle = 0
    for moment in moments:
        run = start(*inputs, "-o", out, "--jobs", 1, "--resume")
        wait_until(lambda: lines_in(out) >= moment or run.poll() is not None)  # noqa: B023
        run.kill()
        run.communicate(timeout=10)
        in_the_middle += run.returncode == -signal.SIGKILL and lines_in(out) < 13
        wait_until(lambda: is_gone(run.pid))  # noqa: B023
    assert in_the_middle >= KILLS // 2
    run = start(*inputs, "-o", out, "--jobs", 2, "--resume")
    run.communicate(timeout=60)
    assert run.returncode == 3
    assert state(out) == state(undisturbed)


def test_a_record_torn_anywhere_is_made_whole_again(inputs, undisturbed, tmp_path, inline, run):
    inline()
    whole = (undisturbed / "results.jsonl").read_bytes()
    for cut in (len(whole) // 3, len(whole) * 2 // 3, len(whole) - 1):
        out = tmp_path / str(cut)
        out.mkdir()
        (out / "run.json").write_bytes((undisturbed / "run.json").read_bytes())
        (out / "results.jsonl").write_bytes(whole[:cut])
        assert run("batch", *inputs, "-o", out, "--resume").exit_code == 3
        assert record_of(out) == record_of(undisturbed)


def test_ctrl_c_ends_soon_and_keeps_what_is_done(inputs, undisturbed, tmp_path, inline, run):
    out = tmp_path / "out"
    started = start(*inputs, "-o", out, "--jobs", 2)
    wait_until(lambda: lines_in(out) >= 3)
    os.killpg(started.pid, signal.SIGINT)
    stderr = started.communicate(timeout=10)[1]
    assert started.returncode == 130
    assert "--resume" in stderr
    assert "Traceback" not in stderr
    assert 3 <= len(record_of(out)) < 13
    assert (out / "results.csv").read_text("utf-8-sig").count("\n") == len(record_of(out)) + 1
    wait_until(lambda: is_gone(started.pid))
    inline()
    run("batch", *inputs, "-o", out, "--resume")
    assert state(out) == state(undisturbed)
