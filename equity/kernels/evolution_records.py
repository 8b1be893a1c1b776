"""The records of the kernels that deal full tables, declared apart from their text."""

from __future__ import annotations

from equity.kernels import TABLES
from equity.kernels.loader import Kernel, Record
from equity.kernels.transposed import CODE_LINE, LINES

__all__ = [
    "CHIP",
    "CLASSES",
    "DEAL_CLASSES",
    "DEAL_TABLES",
    "DECK",
    "TABLE",
    "TABLE_WORK",
    "WON",
]

DECK = 52
#: Parts of a chip: two halves, each of which up to ten players can share.
CHIP = 5040

TABLE = Record(
    "table",
    {
        "players": ("int64", ()),
        "hole": ("int64", ()),
        # 1 if the game has a low.
        "low": ("int64", ()),
        # Boards for the hands of a deal; no two of them share a card.
        "boards": ("int64", ()),
        # Where the random numbers start, and how far they move on.
        "start": ("int64", ()),
        "step": ("int64", ()),
        # The parts of a chip that each of so many gets.
        "share": ("int64", (12,)),
        # Sets of r + 1 cards below a card, for the number of a set of cards.
        "choose": ("int64", (6, DECK)),
        "combos": ("int64", ()),
        # For each hand by that number, twice its class, plus 1 if it calls.
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
        # By seat: its class, its place among those that call and then the others.
        "type": ("int64", ("players",)),
        "place": ("int64", ("players",)),
        # What codes are worth on a board, and those of the pairs of each seat.
        "high_line": ("uint16", (CODE_LINE,)),
        "low_line": ("uint8", (CODE_LINE,)),
        "code": ("uint16", ("players", 16)),
        # By place.
        "high": ("int64", ("players",)),
        "low": ("int64", ("players",)),
        "chips": ("int64", ("players",)),
    },
)

WON = Record(
    "won",
    {
        "types": ("int64", ()),
        # For each class its deals, and of its chips the sum and the sum of squares;
        # four wide, so that a class lies in one line of the cache.
        "sums": ("int64", ("types", 4)),
    },
)

#: How many tables, for the kernel that deals them at random.
JOB = Record("job", {"rounds": ("int64", ())})

DEAL_TABLES = Kernel(
    "deal_tables", "equity.kernels.evolution", (TABLES, LINES, TABLE, JOB, TABLE_WORK, WON)
)
DEAL_CLASSES = Kernel(
    "deal_classes", "equity.kernels.evolution", (TABLES, LINES, TABLE, CLASSES, TABLE_WORK, WON)
)
