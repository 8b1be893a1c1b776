"""``equity graph``: equity distributions."""

from __future__ import annotations

from typing import Any

import click

from equity.cli.views import prepare, show, view_options

__all__ = ["graph"]


@click.command()
@click.argument("players", nargs=-1, metavar="HERO RANGE")
@view_options(
    "Known board cards, none or three to five.", "Sample N combos, or N boards with --over."
)
@click.option(
    "--over",
    type=click.Choice(["flops", "turns", "rivers"]),
    help="Go over the boards of this street instead of combos.",
)
def graph(
    players: tuple[str, ...],
    game: str,
    board: str,
    dead: str,
    ordering: str | None,
    output: str | None,
    plot: str | None,
    strict: bool,
    quiet: bool,
    over: str | None,
    **asked: Any,
) -> None:
    """Equity distribution over the combos of a range, or over boards.

    A hand against a range: its equity against each combo, the strongest first, and
    against the top of the range.  Two ranges: the equity of each combo of both.
    With --over: the equity on every board to come, for any number of players.

    \b
    equity graph AhAsKhKs 10% -b Th7h2c
    equity graph AA:xxyy KQJT,QJT9 -b Kh9h4c --plot graph.png
    equity graph AhAsKhKs 9c8c7d6d --over flops
    equity graph AhAsKhKs 10% -b Th7h2c --over turns --json
    """
    spot, path = prepare(
        players,
        game,
        board,
        dead,
        ordering,
        plot,
        quiet=quiet,
        strict=strict,
        exactly=None if over else 2,
    )

    from equity.engine.options import How
    from equity.views.graph import find

    show(find(spot, How(**asked), over), output, path)
