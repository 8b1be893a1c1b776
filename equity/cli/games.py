"""``equity games``: the games, their aliases and limits."""

from __future__ import annotations

import click

from equity.cli.options import format_options, print_answer
from equity.operations.games import GAMES_TABLE

__all__ = ["games"]


@click.command()
@format_options
def games(output: str | None) -> None:
    """List the games: names, aliases, hole cards, the most players."""
    print_answer(GAMES_TABLE.read().answer(None), output)
