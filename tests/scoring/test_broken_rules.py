"""For every rule: sheets of legal games changed so that they break exactly that one are caught."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from layouts import COLUMNS, load_layout
from scoring import Expedition, RuleSet, Sheet, Track, audit_game, turn_bounds, validate
from synth.faults import FAULTS, with_violation
from synth.whims import play_whims
from tests.scoring.test_cases import GAME_CODES, SHEET_CODES

RULES, SPECIALS = RuleSet.default(), load_layout().specials


def games(count: int) -> list[list[Sheet]]:
    """Sheets of finished games without lone circles and shared bridges, so that nothing at all is to be found."""
    found: list[list[Sheet]] = []
    for seed in range(10 * count):
        game = play_whims(np.random.default_rng([23, seed]), 2 + seed % 4)
        sheets = [player.sheet() for player in game.players]
        if not audit_game(sheets) and not any(map(validate, sheets)):
            found.append(sheets)
    return found[:count]


@pytest.fixture(scope="module")
def legal() -> list[list[Sheet]]:
    found = games(40)
    assert len(found) == 40
    return found


def test_there_is_a_way_to_break_every_rule():
    assert set(SHEET_CODES) == set(FAULTS)
    assert set(GAME_CODES) == {
        *BROKEN_GAMES,
        "turn-count",
        "game-not-over",
        "player-count",
    }


@pytest.mark.parametrize("code", SHEET_CODES)
def test_a_sheet_that_breaks_one_rule_is_caught(legal, code):
    """With_violation gives a sheet up if another code, or none, is found; so few may be given up."""
    broken = 0
    for seed, sheets in enumerate(legal):
        for sheet in sheets:
            changed = with_violation(sheet, code, np.random.default_rng(seed))
            if changed is not None:
                assert [violation.code for violation in validate(changed)] == [code]
                broken += 1
    assert broken >= 20


def descending_by_hand(sheet: Sheet) -> list[Sheet]:
    """Every sheet with one number lower than the one below it."""
    return [
        with_number(sheet, column, space, number)
        for column, content in sheet.expeditions.items()
        for space in range(1, content.filled)
        for number in range(1, content.numbers[space - 1])
    ]


def gaps_by_hand(sheet: Sheet) -> list[Sheet]:
    """Every sheet with one number taken out below another."""
    return [
        with_number(sheet, column, space, None)
        for column, content in sheet.expeditions.items()
        for space in range(content.filled - 1)
    ]


def out_of_range_by_hand(sheet: Sheet) -> list[Sheet]:
    return [
        with_number(sheet, column, content.filled - 1, number)
        for column, content in sheet.expeditions.items()
        for number in (0, 11, -3, 99)
        if content.filled
    ]


def unreadable_by_hand(sheet: Sheet) -> list[Sheet]:
    return [
        with_number(sheet, column, space, "?")
        for column, content in sheet.expeditions.items()
        for space in range(content.filled)
    ]


def bridges_by_hand(sheet: Sheet) -> list[Sheet]:
    return [
        replace(sheet, **{column: replace(content, bridge=True)})
        for column, content in sheet.columns.items()
        if content.filled < 7
    ]


def with_number(sheet: Sheet, column: str, space: int, number: int | str | None) -> Sheet:
    content = sheet[column]
    numbers = [*content.numbers[:space], number, *content.numbers[space + 1 :]]
    return replace(sheet, **{column: replace(content, numbers=tuple(numbers))})


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("descending", descending_by_hand),
        ("gap", gaps_by_hand),
        ("out-of-range", out_of_range_by_hand),
        ("unreadable", unreadable_by_hand),
        ("bridge-not-reached", bridges_by_hand),
    ],
)
def test_no_such_change_of_any_sheet_escapes(legal, code, changes):
    for sheets in legal[:15]:
        for sheet in sheets:
            for changed in changes(sheet):
                assert code in {violation.code for violation in validate(changed)}


def claims_moved(sheets: list[Sheet], column: str, claim: Sequence[bool]) -> list[Sheet]:
    pairs = zip(sheets, claim, strict=True)
    return [replace(sheet, **{column: replace(sheet[column], bridge=mine)}) for sheet, mine in pairs]


def claimed_twice(sheets: list[Sheet], column: str) -> list[Sheet] | None:
    crossed = [sheet[column].filled >= 7 for sheet in sheets]
    return claims_moved(sheets, column, crossed) if sum(crossed) > 1 else None


def unclaimed(sheets: list[Sheet], column: str) -> list[Sheet] | None:
    crossed = any(sheet[column].filled >= 7 for sheet in sheets)
    return claims_moved(sheets, column, [False] * len(sheets)) if crossed else None


def there_twice(sheets: list[Sheet], column: str) -> list[Sheet] | None:
    """One sheet more, alike but for its name; nothing else can change by it but who claims bridges."""
    if len(sheets) == RULES.most_players:
        return None
    sheet = next((s for s in sheets if sum(c.filled for c in s.expeditions.values()) >= 6 and not claims(s)), None)
    return None if sheet is None else [*sheets, sheet.named("again")]


def claims(sheet: Sheet) -> bool:
    return any(content.bridge for content in sheet.columns.values())


BROKEN_GAMES = {"bridge-claimed-twice": claimed_twice, "bridge-unclaimed": unclaimed, "sheet-twice": there_twice}


@pytest.mark.parametrize("code", BROKEN_GAMES)
def test_a_game_that_breaks_one_rule_is_caught(legal, code):
    broken = 0
    for sheets in legal:
        for column in COLUMNS:
            changed = BROKEN_GAMES[code](sheets, column)
            if changed is not None:
                assert [violation.code for violation in audit_game(changed)] == [code]
                broken += 1
    assert broken >= 20


def test_games_that_are_not_over_are_caught():
    broken = 0
    for seed in range(60):
        game = play_whims(np.random.default_rng([29, seed]), 2 + seed % 4, turns=1 + seed % 30)
        if not game.over:
            found = {violation.code for violation in audit_game([player.sheet() for player in game.players])}
            assert "game-not-over" in found
            broken += 1
    assert broken >= 20


def test_too_few_and_too_many_players_are_caught(legal):
    for sheets in legal:
        for few in (sheets[:1], [*sheets, *sheets, *sheets]):
            assert "player-count" in {violation.code for violation in audit_game(few)}


def test_turns_left_out_or_too_many_are_caught_exactly_where_no_game_explains_them(legal):
    """That not all of them can be caught is shown in docs/turn-count.md; that all that can be are, here."""
    caught = 0
    for sheets in legal:
        known = [bounds for sheet in sheets if (bounds := turn_bounds(sheet, RULES, SPECIALS)) is not None]
        limit = min((bounds.most for bounds in known if bounds.most is not None), default=None)
        if limit is None:
            continue
        # One more player, who had one turn fewer than anybody can have had, or as many.
        for turns, wrong in ((max(bounds.fewest for bounds in known) - 1, True), (limit, False)):
            extra = sheet_of_turns(turns)
            found = {violation.code for violation in audit_game([*sheets, extra])}
            assert ("turn-count" in found) == wrong
            caught += wrong
    assert caught >= 5


def sheet_of_turns(turns: int) -> Sheet:
    """A sheet that takes exactly so many turns: no number twice, not exhausted, no column full."""
    columns: dict[str, Expedition | Track] = {}
    for column in COLUMNS[:6]:
        height = min(8, turns)
        columns[column] = Expedition.of(range(1, height + 1))
        turns -= height
    columns["dice"] = Track.of(turns)
    assert turns < RULES.exhausting_dice
    return Sheet.of(columns)
