"""Declares the kernel that tallies what hands have on boards; imports no numba."""

from __future__ import annotations

from equity import kernels
from equity.kernels.loader import Kernel, Record
from equity.rules import tables

__all__ = ["BITS", "DEALS", "FACTS", "HANDS", "HOLDINGS", "LANES", "RANK_LINES", "TALLY_HOLDINGS"]

#: Entries for the ranks of a card to come, padded to a vector.
LANES = 16
#: A holding is a key of these fields, the last ones being the lowest; the mark of the hand
#: is above them.
FACTS = (
    "high",
    "straight_outs",
    "nut_straight_outs",
    "low",
    "flush_draw",
    "nut_flush_draw",
    "backdoor_flush",
    "low_draw",
    "nut_low_draw",
    "counterfeit",
)
#: How many bits each takes.
BITS = (13, 6, 6, 6, 1, 1, 1, 1, 1, 1)

#: What pairs of ranks are worth, by the different ranks of boards.
RANK_LINES = Record(
    "rank_lines",
    {
        "lines": ("int64", ()),
        # 1 if the game has a low.
        "low_game": ("int64", ()),
        # 1 if a card can come.
        "can_come": ("int64", ()),
        "counts": ("uint8", ("lines", LANES)),
        "high": ("uint16", ("lines", tables.PAIRS)),
        "low": ("uint8", ("lines", tables.PAIRS)),
        # The best straight and low of a pair after a card of each rank, and of any pair.
        "next_straight": ("uint8", ("lines", tables.PAIRS, LANES)),
        "nut_straight": ("uint8", ("lines", LANES)),
        "next_low": ("uint8", ("lines", tables.PAIRS, LANES)),
        "nut_low": ("uint8", ("lines", LANES)),
        # Bit masks of the ranks of pairs.
        "pair_mask": ("int64", (tables.PAIRS,)),
    },
)

DEALS = Record(
    "deals",
    {
        "boards": ("int64", ()),
        # Where to stop; boards of one number stand together.
        "stop": ("int64", ()),
        # Boards with the same number are added up.
        "number": ("uint16", ("boards",)),
        # The line of the ranks of each board.
        "line": ("uint16", ("boards",)),
        "mask": ("int64", ("boards",)),
        # The suit in which three cards make a flush possible or -1, and the board's ranks.
        "flush_suit": ("int32", ("boards",)),
        "flush_mask": ("uint16", ("boards",)),
        # Bit masks of suits in which two cards are a draw, and a backdoor draw.
        "draws": ("uint8", ("boards",)),
        "backdoors": ("uint8", ("boards",)),
        # Bit mask of the highest missing cards of the suits of draws.
        "tops": ("int64", ("boards",)),
    },
)

HANDS = Record(
    "hands",
    {
        "classes": ("int64", ()),
        # Different ranks of hands, and the pairs of one.
        "rows": ("int64", ()),
        "pairs": ("int64", ()),
        "row": ("int32", ("classes",)),
        "mask": ("int64", ("classes",)),
        "weight": ("int64", ("classes",)),
        # What else tells hands apart.
        "mark": ("int64", ("classes",)),
        # Bit masks of the ranks of each suit, and of the suits with two cards or more.
        "suited": ("int32", ("classes", 4)),
        "twos": ("uint8", ("classes",)),
        "pair": ("uint8", ("rows", "pairs")),
        "counts": ("uint8", ("rows", LANES)),
    },
)

HOLDINGS = Record(
    "holdings",
    {
        # How many holdings there is room for, in all and on boards of one number.
        "room": ("int64", ()),
        "used_room": ("int64", ()),
        # Holdings of all boards that are done, and the board that comes next.
        "count": ("int64", (1,)),
        "next": ("int64", (1,)),
        "number": ("uint16", ("room",)),
        "key": ("int64", ("room",)),
        "weight": ("int64", ("room",)),
        # What hands have on the line of ranks at work.
        "best": ("uint8", (2, LANES)),
        "facts": ("int64", ("rows",)),
        # A hash table of the holdings of the number at work; -1 is a free slot, and the
        # size a power of two.
        "slots": ("int64", ("2 * used_room",)),
        "sums": ("int64", ("2 * used_room",)),
        "used": ("int64", ("used_room",)),
    },
)

TALLY_HOLDINGS = Kernel(
    "tally_holdings",
    "equity.kernels.holdings",
    (kernels.TABLES, RANK_LINES, DEALS, HANDS, HOLDINGS),
)
