"""The photos that are measured: synthetic ones of 12 megapixels, made once and kept."""

from __future__ import annotations

import subprocess
from pathlib import Path

import click

from bench.commands import rollwrite

_SIZE = "4000x3000"
_SEED = "5"


def bench_photos(folder: Path, count: int, kind: str | None = None) -> list[Path]:
    """That many photos from the folder; made there if it holds fewer.

    They are of the everyday difficulty: hard photos are refused early, easy ones have less to decode.

    Args:
        folder: where they are kept.
        count: how many.
        kind: only this kind of photo.
    """
    found = sorted(folder.glob("*.jpg"))
    if len(found) < count:
        click.echo(f"making {count} photos in {folder}, once", err=True)
        # In a process of its own: this one has to stay small, see `bench.commands.peak_memory_mb`.
        options = ["-o", str(folder), "-n", str(count), "--seed", _SEED, "--size", _SIZE]
        options += ["--only", kind] if kind else []
        subprocess.run([*rollwrite(), "synth", *options], check=True, stderr=subprocess.DEVNULL)
        found = sorted(folder.glob("*.jpg"))
    return found[:count]
