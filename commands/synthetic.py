"""`rollwrite synth`: synthetic photos with their truth."""

from __future__ import annotations

import re
from functools import partial

import click

from commands.failures import complain
from commands.inputs import folder_from, layout_from
from commands.pool import mapped
from commands.progress import show_progress
from layouts import LayoutError

_MOST_PIXELS = 200_000_000


def make_photos(
    output: str,
    count: int,
    seed: int,
    difficulty: str,
    only: str | None,
    size: str | None,
    layout_name: str | None,
    jobs: int = 1,
    pad: str | None = None,
) -> int:
    """Writes photos and truth files into a folder, the same whatever the number of processes.

    Raises:
        click.BadParameter: an unknown kind, no size, or a folder that cannot be made.
        click.UsageError: a pad and a layout.
    """
    if pad is not None and layout_name is not None:
        raise click.UsageError("--pad and --layout both say which sheet it is: give one of them")
    size_wh = size_of(size)
    from synth import ABOUT_TAGS, KINDS, make

    if only is not None and only not in KINDS:
        raise click.BadParameter(f"{only!r} is not one of {', '.join(KINDS)}", param_hint="--only")
    if pad is not None and only in ABOUT_TAGS:
        raise click.BadParameter(f"{only!r} is about corner tags, which pads do not have", param_hint="--only")
    layout = layout_from(layout_name)
    folder_from(output, "-o")
    try:
        name = layout_name or layout.name
        run = partial(mapped, jobs=jobs)
        make(output, count, seed, difficulty, only, size_wh, name, progress=_progress, run=run, pad=pad)
    except LayoutError as error:
        raise click.BadParameter(str(error), param_hint="--layout") from error
    complain(f"{count} photos with their truth: {output}")
    return 0


def _progress(done: int, total: int) -> None:
    show_progress(done, total, "photos")


def size_of(size: str | None) -> tuple[int, int] | None:
    """Width and height from `WxH`.

    Raises:
        click.BadParameter: anything else.
    """
    if size is None:
        return None
    found = re.fullmatch(r"(\d{2,5})x(\d{2,5})", size.lower())
    if found is None:
        raise click.BadParameter(f"{size!r}: expected width x height in pixels, as in 4000x3000", param_hint="--size")
    width, height = int(found[1]), int(found[2])
    if width * height > _MOST_PIXELS:
        raise click.BadParameter(
            f"{size!r}: at most {_MOST_PIXELS // 1_000_000} megapixels, more are not read either", param_hint="--size"
        )
    return width, height
