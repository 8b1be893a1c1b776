"""``equity blockers``: card removal."""

from __future__ import annotations

from typing import Any

import click

from equity.cli.views import prepare, show, view_options

__all__ = ["blockers"]


@click.command()
@click.argument("players", nargs=-1, metavar="HERO RANGE")
@view_options("Known board cards, none or three to five.", "Sample N deals for each card.", 0.001)
def blockers(
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
    """Card removal: how each blocker changes a range and your equity.

    For each card: the share of the range that holds it, and the change of your
    equity when it is dead.  The cards of your hand come first.

    \b
    equity blockers AhKsQdJc '@FLUSH,@SET' -b Th7h2h
    equity blockers AhAsKhKs 10% -b Th7h2c --plot blockers.png
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
        error=asked["error"],
        exactly=2,
    )

    from equity.engine.options import How
    from equity.views.blockers import find

    show(find(spot, How(**asked)), output, path)
