"""The commands of views: ``equity streets``, ``next``, ``graph``, ``flops`` and ``blockers``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

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
from equity.operations.operation import Operation
from equity.operations.views import BLOCKERS, FLOPS, GRAPH, NEXT, STREETS
from equity.rules.games import find_game
from equity.spot import MIN_PLAYERS

__all__ = ["blockers", "flops", "graph", "next_", "streets"]

Command = TypeVar("Command", bound=Callable[..., Any])


def _view_options(operation: Operation, metavar: str) -> Callable[[Command], Command]:
    """The arguments and options of a view."""
    options = [
        click.argument("players", nargs=-1, metavar=metavar),
        takes(operation, "players"),
        format_options,
        click.option("--plot", metavar="FILE", help="Also draw a picture, .png, .svg or .pdf."),
        yes_option,
        strict_option,
        quiet_option,
    ]

    def add(command: Command) -> Command:
        for one in reversed(options):
            command = one(command)
        return command

    return add


def _show(
    operation: Operation,
    *,
    output: str | None,
    plot: str | None,
    strict: bool,
    quiet: bool,
    least: int = MIN_PLAYERS,
    **arguments: Any,
) -> None:
    """Print a view, and draw its picture."""
    rules = find_game(arguments["game"])
    board, dead = arguments["board"], arguments["dead"]
    check_players(arguments["players"], board, dead, rules, least=least)
    path = None
    if plot is not None:
        from equity.views.plots import check_plot

        path = check_plot(plot)
    question = operation.read(**arguments, mark="--")
    show_notices(question.notices, quiet=quiet, strict=strict)
    if not quiet:
        log_to_stderr()
    view: Any = question.answer(None)
    print_answer(view, output)
    if path is not None:
        from equity.views.plots import plot as draw

        draw(view, path)


@click.command()
@_view_options(STREETS, "PLAYER PLAYER...")
def streets(**options: Any) -> None:
    """Equity preflop, on the flop, on the turn and on the river.

    Players are written as in 'equity odds'.  A range keeps the same combos on all
    streets.

    \b
    equity streets AhAsKhKs 9c8c7d6d -b Kd5h4cTd3d
    equity streets -g o8 AsKdQd2s Ac4d3h2h -b 9s7s6hKh
    equity streets AhAsKhKs 10% -b Th7h2c --plot streets.png
    """
    _show(STREETS, **options)


@click.command("next")
@_view_options(NEXT, "PLAYER PLAYER...")
def next_(**options: Any) -> None:
    """Equity by the next card, best to worst for player 1.

    Isomorphic cards share a row.  Weighted by the deals that each leaves, equities
    average to the equity now.

    \b
    equity next AhAsKhKs 9c8c7d6d -b Th7h2c
    equity next -g o8 AsKdQd2s Ac4d3h2h -b 9s7s6h --plot next.png
    equity next 'AA:xxyy' '10%' -b Th7h2cJd
    equity next AhAsKhKs 9c8c7d6d -b Th7h2c --two
    """
    _show(NEXT, **options)


@click.command()
@_view_options(GRAPH, "HERO RANGE")
def graph(**options: Any) -> None:
    """Equity distribution over the combos of a range, or over boards.

    A hand against a range: its equity against each combo, the strongest first, and
    against the top of the range.  Two ranges: the equity of each combo of both.
    With --over: the equity on every board to come, for any number of players.

    \b
    equity graph AhAsKhKs 10% -b Th7h2c
    equity graph AA:xxyy KQJT,QJT9 -b Kh9h4c --plot graph.png
    equity graph 10% 30% -b Kh9h4c --best 20 --worst 20
    equity graph AhAsKhKs 9c8c7d6d --over flops
    equity graph AhAsKhKs 10% -b Th7h2c --over turns --json
    """
    _show(GRAPH, **options)


@click.command()
@_view_options(FLOPS, "HAND|RANGE")
def flops(**options: Any) -> None:
    """What a hand or a range flops: made hands and draws over all flops, counted exactly.

    Conditions are those of ranges, 'equity range --help-board' lists them.  With a
    flop or a turn: over the boards that follow.

    \b
    equity flops AsAdKsJd
    equity flops 10% --by suits
    equity flops AsAdKsJd --at-least '@SET,@NFD,@WRAP13+'
    equity flops JsTs9h8h -b Qs --dead AsKs
    equity flops AsAdKsJd -b Th7h2c --against 10%
    """
    _show(FLOPS, **options, least=1)


@click.command()
@_view_options(BLOCKERS, "HERO RANGE")
def blockers(**options: Any) -> None:
    """Card removal: how each blocker changes a range and your equity.

    For each card: the share of the range that holds it, and the change of your
    equity when it is dead.  The cards of your hand come first.

    \b
    equity blockers AhKsQdJc '@FLUSH,@SET' -b Th7h2h
    equity blockers AhAsKhKs 10% -b Th7h2c --plot blockers.png
    """
    _show(BLOCKERS, **options)
