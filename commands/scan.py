"""`rollwrite scan`: photos become scored sheets; one that cannot be read never stops the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from errno import EEXIST
from pathlib import Path
from typing import TYPE_CHECKING

from commands.failures import UNREAD, complain
from commands.inputs import folder_from, layouts_from, named_files, names_from, rules_from, scan_options
from commands.output import Output
from commands.run import collect, game_of
from layouts import SheetLayout, common_specials
from report.causes import explained
from report.data import SCAN_SCHEMA
from report.entries import Entry, Report, ScannedSheet
from report.scanned import entries_of
from scoring import RuleSet

if TYPE_CHECKING:
    from scanner import ScanOptions
    from scanner.debug import FolderDebug

# Enough to read handwriting on the screen, at a quarter of the bytes of a 12-megapixel photo.
_OVERLAY_LONG_SIDE_PX = 2000


def scan_files(
    photos: Sequence[str],
    form: str,
    output: str | None,
    overlay: str | None,
    debug: str | None,
    layout_name: str | None,
    rules_path: str | None,
    game: bool,
    players: str | None,
    strict: bool,
    reader: str = "net",
    names: bool = False,
) -> int:
    """Scans every photo; annotated pictures come after the results, so that a full disk costs no result.

    Returns:
        The exit code.
    """
    rules, layouts = rules_from(rules_path), layouts_from(layout_name)
    overlay_folder, debug_folder = folder_from(overlay, "--overlay"), folder_from(debug, "--debug")
    writer = Output(form, output, SCAN_SCHEMA, game, named_files(*photos, rules_path, layout_name))
    # Fails here, once and with its own remedy, and not for each photo, where OpenCV cannot be loaded.
    import scanner  # noqa: F401

    options = scan_options(reader, names)
    sinks = _sinks(photos, debug_folder)
    entries = collect(_scanned(photos, layouts, rules, sinks, options), names_from(players), writer)
    specials = common_specials(_layouts_of(entries) or layouts)
    report = Report(entries, game_of(entries, rules, specials) if game else None, names_layouts=len(layouts) > 1)
    writer.finish(report, layouts[0].colours)
    failures = [explained(sink.failure) for sink in sinks if sink is not None and sink.failure is not None]
    if overlay_folder is not None:
        failures += _write_overlays(photos, entries, overlay_folder)
    for failure in failures:
        complain("; ".join(failure))
    return UNREAD if failures else report.exit_code(strict)


def scan_one(
    photo: str,
    layouts: SheetLayout | Sequence[SheetLayout],
    rules: RuleSet,
    debug: FolderDebug | None = None,
    options: ScanOptions | None = None,
) -> Iterator[Entry]:
    """The sheets of one photo or document, each as soon as it is read, or why it could not be.

    Args:
        photo: its path.
        layouts: the sheets that it may hold.
        rules: the numbers of the game.
        debug: where each stage draws itself, or None.
        options: what reads it, by default the net.
    """
    from scanner.debug import NO_DEBUG
    from scanner.options import DEFAULT_OPTIONS
    from scanner.pipeline import scan_sheets

    yield from entries_of(photo, scan_sheets(photo, layouts, options or DEFAULT_OPTIONS, debug or NO_DEBUG), rules)


def unique_stems(photos: Sequence[str]) -> tuple[str, ...]:
    """A name for each photo, from its file's; a second one of that name gets a number."""
    names: list[str] = []
    for photo in photos:
        stem = name = Path(photo).stem or "photo"
        number = 1
        while name.lower() in (taken.lower() for taken in names):
            number += 1
            name = f"{stem}_{number}"
        names.append(name)
    return tuple(names)


def _sinks(photos: Sequence[str], folder: Path | None) -> list[FolderDebug | None]:
    """For each photo where its stages draw themselves, if anywhere."""
    from scanner.debug import FolderDebug

    return [FolderDebug(folder / name) if folder else None for name in unique_stems(photos)]


def _scanned(
    photos: Sequence[str],
    layouts: Sequence[SheetLayout],
    rules: RuleSet,
    sinks: Sequence[FolderDebug | None],
    options: ScanOptions,
) -> Iterator[Entry]:
    for photo, sink in zip(photos, sinks, strict=True):
        yield from scan_one(photo, layouts, rules, sink, options)


def _layouts_of(entries: Sequence[Entry]) -> tuple[SheetLayout, ...]:
    return tuple(entry.reading.layout for entry in entries if isinstance(entry, ScannedSheet))


def _write_overlays(photos: Sequence[str], entries: Sequence[Entry], folder: Path) -> list[tuple[str, str]]:
    """Draws each sheet on its photo. The names end so that they never meet those of photos in the same folder.

    Returns:
        Cause and remedy for each that could not be drawn; the others were.
    """
    from scanner import ScanError

    failures = []
    for photo, name in zip(photos, unique_stems(photos), strict=True):
        sheets = [entry for entry in entries if isinstance(entry, ScannedSheet) and entry.path == photo]
        try:
            _draw_sheets(photo, sheets, folder / name)
        except OSError as error:
            failures.append(explained(error))
        except ScanError as error:
            # Read a moment ago; a pipe, for one, is empty now.
            failures.append((f"no overlay of {photo}: {error.message}", "give the photo as a file"))
    return failures


def _draw_sheets(photo: str, sheets: Sequence[ScannedSheet], start: Path) -> None:
    """One annotated picture for each sheet of a photo or document, under names that start alike."""
    from scanner.formats import is_overlay
    from scanner.options import ScanOptions
    from scanner.overlay import draw_overlay, overlay_file
    from scanner.pages import load_pages
    from scanner.types import Photo

    pages = load_pages(photo, ScanOptions(decode_long_side_px=_OVERLAY_LONG_SIDE_PX)) if sheets else ()
    for page in pages:
        for sheet in sheets:
            if isinstance(page, Photo) and page.source.page == sheet.page:
                target = start.with_name(f"{start.name}{sheet.place}-overlay.jpg")
                picture = draw_overlay(page.image, sheet.reading, sheet.violations)
                if target.exists() and not is_overlay(target.read_bytes()[:512]):
                    raise FileExistsError(EEXIST, "it is there already, and no annotated picture", str(target))
                target.write_bytes(overlay_file(picture))
                complain(f"overlay: {target}")
