"""Working through a stack: whatever an engine reads goes into the record at once, photo by photo."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from batch.engines.base import Engine, Lost
from batch.inputs import Item
from batch.lines import RECORD_FILE
from batch.resume import Kept, is_done
from batch.work import OVERLAYS, PICTURES, Done, Work, lost
from batch.writer import RecordWriter

_REMEDIES = {
    "crashed": "if memory ran short, take fewer --jobs; if not, scan it alone, and report it",
    "took-too-long": "give it more time with --timeout, or scale the picture down",
}


@dataclass(frozen=True, slots=True)
class Stack:
    """A stack to be worked through.

    Attributes:
        folder: the batch folder.
        items: all inputs, in order.
        work: how they are read.
        kept: what the record holds of them already.
        end: its bytes that are whole.
    """

    folder: Path
    items: Sequence[Item]
    work: Work
    kept: Mapping[str, Kept] = field(default_factory=dict)
    end: int = 0


def work_through(stack: Stack, engine: Engine) -> Generator[Done | Item]:
    """Reads what is not read yet; pictures are written first, so that a line in the record means they are there.

    Yields:
        What was read, when it is in the record, and the items that were in it before, as they are met.

    Raises:
        OSError: something cannot be written; the record holds everything before that.
        EngineError: no work can be done.
    """
    for folder in (PICTURES, OVERLAYS):
        (stack.folder / folder).mkdir(exist_ok=True)
    before: list[Item] = []
    with (
        RecordWriter(stack.folder / RECORD_FILE, stack.end) as writer,
        closing(_mapped(engine, stack, before)) as results,
    ):
        for result in results:
            yield from _taken(before)
            done = _gone(result) if isinstance(result, Lost) else result
            for path, data in done.pictures.items():
                (stack.folder / path).write_bytes(data)
            if not _fails_again(done, stack.kept):
                writer.add(done.lines)
            yield done
        yield from _taken(before)


def _mapped(engine: Engine, stack: Stack, before: list[Item]) -> Generator[Done | Lost[Item]]:
    """What the engine makes of the items that are left; the others go into `before`."""

    def left() -> Iterator[Item]:
        for item in stack.items:
            if is_done(item, stack.kept):
                before.append(item)
            else:
                yield item

    yield from engine.map(stack.work, left())


def _taken(items: list[Item]) -> Iterator[Item]:
    yield from items
    items.clear()


def _gone(gone: Lost[Item]) -> Done:
    what = "given up" if gone.code == "took-too-long" else "reading it ended its process"
    return lost(gone.item, gone.code, f"{Path(gone.item.name).name}: {what} ({gone.detail})", _REMEDIES[gone.code])


def _fails_again(done: Done, kept: Mapping[str, Kept]) -> bool:
    """Whether another try failed like the one in the record, which needs no second line on that."""
    entry = kept.get(done.item.name)
    codes = tuple(outcome.failure.code if outcome.failure else None for outcome in done.outcomes)
    return entry is not None and entry.worth_another_try and entry.codes == codes
