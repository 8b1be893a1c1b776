"""``equity evaluate``: made hands on a board."""

from __future__ import annotations

import click

from equity.cli.arguments import check_players
from equity.cli.options import format_options, print_answer, takes
from equity.operations.evaluate import EVALUATE
from equity.rules.games import find_game

__all__ = ["evaluate"]


@click.command()
@takes(EVALUATE)
@format_options
def evaluate(players: tuple[str, ...], game: str, board: str, output: str | None) -> None:
    """The made hands on a board of three to five cards, and who wins what.

    Of the five cards that play, the first two are the player's and the other
    three the board's.

    \b
    equity evaluate -b Kh9h4c2d2s AhAsKhKs 9c9d8c8d
    equity evaluate -g o8 -b 8d5h3c2s AsKdQd4s
    """
    rules = find_game(game)
    check_players(players, board, "", rules, least=1)
    question = EVALUATE.read(players=players, game=rules, board=board)
    print_answer(question.answer(None), output)
