"""``equity hands``: hand histories in, all-in EV out."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from equity.cli.options import format_options, notice_on_stderr

if TYPE_CHECKING:
    from equity.histories.hand import Hand, Unread
    from equity.histories.luck import Luck
    from equity.histories.report import Sums

__all__ = ["hands"]

Hands = Iterator["Hand"]


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
    help="Draw the winnings of --player, .png or .svg: as they came, and by equity.",
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
    from equity.histories.report import Sums

    if plot is not None:
        _check_plot(plot, player)
    write = _PRINTERS[output or "table"] if target is None else _writer(target, force=force)
    report: Callable[[Unread], None] = _ignore if quiet else _print_unread
    if not quiet:
        notice_on_stderr()
    found = _Found(report, Sums(player), None if plot is None else Luck(str(player)), player)
    stream = found.go_through(read_hands(files_of(files), report))
    if number is not None:
        _show(stream, number, output)
        return
    write(stream, player)
    if output is None:
        click.echo("\n".join(found.sums.lines()))
    if plot is not None and found.luck is not None:
        from equity.views.plots import plot as draw

        draw(found.luck, plot)
    if not quiet:
        print(f"equity: {found.text}", file=sys.stderr)


class _Found:
    """What was found, while hands go through."""

    def __init__(
        self,
        report: Callable[[Unread], None],
        sums: Sums,
        luck: Luck | None,
        player: str | None,
    ) -> None:
        self.report, self.sums, self.luck, self.player = report, sums, luck, player
        self.hands = self.aside = self.all_ins = 0
        self.skipped: Counter[str] = Counter()

    def go_through(self, stream: Hands) -> Hands:
        """Yield the hands of the Omaha family, and add up those whose chips do.

        Raises
        ------
        HistoryError
            At the end, if there was nothing to answer.
        """
        from equity.histories.hand import Unread
        from equity.histories.reading import HistoryError

        for hand in stream:
            if hand.game is None:
                self.skipped[hand.title] += 1
                continue
            self.hands += 1
            if hand.problem:
                self.aside += 1
                problem = f"hand {hand.id} is set aside: {hand.problem}"
                self.report(Unread(hand.file, hand.line, problem))
            else:
                self.all_ins += hand.all_in() is not None
                self.sums.add(hand)
                if self.luck is not None:
                    self.luck.add(hand)
            yield hand
        if not self.hands:
            raise HistoryError(f"no hand of the Omaha family, {self.text}", place="hands")
        if self.player is not None and not self.sums.by_player:
            raise HistoryError(f"no hand has a player {self.player!a}", place="--player")

    @property
    def text(self) -> str:
        """How many hands there were."""
        parts = [
            f"{self.hands:,} hand{'s' * (self.hands != 1)}",
            f"{self.all_ins:,} by equity",
            *([f"{self.aside:,} set aside"] if self.aside else []),
            *(f"{count:,} of {name} skipped" for name, count in self.skipped.most_common(8)),
        ]
        return ", ".join(parts)


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


def _show(stream: Hands, number: str, output: str | None) -> None:
    """Print one hand in full."""
    from equity.histories.reading import HistoryError
    from equity.histories.report import hand_lines, hand_object

    hand = next((hand for hand in stream if hand.id == number), None)
    if hand is None:
        raise HistoryError(f"there is no hand {number!a}", place="--id")
    click.echo(json.dumps(hand_object(hand)) if output == "json" else "\n".join(hand_lines(hand)))


def _print_table(stream: Hands, player: str | None) -> None:
    from equity.histories.report import hand_table, table_title

    title = [table_title()]
    for hand in stream:
        if lines := hand_table(hand, player):
            click.echo("\n".join([*title, *lines]))
            title = []
    if not title:
        click.echo("")


def _print_json(stream: Hands, player: str | None) -> None:
    from equity.histories.report import hand_object

    for hand in stream:
        if player is None or any(one.name == player for one in hand.players):
            click.echo(json.dumps(hand_object(hand)))


def _rows(stream: Hands, player: str | None) -> Iterator[dict[str, Any]]:
    from equity.histories.report import hand_rows

    for hand in stream:
        yield from hand_rows(hand, player)


def _print_csv(stream: Hands, player: str | None) -> None:
    from equity.histories.report import COLUMNS
    from equity.results.report import csv_lines

    names = [list(COLUMNS)]
    for row in _rows(stream, player):
        click.echo(csv_lines([*names, list(row.values())]), nl=False)
        names = []


_PRINTERS: dict[str, Callable[[Hands, str | None], None]] = {
    "table": _print_table,
    "json": _print_json,
    "csv": _print_csv,
}


def _writer(target: str, *, force: bool) -> Callable[[Hands, str | None], None]:
    """The function that writes a table to a file, whose format is known by its ending."""
    from equity.batching.columns import Column
    from equity.batching.writing import FORMATS, format_of
    from equity.histories.reading import HistoryError
    from equity.histories.report import COLUMNS

    form = FORMATS[format_of(target, None, "--output")]
    path = Path(target)
    if path.exists() and not force:
        raise HistoryError(f"{target!a} exists", place="--output", hint="--force overwrites it")
    if form.made_by:
        form.module.check()
    columns = [Column(name, kind) for name, kind in COLUMNS.items()]

    def write(stream: Hands, player: str | None) -> None:
        rows = _rows(stream, player)
        try:
            if form.made_by:
                form.module.write(columns, rows, path)
            else:
                _write_lines(rows, form.lines, form.header(columns), path)
        except BaseException:
            path.with_name(f"{path.name}.tmp").unlink(missing_ok=True)
            raise

    return write


def _write_lines(rows: Iterable[dict[str, Any]], lines: str, header: bytes, path: Path) -> None:
    """Write rows as CSV or JSON lines; the file appears whole or not at all."""
    from equity.batching.journal import atomic_write
    from equity.batching.writing import LINES

    with atomic_write(path) as unfinished, open(unfinished, "wb") as file:
        file.write(header)
        for row in rows:
            file.write(LINES[lines](list(row), [list(row.values())]).encode())
