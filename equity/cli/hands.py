"""``equity hands``: hand histories in, all-in EV out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from equity.cli.options import format_options, log_to_stderr, print_answer
from equity.common.files import appears_whole

if TYPE_CHECKING:
    from equity.histories.hand import Unread
    from equity.histories.report import History

__all__ = ["hands"]


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@format_options
@click.option(
    "-o",
    "--output",
    "target",
    metavar="FILE",
    help="Write a row for each hand and player: .csv, .jsonl, .parquet or .xlsx.",
)
@click.option("--force", is_flag=True, help="Overwrite existing results.")
@click.option("--player", metavar="NAME", help="Only this player.")
@click.option("--id", "number", metavar="NUMBER", help="Show one hand in full.")
@click.option(
    "--plot",
    metavar="FILE",
    help="Draw the winnings of --player, .png, .svg or .pdf: as they came, and by equity.",
)
@click.option("-q", "--quiet", is_flag=True, help="Print no notices, nor what is not understood.")
def hands(
    files: tuple[str, ...],
    output: str | None,
    target: str | None,
    force: bool,
    player: str | None,
    number: str | None,
    plot: str | None,
    quiet: bool,
) -> None:
    """All-in EV of hand histories.

    Reads files and folders: text of PokerStars and GGPoker and of what follows them, Open
    Hand History, and PHH.  In a hand in which betting ends while cards are to come, each
    pot counts with each player's exact equity in it; else the real result counts.

    \b
    equity hands session/*.txt
    equity hands session/ -o ev.csv
    equity hands session/ --player Hero --plot luck.png
    equity hands hand.txt --id 232712345678
    equity hands session/ --json
    """
    from equity.histories.luck import Luck
    from equity.histories.reading import files_of, read_hands
    from equity.histories.report import History, OneHand, Sums
    from equity.histories.session import Session, one_hand

    if plot is not None:
        _check_plot(plot, player)
    paths = files_of(files)
    write = None if target is None else _writer(target, paths, force=force)
    report: Callable[[Unread], None] = _ignore if quiet else _print_unread
    if not quiet:
        log_to_stderr()
    found = Session(report, Sums(player), None if plot is None else Luck(str(player)), player)
    stream = found.go_through(read_hands(paths, report))
    if number is not None:
        print_answer(OneHand(one_hand(stream, number)), output)
        return
    history = History(stream, found.sums, player)
    if write is None:
        print_answer(history, output)
    else:
        write(history)
        if output is None:
            click.echo("\n".join(found.sums.lines()))
    if plot is not None and found.luck is not None:
        from equity.views.plots import picture

        Path(plot).write_bytes(picture(found.luck, Path(plot).suffix.lower()))
    if not quiet:
        print(f"equity: {found.text}", file=sys.stderr)


def _ignore(_: Unread) -> None:
    """Print nothing."""


def _print_unread(unread: Unread) -> None:
    text = f": {unread.text[:200]}" if unread.text else ""
    line = f"equity: {unread.file}, line {unread.line}: {unread.problem}{text}"
    print(line.encode("ascii", "backslashreplace").decode(), file=sys.stderr, flush=True)


def _check_plot(plot: str, player: str | None) -> None:
    from equity.histories.reading import HistoryError
    from equity.views.plots import check_plot

    if player is None:
        raise HistoryError("it needs a player", place="--plot", hint="say whose: --player Hero")
    check_plot(plot)


def _writer(target: str, paths: list[Path], *, force: bool) -> Callable[[History], None]:
    """The function that writes a table to a file, whose format is known by its ending."""
    from equity.batching.columns import Column
    from equity.batching.formats import FORMATS, format_of
    from equity.histories.reading import HistoryError
    from equity.histories.report import COLUMNS

    path = Path(target)
    form = FORMATS[format_of(target, None, "--output")](
        [Column(name, kind) for name, kind in COLUMNS.items()]
    )
    form.check()
    if path.exists() and not force:
        raise HistoryError(f"{target!a} exists", place="--output", hint="--force overwrites it")
    if path.exists() and any(path.samefile(one) for one in paths):
        raise HistoryError(f"{target!a} is one of the histories", place="--output")

    def write(history: History) -> None:
        records: Iterator[Any] = history.rows()
        if not form.at_end:
            records = (form.lines([row]).encode() for row in records)
        with appears_whole(path) as unfinished:
            form.write(records, unfinished)

    return write
