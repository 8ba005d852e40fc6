"""The bounds on the turns of a sheet, against playing every way in which it can have been written."""

from dataclasses import dataclass

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scoring import DEFAULT, Expedition, RuleSet, Sheet, Track, audit_game, parse_sheet
from scoring.copies import Space, most_without_turn
from scoring.turns import turn_bounds
from tests.scoring.strategies import legal_numbers, sheets

RULES = RuleSet.default()
ARROW, ARTIFACT = "arrow", "artifact"


def bounds(line, specials=None):
    found = turn_bounds(parse_sheet(line), RULES, specials or {})
    return None if found is None else (found.fewest, found.most)


# --- every way to play, straight from the rules -----------------------------------------------------------------------


@dataclass(frozen=True)
class Position:
    """A sheet on its way to the final one."""

    heights: tuple[int, ...]
    circles: frozenset[int]
    artifacts: int
    dice: int


class Play:
    """All turns that lead towards one sheet. Knows nothing of the search that it is to check."""

    def __init__(self, sheet, specials):
        self.names = list(sheet.expeditions)
        self.numbers = [[n for n in column.numbers if n is not None] for column in sheet.expeditions.values()]
        self.circled = [column.double for column in sheet.expeditions.values()]
        self.specials = specials
        self.goal = Position(
            tuple(map(len, self.numbers)),
            frozenset(i for i, circled in enumerate(self.circled) if circled),
            sheet.artifacts.filled,
            sheet.dice.filled,
        )

    def numbers_of_turns(self, limit):
        """Every number of turns up to a limit after which the sheet can look as it does."""
        positions = {Position((0,) * len(self.names), frozenset(), 0, 0)}
        reached = set()
        for turn in range(limit + 1):
            if self.goal in positions:
                reached.add(turn)
            positions = {after for position in positions for after in self.turn(position)}
        return reached

    def turn(self, position):
        # Decline: one die, or nothing once exhausted.
        yield from self.fits(
            Position(position.heights, position.circles, position.artifacts, min(9, position.dice + 1))
        )
        for column, height in enumerate(position.heights):
            if height == 0:
                circles = position.circles | {column}
                if circles != position.circles:
                    yield from self.fits(Position(position.heights, circles, position.artifacts, position.dice))
            if height == 9:
                yield from self.fits(self.with_artifact(position))
            elif height < len(self.numbers[column]):
                yield from self.write(position, column)

    def write(self, position, column):
        """A number into the lowest empty space, and whatever its special space then allows."""
        heights = list(position.heights)
        heights[column] += 1
        after = Position(tuple(heights), position.circles, position.artifacts, position.dice)
        special = self.specials.get(self.names[column], {}).get(heights[column])
        yield from self.fits(after)
        if special == ARTIFACT:
            yield from self.fits(self.with_artifact(after))
        if special == ARROW:
            yield from self.accelerate(after)

    def accelerate(self, position):
        for column, height in enumerate(position.heights):
            numbers = self.numbers[column]
            if height == 9:
                yield from self.fits(self.with_artifact(position))
            elif 0 < height < len(numbers) and numbers[height] == numbers[height - 1]:
                yield from self.write(position, column)

    def with_artifact(self, position):
        return Position(position.heights, position.circles, min(9, position.artifacts + 1), position.dice)

    def fits(self, position):
        goal = self.goal
        if (
            position.artifacts <= goal.artifacts
            and position.dice <= goal.dice
            and position.circles <= goal.circles
            and all(low <= high for low, high in zip(position.heights, goal.heights, strict=True))
        ):
            yield position


# Few different numbers, so that many of them can be copies.
columns = st.lists(st.integers(1, 3), max_size=4).map(sorted)
full_columns = st.lists(st.integers(1, 2), min_size=9, max_size=9).map(sorted)
special_columns = st.dictionaries(st.integers(1, 9), st.sampled_from([ARROW, ARROW, ARTIFACT]), max_size=6)


@st.composite
def small_games(draw, first=columns):
    sheet = Sheet.of(
        {
            "red": Expedition.of(draw(first), draw(st.booleans())),
            "blue": Expedition.of(draw(columns)),
            "green": Expedition.of(draw(columns)[:2]),
            "artifacts": Track.of(draw(st.integers(0, 9))),
            "dice": Track.of(draw(st.sampled_from([0, 1, 9]))),
        }
    )
    return sheet, {name: draw(special_columns) for name in ("red", "blue", "green")}


def check_against_every_play(sheet, specials):
    found = turn_bounds(sheet, RULES, specials)
    assume(found is not None)
    # Two turns further than the bound, or than the least where there is none.
    limit = (found.fewest if found.most is None else found.most) + 2
    expected = range(found.fewest, limit + 1 if found.most is None else found.most + 1)
    assert Play(sheet, specials).numbers_of_turns(limit) == set(expected)


