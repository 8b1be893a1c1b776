"""``equity report``: a page for a student."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from equity.cli.arguments import check_players
from equity.cli.options import (
    log_to_stderr,
    quiet_option,
    read_text,
    show_notices,
    strict_option,
    takes,
)
from equity.common.files import appears_whole
from equity.errors import EquityError, MethodError
from equity.html.report import BATCH_REPORT, REPORT
from equity.operations.operation import Question
from equity.rules.cards import ascii_text
from equity.rules.games import find_game

__all__ = ["report"]

#: Endings of tables that a report is made of, and their formats.
_FORMATS = {".csv": "csv", ".tsv": "csv", ".jsonl": "jsonl"}


@click.command()
@takes(REPORT)
@click.option(
    "--batch", metavar="SPOTS", help="Instead of players: a table of spots, .csv or .jsonl."
)
@click.option("-o", "--output", required=True, metavar="FILE", help="The page to write, .html.")
@click.option("--force", is_flag=True, help="Overwrite an existing page.")
@strict_option
@quiet_option
def report(
    players: tuple[str, ...],
    batch: str | None,
    output: str,
    force: bool,
    strict: bool,
    quiet: bool,
    **arguments: Any,
) -> None:
    """A page with every view that applies to a spot, as a file that needs nothing else.

    Equities first; then, as the board allows: streets, the next card, how equity is
    distributed, what ranges hold, what a hand flops, card removal.  It can be sent and
    printed.

    \b
    equity report AhAsKhKs 9c8c7d6d -b Th7h2c -o spot.html
    equity report 10% 30% -b Kh9h4c -o ranges.html --title 'Top 10 against top 30'
    equity report --batch spots.csv -o lesson.html
    """
    path = _target(output, force=force)
    if (batch is None) != bool(players):
        raise EquityError(
            "both players and --batch are given" if players else "there are none",
            place="players",
            hint="give two or more, such as AhAsKhKs 10%, or a table by --batch",
        )
    if batch is None:
        board, dead = arguments["board"], arguments["dead"]
        check_players(players, board, dead, find_game(arguments["game"]))
        question = REPORT.read_with(players=players, **arguments)
    else:
        question = _of_table(batch, arguments)
    show_notices(question.notices, quiet=quiet, strict=strict)
    if not quiet:
        log_to_stderr()
    made: Any = question.answer(None)
    with appears_whole(path) as unfinished:
        unfinished.write_text(made.html, encoding="utf-8")


def _of_table(name: str, arguments: dict[str, Any]) -> Question:
    """The question about a table of spots."""
    form = _FORMATS.get(Path(name).suffix.lower())
    if form is None:
        raise MethodError(
            f"{ascii_text(name)} has no known ending", place="--batch", hint="use .csv or .jsonl"
        )
    arguments.pop("threads")
    return BATCH_REPORT.read_with(text=read_text(name, "--batch"), format=form, **arguments)


def _target(output: str, *, force: bool) -> Path:
    """The path of the page, checked before anything is computed."""
    path = Path(output)
    if path.suffix.lower() not in (".html", ".htm"):
        raise MethodError(
            f"{ascii_text(output)} has no known ending", place="--output", hint="use .html"
        )
    if not path.absolute().parent.is_dir():
        raise MethodError(f"there is no folder for {ascii_text(output)}", place="--output")
    if path.exists() and not force:
        raise MethodError(
            f"{ascii_text(output)} exists", place="--output", hint="--force overwrites it"
        )
    return path
