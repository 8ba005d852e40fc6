"""Readings of a photo as entries of a report: scored and validated, or why there is none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from layouts import LayoutError
from report.causes import explained
from report.certainty import doubtful_range, total_confidence
from report.entries import Entry, Failure, ScannedSheet
from report.hanging import hanging_on
from scoring import RuleSet, score, validate

if TYPE_CHECKING:
    from scanner import RefusedSheet, ScanError, SheetReading


def scored_reading(path: str, reading: SheetReading, rules: RuleSet) -> ScannedSheet:
    """A reading with its points, its violations and how sure they are."""
    doubtful = [cell for cell, _ in reading.review]
    low, high = doubtful_range(reading.sheet, doubtful, rules)
    violations = validate(reading.sheet, rules, reading.layout.known_specials)
    return ScannedSheet(
        path=path,
        index=reading.index,
        sheet=reading.sheet,
        card=score(reading.sheet, rules),
        violations=violations,
        reading=reading,
        low=low,
        high=high,
        confidence=total_confidence(reading, rules),
        hanging=hanging_on(reading.sheet, violations, doubtful, rules, reading.layout.known_specials),
    )


def entries_of(path: str, outcomes: Iterable[SheetReading | RefusedSheet], rules: RuleSet) -> Iterator[Entry]:
    """The sheets of one photo or document, each as soon as it is read, or why it could not be.

    Args:
        path: what to call it.
        outcomes: what a scan of it yields; an exception on the way becomes the last entry.
        rules: the numbers of the game.
    """
    from scanner import RefusedSheet, ScanError

    try:
        for outcome in outcomes:
            if isinstance(outcome, RefusedSheet):
                yield refused(path, outcome.error, outcome.source.page, outcome.index)
            else:
                yield scored_reading(path, outcome, rules)
    except ScanError as error:
        yield refused(path, error)
    except LayoutError as error:
        remedy = "lay a PNG of the blank sheet beside the layout file, under the same name"
        yield Failure(path, "unknown-layout", str(error), remedy)
    except Exception as error:
        yield Failure(path, "unexpected", *explained(error))


def refused(path: str, error: ScanError, page: int = 1, index: int = 1) -> Failure:
    """The entry of a photo, a page or a sheet that could not be read."""
    return Failure(path, error.code, error.message, error.remedy, page, index)
