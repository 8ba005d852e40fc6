"""`rollwrite review`: a person says what the doubtful cells of a stack say, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from batch.errors import BatchError
from batch.lines import RECORD_FILE, CellId, Correction
from batch.page.sheets import words_of
from batch.place import alone
from batch.record import Record, read_record
from batch.results import Result
from batch.writer import append_corrections
from commands.failures import UNREAD, complain
from commands.inputs import folder_from
from commands.stackend import finish
from report.entries import ALL_READ, ScannedSheet
from report.letters import printable
from scanner.doubt import shown
from scanner.types import LocatedReading, Value
from scoring.words import counted

CROP_FILE = "review.jpg"

_HELP = {
    "number": "a number from 1 to 10, . for empty, ? for ink that is no number",
    "mark": "x for marked, - for unmarked",
}
_EVERYWHERE = "Enter for as it was read, s to skip, q to stop"


@dataclass(frozen=True, slots=True)
class Question:
    """A doubtful cell to ask about.

    Attributes:
        result: its sheet.
        cell: the cell as it was read.
        reason: why it is doubtful.
        spread: by how many points the doubtful cells of its sheet can move the total.
    """

    result: Result
    cell: LocatedReading
    reason: str
    spread: int


def review_stack(folder: str, strict: bool) -> int:
    """Asks about every doubtful cell of a batch folder, keeps each answer at once, and makes all reports again.

    Returns:
        The exit code that its run would give with these answers.

    Raises:
        click.UsageError: it is no batch folder, or another program is at work there.
    """
    place = Path(folder)
    if not place.is_dir():
        raise click.BadParameter(f"{folder}: no such folder; give one that rollwrite batch made", param_hint="DIR")
    try:
        with alone(place):
            record = read_record(place)
            told = _dialogue(record, questions(record))
            complain(f"{told} told, the results follow")
            return finish(place, strict)
    except BatchError as error:
        raise click.UsageError(str(error)) from error
    except OSError as error:
        complain(f"cannot write {error.filename or folder}: {error.strerror or error}; make room or mend it")
        return UNREAD


def export_corrections(folder: str, target: str) -> int:
    """Writes what people corrected as training data: a picture of each cell, and `labels.csv` with what it says.

    Returns:
        The exit code.

    Raises:
        click.UsageError: one of the folders cannot be used.
    """
    import csv

    from batch.pictures import crop_of

    into = folder_from(target, "--export")
    assert into is not None
    try:
        record = read_record(Path(folder))
        rows = []
        for result in record.results:
            told = record.corrections.get(result.sheet_id, ()) if result.sheet_id and result.picture else ()
            for one in told:
                box = record.layout.cell(one.cell.key)
                crop = crop_of(record.folder / str(result.picture), box, 0.2 * min(box.w_mm, box.h_mm), 1)
                name = f"{Path(str(result.picture)).stem}-{one.cell.key.replace('/', '-')}.jpg"
                if crop is not None:
                    (into / name).write_bytes(crop)
                    rows.append((name, one.cell.kind, shown(one.value), shown(one.was), result.sha256))
        with (into / "labels.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([("file", "kind", "says", "was_read_as", "photo_sha256"), *rows])
    except BatchError as error:
        raise click.UsageError(str(error)) from error
    except OSError as error:
        complain(f"cannot write {error.filename or target}: {error.strerror or error}; make room or mend it")
        return UNREAD
    complain(f"{counted(len(rows), 'cell')} in {into}")
    return ALL_READ


def questions(record: Record) -> list[Question]:
    """All doubtful cells of the sheets that count; those first on whose sheets the most points hang."""
    found = []
    for result in record.results:
        if not result.counted or result.summary is None or not result.summary.review:
            continue
        entry = record.entry(result)
        assert isinstance(entry, ScannedSheet)
        spread = result.summary.high - result.summary.low
        found += [Question(result, cell, reason, spread) for cell, reason in entry.reading.review]
    return sorted(found, key=lambda question: -question.spread)


def _dialogue(record: Record, asked: list[Question]) -> int:
    """Asks, and appends each answer to the record.

    Returns:
        How many cells were told.
    """
    if not asked:
        complain("nothing to check")
    told = 0
    for number, question in enumerate(asked, 1):
        click.echo(f"\n{number} of {len(asked)}: {printable(question.result.where)}, {words_of(question.cell.box)}")
        click.echo(f"  {question.reason}")
        click.echo(f"  {_read_as(question.cell)}")
        if question.spread:
            click.echo(f"  the doubtful cells of this sheet can move its total by {question.spread}")
        crop = _crop(record, question)
        if crop is not None:
            click.echo(f"  picture: {printable(str(crop))}")
        answer = _answer(question)
        if answer is None:
            return told
        for value in answer:
            append_corrections(record.folder / RECORD_FILE, [_correction(question, value)])
            told += 1
    return told


def _read_as(cell: LocatedReading) -> str:
    """What was read, which Enter confirms, and the runner-up."""
    best, *others = cell.reading.alternatives
    second = f", else {shown(others[0][0])} ({others[0][1]:.0%})" if others else ""
    return f"Enter: {shown(best[0])} ({best[1]:.0%}){second}"


def _answer(question: Question) -> tuple[Value, ...] | None:
    """The value that a person gives, none to skip; None to stop."""
    kind = "number" if question.cell.box.kind == "number" else "mark"
    while True:
        try:
            text = click.prompt("  it says", default="", show_default=False, prompt_suffix="? ").strip().lower()
        except (click.Abort, EOFError):
            return None
        if text == "q":
            return None
        if text == "s":
            return ()
        if text == "":
            return (question.cell.reading.value,)
        for value in parsed(text, kind):
            return (value,)
        click.echo(f"  {text!r} is none of: {_HELP[kind]}; {_EVERYWHERE}")


def parsed(text: str, kind: str) -> Iterator[Value]:
    """The value that a text stands for in a `number` or a `mark` cell; nothing if it stands for none."""
    signs: dict[str, Value] = {".": None, "?": "?", **{str(number): number for number in range(1, 11)}}
    known = signs if kind == "number" else {"x": True, "-": False}
    if text in known:
        yield known[text]


def _correction(question: Question, value: Value) -> Correction:
    sheet, box = question.result.sheet_id, question.cell.box
    assert sheet is not None
    return Correction(sheet, CellId(str(box.column), box.space, box.kind), value, question.cell.reading.value)


def _crop(record: Record, question: Question) -> Path | None:
    """Where a picture of the cell and its neighbours was written; None where the sheet has none."""
    if question.result.picture is None:
        return None
    from batch.pictures import crop_of

    crop = crop_of(record.folder / question.result.picture, question.cell.box)
    if crop is None:
        return None
    path = record.folder / CROP_FILE
    path.write_bytes(crop)
    return path
