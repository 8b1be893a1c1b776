"""``equity streets``: equity street by street."""

from __future__ import annotations

from typing import Any

import click

from equity.cli.views import prepare, show, view_options

__all__ = ["streets"]


@click.command()
@click.argument("players", nargs=-1, metavar="PLAYER PLAYER...")
@view_options(
    "Three to five board cards in the order they were dealt.",
    "Sample N deals on each street.",
    0.001,
)
def streets(
    players: tuple[str, ...],
    game: str,
    board: str,
    dead: str,
    ordering: str | None,
    output: str | None,
    plot: str | None,
    strict: bool,
    quiet: bool,
    **asked: Any,
) -> None:
    """Equity preflop, on the flop, on the turn and on the river.

    Players are written as in 'equity odds'.  A range keeps the same combos on all
    streets.

    \b
    equity streets AhAsKhKs 9c8c7d6d -b Kd5h4cTd3d
    equity streets -g o8 AsKdQd2s Ac4d3h2h -b 9s7s6hKh
    equity streets AhAsKhKs 10% -b Th7h2c --plot streets.png
    """
    spot, path = prepare(
        players, game, board, dead, ordering, plot, quiet=quiet, strict=strict, error=asked["error"]
    )

    from equity.engine.options import How
    from equity.views.streets import find

    show(find(spot, How(**asked)), output, path)
