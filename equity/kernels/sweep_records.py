"""Declares the kernels for two ranges, and their records; imports no numba.

The hands of both players form one list without repetition.  The low half of an int64 holds
a hand's weight in the first range and the high half its weight in the second, so that one
addition serves both.  Sums of weights stay below 2**32 in each half.  Intermediate
differences may borrow; only the final sums have to fit.
"""

from __future__ import annotations

from equity import kernels
from equity.kernels.loader import Kernel, Record
from equity.rules import tables
from equity.rules.cards import DECK_SIZE
from equity.rules.ranks import RANK_COUNT

__all__ = [
    "BOARDS",
    "HALF",
    "HANDS",
    "HIGHS",
    "PAIRS",
    "PAIR_SUMS",
    "SETS",
    "SUMS",
    "SWEEP",
    "WALK_PAIRS",
    "WORK",
]

#: Bits of each half of a packed weight.
HALF = 32
#: Values of high hands, with 0 for none.
HIGHS = 7_463

HANDS = Record(
    "hands",
    {
        "combos": ("int64", ()),
        "hole": ("int64", ()),
        # The number of multisets of ranks among the hands, and of rank pairs of a hand.
        "shapes": ("int64", ()),
        "pairs": ("int64", ()),
        # Sets of two or more ranks that a hand has in one suit.
        "masks": ("int64", ()),
        # Cards of a hand ascend; hands of a shape (multiset of ranks) are adjacent.
        "cards": ("uint8", ("combos", "hole")),
        # Bit mask of the cards.
        "held": ("int64", ("combos",)),
        "weight": ("int64", ("combos",)),
        # Bit mask of the ranks in each suit.
        "suited": ("uint16", (4, "combos")),
        # The hands of a shape run from its start to the next one's.
        "start": ("int64", ("shapes + 1",)),
        # Indices of the rank pairs of a shape.
        "shape_pairs": ("uint8", ("shapes", "pairs")),
        "mask": ("uint16", ("masks",)),
    },
    # Hands are numbered with 32 bits.
    limits={"combos": (0, (1 << 31) - 1), "hole": (4, 6)},
)

BOARDS = Record(
    "boards",
    {
        "runouts": ("int64", ()),
        # 1 if the game has a low.
        "low": ("int64", ()),
        "board": ("uint8", ("runouts", 5)),
        # The number of boards that each represents.
        "size": ("int64", ("runouts",)),
        # 1 if each board gets a tally of its own, and the sums by hand are dropped.
        "by_board": ("int64", ()),
        # By player: weights of the deals by result of the high and of the low, as in SUMS.
        "tally": ("int64", ("runouts * by_board", 2, 3, "1 + 3 * low")),
    },
)

#: Sets of fewer cards than a hand has, indexed without gaps by size.
SETS = Record(
    "sets",
    {
        "places": ("int64", ()),
        # The index of a set is the sum over its cards in ascending order of
        # `step[number of cards before it, card]`; the empty set is 0.
        "step": ("int64", ("hole", DECK_SIZE)),
        # The weight of the hands swept in that hold a set, zero between kernels; then
        # the weight below some hands.
        "swept": ("int64", ("places + combos",)),
    },
)

WORK = Record(
    "work",
    {
        # The value of each pair of ranks on the board.
        "row": ("uint16", (tables.PAIRS,)),
        "shape_high": ("uint16", ("shapes",)),
        "shape_class": ("uint8", ("shapes",)),
        # Best flush by the ranks that a hand has in the suit.
        "flush": ("uint16", (1 << RANK_COUNT,)),
        # Hands that do not conflict with the board, with their values.
        "live": ("int32", ("combos",)),
        "live_high": ("uint16", ("combos",)),
        # The same in order of value, then class, and where each value ends.
        "order": ("int32", ("combos",)),
        "cards": ("uint8", ("combos", "hole")),
        "weight": ("int64", ("combos",)),
        "low_class": ("uint8", ("combos",)),
        # Groups of hands of equal value: their end, those asked for, those that enter.
        "stop": ("int32", (HIGHS,)),
        "first": ("int32", (HIGHS,)),
        "middle": ("int32", (HIGHS,)),
        "enter": ("int32", (HIGHS,)),
        "last": ("int32", (HIGHS,)),
        "end": ("int32", (HIGHS,)),
        # The class of each low, and the end of each class among the live hands.
        "number": ("uint8", (64,)),
        "class_end": ("int32", (64,)),
    },
)

#: Weights of the opposing hands by result of the high (lost, won, shared) and,
#: in a game with a low, of the low (lost, won, shared, nobody has one).
SUMS = Record("sums", {"sums": ("int64", ("combos", 3, "1 + 3 * low"))})

_PARTS = (kernels.TABLES, HANDS, BOARDS, SETS, WORK, SUMS)

#: The sweep by number of hole cards; a user of one game compiles one of them.
SWEEP = {
    4: Kernel("sweep_four", "equity.kernels.sweep", _PARTS),
    5: Kernel("sweep_five", "equity.kernels.sweep", _PARTS),
    6: Kernel("sweep_six", "equity.kernels.sweep", _PARTS),
}

#: Two lists of hands; every pair that shares no card is walked.
PAIRS = Record(
    "pairs",
    {
        "firsts": ("int64", ()),
        "seconds": ("int64", ()),
        # Pair `n` is first `n % firsts` and second `n // firsts`.
        "begin": ("int64", ()),
        "stop": ("int64", ()),
        "first": ("uint8", ("firsts", "hole")),
        "second": ("uint8", ("seconds", "hole")),
        "first_held": ("int64", ("firsts",)),
        "second_held": ("int64", ("seconds",)),
        # The weight that a hand has for the other side, and the size of its orbit.
        "first_weight": ("int64", ("firsts",)),
        "second_weight": ("int64", ("seconds",)),
        "size": ("int64", ("firsts",)),
    },
)

PAIR_SUMS = Record(
    "sums",
    {
        "first_sums": ("int64", ("firsts", 3, 4)),
        "second_sums": ("int64", ("seconds", 3, 4)),
        # The number of pairs that share no card, isomorphic ones included.
        "met": ("int64", (1,)),
    },
)

WALK_PAIRS = Kernel(
    "walk_pairs",
    "equity.kernels.pairs",
    (kernels.TABLES, kernels.SPOT, PAIRS, kernels.WALK_WORK, kernels.TALLY, PAIR_SUMS),
)
