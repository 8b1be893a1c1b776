"""``equity rank``: the place of a hand in the hand rankings."""

from __future__ import annotations

from typing import Any

import click

from equity.cli.arguments import check_players
from equity.cli.options import format_options, print_answer, takes
from equity.operations.rank import RANK
from equity.rules.games import find_game

__all__ = ["rank"]


@click.command()
@takes(RANK)
@format_options
def rank(hands: tuple[str, ...], game: str, output: str | None, **options: Any) -> None:
    """Show the place of a hand in each hand ranking.

    Suit-isomorphic hands are one class.  The percentile of a class is the share
    of all combos that rank as high or higher: a hand at 7.3 is in 8%, not in 7%.

    \b
    equity rank AsKsQhJh
    equity rank -g o8 AsAh2s3h KsKhQsQh --json
    """
    check_players(hands, "", "", find_game(game), least=len(hands))
    print_answer(RANK.read(hands=hands, game=game, **options).answer(None), output)
