"""``equity odds``: equities of hands and ranges."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from equity.cli.arguments import check_players
from equity.cli.options import (
    MONEY,
    PART,
    WHOLE,
    cards_option,
    exact_options,
    format_options,
    game_option,
    log_to_stderr,
    money_options,
    ordering_option,
    print_answer,
    seed_option,
    show_notices,
    strict_option,
    threads_option,
)
from equity.cli.stops import INTERRUPTED
from equity.engine.options import How, read_spot_for
from equity.errors import MethodError
from equity.rules.cards import ascii_text
from equity.rules.games import find_game
from equity.spot import Spot

if TYPE_CHECKING:
    from equity.cli.progress import ProgressLine
    from equity.double_board import Boards
    from equity.results.result import Result

__all__ = ["odds"]


@click.command()
@click.argument("players", nargs=-1, metavar="PLAYER PLAYER...")
@game_option
@cards_option("-b", "--board", "Up to five board cards, or a pattern; '-' for none.")
@cards_option("-d", "--dead", "Dead cards, for example folded ones, or a pattern.")
@ordering_option
@format_options
@click.option(
    "-v", "--verbose", is_flag=True, help="Add counts of wins, ties and shares of the pot."
)
@exact_options
@click.option(
    "--trials", type=WHOLE, metavar="N", help="Sample N deals, or up to a tenth or 100,000 more."
)
@click.option(
    "--error",
    type=PART,
    metavar="E",
    help="Sample until the standard error of every equity is at most E; other figures "
    "have their own.  [default: 0.0005]",
)
@click.option(
    "--budget", type=float, metavar="SECONDS", help="Stop sampling after so many seconds."
)
@seed_option
@threads_option
@click.option(
    "--by-combo",
    "by_combo",
    multiple=True,
    metavar="PLAYER:FILE",
    help="Write the equity of every combo of a player, best first, to a .csv or .jsonl file; "
    "with - as the file, print that alone.",
)
@click.option(
    "--board2", metavar="CARDS", help="A second board; each is played for half of the pot."
)
@click.option("--runs", type=int, metavar="2", help="Run it twice.")
@money_options
@strict_option
@click.option("-q", "--quiet", is_flag=True, help="Print no progress and no notices.")
def odds(
    players: tuple[str, ...],
    game: str,
    board: str,
    dead: str,
    ordering: str | None,
    output: str | None,
    verbose: bool,
    by_combo: tuple[str, ...],
    board2: str | None,
    runs: int | None,
    strict: bool,
    quiet: bool,
    **options: Any,
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
    rules = find_game(game)
    check_players(players, board, dead, rules, stacks=options["stacks"], board2=board2)
    about_money = {name: options.pop(name) for name in MONEY}
    is_double = board2 is not None or runs is not None
    if is_double:
        _check_double(board2, runs, about_money, by_combo)
    how = How(**options, by_combo=bool(by_combo))
    spot = read_spot_for(players, rules, board, dead, how, ordering=ordering)
    if is_double:
        from equity.double_board import read_boards

        boards = read_boards(spot, board2)
        show_notices(spot.notices, quiet=quiet, strict=strict)
        _print_double(boards, quiet, output, how)
        return
    money: Any = None
    if any(value is not None for value in about_money.values()):
        from equity.money.parse import read_asked

        money = read_asked(about_money, len(spot.players), mark="--")
    files = [_by_combo_target(text, spot) for text in by_combo]
    show_notices(spot.notices, quiet=quiet, strict=strict)

    line = _progress(spot, quiet)
    asked = replace(how, progress=line)
    answer: Any
    if money:
        from equity.money.parse import answer as answer_money

        answer = answer_money(money, spot, asked)
        result = answer.result
    else:
        from equity.engine.solver import solve

        answer = result = solve(spot, asked)
    if line:
        line.clear()
    printed = [player for player, path in files if path is None]
    for player, path in files:
        if path is not None and not answer.partial:
            _write_combos(result, player, path)
    for player in printed:
        print_answer(result.combos(player), output or "csv")
    if not printed:
        print_answer(answer, output, verbose=verbose)
    _end_if_partial(answer.partial)
    one_sample = len(getattr(answer, "pots", ())) < 2
    if asked.budget is not None and result.sample and one_sample and not quiet:
        click.echo(f"equity: --trials {result.deals} repeats this sample", err=True)


def _progress(spot: Spot, quiet: bool) -> ProgressLine | None:
    """Show notices; the progress line, if stderr is a terminal and the answer may take long."""
    if quiet:
        return None
    log_to_stderr()
    if spot.hands is not None or not sys.stderr.isatty():
        return None
    from equity.cli.progress import ProgressLine

    return ProgressLine()


def _end_if_partial(is_partial: bool) -> None:
    """End the program as interrupted if its answer is only a part of one."""
    if is_partial:
        sys.stdout.flush()
        sys.exit(INTERRUPTED)


def _check_double(
    board2: str | None, runs: int | None, money: dict[str, Any], by_combo: Sequence[str]
) -> None:
    """Raise an error for options that do not go with two boards."""
    from equity.double_board import check_twice

    check_twice(board2, runs, mark="--")
    asked = [name for name, value in money.items() if value is not None]
    asked += ["by-combo"] if by_combo else []
    if asked:
        raise MethodError("it does not go with two boards", place=f"--{asked[0]}")


def _print_double(boards: Boards, quiet: bool, output: str | None, how: How) -> None:
    """Answer a question with two boards."""
    from equity.double_board import find

    line = _progress(boards.spot, quiet)
    found = find(boards, replace(how, progress=line))
    if line:
        line.clear()
    print_answer(found, output)
    _end_if_partial(found.partial)
    if how.budget is not None and not found.counted and not quiet:
        click.echo(f"equity: --trials {found.pairs} repeats this sample", err=True)


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