@settings(max_examples=120)
@given(small_games())
def test_bounds_are_exactly_what_playing_every_way_gives(game):
    check_against_every_play(*game)


@settings(max_examples=25)
@given(small_games(first=full_columns))
def test_bounds_are_exact_with_a_full_column(game):
    check_against_every_play(*game)


# --- one case each, counted by hand -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("case", "line", "specials", "expected"),
    [
        ("nothing written", "red -", {}, (0, 0)),
        ("numbers, circles and dice cost a turn each", "red 1 2 x2 | blue - x2 | dice 3", {}, (7, 7)),
        ("an arrow gives a copy, or is left", "red 1 1", {"red": {1: ARROW}}, (1, 2)),
        ("a copy is the same number", "red 1 2", {"red": {1: ARROW}}, (2, 2)),
        ("an arrow has to be written on", "red 1 1", {"red": {3: ARROW}}, (2, 2)),
        ("no copy without an arrow", "red 1 1 1", {}, (3, 3)),
        ("an arrow gives one copy", "red 1 1 1", {"red": {1: ARROW}}, (2, 3)),
        ("copies land on arrows: a chain", "red 1 1 1 1", {"red": {1: ARROW, 2: ARROW, 3: ARROW}}, (1, 4)),
        ("a copy in another column", "red 5 | blue 3 3", {"red": {1: ARROW}}, (2, 3)),
        ("a chain across columns", "red 5 5 | blue 3 3", {"red": {1: ARROW}, "blue": {2: ARROW}}, (2, 4)),
        ("an arrow copies only into what is above it", "red 5 5 7", {"red": {3: ARROW}}, (3, 3)),
        ("a column that is empty has nothing to copy", "red 5 | blue 3", {"red": {1: ARROW}}, (2, 2)),
        # Each arrow would have to come before the copy that the other one needs.
        ("arrows that cross", "red 1 1 2 | blue 1 1 2", {"red": {3: ARROW}, "blue": {3: ARROW}}, (5, 6)),
        ("both ten", "red 9 10 10", {"red": {2: ARROW}}, (2, 3)),
        ("artifact boxes cost no turn", "red 1 2 | artifacts 2", {"red": {1: ARTIFACT, 2: ARTIFACT}}, (2, 2)),
        ("artifacts left behind cost none either", "red 1 2", {"red": {1: ARTIFACT, 2: ARTIFACT}}, (2, 2)),
        ("a full column earns artifacts, a turn each", "red 1 2 3 4 5 6 7 8 9 | artifacts 2", {}, (11, 11)),
        (
            "or its boxes did, if they were not left out",
            "red 1 2 3 4 5 6 7 8 9 | artifacts 2",
            {"red": {1: ARTIFACT}},
            (10, 11),
        ),
        ("an arrow for a full column", "red 1 2 3 4 5 6 7 8 9 | artifacts 1", {"red": {9: ARROW}}, (9, 10)),
        ("exhausted: turns go by", "red 1 | dice 9", {}, (10, None)),
        ("not yet exhausted", "red 1 | dice 8", {}, (9, 9)),
        ("full, and all artifacts marked", "red 1 2 3 4 5 6 7 8 9 | artifacts 9", {}, (18, None)),
        ("all artifacts marked, but no column is full", "red 1 2 | artifacts 2", {"red": {1: ARTIFACT}}, None),
        ("unreadable ink may be a copy", "red 3 ? 5", {"red": {1: ARROW}}, (2, 3)),
        ("and be copied", "red ? 5", {"red": {1: ARROW}}, (1, 2)),
        ("a gap was not written by the rules", "red 3 . 5", {}, None),
        ("nor was a falling number", "red 3 1", {}, None),
        ("nor one that does not exist", "red 11", {}, None),
        ("nor artifacts from nowhere", "artifacts 1", {}, None),
        ("a bridge is no turn", "red 1 b", {}, (1, 1)),
        ("a 10 may come first", "red 10 10", {"red": {1: ARROW}}, (1, 2)),
    ],
)
def test_case(case, line, specials, expected):
    assert bounds(line, specials) == expected, case


def test_where_arrows_are_not_known_any_number_may_be_a_copy():
    sheet = parse_sheet("red 1 1 2 2 2 | artifacts 3 | dice 1")
    found = turn_bounds(sheet, RULES, None)
    assert (found.fewest, found.most) == (3, 6)


def test_arrows_of_the_default_layout_are_the_default():
    line = "yellow 1 1 1 | artifacts 0"
    assert [turn_bounds(parse_sheet(line), RULES, DEFAULT).fewest] == [2]


def test_exhaustion_is_a_setting():
    rules = RuleSet.from_toml("exhausting_dice = 5")
    assert turn_bounds(parse_sheet("dice 5"), rules, {}).most is None


