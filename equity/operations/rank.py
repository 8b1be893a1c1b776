"""The operation ``rank``: the places of hands in the hand rankings."""

from __future__ import annotations

from typing import Any

from equity.errors import EquityError
from equity.operations import parameters as given
from equity.operations.operation import Operation, Question
from equity.operations.parameters import TEXTS, Parameter
from equity.rules.games import find_game

__all__ = ["RANK"]


def _read(*, hands: tuple[str, ...], game: Any, ordering: str | None) -> Question:
    rules = find_game(game)
    if not hands:
        raise EquityError("there is none", place="hand", hint="write one, such as AsKsQhJh")

    from equity.ranges.ranking import rank
    from equity.views.ranks import Ranks

    ranks = [
        rank(hand, rules, ordering=ordering, place=f"hand {number}")
        for number, hand in enumerate(hands, 1)
    ]
    return Question(lambda _: Ranks(rules, ranks))


RANK = Operation(
    "rank",
    "The place of a hand in each hand ranking.",
    (
        Parameter("hands", TEXTS, "The hands.", metavar="HAND...", is_required=True),
        given.GAME,
        given.ORDERING,
    ),
    _read,
    is_list=True,
)
