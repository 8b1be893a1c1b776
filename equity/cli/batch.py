"""``equity batch``: many spots, from a table or a cross product."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from equity.batching.parse_row import BY_NAME
from equity.batching.rows import spots_text
from equity.cli.money import money_options
from equity.cli.options import (
    cards_option,
    exact_options,
    game_option,
    ordering_option,
)
from equity.cli.stops import INTERRUPTED
from equity.errors import EquityError, MethodError
from equity.rules.cards import ascii_text

if TYPE_CHECKING:
    from equity.batching.rows import Spots
    from equity.batching.running import Outcome
    from equity.batching.stream import Pool

__all__ = ["batch", "print_failures"]

#: Seconds between two lines of progress where they cannot be drawn over.
LINE_EVERY = 60.0


@click.command()
@click.argument("spots", required=False, metavar="[SPOTS]")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="RESULTS",
    help="The table to write, .csv, .jsonl, .parquet or .xlsx; '-' for standard output.",
)
@click.option(
    "--format",
    "format_name",
    type=click.Choice(["csv", "jsonl", "parquet", "xlsx"]),
    help="Of files without such an ending, and of '-'.  [default: csv]",
)
@click.option(
    "--players",
    multiple=True,
    metavar="A|B|...",
    help="Instead of SPOTS, once for each player: all that he may have, each with each.",
)
@click.option(
    "--boards", metavar="FILE|flops", help="With --players: boards, one a line, or all flops."
)
@game_option
@cards_option("-b", "--board", "Board of spots that have none of their own.")
@cards_option("-d", "--dead", "Dead cards of spots that have none of their own.")
@ordering_option
@click.option(
    "--view",
    type=click.Choice(list(BY_NAME)),
    help="What is asked of each spot.  [default: odds]",
)
@click.option("--board2", metavar="CARDS", help="A second board: each is half of the pot.")
@click.option("--runs", type=int, metavar="2", help="Run the rest of the board twice.")
@money_options
@exact_options
@click.option("--trials", type=int, metavar="N", help="Sample so many deals.")
@click.option("--error", type=float, metavar="E", help="Sample until the standard error is this.")
@click.option("--budget", type=float, metavar="SECONDS", help="Sample no longer, each spot.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of samples.")
@click.option(
    "--layout",
    type=click.Choice(["wide", "long"]),
    default="wide",
    show_default=True,
    help="A row a spot, or a row a player.",
)
@click.option(
    "--max-players",
    "max_players",
    type=click.IntRange(1, 99),
    metavar="N",
    help="So many players have columns.  [default: as many as there are]",
)
@click.option("--digits", type=click.IntRange(0, 15), metavar="N", help="Round to N decimals.")
@click.option(
    "--excel", is_flag=True, help="CSV for spreadsheets: ; between fields, decimal commas."
)
@click.option(
    "--decimal",
    type=click.Choice(["comma", "point"]),
    help="With --excel, or a table with ;: before decimals.  [default: comma]",
)
@click.option("--columns", metavar="NAME,NAME,...", help="Write these columns only.")
@click.option(
    "--ignore-columns",
    "ignored",
    metavar="NAME,...|all",
    help="Carry these columns of SPOTS through as notes; all: every one that is not known.",
)
@click.option(
    "--by-combo", "by_combo", metavar="FOLDER", help="Write how every combo fares, a file a spot."
)
@click.option(
    "--plot-dir", "plots", metavar="FOLDER", help="Draw a picture of each spot's view, a file each."
)
@click.option(
    "--plot-format",
    type=click.Choice(["png", "svg"]),
    default="png",
    show_default=True,
    help="Of pictures.",
)
@click.option("--resume", is_flag=True, help="Go on with a run, or begin it.")
@click.option(
    "--retry-failed",
    "retry",
    is_flag=True,
    help="Answer the rows that failed in an earlier run again, in their places.",
)
@click.option("--force", is_flag=True, help="Overwrite results that are there.")
@click.option("--shard", metavar="I/N", help="Do the I-th of N parts; 'equity merge' joins them.")
@click.option(
    "--no-files", is_flag=True, help="Rows may not name files; for tables of other people."
)
@click.option(
    "--strict", is_flag=True, help="Check all rows first; none may be wrong or bring a notice."
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Processes to work with.  [default: all processors]",
)
@click.option("--cluster", metavar="ADDRESS|local", help="Work on a Dask cluster.")
@click.option("-q", "--quiet", is_flag=True, help="No progress and no notices.")
def batch(
    spots: str | None,
    output: str,
    format_name: str | None,
    players: tuple[str, ...],
    boards: str | None,
    layout: str,
    max_players: int | None,
    digits: int | None,
    excel: bool,
    decimal: str | None,
    columns: str | None,
    ignored: str | None,
    by_combo: str | None,
    plots: str | None,
    plot_format: str,
    resume: bool,
    retry: bool,
    force: bool,
    shard: str | None,
    strict: bool,
    jobs: int | None,
    cluster: str | None,
    quiet: bool,
    **defaults: Any,
) -> None:
    """The equities of many spots, a row for each.

    SPOTS is a table, .csv, .jsonl, .parquet or .xlsx, '-' for standard input.  Its columns
    are player1, player2 and so on (or hero, villain, villain2), or players with |
    between; id, game, board and dead; and options of 'equity odds'.  Others are
    carried through.  A row that fails says why, and the others go on.  --view asks
    for what other commands answer, 'equity streets' say, with a row for each of theirs.

    \b
    equity batch spots.csv -o results.csv
    equity batch spots.csv -o results.csv --resume
    equity batch spots.csv -o results.csv --retry-failed
    equity batch spots.csv -o streets.csv --view streets --plot-dir pictures
    equity batch --players 'AA|KK:xxyy' --players '10%|20%' --boards flops -o all.csv
    equity batch spots.csv -o part2.csv --shard 2/8
    """
    from equity.batching.parse_row import check_defaults
    from equity.batching.running import Request, run
    from equity.batching.writing import format_of

    defaults = {name: value for name, value in defaults.items() if value is not None}
    source = click.get_current_context().get_parameter_source
    asked = [name for name in defaults if source(name) is ParameterSource.COMMANDLINE]
    if plots:
        from equity.views.plots import check_matplotlib

        check_matplotlib("--plot-dir")
    check_defaults(defaults)
    request = Request(
        output=output,
        format=format_of(output, format_name, "output"),
        defaults=defaults,
        layout=layout,
        players=max_players,
        digits=digits,
        columns=columns,
        by_combo=Path(by_combo) if by_combo else None,
        plots=Path(plots) if plots else None,
        plot_format=f".{plot_format}",
        shard=_shard(shard) if shard else None,
        resume=resume,
        retry=retry,
        force=force,
        strict=strict,
    )
    line = None if quiet else _Line()

    def pool() -> AbstractContextManager[Pool]:
        return _pool(jobs, cluster, talk=not quiet)

    try:
        table = {"asked": asked, "ignored": ignored, "notify": None if quiet else _notify}
        with closing(_spots(spots, format_name, players, boards, defaults, table)) as given:
            table_format = _dialect(request.format, given, excel, decimal)
            outcome = run(given, replace(request, format=table_format), pool, line)
    except KeyboardInterrupt:
        hint = "" if output == "-" else "; --resume goes on from what is done"
        click.echo(f"equity: interrupted{hint}", err=True)
        sys.exit(INTERRUPTED)
    finally:
        if line:
            line.clear()
    sys.exit(_summary(outcome, output, quiet=quiet))


def _spots(
    name: str | None,
    format_name: str | None,
    players: tuple[str, ...],
    boards: str | None,
    defaults: dict[str, Any],
    table: dict[str, Any],
) -> Spots:
    if (name is None) != bool(players):
        raise EquityError(
            "both SPOTS and --players are given" if players else "there are none",
            place="spots",
            hint="name a table, or give --players for each player",
        )
    if name is None and table["ignored"]:
        raise EquityError("there is no table", place="--ignore-columns", hint="leave it out")
    if name is None:
        from equity.batching.cross_product import Crossing, read_boards

        crossing = Crossing(players, read_boards(boards) if boards else [], defaults)
        crossing.inputs.names += filter(os.path.isfile, [boards or ""])
        return crossing
    if boards:
        raise EquityError(
            "a table has boards of its own", place="boards", hint="leave out --boards"
        )
    from equity.batching.reading import Table
    from equity.batching.writing import format_of

    return Table(name, format_of(name, format_name, "spots"), defaults, **table)


def _dialect(format_name: str, spots: Spots, excel: bool, decimal: str | None) -> str:
    """The format of the output: CSV as the input has it, or as a spreadsheet wants it."""
    from equity.batching.writing import DIALECTS, Dialect

    if format_name != "csv":
        if excel or decimal:
            raise MethodError(
                f"{format_name} needs none", place="--excel" if excel else "--decimal"
            )
        return format_name
    mark, between = spots.csv_style
    if excel:
        mark, between = True, "," if decimal == "point" else ";"
    if decimal == "comma" and between != ";":
        raise MethodError("a comma stands between fields", place="--decimal", hint="add --excel")
    point = "," if between == ";" and decimal != "point" else "."
    wanted = Dialect(mark, between if between == ";" else ",", point)
    return next(name for name, dialect in DIALECTS.items() if dialect == wanted)


def _notify(text: str) -> None:
    click.echo(f"equity: {text}", err=True)


def _shard(text: str) -> tuple[int, int]:
    number, _, parts = text.partition("/")
    if number.isdecimal() and parts.isdecimal() and 1 <= int(number) <= int(parts):
        return int(number), int(parts)
    raise MethodError(
        f"{ascii_text(text)} is no part", place="shard", hint="write 2/8 for the second of eight"
    )


@contextmanager
def _pool(jobs: int | None, cluster: str | None, *, talk: bool) -> Iterator[Pool]:
    """What does the work, for the time of a run."""
    from equity.batching.stream import local_pool
    from equity.common.limits import processors

    count = jobs or processors()
    if cluster is not None:
        from equity.batching.cluster import LOCAL, cluster_pool

        if jobs and cluster != LOCAL:
            raise MethodError(
                "a cluster has workers of its own", place="jobs", hint="leave out --jobs"
            )
        with cluster_pool(cluster, count) as pool:
            yield pool
        return
    pool = local_pool(count, talk=talk)
    with pool.executor:
        yield pool


class _Line:
    """Progress on stderr: drawn over itself on a terminal, else a line a minute."""

    def __init__(self) -> None:
        self.start = monotonic()
        self.said = self.start
        self.first: int | None = None
        self.last = 0
        self.is_drawn = sys.stderr.isatty()
        self.width = 0

    def __call__(self, done: int, failed: int, rows: int) -> None:
        now = monotonic()
        if self.first is None or done < self.last:
            # Rows of an earlier run, or of a check of all, say nothing of the rate.
            self.first, self.start = done, now
        self.last = done
        if done == self.first:
            return
        rate = (done - self.first) / max(now - self.start, 1e-6)
        left = _time((rows - done) / rate)
        text = f"{done:,} of {rows:,} done, {failed:,} failed, {rate:,.1f}/s, {left} left"
        if self.is_drawn:
            sys.stderr.write(f"\r{text:<{self.width}}")
            sys.stderr.flush()
            self.width = len(text)
        elif now > self.said + LINE_EVERY:
            self.said = now
            print(f"equity: {text}", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Leave nothing on the line."""
        if self.width:
            sys.stderr.write(f"\r{'':<{self.width}}\r")
            sys.stderr.flush()


