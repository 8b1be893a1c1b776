"""Shared options, output and pictures of the view commands."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from equity.cli.arguments import check_players
from equity.cli.options import (
    PART,
    WHOLE,
    cards_option,
    exact_options,
    format_options,
    game_option,
    notice_on_stderr,
    ordering_option,
    show_notices,
    strict_option,
)
from equity.engine.options import error_notices
from equity.errors import PlayerCountError
from equity.rules.games import find_game
from equity.spot import Spot, read_spot

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["prepare", "show", "view_options"]

#: What rows say of a player; of the first one if the row names none.
_OF_PLAYER = ("equity", "equity_exact", "low", "std_error", "low_error")
Command = TypeVar("Command", bound=Callable[..., Any])


def view_options(
    board: str, trials: str, error: float | None = None
) -> Callable[[Command], Command]:
    """The options of a view.

    Parameters
    ----------
    board, trials:
        What the help says of these.
    error:
        The error that samples have unless another is asked for; None for a view
        without samples of that kind.
    """
    options = [
        game_option,
        cards_option("-b", "--board", board),
        cards_option("-d", "--dead", "Dead cards, for example folded ones."),
        ordering_option,
        format_options,
        click.option("--plot", metavar="FILE", help="Also draw a picture, .png or .svg."),
        exact_options,
        click.option("--trials", type=WHOLE, metavar="N", help=trials),
        *(
            [
                click.option(
                    "--error",
                    type=PART,
                    metavar="E",
                    help="If sampled: stop when all standard errors of equities are below E.  "
                    f"[default: {error}]",
                )
            ]
            if error is not None
            else []
        ),
        click.option(
            "--seed", type=int, default=0, show_default=True, help="Seed of the random numbers."
        ),
        click.option(
            "--threads", type=int, metavar="N", help="Number of threads.  [default: all processors]"
        ),
        strict_option,
        click.option("-q", "--quiet", is_flag=True, help="Print no notices."),
    ]

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def prepare(
    players: tuple[str, ...],
    game: str,
    board: str,
    dead: str,
    ordering: str | None,
    picture: str | None,
    *,
    quiet: bool,
    strict: bool,
    error: float | None = None,
    exactly: int | None = None,
    **reading: Any,
) -> tuple[Spot, Path | None]:
    """Validate the arguments; return the spot and the path of the picture.

    ``error`` is the standard error that was asked for, ``exactly`` the number of players
    that there must be, if not any, ``reading`` further arguments of :func:`read_spot`.
    """
    rules = find_game(game)
    check_players(players, board, dead, rules)
    if exactly is not None and len(players) != exactly:
        raise PlayerCountError(
            f"{len(players)} where a hand and a range are wanted",
            place="players",
            hint="give two, such as AhAsKhKs 10%",
        )
    path = None
    if picture is not None:
        from equity.views.plots import check_plot

        path = check_plot(picture)
    spot = read_spot(players, rules, board, dead, ordering=ordering, **reading)
    spot.notices += error_notices(error)
    show_notices(spot.notices, quiet=quiet, strict=strict)
    if not quiet:
        notice_on_stderr()
    return spot, path


def show(view: Any, lines: Iterable[str], output: str | None, path: Path | None) -> None:
    """Print a view as a table, JSON or CSV, and draw its picture."""
    if output == "json":
        click.echo(json.dumps(view.to_dict()))
    elif output == "csv":
        from equity.results.report import csv_rows

        whole = view.to_dict()
        common = {name: whole[name] for name in ("version", "game", "board", "dead")}
        rows = [common | _flat(row) for row in whole["rows"]]
        names = list(dict.fromkeys(name for row in rows for name in row))
        click.echo(csv_rows(names, [[row.get(name) for name in names] for row in rows]), nl=False)
    else:
        click.echo("\n".join(lines), color=True)
    if path is not None:
        from equity.views.plots import plot

        plot(view, path)


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """Flatten a row: one column for each figure of each player, named as in a batch."""
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if name == "curve":
            flat["player"] = value
        elif name in _OF_PLAYER and "curve" not in row:
            flat[f"player1_{name}"] = value
        elif name != "players":
            flat[name] = value
    for number, part in enumerate(row.get("players") or [], 1):
        flat |= {f"player{number}_{name}": value for name, value in part.items()}
    return flat
