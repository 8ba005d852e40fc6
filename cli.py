"""The command line: declares commands and options; their bodies load only when a command runs.

Asking for help must cost no more than click itself, so nothing but click is imported up here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import click

_FORMATS = click.Choice(["table", "json", "jsonl", "csv"])
# Those of synth.pads, which takes longer to import than help may.
_PADS = ("pastel", "rings", "landscape", "touching", "hexagons", "vases")
_Decorator = Callable[[Callable[..., int]], Callable[..., int]]


class Program(click.Group):
    """Runs a command, and turns its result or whatever went wrong into the exit code."""

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command; leaves with its exit code and never with a traceback."""
        _tolerate_narrow_encodings()
        try:
            code = super().invoke(ctx)
            # None where stdout is closed.
            if sys.stdout:
                sys.stdout.flush()
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except (Exception, KeyboardInterrupt) as error:
            from commands.failures import exit_code_for

            code = exit_code_for(error)
        ctx.exit(code or 0)


def _tolerate_narrow_encodings() -> None:
    """Lets a console of 256 letters print a question mark for the others instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def _options(*options: Any) -> _Decorator:
    """One decorator out of several options, in the order in which help shows them."""

    def decorate(command: Callable[..., int]) -> Callable[..., int]:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


_layout_option = click.option("--layout", "layout_name", metavar="NAME|FILE", help="Which sheet it is.")
_output_options = _options(
    click.option("--format", "form", type=_FORMATS, default="table", show_default=True, help="How to print results."),
    click.option("-o", "--output", metavar="FILE", help="Write results here instead of to stdout."),
)
_reader_option = click.option(
    "--reader",
    type=click.Choice(["net", "tesseract"]),
    default="net",
    show_default=True,
    help="What reads the numbers.",
)
_rules_option = click.option(
    "--rules", "rules_path", metavar="FILE", help="A TOML file with numbers of the rules that differ."
)
_game_options = _options(
    _layout_option,
    _rules_option,
    click.option("--game", is_flag=True, help="The sheets are one game: rank them and check them together."),
    click.option("--players", metavar="ANA,BEN", help="Names for the sheets, in their order."),
)


@click.group("rollwrite", cls=Program, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="rollwrite")
def main() -> None:
    """Scores photographed Lost Cities: Roll & Write sheets and names every violation of the rules.

    Exit codes: 0 all read, nothing violated; 1 read, at least one rule broken; 2 wrong usage; 3 something could not
    be read (the rest was).
    """


@main.command()
@click.argument("photos", nargs=-1, required=True, metavar="PHOTO...")
@_output_options
@click.option("--overlay", metavar="DIR", help="Write annotated pictures here.")
@click.option("--debug", metavar="DIR", help="Write a drawing of each stage here.")
@_game_options
@_reader_option
@click.option("--names", is_flag=True, help="Read the players' names, by Tesseract; --players wins.")
@click.option("--strict", is_flag=True, help="Doubtful readings count as failures.")
def scan(photos: tuple[str, ...], **options: Any) -> int:
    """Reads each photo; prints its sheets' scores and violations."""
    from commands.scan import scan_files

    return scan_files(photos, **options)


@main.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("-o", "--output", metavar="DIR", required=True, help="Where the results go.")
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="Processes; by default one a core.")
@click.option("--resume", is_flag=True, help="Go on with the run whose results are in DIR.")
@_layout_option
@_rules_option
@_reader_option
@click.option("--names", is_flag=True, help="Read the players' names, by Tesseract.")
@click.option("--games", metavar="folder|FILE", help="A game a folder, or by a CSV file: photo,game,player.")
@click.option("--players-per-game", type=click.IntRange(1), metavar="N", help="A game every N sheets, in order.")
@click.option("--engine", "engine_name", type=click.Choice(["local", "dask"]), default="local", show_default=True)
@click.option(
    "--timeout",
    type=click.FloatRange(1),
    default=120,
    show_default=True,
    metavar="S",
    help="Give a page up after so many seconds.",
)
@click.option("--strict", is_flag=True, help="Doubtful readings count as failures.")
def batch(paths: tuple[str, ...], **options: Any) -> int:
    """Reads a stack: folders, patterns, photos, PDF and TIFF files of many pages.

    DIR gets results.jsonl, the record, and what follows from it: results.csv, pictures, tables of games. Stopped at any
    moment and started again with --resume, it ends with the same results.
    """
    from commands.batch import read_stack

    return read_stack(paths, **options)


@main.command()
@click.argument("folder", metavar="DIR")
@click.option("--strict", is_flag=True, help="Doubtful readings count as failures.")
def report(folder: str, strict: bool) -> int:
    """Makes report.html and the tables of a batch folder again, corrections included."""
    from commands.report import make_again

    return make_again(folder, strict)


@main.command()
@click.argument("folder", metavar="DIR")
@click.option("--strict", is_flag=True, help="Doubtful readings count as failures.")
@click.option("--export", metavar="OUT", help="Write the corrected cells and labels.csv there; ask nothing.")
def review(folder: str, strict: bool, export: str | None) -> int:
    """Asks about every doubtful cell of a batch folder; scores and reports follow the answers.

    A number, . for empty, ? for ink that is no number; x for marked, - for unmarked; Enter for as it was read, s to
    skip, q to stop.
    """
    from commands.review import export_corrections, review_stack

    return review_stack(folder, strict) if export is None else export_corrections(folder, export)


