"""The operation ``evaluate``: what hands make on a board."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from equity.operations import parameters as given
from equity.operations.operation import Operation, Question
from equity.rules.games import FLOP_SIZE
from equity.spot import read_board, read_spot
from equity.views.showdown import showdown

__all__ = ["EVALUATE"]


def _read(*, players: tuple[str, ...], game: Any, board: str) -> Question:
    read_board(board, FLOP_SIZE)
    spot = read_spot(players, game, board, min_players=1, hands_only=True)
    return Question(lambda _: showdown(spot), spot.notices, spot)


EVALUATE = Operation(
    "evaluate",
    "The made hands on a board of three to five cards, and who wins what.",
    (
        replace(given.PLAYERS, text="The hands of the players.", metavar="HAND..."),
        given.GAME,
        given.BOARD.saying("Three to five board cards."),
    ),
    _read,
)
