"""Many training cells as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Shard:
    """Many cells: `images` and `blanks` uint8 (N, 48, 48, 3), `known` bool (N,), `numbers` and `marks` int64 (N,)."""

    images: U8
    blanks: U8
    known: NDArray[np.bool_]
    numbers: NDArray[np.int64]
    marks: NDArray[np.int64]


def joined(parts: Sequence[Shard]) -> Shard:
    """Several shards as one."""
    fields = ("images", "blanks", "known", "numbers", "marks")
    return Shard(*(np.concatenate([getattr(part, field) for part in parts]) for field in fields))