@main.command()
@click.argument("sheets", nargs=-1, required=True, metavar="SHEET...")
@_output_options
@_game_options
@click.option("--explain", "explained", is_flag=True, help="Say for each column how its points came about.")
def score(sheets: tuple[str, ...], **options: Any) -> int:
    """Scores and validates sheets typed by hand: JSON, JSON Lines, TOML or the one-line notation; - is stdin."""
    from commands.score import score_files

    return score_files(sheets, **options)


@main.command()
@click.argument("games", nargs=-1, required=True, metavar="FILE...")
@_output_options
@_rules_option
@click.option("--bonus-counts", type=click.Choice(["all", "numbers"]), help="Cards that count for the bonus of eight.")
@click.option(
    "--lone-investments",
    type=click.Choice(["counted", "not-counted"]),
    help="Whether an expedition of investments alone counts.",
)
@click.option("--rounds", type=click.IntRange(0, 100), metavar="N", help="Rounds of a game; 0 for any number.")
def cards(games: tuple[str, ...], **options: Any) -> int:
    """Scores and checks the rounds of the card game for two: JSON or TOML; - is stdin.

    Where descriptions of the game disagree, the official rules hold unless an option says otherwise.
    """
    from commands.cards import score_card_games

    return score_card_games(games, **options)


@main.command()
@_rules_option
@click.option("-o", "--output", metavar="FILE", help="Write the rules here instead of to stdout.")
def rules(**options: Any) -> int:
    """Prints the rules in force as TOML, with the source of each number, to correct and give back with --rules."""
    from commands.rules import print_rules

    return print_rules(**options)


@main.command("print")
@click.option("-o", "--output", metavar="FILE", required=True, help="The PDF to write; - is stdout.")
@_layout_option
@click.option("--copies", type=click.IntRange(1), metavar="N", help="How many sheets; one full page if not given.")
@click.option(
    "--paper", type=click.Choice(["sheet", "a4", "letter"]), default="sheet", show_default=True, help="Page size."
)
def print_(**options: Any) -> int:
    """Writes blank sheets to print, as a PDF; print it at 100 %."""
    from commands.paper import print_sheets

    return print_sheets(**options)


@main.command()
@click.option("--show", metavar="NAME", help="Print this layout as JSON.")
def layouts(show: str | None) -> int:
    """Lists the known layouts."""
    from commands.paper import list_layouts, show_layout

    return list_layouts() if show is None else show_layout(show)


@main.command()
@click.argument("photos", nargs=-1, required=True, metavar="PHOTO...")
@click.option(
    "-o", "--output", metavar="FILE.layout", help="Where the layout goes; by default where scans look for it."
)
@click.option("--name", metavar="NAME", help="What to call it; by default as its file.")
@click.option("--picture", metavar="FILE.png", help="Where the annotated picture goes; by default beside the layout.")
@click.option("--page-mm", metavar="WxH", help="Size of the page in millimetres.")
@click.option("--block-mm", type=click.FloatRange(20, 900), metavar="W", help="Or how wide the eight columns are.")
@click.option(
    "--corners", multiple=True, metavar="X,Y X,Y X,Y X,Y", help="Outer corners of the spaces in a photo, in pixels."
)
@click.option("--columns", metavar="RED,ORANGE,...", help="Names of the columns from the left.")
@click.option("--arrows", multiple=True, metavar="RED:3,5 ...", help="Spaces with an arrow.")
@click.option("--artifacts", multiple=True, metavar="RED:4 ...", help="Spaces with an artifact box.")
@click.option("--icon", "icons", multiple=True, metavar="B=arrow", help="What the spaces of one look are.")
@click.option(
    "--bridges",
    type=click.Choice(["circle", "tick"]),
    default="circle",
    show_default=True,
    help="What claims a bridge: a circle round it (struck out is lost), or any mark.",
)
@click.option("--blank", is_flag=True, help="The sheets are blank, whatever they look like.")
def calibrate(photos: tuple[str, ...], **options: Any) -> int:
    """Makes a layout of your own pad, from a photo of a blank sheet or from five or more of filled ones.

    Shows what it found in a picture. From then on `scan` knows the pad.
    """
    from commands.calibrate import calibrate_pad

    return calibrate_pad(photos, **options)


@main.command()
@click.option("-o", "--output", metavar="DIR", required=True, help="Where the photos and their truth go.")
@click.option("-n", "--count", type=click.IntRange(1), default=10, show_default=True, metavar="N", help="How many.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same photos.")
@click.option(
    "--difficulty", type=click.Choice(["easy", "normal", "hard"]), default="normal", show_default=True, help="How bad."
)
@click.option("--only", metavar="KIND", help="Only this kind of photo; a wrong one is answered with all there are.")
@click.option("--size", metavar="WxH", help="Pixels of the photos.")
@_layout_option
@click.option("--pad", type=click.Choice(_PADS), help="Sheets of this pad, which looks unlike ours; no --layout then.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, metavar="N", help="Processes.")
def synth(**options: Any) -> int:
    """Makes synthetic photos, of filled sheets or of what has to be refused, with their truth beside them."""
    from commands.synthetic import make_photos

    return make_photos(**options)


@main.command("eval")
@click.argument("folder", metavar="DIR")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@_layout_option
@_reader_option
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, metavar="N", help="Processes.")
def eval_(**options: Any) -> int:
    """Scans the photos of a folder and compares with the truth files beside them, kind by kind."""
    from commands.accuracy import evaluate_folder

    return evaluate_folder(**options)


if __name__ == "__main__":
    main(prog_name="rollwrite")
