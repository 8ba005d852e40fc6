from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from batch.engines import Lost
from synth import make_one

SMALL_WH = (800, 600)


class Inline:
    """An engine that works where it is called: quick, and no help against crashes."""

    def map(self, task: Callable, items: Iterable) -> Iterator:
        return (task(item, lambda: None) for item in items)


class Dying(Inline):
    """An engine whose work never ends by itself for items with some word in their names."""

    def __init__(self, word: str, code: str = "crashed") -> None:
        self.word, self.code = word, code

    def map(self, task: Callable, items: Iterable) -> Iterator:
        for item in items:
            yield Lost(item, self.code, "a test") if self.word in item.name else task(item, lambda: None)


@pytest.fixture(scope="session")
def small_photos(tmp_path_factory) -> Path:
    """Twelve synthetic photos of half a megapixel, IMG_1.jpg to IMG_12.jpg."""
    folder = tmp_path_factory.mktemp("small")
    for number in range(1, 13):
        made = make_one(5, number, only="plain", size=SMALL_WH, namespace="sample")
        (folder / f"IMG_{number}.jpg").write_bytes(made.jpeg)
    return folder


@pytest.fixture
def inline(monkeypatch) -> Callable[..., None]:
    """Lets the command work in this process, or with another engine that is given."""

    def install(engine: object = None) -> None:
        monkeypatch.setattr("commands.batch._engine", lambda name, jobs, timeout: engine or Inline())

    return install


def record_of(folder: Path) -> list[dict]:
    """All lines of a record as if everything had taken no time, in the order of their inputs."""
    lines = [json.loads(line) for line in (folder / "results.jsonl").read_text("utf-8").splitlines()]
    for line in lines:
        line.pop("timing_ms", None)
    return sorted(lines, key=lambda line: (line["batch"]["input"], line["batch"]["part"]))
