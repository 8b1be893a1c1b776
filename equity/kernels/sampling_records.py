"""Declares the records of the sampling kernel; imports no numba.

A deal is drawn for *seats*: first one for each range that is dealt from a list
of hands, then one for each player who is dealt from the deck.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from equity.kernels import TABLES
from equity.kernels.loader import Block, Kernel, Record
from equity.kernels.transposed import CODE_LINE, DECK, LINES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "DRAW",
    "EVENTS",
    "LISTS",
    "MOMENTS",
    "POT_SHARES",
    "RESULT",
    "SAMPLE",
    "SAMPLE_WORK",
    "SUMS",
    "list_block",
]

BOARD = 5
#: Sets of hands of a list that the boards of a draw rotate through.
SETS = 4
#: Statistics of a seat that have standard errors: shares of the pot in its units, then
#: events, which count deals, then the fractions of the pot that can be won, which count
#: deals too.  The kernel relies on the order of the first two.
POT_SHARES = ("equity", "high", "low")
EVENTS = ("high_win", "high_tie", "low_win", "low_tie", "no_low", "other")
#: The fractions that are not in the event ``other``: 1, 3/4, 1/2, 1/4 and 0.
MAIN_PART_COUNT = 5
#: Sums of x, n * x and x * x, the last two split into an upper and a lower half.
MOMENTS = 5
#: Sums over draws of n, and of n * n in two halves.
SUMS = 3

DRAW = Record(
    "draw",
    {
        "players": ("int64", ()),
        "hole": ("int64", ()),
        # 1 if the game has a low.
        "low": ("int64", ()),
        # The pot in units, such that all shares are whole numbers.
        "pot": ("int64", ()),
        # The number of draws, boards per draw, and hands of each list per board.
        "draws": ("int64", ()),
        "boards": ("int64", ()),
        "board_hands": ("int64", ()),
        # 1 if draw n deals one board, of class n.
        "survey": ("int64", ()),
        # State and increment of the random number generator.
        "start": ("int64", ()),
        "step": ("int64", ()),
        # Cards that can be dealt.
        "cards": ("int64", ()),
        "deck": ("uint8", (DECK,)),
        # Strides through the deck that visit every card.
        "step_count": ("int64", ()),
        "steps": ("uint8", ("step_count",)),
        # Bit mask of cards that every hand of some list holds.
        "held": ("int64", ()),
        # Boards by class: known cards, cards that cannot come besides these, ranks of
        # the others (13 for any), and the possible codes of their suits: the first and
        # the number, 0 for any ranks.
        "missing": ("int64", ()),
        "board_count": ("int64", ()),
        "board_cards": ("uint8", ("board_count", 5)),
        "board_taken": ("int64", ("board_count",)),
        "board_ranks": ("uint8", ("board_count", 5)),
        "suits_first": ("uint16", ("board_count",)),
        "suits_count": ("uint16", ("board_count",)),
        "code_count": ("int64", ()),
        "codes": ("uint16", ("code_count",)),
        # The index of the multiset of the board's ranks, where it is known.
        "board_number": ("int64", ("board_count",)),
        # 1 if hands from the deck are dealt again for each deal from lists.
        "anew": ("int64", ()),
        # The number of statistics of a seat, and the position among them of the fraction
        # of the pot that a cell of the tally wins.
        "figures": ("int64", ()),
        "part_of": ("int64", ("players + 1", "players + 2")),
    },
    limits={
        # Of deals with one winner each of high and low, the sum of both seats is below MANY.
        "players": (2, 16),
        "hole": (4, 6),
        "cards": (0, DECK),
        "boards": (1, 1 << 31),
        # `compare` counts the deals of two lists on a board in WIDE = 20 bits.
        "board_hands": (1, 1023),
    },
)

#: List 0 holds the boards, list n the hands of seat n - 1.
LISTS = Record(
    "lists",
    {
        # The number of lists of hands.
        "count": ("int64", ()),
        "entries": ("int64", ()),
        "sums": ("int64", ()),
        "guides": ("int64", ()),
        # For each list: first hand, number of hands, sum of weights; where its running
        # sums of weights and its guide table start (unused where all weights are equal).
        "first": ("int64", ("count + 1",)),
        "size": ("int64", ("count + 1",)),
        "weight": ("int64", ("count + 1",)),
        "sum_first": ("int64", ("count + 1",)),
        "guide_first": ("int64", ("count + 1",)),
        "guide_shift": ("int64", ("count + 1",)),
        "hands": ("uint8", ("entries", "hole")),
        # The sum of the weights up to each hand, itself included.
        "sum": ("int64", ("sums",)),
        # The first hand whose running sum is above n << shift.
        "guide": ("int32", ("guides",)),
    },
)

SAMPLE_WORK = Record(
    "work",
    {
        "state": ("int64", (1,)),
        # Operations so far, besides those that each board takes.
        "steps": ("int64", (1,)),
        "deck": ("uint8", (64,)),
        "rest": ("uint8", (64,)),
        "left_over": ("int64", (1,)),
        "board": ("uint8", (8,)),
        # By board of a draw: its class, its cards and those that cannot come, the suit of
        # which it has three or -1, and the indices of its ranks, of its ranks in that suit
        # and of its low ranks.
        "board_class": ("int64", ("boards",)),
        "touched": ("int64", (1,)),
        "board_taken": ("int64", ("boards",)),
        "board_suit": ("int64", ("boards",)),
        "board_low": ("int64", ("boards",)),
        "board_number": ("int64", ("boards",)),
        "board_suited": ("int64", ("boards",)),
        # The values of one board by code.
        "high_line": ("uint16", (CODE_LINE,)),
        "low_line": ("uint8", (CODE_LINE,)),
        # 1 if a low is possible on the board.
        "lows": ("int64", (1,)),
        # Per list: hands on a board, and sets of as many hands in the pool; the entries of
        # the pool (of one list at a time), their cards as bit masks, and the codes of
        # their pairs.
        "hands": ("int64", ("players",)),
        "sets": ("int64", ("players",)),
        "pool_entry": ("int64", (f"{SETS} * board_hands",)),
        "pool_taken": ("int64", ("players", f"{SETS} * board_hands")),
        "pool_code": ("uint16", ("players", f"{SETS} * board_hands", 16)),
        # The hands that do not conflict with the board, with their values.
        "number": ("int64", ("players",)),
        "taken": ("int64", ("players", "board_hands + 16")),
        "high": ("int64", ("players", "board_hands + 16")),
        "low": ("int64", ("players", "board_hands + 16")),
        "packed": ("int64", ("board_hands + 16",)),
        # The hands from the deck; those that do not conflict with a deal, listed twice.
        "hand": ("uint8", (8,)),
        "hand_code": ("uint16", (16,)),
        "left_high": ("int32", (48,)),
        "left_low": ("int32", (48,)),
        "offset": ("int64", (16,)),
        "lane_high": ("int32", (16,)),
        "lane_low": ("int32", (16,)),
        "lane_highs": ("int32", (16,)),
        "lane_lows": ("int32", (16,)),
        # The depth-first search through the deals from the lists: hand, cards, best values
        # and who holds them, as bit masks of seats.
        "depth_at": ("int64", ("players + 1",)),
        "depth_taken": ("int64", ("players + 1",)),
        "depth_high": ("int64", ("players + 1",)),
        "depth_low": ("int64", ("players + 1",)),
        "depth_highs": ("int64", ("players + 1",)),
        "depth_lows": ("int64", ("players + 1",)),
        # Of one draw: outcomes of two seats; deals with and without a low, counts.
        "outcome": ("int64", (16,)),
        "deals": ("int64", (2,)),
        # Deals by the sole winner of the high, and the sole winner of the low or nobody.
        "solo": ("int64", ("players", "players + 1")),
        # By bit mask: the one seat in it, the number of seats for none, or more.
        "single": ("uint8", ("1 << players",)),
        "counts": ("int64", ("players", "players + 1", "players + 2")),
        # Statistics of one seat in the draw.
        "figure": ("int64", ("figures",)),
    },
)

RESULT = Record(
    "result",
    {
        "surveyed": ("int64", ()),
        # By seat, sharers of the high, sharers of the low, as in a tally.
        "counts": ("int64", ("players", "players + 1", "players + 2")),
        "sums": ("int64", (SUMS,)),
        "moments": ("int64", ("players", "figures", MOMENTS)),
        # Of a survey, by class of boards: deals, and what each seat won.
        "deals": ("int64", ("surveyed",)),
        "won": ("int64", ("surveyed", "players")),
    },
)

SAMPLE = Kernel(
    "sample", "equity.kernels.sampling", (TABLES, LINES, DRAW, LISTS, SAMPLE_WORK, RESULT)
)


def list_block(hands: NDArray[np.uint8], weights: list[NDArray[np.int64]]) -> Block:
    """Create the lists to draw from: boards first, then hands.

    Parameters
    ----------
    hands:
        The hands of all lists one after another, shape (n, hole), n at least 1.
    weights:
        Positive integers without a common divisor for each list, the boards' first.
    """
    import numpy as np

    sums, guides = [np.zeros(0, np.int64)], [np.zeros(0, np.int32)]
    columns: dict[str, list[int]] = {
        name: [] for name in ("first", "size", "weight", "sum_first", "guide_first", "guide_shift")
    }
    first = 0
    for number, weight in enumerate(weights):
        total = int(weight.sum())
        # The guide has as many steps as there are entries, or up to twice as many.
        shift = max(0, (total - 1).bit_length() - len(weight).bit_length())
        even = total == len(weight)
        row = {
            "first": first,
            "size": len(weight),
            "weight": total,
            "sum_first": sum(map(len, sums)),
            "guide_first": sum(map(len, guides)),
            "guide_shift": shift,
        }
        for name, value in row.items():
            columns[name].append(value)
        first += len(weight) if number else 0
        if not even:
            running = np.cumsum(weight)
            steps = np.arange(((total - 1) >> shift) + 1, dtype=np.int64) << shift
            sums.append(running)
            guides.append(np.searchsorted(running, steps, side="right").astype(np.int32))
    values: dict[str, object] = {
        name: np.array(column, np.int64) for name, column in columns.items()
    }
    values["hands"] = hands
    # No array is empty, so that each has an address.
    values["sum"] = np.concatenate([*sums, np.zeros(1, np.int64)])
    values["guide"] = np.concatenate([*guides, np.zeros(1, np.int32)])
    values["count"] = len(weights) - 1
    for size, name in (("entries", "hands"), ("sums", "sum"), ("guides", "guide")):
        values[size] = len(values[name])  # type: ignore[arg-type]
    return Block(LISTS, values)
