"""The photos that are measured: synthetic ones of 12 megapixels, made once and kept."""

from __future__ import annotations

from pathlib import Path

import click

SIZE_WH = (4000, 3000)
_SEED = 5


def bench_photos(folder: Path, count: int) -> list[Path]:
    """That many photos from the folder; made there if it holds fewer.

    They are of the everyday difficulty: hard photos are refused early, easy ones have less to decode.
    """
    found = sorted(folder.glob("*.jpg"))
    if len(found) < count:
        from synth import make

        click.echo(f"making {count} photos in {folder}, once", err=True)
        folder.mkdir(parents=True, exist_ok=True)
        make(folder, count, _SEED, "normal", None, SIZE_WH, "expedition-a5")
        found = sorted(folder.glob("*.jpg"))
    return found[:count]
