"""``equity pql``: any question in the query language."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from equity.cli.options import (
    format_options,
    log_to_stderr,
    print_answer,
    quiet_option,
    read_text,
    show_notices,
    strict_option,
    takes,
    yes_option,
)
from equity.cli.stops import INTERRUPTED
from equity.errors import EquityError
from equity.operations.pql import PQL, read_queries

if TYPE_CHECKING:
    from equity.cli.progress import ProgressLine
    from equity.queries.program import Program

__all__ = ["pql"]


@click.command()
@click.argument("queries", nargs=-1, metavar="QUERY...")
@click.option("-f", "--file", "file", metavar="FILE", help="Read queries from a file, - is stdin.")
@takes(PQL, "query")
@format_options
@click.option("--plot", metavar="FILE", help="Also draw the histograms, .png, .svg or .pdf.")
@click.option("--functions", is_flag=True, help="List selectors and functions.")
@click.option("--explain", is_flag=True, help="Say what would be dealt, and how, without doing it.")
@yes_option
@strict_option
@quiet_option
def pql(
    queries: tuple[str, ...],
    file: str | None,
    output: str | None,
    plot: str | None,
    functions: bool,
    explain: bool,
    strict: bool,
    quiet: bool,
    **options: Any,
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

    asked = read_queries(text, **options)
    show_notices(asked.notices, quiet=quiet, strict=strict)
    if explain:
        click.echo("\n\n".join(_explained(program, asked.how) for program in asked.programs))
        return
    line = None if quiet else _progress()
    _answer(asked.programs, replace(asked.how, progress=line), line, output, path)


def _text(queries: tuple[str, ...], file: str | None) -> str:
    """The queries of the arguments or of a file."""
    if bool(queries) == (file is not None):
        problem = "a file and a query" if queries else "no query"
        hint = 'give one, equity pql "select ... from ...", or a file by -f'
        raise EquityError(problem, place="query", hint=hint)
    if file is None:
        return " ; ".join(queries)
    return read_text(file, "--file")


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
