"""``equity next``: equity by the next card."""

from __future__ import annotations

from typing import Any

import click

from equity.cli.views import prepare, show, view_options
from equity.errors import MethodError

__all__ = ["next_"]


@click.command("next")
@click.argument("players", nargs=-1, metavar="PLAYER PLAYER...")
@view_options("The board: a flop or a turn.", "Sample N deals for each card.", 0.002)
@click.option("--two", is_flag=True, help="Turn and river together, by their ranks.")
def next_(
    players: tuple[str, ...],
    game: str,
    board: str,
    dead: str,
    ordering: str | None,
    output: str | None,
    plot: str | None,
    strict: bool,
    quiet: bool,
    two: bool,
    **asked: Any,
) -> None:
    """Equity by the next card, best to worst for player 1.

    Cards that suits make alike stand together.  Weighted by the deals that each
    leaves, equities average to the equity now.

    \b
    equity next AhAsKhKs 9c8c7d6d -b Th7h2c
    equity next -g o8 AsKdQd2s Ac4d3h2h -b 9s7s6h --plot next.png
    equity next 'AA:xxyy' '10%' -b Th7h2cJd
    equity next AhAsKhKs 9c8c7d6d -b Th7h2c --two
    """
    spot, path = prepare(
        players, game, board, dead, ordering, plot, quiet=quiet, strict=strict, error=asked["error"]
    )

    from equity.engine.options import How
    from equity.views.next_card import find, find_two

    if two:
        for name in ("trials", "error"):
            if asked.pop(name) is not None:
                raise MethodError(
                    "turn and river are counted", place=f"--{name}", hint="leave it out"
                )
        show(find_two(spot, How(**asked)), output, path)
    else:
        show(find(spot, How(**asked)), output, path)
