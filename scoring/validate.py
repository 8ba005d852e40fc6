"""Every violation that one sheet shows, all at once."""

from __future__ import annotations

from collections.abc import Iterator

from layouts.model import COLUMNS, EXPEDITIONS, SPACES
from scoring.rules import RuleSet
from scoring.totals import score
from scoring.types import Expedition, Sheet, Track
from scoring.violations import DEFAULT, AnySpecials, Violation, artifact_boxes, found
from scoring.words import counted


def validate(sheet: Sheet, rules: RuleSet | None = None, specials: AnySpecials = DEFAULT) -> tuple[Violation, ...]:
    """All violations of a sheet, in the order of its columns and, within one, of its spaces bottom to top.

    What concerns a whole column stands after its spaces, a written total after that, those of the bridges
    and of the whole sheet last. An empty result does not mean that a game could have led to this sheet, only
    that none of the checks found anything.

    Args:
        sheet: the sheet.
        rules: the numbers of the game; None means the default ones.
        specials: where the sheet has artifact boxes, `{column: {space: special}}`; the default is that of
            the default layout. None means not known: the checks that need them are left out.
    """
    rules = rules or RuleSet.default()
    return tuple(_findings(sheet, rules, specials))


def _findings(sheet: Sheet, rules: RuleSet, specials: AnySpecials) -> Iterator[Violation]:
    written = dict(_wrong_totals(sheet, rules)) if sheet.written else {}
    for column in COLUMNS:
        content = getattr(sheet, column)
        if isinstance(content, Expedition):
            # Most columns of most sheets are empty.
            if content.filled:
                yield from _spaces(column, content, rules)
            elif content.double:
                yield _double_without_expedition(column, rules)
        else:
            yield from _mark_gaps(column, content, rules)
        if content.bridge and content.filled < rules.bridge_space:
            yield _bridge_not_reached(column, content.filled, rules)
        if column == "artifacts":
            yield from _artifacts(sheet, rules, specials)
        if column in written:
            yield written.pop(column)
    yield from written.values()


def _spaces(column: str, content: Expedition, rules: RuleSet) -> Iterator[Violation]:
    """Walks up an expedition; a number is compared with the nearest one below it, over gaps and blots."""
    below: int | None = None
    hole = 0
    for space, number in enumerate(content.numbers, 1):
        if number is None:
            hole = hole or space
            continue
        if hole:
            yield _gap(column, space, hole, number, rules)
            hole = 0
        if isinstance(number, str):
            yield _unreadable(column, space, number, rules)
            continue
        if below is not None and number < below:
            yield _descending(column, space, number, below, rules)
        if not rules.lowest_number <= number <= rules.highest_number:
            yield _out_of_range(column, space, number, rules)
        elif space == 1 and number > rules.highest_first_number:
            yield _starts_with_ten(column, number, rules)
        below = number


def _mark_gaps(column: str, content: Track, rules: RuleSet) -> Iterator[Violation]:
    hole = 0
    for space, marked in enumerate(content.marks, 1):
        if not marked:
            hole = hole or space
        elif hole:
            yield _gap(column, space, hole, "mark", rules)
            hole = 0


def _artifacts(sheet: Sheet, rules: RuleSet, specials: AnySpecials) -> Iterator[Violation]:
    boxes = artifact_boxes(specials)
    if boxes is None:
        return
    marks = sheet.artifacts.filled
    written_on = sum([getattr(sheet, column).numbers[space - 1] is not None for column, space in boxes])
    if marks < min(SPACES, written_on):
        yield _artifacts_missing(marks, written_on, rules)
    elif marks > written_on and not any(getattr(sheet, column).filled == SPACES for column in EXPEDITIONS):
        yield _artifacts_surplus(marks, written_on, rules)


def _wrong_totals(sheet: Sheet, rules: RuleSet) -> Iterator[tuple[str, Violation]]:
    for key, computed in score(sheet, rules).to_dict().items():
        written = sheet.written.get(key, computed)
        if written != computed:
            what = {"bridges": "the bridges", "total": "the whole sheet"}.get(key, key)
            text = f"{what}: {written} is written as the total, but it comes to {computed}"
            rule = _TOTALS_FROM.get(key, "expedition_points")
            yield (
                key,
                found(
                    "written-total-wrong",
                    rules,
                    text,
                    column=key,
                    observed=written,
                    expected=computed,
                    rule=rule,
                ),
            )


