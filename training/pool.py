"""Training cells on disk, in shards that worker processes draw while the trainer runs.

Shard n always holds the same cells, whoever draws it and when: a run is repeated exactly by its seed.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from pathlib import Path

import cv2
import numpy as np

from training.cells import Composer
from training.photos import Photographer
from training.shard import Shard, joined
from training.sources import load_sources

SHARD_CELLS = 4096

PHOTOGRAPHED = 1024
"""Cells of a shard that come from synthetic photos through the pipeline. A photo costs as 500 composed cells do."""


def draw_shard(composer: Composer, count: int = SHARD_CELLS) -> Shard:
    """The composer's next cells."""
    cells = [composer.cell() for _ in range(count)]
    return Shard(
        np.stack([cell.image for cell in cells]),
        np.stack([cell.blank for cell in cells]),
        np.array([cell.known for cell in cells], np.bool_),
        np.array([cell.number for cell in cells], np.int64),
        np.array([cell.mark for cell in cells], np.int64),
    )


def mixed_shard(composer: Composer, seed: int, number: int) -> Shard:
    """Composed cells and photographed ones together, `SHARD_CELLS` of them."""
    photographer = Photographer(composer, "train", seed * 1_000_003 + number)
    photos: list[Shard] = []
    while sum(len(photo.known) for photo in photos) < PHOTOGRAPHED:
        photo = photographer.photo()
        if photo is not None:
            photos.append(photo)
    photographed = joined(photos)
    few = Shard(*(getattr(photographed, field)[:PHOTOGRAPHED] for field in Shard.__slots__))
    return joined([few, draw_shard(composer, SHARD_CELLS - PHOTOGRAPHED)])


def start_workers(data: Path, folder: Path, seed: int, shards: int, workers: int) -> list[multiprocessing.Process]:
    """Starts processes that draw shards 0, 1, ... into a folder, politely: they yield to the trainer.

    Args:
        data: the folder of the data sets.
        folder: where shards are written.
        seed: of the whole run.
        shards: how many to draw.
        workers: how many processes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    load_sources(data, "train", folder.parent)
    context = multiprocessing.get_context("spawn")
    processes = []
    for worker in range(workers):
        numbers = list(range(worker, shards, workers))
        process = context.Process(target=_work, args=(data, folder, seed, numbers), daemon=True)
        process.start()
        processes.append(process)
    return processes


def wait_for_shard(folder: Path, number: int, workers: list[multiprocessing.Process]) -> Shard:
    """Shard `number`, as soon as it is drawn; its file is removed, for all of them would fill a disk.

    Raises:
        RuntimeError: the workers died without drawing it.
    """
    path = _path(folder, number)
    while not path.exists():
        if not any(worker.is_alive() for worker in workers) and not path.exists():
            raise RuntimeError(f"no worker is left to draw shard {number} into {folder}")
        time.sleep(0.2)
    with np.load(path) as data:
        shard = Shard(data["images"], data["blanks"], data["known"], data["numbers"], data["marks"])
    path.unlink()
    return shard


def _work(data: Path, folder: Path, seed: int, numbers: list[int]) -> None:
    os.nice(10)
    cv2.setNumThreads(1)
    sources = load_sources(data, "train", folder.parent)
    for number in numbers:
        path = _path(folder, number)
        if path.exists():
            continue
        shard = mixed_shard(Composer(sources, "train", seed * 1_000_003 + number), seed, number)
        unfinished = path.with_suffix(".part.npz")
        np.savez(
            unfinished,
            images=shard.images,
            blanks=shard.blanks,
            known=shard.known,
            numbers=shard.numbers,
            marks=shard.marks,
        )
        unfinished.rename(path)


def _path(folder: Path, number: int) -> Path:
    return folder / f"shard-{number:05d}.npz"
