"""``equity pql``: any question in the query language."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from equity.cli.options import (
    PART,
    WHOLE,
    exact_options,
    format_options,
    log_to_stderr,
    ordering_option,
    print_answer,
    seed_option,
    show_notices,
    strict_option,
    threads_option,
)
from equity.cli.stops import INTERRUPTED
from equity.errors import EquityError
from equity.rules.cards import ascii_text

if TYPE_CHECKING:
    from equity.cli.progress import ProgressLine
    from equity.queries.program import Program

__all__ = ["pql"]


@click.command()
@click.argument("queries", nargs=-1, metavar="QUERY...")
@click.option("-f", "--file", "file", metavar="FILE", help="Read queries from a file, - is stdin.")
@ordering_option
@format_options
@click.option("--plot", metavar="FILE", help="Also draw the histograms, .png or .svg.")
@click.option("--functions", is_flag=True, help="List selectors and functions.")
@click.option("--explain", is_flag=True, help="Say what would be dealt, and how, without doing it.")
@exact_options
@click.option("--trials", type=WHOLE, metavar="N", help="Sample N deals.")
@click.option(
    "--error",
    type=PART,
    metavar="E",
    help="Sample until the standard error of every share and equity is at most E.  "
    "[default: 0.0005]",
)
@click.option(
    "--budget", type=float, metavar="SECONDS", help="Stop sampling after so many seconds."
)
@seed_option
@threads_option
@strict_option
@click.option("-q", "--quiet", is_flag=True, help="Print no progress and no notices.")
def pql(
    queries: tuple[str, ...],
    file: str | None,
    ordering: str | None,
    output: str | None,
    plot: str | None,
    functions: bool,
    explain: bool,
    strict: bool,
    quiet: bool,
    **how: Any,
) -> None:
    """Answer queries of the query language (PQL), exactly or with standard errors.

    A query asks for results, tells of game and players, and may set a condition.
    'equity pql --functions' lists what can be asked; docs/pql.md has examples.

    \b
    equity pql "select count(flopHandCategory(hero) = flopset) as set
                from game='omahahi', hero='KK', villain='30%'"
    equity pql "select histogram(equity(hero, flop)) from game='omahahi',
                hero='AhAsKhKs', villain='9c8c7d6d' where twoToneBoard(flop)"
    equity pql -f queries.pql --json
    """
    if functions:
        from equity.queries.tables import function_lines

        click.echo("\n".join(function_lines()))
        return
    text = _text(queries, file)
    path = _picture(plot)

    from equity.engine.options import How, error_notices
    from equity.queries.analysis import read_programs

    programs = read_programs(text, ordering=ordering)
    for program in programs:
        show_notices(program.setup.spot.notices, quiet=quiet, strict=strict)
    line = None if quiet or explain else _progress()
    ask = How(**how, progress=line)
    show_notices(error_notices(ask), quiet=quiet, strict=strict)
    if explain:
        click.echo("\n\n".join(_explained(program, ask) for program in programs))
        return
    _answer(programs, ask, line, output, path)


def _text(queries: tuple[str, ...], file: str | None) -> str:
    """The queries of the arguments or of a file."""
    if bool(queries) == (file is not None):
        problem = "a file and a query" if queries else "no query"
        hint = 'give one, equity pql "select ... from ...", or a file by -f'
        raise EquityError(problem, place="query", hint=hint)
    if file is None:
        return " ; ".join(queries)
    try:
        content = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return content.decode("utf-8-sig")
    except OSError as error:
        raise EquityError(
            f"{ascii_text(file)} cannot be read ({error.strerror})", place="--file"
        ) from None
    except UnicodeDecodeError as error:
        raise EquityError(
            f"{ascii_text(file)} is no text in UTF-8 (byte {error.start + 1})", place="--file"
        ) from None


def _picture(plot: str | None) -> Path | None:
    if plot is None:
        return None
    from equity.views.plots import check_plot

    return check_plot(plot)


def _progress() -> ProgressLine | None:
    """Show notices; the progress line, if stderr is a terminal."""
    log_to_stderr()
    if not sys.stderr.isatty():
        return None
    from equity.cli.progress import ProgressLine

    return ProgressLine()


def _explained(program: Program, ask: Any) -> str:
    from equity.queries.solving import plan_of

    return "\n".join([program.text, *plan_of(program, ask).lines()])


def _answer(
    programs: list[Program],
    ask: Any,
    line: ProgressLine | None,
    output: str | None,
    path: Path | None,
) -> None:
    """Answer the queries, and print the answers."""
    from equity.queries.answers import Answers
    from equity.queries.solving import answer

    found: list[Any] = []
    for program in programs:
        found.append(answer(program, ask))
        if line:
            line.clear()
        if output is None:
            if len(found) > 1:
                click.echo("")
            print_answer(Answers((found[-1],)), output)
        if found[-1].partial:
            break
    answers = Answers(tuple(found))
    if output is not None:
        print_answer(answers, output)
    is_partial = found[-1].partial
    if path is not None and not is_partial:
        from equity.views.plots import picture

        path.write_bytes(picture(answers, path.suffix.lower()))
    if is_partial:
        click.echo("equity: interrupted", err=True)
        click.get_current_context().exit(INTERRUPTED)