def _time(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}"


def _summary(outcome: Outcome, output: str, *, quiet: bool) -> int:
    """Say what became of a run; the exit code."""
    state = outcome.state
    if outcome.was_complete:
        text = f"{ascii_text(output)} is complete"
        if state.failed:
            text += f"; {state.failed:,} of {outcome.rows:,} spots failed in it, "
            text += "--retry-failed answers them again"
        click.echo(f"equity: {text}", err=True)
        return 1 if state.failed else 0
    if outcome.is_refused:
        print_failures(
            f"{spots_text(state.failed, outcome.rows)} are wrong, none was computed",
            state.failures,
        )
        return 2
    if state.failed:
        print_failures(f"{spots_text(state.failed, outcome.rows)} failed", state.failures)
    elif not quiet:
        _notify(f"{spots_text(outcome.rows)} done")
    if state.noticed and not quiet:
        have = "has a notice" if state.noticed == 1 else "have notices"
        _notify(f"{spots_text(state.noticed)} {have}, see the column 'notice'")
    if state.no_combos and not quiet:
        have = "has" if state.no_combos == 1 else "have"
        _notify(
            f"{spots_text(state.no_combos)} {have} no results by combo; exact answers of two "
            "ranges have them"
        )
    return 1 if state.failed else 0


def print_failures(summary: str, failures: list[tuple[int, str, str]]) -> None:
    """Say on stderr how many rows failed, and what is wrong with the first."""
    click.echo(f"equity: {summary}", err=True)
    for _, place, problem in failures:
        click.echo(f"    {place}: {problem}", err=True)
