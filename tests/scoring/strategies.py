"""Hypothesis strategies for sheets: any that can be written down, and legal columns."""

from hypothesis import settings
from hypothesis import strategies as st

from layouts.model import COLUMNS, EXPEDITIONS
from scoring import Expedition, Sheet, Track
from scoring.plain import WRITTEN

# The machine that runs the tests may be busy: time is not what these laws are about.
settings.register_profile("laws", deadline=None)
settings.load_profile("laws")

NUMBERS = st.none() | st.just("?") | st.integers(1, 10) | st.integers(-30, 30) | st.integers(-999_999, 999_999)
MARKS = st.tuples(*[st.booleans()] * 9)
PREFIX_MARKS = st.integers(0, 9).map(lambda count: (True,) * count + (False,) * (9 - count))

expeditions = st.builds(Expedition, st.tuples(*[NUMBERS] * 9), st.booleans(), st.booleans())
tracks = st.builds(Track, MARKS | PREFIX_MARKS, st.booleans())
written = st.dictionaries(st.sampled_from(WRITTEN), st.integers(-999_999, 999_999))
sheets = st.builds(
    Sheet,
    player=st.none() | st.text() | st.sampled_from(["", " ", '"', "a|b", "\\", "a\nb", "\u2028", "red 1 | b"]),
    **dict.fromkeys(EXPEDITIONS, expeditions),
    artifacts=tracks,
    dice=tracks,
    written=written,
)

legal_numbers = st.lists(st.integers(1, 10), max_size=9).map(sorted)
column_names = st.sampled_from(COLUMNS)
expedition_names = st.sampled_from(EXPEDITIONS)


def outcome(make, error):
    """What comes out of `make`, and nothing; or nothing, and the text of that error. Any other is a bug."""
    try:
        return make(), ""
    except error as caught:
        return None, str(caught)
