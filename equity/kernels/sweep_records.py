"""The kernels for two ranges, and what they take.

Both players' hands are one list without repetition.  A hand's weight in the
first range is in the lower half of an int64 and its weight in the second in the
upper half, so that one addition serves both; sums of weights stay below 2**32
for each half.  Differences may borrow on the way: only the end has to fit.
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
        # Multisets of ranks among the hands, and rank pairs of a hand.
        "shapes": ("int64", ()),
        "pairs": ("int64", ()),
        # Sets of two or more ranks that a hand has in one suit.
        "masks": ("int64", ()),
        # Cards of a hand ascend; hands of a shape are neighbours.
        "cards": ("uint8", ("combos", "hole")),
        # Bit mask of the cards.
        "held": ("int64", ("combos",)),
        "weight": ("int64", ("combos",)),
        # Bit mask of the ranks in each suit.
        "suited": ("uint16", (4, "combos")),
        # The hands of a shape are those from its start to the next one's.
        "start": ("int64", ("shapes + 1",)),
        # Numbers of the rank pairs of a shape.
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
        # How many boards each stands for.
        "size": ("int64", ("runouts",)),
    },
)

#: Sets of fewer cards than a hand has, numbered without gaps by size.
SETS = Record(
    "sets",
    {
        "places": ("int64", ()),
        # The number of a set is the sum over its cards in ascending order of
        # `step[how many are before it, card]`; the empty set is 0.
        "step": ("int64", ("hole", DECK_SIZE)),
        # Weight of the hands swept in that hold a set, zero between kernels; then
        # for some hands the weight below them.
        "swept": ("int64", ("places + combos",)),
    },
)

WORK = Record(
    "work",
    {
        # What the board makes of each pair of ranks.
        "row": ("uint16", (tables.PAIRS,)),
        "shape_high": ("uint16", ("shapes",)),
        "shape_class": ("uint8", ("shapes",)),
        # Best flush by the ranks that a hand has in the suit.
        "flush": ("uint16", (1 << RANK_COUNT,)),
        # Hands that the board leaves, with their values.
        "live": ("int32", ("combos",)),
        "live_high": ("uint16", ("combos",)),
        # The same in order of value, then class, and where each value ends.
        "order": ("int32", ("combos",)),
        "cards": ("uint8", ("combos", "hole")),
        "weight": ("int64", ("combos",)),
        "low_class": ("uint8", ("combos",)),
        # Hands of equal value: where they stop, who is asked for, who enters.
        "stop": ("int32", (HIGHS,)),
        "first": ("int32", (HIGHS,)),
        "middle": ("int32", (HIGHS,)),
        "enter": ("int32", (HIGHS,)),
        "last": ("int32", (HIGHS,)),
        "end": ("int32", (HIGHS,)),
        # The number of each low, and where each class ends among the live.
        "number": ("uint8", (64,)),
        "class_end": ("int32", (64,)),
    },
)

#: Weights of the opposing hands by result of the high (lost, won, shared) and,
#: in a game with a low, of the low (lost, won, shared, nobody has one).
SUMS = Record("sums", {"sums": ("int64", ("combos", 3, "1 + 3 * low"))})

_PARTS = (kernels.TABLES, HANDS, BOARDS, SETS, WORK, SUMS)

#: The sweep by number of hole cards; who plays one game compiles one of them.
SWEEP = {
    4: Kernel("sweep_four", "equity.kernels.sweep", _PARTS),
    5: Kernel("sweep_five", "equity.kernels.sweep", _PARTS),
    6: Kernel("sweep_six", "equity.kernels.sweep", _PARTS),
}

#: Two lists of hands, of which every pair that shares no card is walked.
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
        # What a hand counts for the other side, and how many like it there are.
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
        # How many pairs share no card, with those like them.
        "met": ("int64", (1,)),
    },
)

WALK_PAIRS = Kernel(
    "walk_pairs",
    "equity.kernels.pairs",
    (kernels.TABLES, kernels.SPOT, PAIRS, kernels.WALK_WORK, kernels.TALLY, PAIR_SUMS),
)
