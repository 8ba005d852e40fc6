"""`rollwrite eval`: accuracy over a folder of photos with truth files."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from commands.failures import UNREAD, complain
from commands.inputs import layout_names, scan_options
from commands.output import require_stdout
from commands.pool import mapped
from commands.progress import show_progress
from evaluation import PhotoOutcome, TruthError, evaluate_photo, measure, photos_with_truth
from evaluation.text import figures_text
from report.data import dumps
from scanner.options import ScanOptions


def evaluate_folder(folder: str, form: str, layout_name: str | None, reader: str, jobs: int) -> int:
    """Scans every photo that has a truth file and prints the figures.

    Returns:
        The exit code: 0, or 3 where a truth file could not be used. A refused photo is a result, not a failure.

    Raises:
        click.UsageError: the folder holds nothing to evaluate.
    """
    names = layout_names(layout_name)
    options = scan_options(reader)
    require_stdout()
    try:
        photos, unknown = photos_with_truth(Path(folder))
    except TruthError as error:
        raise click.UsageError(f"{error}; rollwrite synth makes such folders") from error
    if unknown:
        complain(f"{len(unknown)} photos without a truth file left out, the first is {unknown[0].name}")
    outcomes: list[PhotoOutcome] = []
    for done, result in enumerate(mapped(partial(_evaluate, layout_names=names, options=options), photos, jobs), 1):
        show_progress(done, len(photos), "photos")
        if isinstance(result, TruthError):
            complain(f"{result}; left out")
        else:
            outcomes.append(result)
    figures = measure(outcomes)
    sys.stdout.write(figures_text(figures) if form == "table" else dumps(figures, sys.stdout.encoding, 1) + "\n")
    return 0 if len(outcomes) == len(photos) else UNREAD


def _evaluate(photo: Path, layout_names: Sequence[str], options: ScanOptions) -> PhotoOutcome | TruthError:
    try:
        return evaluate_photo(photo, layout_names, options)
    except TruthError as error:
        return error
