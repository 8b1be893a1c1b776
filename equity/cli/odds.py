"""``equity odds``: equities of hands and ranges."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from equity.cli.arguments import check_players
from equity.cli.options import (
    format_options,
    log_to_stderr,
    print_answer,
    quiet_option,
    show_notices,
    strict_option,
    takes,
    yes_option,
)
from equity.cli.stops import INTERRUPTED
from equity.errors import MethodError
from equity.operations.odds import ODDS
from equity.rules.cards import ascii_text
from equity.rules.games import find_game
from equity.spot import Spot

if TYPE_CHECKING:
    from equity.cli.progress import ProgressLine
    from equity.results.result import Result

__all__ = ["odds"]


@click.command()
@takes(ODDS)
@format_options
@click.option(
    "-v", "--verbose", is_flag=True, help="Add counts of wins, ties and shares of the pot."
)
@yes_option
@click.option(
    "--by-combo",
    "by_combo",
    multiple=True,
    metavar="PLAYER:FILE",
    help="Write the equity of every combo of a player, best first, to a .csv or .jsonl file; "
    "with - as the file, print that alone.",
)
@strict_option
@quiet_option
def odds(
    output: str | None,
    verbose: bool,
    by_combo: tuple[str, ...],
    strict: bool,
    quiet: bool,
    **arguments: Any,
) -> None:
    """Equities of hands and ranges.

    A hand is exact cards, each a rank of AKQJT98765432 and a suit of shdc, in one
    word or in quotes.  A range is written as for 'equity range': AA:xxyy, or all.
    Known hands are enumerated exactly, and so are ranges if that takes seconds;
    otherwise the answer is a Monte Carlo estimate with its standard error.

    \b
    equity odds AhAsKhKs 9c8c7d6d
    equity odds -g o8 AsKdQd2s Ac4d3h2h JcTc9c9d -b 9s7s6h
    equity odds AA:xxyy KQJT,QJT9 -b Kh9h4c
    equity odds -g o8 AhAsKhKs all A2,A3:xxyy --error 0.001
    equity odds 10% 10%-30% -b Kh9h4c
    equity odds AhAsKhKs 9c8c7d6d QdQcJdTd --stacks 100,60,40 --rake 5% --cap 3
    equity odds 9c8c7d6d AA -b Tc5c2d --pot 150 --call 50
    equity odds AhAsKhKs 9c8c7d6d -b Th7h2c --runs 2
    """
    check_players(
        arguments["players"],
        arguments["board"],
        arguments["dead"],
        find_game(arguments["game"]),
        stacks=arguments["stacks"],
        board2=arguments["board2"],
    )
    question = ODDS.read(**arguments, with_combos=bool(by_combo), mark="--")
    spot: Any = question.spot
    files = [_by_combo_target(text, spot) for text in by_combo]
    show_notices(question.notices, quiet=quiet, strict=strict)

    line = _progress(spot, quiet)
    answer: Any = question.answer(line)
    if line:
        line.clear()
    result = getattr(answer, "result", answer)
    printed = [player for player, path in files if path is None]
    for player, path in files:
        if path is not None and not answer.partial:
            _write_combos(result, player, path)
    for player in printed:
        print_answer(result.combos(player), output or "csv")
    if not printed:
        print_answer(answer, output, verbose=verbose)
    if answer.partial:
        sys.exit(INTERRUPTED)
    trials = _sampled(answer)
    if arguments["budget"] is not None and trials is not None and not quiet:
        click.echo(f"equity: --trials {trials} repeats this sample", err=True)


def _sampled(answer: Any) -> int | None:
    """The deals of the sample of an answer; None if it is exact, or has several samples."""
    if hasattr(answer, "pairs"):
        return None if answer.counted else int(answer.pairs)
    result = getattr(answer, "result", answer)
    if getattr(result, "sample", None) is None or len(getattr(answer, "pots", ())) > 1:
        return None
    return int(result.deals)


def _progress(spot: Spot, quiet: bool) -> ProgressLine | None:
    """Show notices; the progress line, if stderr is a terminal and the answer may take long."""
    if quiet:
        return None
    log_to_stderr()
    if spot.hands is not None or not sys.stderr.isatty():
        return None
    from equity.cli.progress import ProgressLine

    return ProgressLine()


def _by_combo_target(text: str, spot: Spot) -> tuple[int, Path | None]:
    """The player, from 0, and the file of ``PLAYER:FILE``; None is stdout."""
    number, _, name = text.partition(":")
    players = len(spot.players)
    place = "--by-combo"
    if not number.isdigit() or not name or not 1 <= int(number) <= players:
        raise MethodError(
            f"{ascii_text(text)} is no player and file",
            place=place,
            hint=f"write PLAYER:FILE with a player from 1 to {players}, 1:first.csv say",
        )
    if name == "-":
        return int(number) - 1, None
    path = Path(name)
    if path.suffix not in (".csv", ".jsonl"):
        raise MethodError(
            f"{ascii_text(name)} has no known ending", place=place, hint="use .csv or .jsonl"
        )
    if not path.absolute().parent.is_dir():
        raise MethodError(f"there is no folder for {ascii_text(name)}", place=place)
    return int(number) - 1, path


def _write_combos(result: Result, player: int, path: Path) -> None:
    """Write the combos of a player, a row for each."""
    from equity.results.formats import written

    output = "csv" if path.suffix == ".csv" else "json"
    path.write_text(written(result.combos(player), output), encoding="ascii")
