"""Synthetic sheets: legal games, written by hand, photographed by phone, with their truth.

`make` writes a folder of photos, `make_one` gives one in memory; the parts (games, hands, ink, pages, camera,
kinds) serve the training and the tests too.
"""

from synth.folder import make
from synth.kinds import ABOUT_TAGS, DIFFICULTIES, KINDS
from synth.writing import Made, make_one

__all__ = ["ABOUT_TAGS", "DIFFICULTIES", "KINDS", "Made", "make", "make_one"]
