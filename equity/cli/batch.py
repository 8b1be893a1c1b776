"""``equity batch``: answer many spots, from a table or a cross product."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from equity.batching.formats import MATRIX as OF_MATRIX
from equity.batching.layouts import MATRIX
from equity.batching.parse_row import BY_NAME
from equity.batching.rows import spots_text
from equity.cli.options import option, quiet_option, yes_option
from equity.cli.stops import INTERRUPTED
from equity.errors import EquityError, MethodError
from equity.operations import parameters as given
from equity.rules.cards import ascii_text

if TYPE_CHECKING:
    from equity.batching.rows import Spots
    from equity.batching.run import Outcome
    from equity.batching.stream import Pool

__all__ = ["batch", "print_failures"]

#: Options that are fields of :class:`~equity.batching.run.Request`.
_OF_RUN = ("layout", "max_players", "digits", "columns", "resume", "retry", "force", "strict")
#: Seconds between lines of progress, where a line cannot be overwritten.
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
    help="Format of files with another ending, and of '-'.  [default: csv]",
)
@click.option(
    "--players",
    multiple=True,
    metavar="A|B|...",
    help="Instead of SPOTS, once per player: hands and ranges to combine with those of the others; "
    "classes:10% stands for each suit-isomorphic hand class of a range.",
)
@click.option(
    "--boards",
    metavar="FILE|flops",
    help="With --players: a file with a board per line, or all flops.",
)
@option(given.GAME)
@option(given.BOARD.saying("Board of spots without their own."))
@option(given.DEAD.saying("Dead cards of spots without their own."))
@option(given.ORDERING)
@click.option(
    "--view",
    type=click.Choice(list(BY_NAME)),
    help="What to compute for each spot.  [default: odds]",
)
@option(given.BOARD2)
@option(given.RUNS)
@option(given.AT_LEAST.saying("With --view flops: how often any of '@SET,@NFD' holds."))
@option(given.STACKS)
@option(given.POT)
@option(given.RAKE)
@option(given.CAP)
@option(given.CALL)
@option(given.EXACT)
@yes_option
@option(given.TRIALS.saying("Sample N deals for each spot."))
@option(given.ERROR)
@option(given.BUDGET.saying("Stop sampling after so many seconds, for each spot."))
@option(given.SEED)
@click.option(
    "--layout",
    type=click.Choice(["wide", "long", MATRIX]),
    default="wide",
    show_default=True,
    help="A row per spot, or a row per player; matrix: with --players twice, a row for each "
    "entry of the first list and a column for each of the second, with the equity of player 1, "
    "or what --columns names, in the cells.",
)
@click.option(
    "--max-players",
    type=click.IntRange(1, 99),
    metavar="N",
    help="Number of players with columns.  [default: as many as any spot has]",
)
@click.option("--digits", type=click.IntRange(0, 15), metavar="N", help="Round to N decimals.")
@click.option("--excel", is_flag=True, help="CSV for spreadsheets: semicolons and decimal commas.")
@click.option(
    "--decimal",
    type=click.Choice(["comma", "point"]),
    help="Decimal mark with --excel, or for a table with semicolons.  [default: comma]",
)
@click.option("--columns", metavar="NAME,NAME,...", help="Write these columns only.")
@click.option(
    "--ignore-columns",
    "ignored",
    metavar="NAME,...|all",
    help="Carry these columns of SPOTS through as notes; all: every unknown column.",
)
@click.option(
    "--by-combo",
    "by_combo",
    metavar="FOLDER",
    help="Write the equity of every combo, a file per spot.",
)
@click.option(
    "--plot-dir", "plots", metavar="FOLDER", help="Plot the view of each spot, a file per spot."
)
@click.option(
    "--plot-format",
    type=click.Choice(["png", "svg", "pdf"]),
    default="png",
    show_default=True,
    help="Format of the plots.",
)
@click.option("--resume", is_flag=True, help="Continue an interrupted run, or start it.")
@click.option(
    "--retry-failed",
    "retry",
    is_flag=True,
    help="Answer the failed rows of an earlier run again, in place.",
)
@click.option("--force", is_flag=True, help="Overwrite existing results.")
@click.option("--shard", metavar="I/N", help="Run part I of N; 'equity merge' joins the parts.")
@click.option(
    "--no-files", is_flag=True, help="Rows may not name files; for tables you do not trust."
)
@click.option(
    "--strict",
    is_flag=True,
    help="Check all rows first; compute nothing if one is invalid or has a notice.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Number of worker processes.  [default: all processors]",
)
@click.option("--cluster", metavar="ADDRESS|local", help="Use a Dask cluster; local starts one.")
@quiet_option
def batch(
    spots: str | None,
    output: str,
    format_name: str | None,
    players: tuple[str, ...],
    boards: str | None,
    excel: bool,
    decimal: str | None,
    ignored: str | None,
    by_combo: str | None,
    plots: str | None,
    plot_format: str,
    shard: str | None,
    jobs: int | None,
    cluster: str | None,
    quiet: bool,
    **options: Any,
) -> None:
    """Compute the equities of many spots, a row for each.

    SPOTS is a table, .csv, .jsonl, .parquet or .xlsx, or '-' for standard input.  Its
    columns are player1, player2 and so on (or hero, villain, villain2), or players with |
    between them; id, game, board and dead; and options of 'equity odds'.  Other columns
    are carried through.  A row that fails has an error; the others are answered.  --view
    runs another command on each spot, such as 'equity streets', with all of its rows.

    \b
    equity batch spots.csv -o results.csv
    equity batch spots.csv -o results.csv --resume
    equity batch spots.csv -o results.csv --retry-failed
    equity batch spots.csv -o streets.csv --view streets --plot-dir pictures
    equity batch --players 'AA|KK:xxyy' --players '10%|20%' --boards flops -o all.csv
    equity batch --players 'AA|KK' --players classes:QQJJ -b Kh9h4c --layout matrix -o m.csv
    equity batch spots.csv -o part2.csv --shard 2/8
    """
    from equity.batching.formats import format_of
    from equity.batching.parse_row import check_defaults
    from equity.batching.run import Request, run

    of_run = {name: options.pop(name) for name in _OF_RUN}
    defaults = {name: value for name, value in options.items() if value is not None}
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
        by_combo=Path(by_combo) if by_combo else None,
        plots=Path(plots) if plots else None,
        plot_format=f".{plot_format}",
        shard=_shard(shard) if shard else None,
        **of_run,
    )
    line = None if quiet else _Line()
    table: dict[str, Any] = {
        "layout": request.layout,
        "asked": asked,
        "ignored": ignored,
        "notify": None if quiet else _notify,
    }
    try:
        with closing(_spots(spots, format_name, players, boards, defaults, **table)) as spots_given:
            dialect = _dialect(request.format, spots_given, excel, decimal)
            is_matrix = request.layout == MATRIX
            request = replace(request, format=f"{OF_MATRIX if is_matrix else ''}{dialect}")
            outcome = run(spots_given, request, lambda: _pool(jobs, cluster, talk=not quiet), line)
    except KeyboardInterrupt:
        hint = "" if output == "-" else "; continue with --resume"
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
    layout: str,
    **table: Any,
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

        listed = read_boards(boards) if boards else []
        crossing = Crossing(players, listed, defaults, is_matrix=layout == MATRIX)
        crossing.inputs.names += filter(os.path.isfile, [boards or ""])
        return crossing
    if boards:
        raise EquityError(
            "--boards needs --players", place="boards", hint="use the column board of the table"
        )
    if layout == MATRIX:
        raise EquityError(
            "a matrix is made of a cross product",
            place="layout",
            hint="give --players twice, or use wide or long",
        )
    from equity.batching.table import Table, input_format

    return Table(name, input_format(name, format_name), defaults, **table)


def _dialect(format_name: str, spots: Spots, excel: bool, decimal: str | None) -> str:
    """The output format: CSV in the dialect of the input, or in one for spreadsheets."""
    from equity.batching.formats import DIALECTS, Dialect

    if format_name != "csv":
        if excel or decimal:
            raise MethodError(
                f"it does not apply to {format_name}", place="--excel" if excel else "--decimal"
            )
        return format_name
    mark, delimiter = spots.csv_style
    if excel:
        mark, delimiter = True, "," if decimal == "point" else ";"
    if decimal == "comma" and delimiter != ";":
        raise MethodError("the delimiter is a comma", place="--decimal", hint="add --excel")
    point = "," if delimiter == ";" and decimal != "point" else "."
    return DIALECTS[Dialect(mark, delimiter if delimiter == ";" else ",", point)]


def _notify(text: str) -> None:
    click.echo(f"equity: {text}", err=True)


def _shard(text: str) -> tuple[int, int]:
    number, _, parts = text.partition("/")
    if number.isdecimal() and parts.isdecimal() and 1 <= int(number) <= int(parts):
        return int(number), int(parts)
    raise MethodError(
        f"invalid part {ascii_text(text)}", place="shard", hint="write 2/8 for part 2 of 8"
    )


@contextmanager
def _pool(jobs: int | None, cluster: str | None, *, talk: bool) -> Iterator[Pool]:
    """Open the pool of workers for a run."""
    from equity.batching.stream import local_pool
    from equity.common.limits import processors

    count = jobs or processors()
    if cluster is not None:
        from equity.batching.cluster import LOCAL, cluster_pool

        if jobs and cluster != LOCAL:
            raise MethodError(
                "--jobs does not apply to a running cluster", place="jobs", hint="leave it out"
            )
        with cluster_pool(cluster, count) as pool:
            yield pool
        return
    pool = local_pool(count, talk=talk)
    with pool.executor:
        yield pool


class _Line:
    """Progress on stderr: one line on a terminal, else a new line every minute."""

    def __init__(self) -> None:
        self.start = monotonic()
        self.printed = self.start
        self.first: int | None = None
        self.last = 0
        self.is_terminal = sys.stderr.isatty()
        self.width = 0

    def __call__(self, done: int, failed: int, rows: int) -> None:
        now = monotonic()
        if self.first is None or done < self.last:
            # Rows of an earlier run, or of a check, do not count for the rate.
            self.first, self.start = done, now
        self.last = done
        if done == self.first:
            return
        rate = (done - self.first) / max(now - self.start, 1e-6)
        left = _time((rows - done) / rate)
        text = f"{done:,} of {rows:,} done, {failed:,} failed, {rate:,.1f}/s, {left} left"
        if self.is_terminal:
            sys.stderr.write(f"\r{text:<{self.width}}")
            sys.stderr.flush()
            self.width = len(text)
        elif now > self.printed + LINE_EVERY:
            self.printed = now
            print(f"equity: {text}", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Erase the line."""
        if self.width:
            sys.stderr.write(f"\r{'':<{self.width}}\r")
            sys.stderr.flush()


def _time(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}"


def _summary(outcome: Outcome, output: str, *, quiet: bool) -> int:
    """Print the outcome of a run; return the exit code."""
    state = outcome.state
    if outcome.was_complete:
        text = f"{ascii_text(output)} is complete"
        if state.failed:
            text += f"; {spots_text(state.failed, outcome.rows)} failed, "
            text += "--retry-failed answers them again"
        click.echo(f"equity: {text}", err=True)
        return 1 if state.failed else 0
    if outcome.is_refused:
        print_failures(
            f"{spots_text(state.failed, outcome.rows)} failed the check, none was computed",
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
            f"{spots_text(state.no_combos)} {have} no results by combo, which need exact "
            "answers of two ranges"
        )
    return 1 if state.failed else 0


def print_failures(summary: str, failures: list[tuple[int, str, str]]) -> None:
    """Print to stderr how many rows failed, and the first errors."""
    click.echo(f"equity: {summary}", err=True)
    for _, place, problem in failures:
        click.echo(f"    {place}: {problem}", err=True)