def _gap(column: str, space: int, hole: int, observed: int | str, rules: RuleSet) -> Violation:
    what = {"?": "ink that is no number", "mark": "a mark"}.get(str(observed), str(observed))
    text = f"{column}, space {space}: {what} stands above an empty space; space {hole} has to be filled first"
    legal = f"space {hole} filled first"
    return found("gap", rules, text, column=column, space=space, observed=observed, expected=legal)


def _descending(column: str, space: int, number: int, below: int, rules: RuleSet) -> Violation:
    text = f"{column}, space {space}: {number} stands above {below}; legal is {below} or higher"
    return found("descending", rules, text, column=column, space=space, observed=number, expected=f">= {below}")


def _out_of_range(column: str, space: int, number: int, rules: RuleSet) -> Violation:
    legal = f"{rules.lowest_number}..{rules.highest_number}"
    text = f"{column}, space {space}: {number} is no number of this game; legal is {legal}"
    rule = "lowest_number" if number < rules.lowest_number else "highest_number"
    return found("out-of-range", rules, text, column=column, space=space, observed=number, expected=legal, rule=rule)


def _unreadable(column: str, space: int, ink: str, rules: RuleSet) -> Violation:
    legal = f"{rules.lowest_number}..{rules.highest_number}"
    text = f"{column}, space {space}: there is ink that is no number ({ink}); legal is {legal}"
    return found("unreadable", rules, text, column=column, space=space, observed=ink, expected=legal)


def _starts_with_ten(column: str, number: int, rules: RuleSet) -> Violation:
    legal = f"{rules.lowest_number}..{rules.highest_first_number}"
    text = f"{column}, space 1: {number} starts the column, although a 0 cannot start one; legal is {legal}"
    rule = "highest_first_number"
    return found("starts-with-ten", rules, text, column=column, space=1, observed=number, expected=legal, rule=rule)


def _double_without_expedition(column: str, rules: RuleSet) -> Violation:
    text = (
        f"{column}: the double circle is marked, but the column holds no number; it counts {rules.lone_double_points}"
    )
    legal, rule = ">= 1 space filled", "lone_double_points"
    return found("double-without-expedition", rules, text, column=column, observed=0, expected=legal, rule=rule)


def _bridge_not_reached(column: str, filled: int, rules: RuleSet) -> Violation:
    text = (
        f"{column}: the bridge is claimed with {counted(filled, 'space')} filled; "
        f"it is reached with {rules.bridge_space}"
    )
    legal, rule = f">= {rules.bridge_space}", "bridge_space"
    return found("bridge-not-reached", rules, text, column=column, observed=filled, expected=legal, rule=rule)


def _artifacts_missing(marks: int, written_on: int, rules: RuleSet) -> Violation:
    earned = min(SPACES, written_on)
    text = (
        f"artifacts: {_marked(marks)}, but numbers stand on {_boxes(written_on)}; "
        f"{earned} could be marked, points were left behind"
    )
    return found("artifacts-missing", rules, text, column="artifacts", observed=marks, expected=f">= {earned}")


def _artifacts_surplus(marks: int, written_on: int, rules: RuleSet) -> Violation:
    text = (
        f"artifacts: {_marked(marks)}, but numbers stand on {_boxes(written_on)} and no expedition is full; "
        f"legal is at most {written_on}"
    )
    return found("artifacts-surplus", rules, text, column="artifacts", observed=marks, expected=f"<= {written_on}")


def _marked(count: int) -> str:
    return f"{count or 'none'} {'is' if count == 1 else 'are'} marked"


def _boxes(count: int) -> str:
    return counted(count, "artifact box", "artifact boxes") if count else "no artifact box"


_TOTALS_FROM = {
    "artifacts": "artifacts_points",
    "dice": "dice_points",
    "bridges": "bridge_points",
    "total": "severity.written-total-wrong",
}