@given(legal_numbers, st.dictionaries(st.integers(1, 9), st.just(ARROW)), st.integers(0, 9))
def test_one_column_by_counting(numbers, arrows, dice):
    """In a column by itself an arrow can only fill the space just above it."""
    copies = sum(arrows.get(i) == ARROW and numbers[i] == numbers[i - 1] for i in range(1, len(numbers)))
    sheet = Sheet(red=Expedition.of(numbers), dice=Track.of(dice))
    found = turn_bounds(sheet, RULES, {"red": arrows})
    assert found.fewest == len(numbers) - copies + dice
    assert found.most == (None if dice == 9 else len(numbers) + dice)


SPACE = st.builds(Space, st.booleans(), st.booleans())
SHORT = st.lists(SPACE, max_size=5).map(
    lambda spaces: [Space(s.arrow, s.copyable and i > 0) for i, s in enumerate(spaces)]
)


@given(st.lists(SHORT, min_size=6, max_size=6), st.randoms())
def test_what_arrows_fill_does_not_depend_on_the_order_of_columns(spaces, rng):
    before = most_without_turn(spaces)
    arrows = sum(space.arrow for column in spaces for space in column)
    copyable = sum(space.copyable for column in spaces for space in column)
    rng.shuffle(spaces)
    assert most_without_turn(spaces) == before <= min(arrows, copyable)


@given(st.lists(SHORT, min_size=2, max_size=6), st.integers(0, 5))
def test_one_more_arrow_never_makes_less_free(spaces, index):
    before = most_without_turn(spaces)
    column = spaces[index % len(spaces)]
    if column:
        column[-1] = Space(True, column[-1].copyable)
    assert before <= most_without_turn(spaces) <= before + 1


# --- the audit --------------------------------------------------------------------------------------------------------


def audited(*lines, specials=None):
    found = audit_game([parse_sheet(line) for line in lines], specials=specials or {})
    return [violation for violation in found if violation.code == "turn-count"]


def test_a_turn_too_many_names_the_players_and_both_intervals():
    (violation,) = audited(
        "player Ana | red 1 1 2 2 3 x2 | dice 1",
        "player Ben | blue 4 | dice 2",
        "Player Chloe | green 1 1 2 3 4",
        specials={"red": {1: ARROW}},
    )
    assert (violation.severity, violation.players) == ("error", ("Ana", "Ben"))
    assert violation.message == (
        "no number of turns fits everybody: Ana's sheet takes 6 to 7 turns, Ben's 3 turns. Every turn each player "
        "writes one number or marks one circle, one artifact of a full column or one die: Ana has 5 numbers (arrows "
        "can have given 1), 1 double circle and 1 die; Ben has 1 number and 2 dice. So Ana took at least 3 turns too "
        "many, or Ben left out as many or did not write them down [rules: severity.turn-count]"
    )
    assert (violation.observed, violation.expected) == (
        "Ana: 6 to 7 turns; Ben: 3 turns",
        "one number of turns for all",
    )


def test_artifacts_of_full_columns_are_part_of_the_account():
    full = "red 1 2 3 4 5 6 7 8 9 | artifacts 3"
    (violation,) = audited(f"player Ana | {full}", "dice 9", "player Ben | blue 1")
    assert "Ana's sheet takes 12 turns, Ben's 1 turn." in violation.message
    assert "Ana has 9 numbers and 3 artifacts;" in violation.message
    (violation,) = audited(f"player Ana | {full}", "player Ben | blue 1", specials={"red": {1: ARTIFACT}})
    assert "Ana's sheet takes 11 to 12 turns" in violation.message
    assert "2 to 3 artifacts;" in violation.message


def test_an_exhausted_player_may_have_had_any_number_of_turns_more():
    assert audited("dice 9", "red 1 2 3 4 5 | blue 1 2 3 4 5") == []
    (violation,) = audited("player Ana | dice 9 | red 1", "player Ben | red 1 2 3 4 5")
    assert "Ana's sheet takes 10 turns or more, Ben's 5 turns" in violation.message


def test_the_same_number_of_turns_is_no_violation():
    assert audited("red 1 2 3", "dice 3", "blue 1 x2 | dice 1") == []
    # 1 to 2 turns, and 2.
    assert audited("red 1 1", "dice 2", specials={"red": {1: ARROW}}) == []


def test_a_sheet_that_breaks_a_rule_by_itself_says_nothing_about_turns():
    assert audited("red 5 1 1 1", "dice 1", "dice 1") == []
    assert audited("red 5 1", "red . 2") == []


@settings(max_examples=40)
@given(st.lists(sheets, max_size=4))
def test_it_fires_exactly_if_two_intervals_have_nothing_in_common(game):
    known = [found for sheet in game if (found := turn_bounds(sheet, RULES, None)) is not None]
    apart = any(a.most is not None and a.most < b.fewest for a in known for b in known)
    found = audit_game(game, specials=None)
    assert ("turn-count" in [violation.code for violation in found]) == apart
