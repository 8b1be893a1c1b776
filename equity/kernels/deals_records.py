"""Declares the kernel that samples deals by board and combo; imports no numba."""

from __future__ import annotations

from equity import kernels
from equity.kernels.loader import Kernel, Record
from equity.kernels.rows_records import PARTS
from equity.kernels.transposed import LINES

__all__ = ["COMBO_SUMS", "DRAW", "LISTS", "MOMENTS", "SAMPLE_DEALS", "WORK"]

#: Sums of what a player wins, and of its square.
MOMENTS = 2
#: Sums of a combo: deals, pots won and their squares, and what its high hands won.
COMBO_SUMS = 4

LISTS = Record(
    "lists",
    {
        "total": ("int64", ()),
        # The number of rows of sums by combo.
        "rows": ("int64", ()),
        # The hands of a player run from their first to the next one's; a player without
        # hands is dealt from the deck.
        "first": ("int64", ("players + 1",)),
        "cards": ("uint8", ("total", "hole")),
        # The row that a hand's sums are added to.
        "row": ("int32", ("total",)),
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
        # 1 for each player whose combos are asked for; their hands must be listed.
        "asked": ("uint8", ("players",)),
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
        # The row of sums of each player's hand.
        "row": ("int64", ("players",)),
        "value": ("uint16", ("players", 2)),
        # Outputs of one thread, see COMBO_SUMS.
        "combo_sums": ("int64", ("rows", COMBO_SUMS)),
    },
)

SAMPLE_DEALS = Kernel(
    "sample_deals",
    "equity.kernels.deals",
    (kernels.TABLES, LINES, PARTS, LISTS, DRAW, WORK),
)
