"""`rollwrite review`: a person says what the doubtful cells of a stack say, one after the other."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from batch.lines import RECORD_FILE, CellId, Correction
from batch.page.sheets import words_of
from batch.pictures import crop_of
from batch.record import Record, read_record
from batch.results import Result
from batch.writer import RecordWriter, correcting
from commands.failures import complain
from commands.inputs import folder_from
from commands.stackend import finish, in_stack
from report.entries import ALL_READ, ScannedSheet
from report.letters import printable
from scanner.cells import MARGIN
from scanner.doubt import shown
from scanner.types import LocatedReading, Value
from scoring.words import counted

CROP_FILE = "review.jpg"

_NUMBERS: Mapping[str, Value] = {".": None, "?": "?"} | {str(number): number for number in range(1, 11)}
_MARKS: Mapping[str, Value] = {"x": True, "-": False}
"""What may be typed for the values of a cell."""

_AS_READ, _SKIP, _STOP = "", "s", "q"


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

    def ask_and_finish(place: Path) -> int:
        record = read_record(place)
        try:
            with correcting(place / RECORD_FILE) as writer:
                told = _dialogue(record, questions(record), writer)
        finally:
            (place / CROP_FILE).unlink(missing_ok=True)
        complain(f"{counted(told, 'cell')} told, the results follow")
        return finish(place, strict)

    return in_stack(folder, ask_and_finish)


def export_corrections(folder: str, target: str) -> int:
    """Writes what people corrected as training data: a picture of each cell, and `labels.csv` with what it says.

    Returns:
        The exit code.

    Raises:
        click.UsageError: one of the folders cannot be used.
    """
    into = folder_from(target, "--export")
    assert into is not None

    def export(place: Path) -> int:
        rows = list(_exported(read_record(place), into))
        with (into / "labels.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([("file", "kind", "says", "was_read_as", "photo_sha256"), *rows])
        complain(f"{counted(len(rows), 'cell')} in {into}")
        return ALL_READ

    return in_stack(folder, export)


def _exported(record: Record, into: Path) -> Iterator[tuple[object, ...]]:
    """Writes the picture of each corrected cell, and gives its row of `labels.csv`."""
    for result in record.results:
        told = record.corrections.get(result.sheet_id, ()) if result.sheet_id and result.picture else ()
        for one in told:
            picture = record.folder / str(result.picture)
            box = record.layout_of(record.stored(result)).cell(one.cell.key)
            crop = crop_of(picture, box, MARGIN * min(box.w_mm, box.h_mm), 1)
            if crop is not None:
                name = f"{picture.stem}-{one.cell.key.replace('/', '-')}.jpg"
                (into / name).write_bytes(crop)
                yield name, one.cell.kind, shown(one.value), shown(one.was), result.sha256


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


def _dialogue(record: Record, asked: Sequence[Question], writer: RecordWriter) -> int:
    """Asks, and appends each answer to the record.

    Returns:
        How many cells were told.
    """
    if not asked:
        complain("nothing to check")
    told = 0
    for number, question in enumerate(asked, 1):
        click.echo(f"\n{number} of {len(asked)}: {printable(question.result.where)}, {words_of(question.cell.box)}")
        for line in _lines(record, question):
            click.echo(f"  {line}")
        values = _NUMBERS if question.cell.box.kind == "number" else _MARKS
        answer = _answer(values)
        if answer == _STOP:
            break
        if answer != _SKIP:
            writer.correct(_correction(question, {_AS_READ: question.cell.reading.value, **values}[answer]))
            told += 1
    return told


def _lines(record: Record, question: Question) -> Iterator[str]:
    """What helps to answer."""
    yield question.reason
    yield _read_as(question.cell)
    if question.spread:
        yield f"the doubtful cells of this sheet can move its total by {question.spread}"
    crop = _crop(record, question)
    if crop is not None:
        yield f"picture: {printable(str(crop))}"


def _read_as(cell: LocatedReading) -> str:
    """What was read, which Enter confirms, and the runner-up."""
    best, *others = cell.reading.alternatives
    second = f", else {shown(others[0][0])} ({others[0][1]:.0%})" if others else ""
    return f"Enter: {shown(best[0])} ({best[1]:.0%}){second}"


def _answer(values: Mapping[str, Value]) -> str:
    """What a person types, asked again until it means something; the end of the input is a stop."""
    while True:
        try:
            text = click.prompt("  it says", default=_AS_READ, show_default=False, prompt_suffix="? ").strip().lower()
        except click.Abort:
            return _STOP
        if text in (_AS_READ, _SKIP, _STOP) or text in values:
            return str(text)
        known = ", ".join(
            f"{typed} {shown(value)}" if typed != shown(value) else typed for typed, value in values.items()
        )
        click.echo(f"  {text!r} is none of: {known}; Enter for as it was read, {_SKIP} to skip, {_STOP} to stop")


def _correction(question: Question, value: Value) -> Correction:
    sheet, box = question.result.sheet_id, question.cell.box
    assert sheet is not None
    return Correction(sheet, CellId(str(box.column), box.space, box.kind), value, question.cell.reading.value)


def _crop(record: Record, question: Question) -> Path | None:
    """Where a picture of the cell and its neighbours was written; None where the sheet has none."""
    if question.result.picture is None:
        return None
    crop = crop_of(record.folder / question.result.picture, question.cell.box)
    if crop is None:
        return None
    path = record.folder / CROP_FILE
    path.write_bytes(crop)
    return path
