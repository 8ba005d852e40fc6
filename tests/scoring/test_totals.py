from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from layouts.model import COLUMNS, EXPEDITIONS
from scoring import Expedition, RuleSet, Sheet, Track, parse_sheet, score, total_range
from tests.scoring.strategies import NUMBERS, column_names, sheets

# The table of the game, typed by hand.
EXPEDITION = {0: 0, 1: -20, 2: -15, 3: -10, 4: 5, 5: 10, 6: 15, 7: 30, 8: 35, 9: 50}
DOUBLED = {0: 0, 1: -40, 2: -30, 3: -20, 4: 10, 5: 20, 6: 30, 7: 60, 8: 70, 9: 100}
ARTIFACTS = {0: 0, 1: -40, 2: -30, 3: -20, 4: 10, 5: 20, 6: 30, 7: 60, 8: 70, 9: 100}
DICE = {0: 0, 1: -40, 2: -30, 3: -20, 4: 10, 5: 20, 6: 30, 7: 60, 8: 70, 9: 0}


def one_column(column, filled, double=False, bridge=False):
    if column in EXPEDITIONS:
        return Sheet.of({column: Expedition.of([5] * filled, double, bridge)})
    return Sheet.of({column: Track.of(filled, bridge)})


@pytest.mark.parametrize("filled", range(10))
@pytest.mark.parametrize("column", COLUMNS)
def test_points_follow_the_table(column, filled):
    table = {"artifacts": ARTIFACTS, "dice": DICE}.get(column, EXPEDITION)
    card = score(one_column(column, filled))
    assert card.columns == {**dict.fromkeys(COLUMNS, 0), column: table[filled]}
    assert (card.total, card.bridges) == (table[filled], 0)


@pytest.mark.parametrize("filled", range(10))
@pytest.mark.parametrize("column", EXPEDITIONS)
def test_doubled_points_follow_the_table(column, filled):
    assert score(one_column(column, filled, double=True)).total == DOUBLED[filled]
    with_bridge = score(one_column(column, filled, double=True, bridge=True))
    assert with_bridge.total == DOUBLED[filled] + 20


def test_details_say_how_points_came_about():
    card = score(parse_sheet("red 1 2 3 ? x2 b | dice 3"))
    red, dice = card.details[0], card.details[-1]
    assert (red.column, red.filled, red.base, red.doubled, red.points, red.bridge) == (
        "red",
        4,
        5,
        True,
        10,
        20,
    )
    assert (dice.column, dice.filled, dice.base, dice.doubled, dice.points) == ("dice", 3, -20, False, -20)


def test_lone_circle_is_a_setting():
    rules = RuleSet.from_toml("lone_double_points = -100")
    assert score(parse_sheet("red - x2"), rules).total == -100
    assert score(parse_sheet("red 1 x2"), rules).total == -40


def test_default_rules_may_be_named():
    sheet = parse_sheet("red 1 2 3 4")
    assert score(sheet, RuleSet.default()) == score(sheet)


@given(sheets, column_names)
def test_a_bridge_adds_20(sheet, column):
    columns = sheet.columns
    content = columns[column]
    rest = (content.numbers, content.double) if isinstance(content, Expedition) else (content.marks,)
    without = Sheet.of({**columns, column: type(content)(*rest, bridge=False)})
    claimed = Sheet.of({**columns, column: type(content)(*rest, bridge=True)})
    assert score(claimed).total == score(without).total + 20
    assert score(claimed).columns == score(without).columns


@given(sheets)
def test_total_is_the_sum(sheet):
    points = score(sheet).to_dict()
    total = points.pop("total")
    assert total == sum(points.values())


@given(sheets, st.permutations(EXPEDITIONS))
def test_order_of_columns_does_not_matter(sheet, order):
    """The same columns under other colours, and the same JSON in another order of keys."""
    moved = Sheet.of({**sheet.columns, **{new: sheet[old] for old, new in zip(EXPEDITIONS, order, strict=True)}})
    card, moved_card = score(sheet), score(moved)
    assert (moved_card.total, moved_card.bridges) == (card.total, card.bridges)
    assert [moved_card.columns[new] for new in order] == [card.columns[old] for old in EXPEDITIONS]
    data = sheet.to_dict()
    assert score(Sheet.from_dict({key: data[key] for key in reversed(data)})) == card


@given(sheets)
def test_points_depend_on_the_count_alone(sheet):
    sorted_down = {
        name: Expedition.of([7] * column.filled, column.double, column.bridge)
        if isinstance(column, Expedition)
        else Track.of(column.filled, column.bridge)
        for name, column in sheet.columns.items()
    }
    assert score(sheet) == score(Sheet.of(sorted_down))


@st.composite
def doubtful_cells(draw):
    column = draw(column_names)
    kinds = ["number", "double", "bridge"] if column in EXPEDITIONS else ["mark", "bridge"]
    kind = draw(st.sampled_from(kinds))
    if kind == "number":
        return (column, kind, draw(st.integers(1, 9))), tuple(draw(st.lists(NUMBERS, min_size=1, max_size=3)))
    space = draw(st.integers(1, 9)) if kind == "mark" else None
    return (column, kind, space), tuple(draw(st.lists(st.booleans(), min_size=1, max_size=2)))


def with_cells(sheet, cells):
    data = sheet.to_dict()
    for (column, kind, space), value in cells:
        if space is None:
            data[column][kind] = value
        else:
            data[column][f"{kind}s"][space - 1] = value
    return Sheet.from_dict(data)


@given(sheets, st.lists(doubtful_cells(), max_size=5, unique_by=lambda option: option[0]), st.integers(-100, 100))
def test_range_equals_trying_every_combination(sheet, options, lone):
    rules = RuleSet.from_toml(f"lone_double_points = {lone}")
    cells = [cell for cell, _ in options]
    totals = [
        score(with_cells(sheet, zip(cells, values, strict=True)), rules).total
        for values in product(*(values for _, values in options))
    ]
    assert total_range(sheet, options, rules) == (min(totals), max(totals))


@given(sheets)
def test_without_doubt_the_range_is_the_total(sheet):
    assert total_range(sheet, []) == (score(sheet).total,) * 2


def test_range_stays_fast_when_everything_is_doubtful():
    options = [((c, "number", space), (None, 5)) for c in EXPEDITIONS for space in range(1, 10)]
    options += [((c, kind, None), (False, True)) for c in EXPEDITIONS for kind in ("double", "bridge")]
    options += [((c, "mark", space), (False, True)) for c in ("artifacts", "dice") for space in range(1, 10)]
    options += [((c, "bridge", None), (False, True)) for c in ("artifacts", "dice")]
    # Highest: the maximum sheet. Lowest: six doubled single spaces, one artifact, one die.
    assert total_range(Sheet(), options) == (6 * -40 - 40 - 40, 930)


@pytest.mark.parametrize(
    "options",
    [
        [(("red", "number", 1), ())],
        [(("red", "number", 10), (1,))],
        [(("red", "number", None), (1,))],
        [(("red", "mark", 1), (True,))],
        [(("dice", "double", None), (True,))],
        [(("total", "number", 1), (1,))],
        [(("red", "number", 1), (1,)), (("red", "number", 1), (2,))],
    ],
)
def test_range_refuses_cells_that_do_not_exist(options):
    with pytest.raises(ValueError, match=r"total|red|dice"):
        total_range(Sheet(), options)
