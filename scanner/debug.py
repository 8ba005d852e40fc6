"""Where stages draw themselves: numbered files in a folder, or nowhere."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray


class DebugSink(Protocol):
    """Takes the pictures that stages make of their work."""

    @property
    def active(self) -> bool:
        """Whether pictures are wanted; stages skip drawing otherwise."""
        ...

    def draw(self, stage: str, image: NDArray[np.uint8]) -> None:
        """Takes one picture: uint8, grey (h, w) or BGR (h, w, 3)."""
        ...


class NoDebug:
    """Wants no pictures."""

    active = False

    def draw(self, stage: str, image: NDArray[np.uint8]) -> None:
        """Drops the picture."""


class FolderDebug:
    """Writes `01-photo.jpg`, `02-tags.jpg`, ... into a folder of its own for each photo."""

    active = True

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0
        folder.mkdir(parents=True, exist_ok=True)

    def draw(self, stage: str, image: NDArray[np.uint8]) -> None:
        """Writes the picture as the next numbered JPEG.

        Raises:
            OSError: the folder cannot be written.
        """
        self._count += 1
        _, encoded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 88])
        (self._folder / f"{self._count:02d}-{stage}.jpg").write_bytes(encoded.tobytes())


NO_DEBUG = NoDebug()
