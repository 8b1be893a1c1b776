"""The operation ``potlimit``: the largest raise that pot limit allows."""

from __future__ import annotations

from equity.operations.operation import Operation, Question
from equity.operations.parameters import AMOUNT, AMOUNTS, Parameter

__all__ = ["POTLIMIT"]


def _read(*, pot: str, bets: str, own: str) -> Question:
    from equity.money.limits import pot_limit

    found = pot_limit(pot, bets, own)
    return Question(lambda _: found)


POTLIMIT = Operation(
    "potlimit",
    "The largest raise in pot limit.",
    (
        Parameter(
            "pot",
            AMOUNT,
            "The pot before this street's bets.",
            metavar="AMOUNT",
            is_required=True,
        ),
        Parameter(
            "bets",
            AMOUNTS,
            "What each opponent has bet on this street, in order.  [default: none]",
            "",
            metavar="A,B,...",
        ),
        Parameter(
            "own",
            AMOUNT,
            "What the player to act has bet on this street.",
            "0",
            metavar="AMOUNT",
            option="in",
        ),
    ),
    _read,
)
