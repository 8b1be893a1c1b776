"""Declares the records and kernels that deal full tables; imports no numba."""

from __future__ import annotations

from equity.kernels import TABLES
from equity.kernels.loader import Kernel, Record
from equity.kernels.transposed import CODE_LINE, DECK, LINES

__all__ = [
    "CHIP",
    "CLASSES",
    "DEAL_CLASSES",
    "DEAL_TABLES",
    "TABLE",
    "TABLE_WORK",
    "WON",
]

#: Units of a chip: two halves, each divisible among up to ten players.
CHIP = 5040

TABLE = Record(
    "table",
    {
        "players": ("int64", ()),
        "hole": ("int64", ()),
        # 1 if the game has a low.
        "low": ("int64", ()),
        # Disjoint boards for the hands of a deal.
        "boards": ("int64", ()),
        # State and increment of the random number generator.
        "start": ("int64", ()),
        "step": ("int64", ()),
        # The share of a chip, by the number of winners.
        "share": ("int64", (12,)),
        # The number of sets of r + 1 cards below a card, to index sets of cards.
        "choose": ("int64", (6, DECK)),
        "combos": ("int64", ()),
        # For each hand by that index, twice its class, plus 1 if it calls.
        "entry": ("int32", ("combos",)),
    },
    # More players would not divide a chip evenly.
    limits={"players": (2, 10), "hole": (4, 6)},
)

CLASSES = Record(
    "classes",
    {
        "count": ("int64", ()),
        "hands": ("uint8", ("count", "hole")),
        "deals": ("int64", ("count",)),
    },
)

TABLE_WORK = Record(
    "work",
    {
        "deck": ("uint8", (DECK,)),
        "state": ("int64", (1,)),
        # By seat: its class; its position with callers first.
        "type": ("int64", ("players",)),
        "place": ("int64", ("players",)),
        # The value of each code on a board, and the codes of each seat's pairs.
        "high_line": ("uint16", (CODE_LINE,)),
        "low_line": ("uint8", (CODE_LINE,)),
        "code": ("uint16", ("players", 16)),
        # By position.
        "high": ("int64", ("players",)),
        "low": ("int64", ("players",)),
        "chips": ("int64", ("players",)),
    },
)

WON = Record(
    "won",
    {
        "types": ("int64", ()),
        # For each class the number of deals, and the sum and sum of squares of its chips;
        # four wide, so that a class fits in one cache line.
        "sums": ("int64", ("types", 4)),
    },
)

#: The number of tables to deal at random.
JOB = Record("job", {"rounds": ("int64", ())})

DEAL_TABLES = Kernel(
    "deal_tables", "equity.kernels.evolution", (TABLES, LINES, TABLE, JOB, TABLE_WORK, WON)
)
DEAL_CLASSES = Kernel(
    "deal_classes", "equity.kernels.evolution", (TABLES, LINES, TABLE, CLASSES, TABLE_WORK, WON)
)
