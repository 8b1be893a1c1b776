"""Declares the kernel that samples many boards, and its records; imports no numba."""

from __future__ import annotations

from equity import kernels
from equity.kernels.loader import Kernel, Record
from equity.kernels.rows_records import PARTS
from equity.kernels.transposed import LINES

__all__ = ["DRAW", "LISTS", "MOMENTS", "SAMPLE_BOARDS", "WORK"]

#: Sums of what a player wins, and of its square.
MOMENTS = 2

LISTS = Record(
    "lists",
    {
        "total": ("int64", ()),
        # The hands of a player run from their first to the next one's; a player without
        # hands is dealt from the deck.
        "first": ("int64", ("players + 1",)),
        "cards": ("uint8", ("total", "hole")),
        # Bit mask of the cards, and the sum of the weights of a list up to a hand.
        "held": ("int64", ("total",)),
        "ends": ("int64", ("total",)),
        # Sum of the weights of each list; as many as there are hands if all are equal.
        "weight": ("int64", ("players",)),
    },
)

DRAW = Record(
    "draw",
    {
        "players": ("int64", ()),
        "hole": ("int64", ()),
        "low_game": ("int64", ()),
        # Bit mask of the dead cards.
        "dead": ("int64", ()),
        "count": ("int64", ()),
        "known": ("int64", ()),
        "begin": ("int64", ()),
        "stop": ("int64", ()),
        # Start of the sequence of random numbers, the distance between the starts of two
        # boards, and the increment of the sequence, which is odd.
        "start": ("int64", ()),
        "stride": ("int64", ()),
        "step": ("int64", ()),
        "boards": ("uint8", ("count", "known")),
        "tries": ("int64", ("count",)),
        # Outputs: deals, and for each player the sums of pots won in units of 1 / parts.pot
        # and of their squares.
        "deals": ("int64", ("count",)),
        "sums": ("int64", ("count", "players", MOMENTS)),
    },
    limits={"players": (2, 12), "hole": (4, 6), "known": (0, 5)},
)

WORK = Record(
    "work",
    {
        "state": ("int64", (1,)),
        "board": ("uint8", (5,)),
        "hands": ("uint8", ("players", "hole")),
        "value": ("uint16", ("players", 2)),
    },
)

SAMPLE_BOARDS = Kernel(
    "sample_boards",
    "equity.kernels.board_samples",
    (kernels.TABLES, LINES, PARTS, LISTS, DRAW, WORK),
)
