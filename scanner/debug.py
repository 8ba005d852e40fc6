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
    """Writes `01-photo.jpg`, `02-tags.jpg`, ... into a folder of its own for each photo.

    Attributes:
        failure: why a picture could not be written; after that no more are tried, and the scan goes on without.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0
        self.failure: OSError | None = None

    @property
    def active(self) -> bool:
        """Whether pictures are wanted: until one cannot be written."""
        return self.failure is None

    def draw(self, stage: str, image: NDArray[np.uint8]) -> None:
        """Writes the picture as the next numbered JPEG."""
        if self.failure is not None:
            return
        self._count += 1
        _, encoded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 88])
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            (self._folder / f"{self._count:02d}-{stage}.jpg").write_bytes(encoded.tobytes())
        except OSError as error:
            self.failure = error


NO_DEBUG = NoDebug()
