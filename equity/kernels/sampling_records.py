"""The records of the sampling kernel, declared apart from its text.

A deal is drawn for *seats*: first one for each range that is dealt from a list
of hands, then one for each that is dealt from the deck.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement
from math import comb
from typing import TYPE_CHECKING, NamedTuple

from equity import tables
from equity.kernels import TABLES
from equity.kernels.lines import CODE_LINE, LINE, LINES
from equity.kernels.loader import Block, Kernel, Record

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "DRAW",
    "LISTS",
    "MOMENTS",
    "RESULT",
    "SAMPLE",
    "SAMPLE_WORK",
    "SHARES",
    "SUMS",
    "list_block",
]

DECK = 52
BOARD = 5
ALL_CARDS = (1 << DECK) - 1
#: In place of a rank: any of them.  For a flush: possible or not.
ANY_RANK = 13
EITHER = 2
#: Boards of a draw.
DRAW_BOARDS = 64
#: Steps of a fit of what boards are worth.
FIT_STEPS = 12
#: Equity, high, low and scoop.
SHARES = 4
#: Sums of x, n x and x * x, the last two in an upper and a lower part.
MOMENTS = 5
#: Sums over draws of n, and of n * n in two parts.
SUMS = 3

DRAW = Record(
    "draw",
    {
        "players": ("int64", ()),
        "hole": ("int64", ()),
        # 1 if the game has a low.
        "low": ("int64", ()),
        # The pot in units that all shares of it are whole numbers of.
        "pot": ("int64", ()),
        # Draws to make, boards in each, and hands of each list on a board.
        "draws": ("int64", ()),
        "boards": ("int64", ()),
        "board_hands": ("int64", ()),
        # 1 if every draw is of one board, that of the entry with its number.
        "survey": ("int64", ()),
        # State and step of the random numbers.
        "start": ("int64", ()),
        "step": ("int64", ()),
        # Cards that can be dealt.
        "cards": ("int64", ()),
        "deck": ("uint8", (52,)),
        # Steps through the deck that meet every card.
        "step_count": ("int64", ()),
        "steps": ("uint8", ("step_count",)),
        # Bit mask of cards that are in every hand of some list.
        "held": ("int64", ()),
        # Boards by class: cards that are known, cards that cannot come beside
        # these, ranks of the others (13 for any), and whether a flush is to be
        # possible on it (0, 1, 2 for either).
        "missing": ("int64", ()),
        "board_count": ("int64", ()),
        "board_cards": ("uint8", ("board_count", 5)),
        "board_taken": ("int64", ("board_count",)),
        "board_ranks": ("uint8", ("board_count", 5)),
        "board_flush": ("uint8", ("board_count",)),
        # The multiset of all ranks of the board, where it is known.
        "board_number": ("int64", ("board_count",)),
        # Whether hands from the deck are dealt anew for each deal from lists.
        "anew": ("int64", ()),
    },
)

#: List 0 is that of the boards, list n that of seat n - 1.
LISTS = Record(
    "lists",
    {
        # Lists of hands.
        "count": ("int64", ()),
        "entries": ("int64", ()),
        "sums": ("int64", ()),
        "guides": ("int64", ()),
        # For each list: first hand, hands, sum of weights; where its running
        # sums of weights and its guide start, -1 if all weigh the same.
        "first": ("int64", ("count + 1",)),
        "size": ("int64", ("count + 1",)),
        "weight": ("int64", ("count + 1",)),
        "sum_first": ("int64", ("count + 1",)),
        "guide_first": ("int64", ("count + 1",)),
        "guide_shift": ("int64", ("count + 1",)),
        "hands": ("uint8", ("entries", "hole")),
        # The sum of the weights up to and with each hand.
        "sum": ("int64", ("sums",)),
        # The first hand whose running sum is above n << shift.
        "guide": ("int32", ("guides",)),
    },
)

SAMPLE_WORK = Record(
    "work",
    {
        "state": ("int64", (1,)),
        # Operations so far, beside those that each board takes.
        "steps": ("int64", (1,)),
        "deck": ("uint8", (64,)),
        "rest": ("uint8", (64,)),
        "left_over": ("int64", (1,)),
        "board": ("uint8", (8,)),
        # By board of a draw: its class, its cards and those that cannot come, the suit of
        # which it has three or -1, the number of its low ranks, its values.
        "board_class": ("int64", ("boards",)),
        "touched": ("int64", (1,)),
        "board_taken": ("int64", ("boards",)),
        "board_suit": ("int64", ("boards",)),
        "board_low": ("int64", ("boards",)),
        "board_high": ("uint16", ("boards", LINE)),
        "board_flush": ("uint16", ("boards", LINE)),
        # The values of one board by code.
        "high_line": ("uint16", (CODE_LINE,)),
        "low_line": ("uint8", (CODE_LINE,)),
        # 1 if a low is possible on the board.
        "lows": ("int64", (1,)),
        # Per list: hands on a board, and sets of as many hands in the pool; the
        # cards of those hands as bit masks, and the codes of their pairs.
        "hands": ("int64", ("players",)),
        "sets": ("int64", ("players",)),
        "pool_taken": ("int64", ("players", "8 * board_hands")),
        "pool_code": ("uint16", ("players", "8 * board_hands", 16)),
        # Those that the board does not rule out, with their values.
        "number": ("int64", ("players",)),
        "taken": ("int64", ("players", "board_hands + 16")),
        "high": ("int64", ("players", "board_hands + 16")),
        "low": ("int64", ("players", "board_hands + 16")),
        "packed": ("int64", ("board_hands + 16",)),
        # The hands from the deck; those of them that a deal leaves, twice over.
        "hand": ("uint8", (8,)),
        "hand_code": ("uint16", (16,)),
        "left_high": ("int32", (48,)),
        "left_low": ("int32", (48,)),
        "offset": ("int64", (16,)),
        "lane_high": ("int32", (16,)),
        "lane_low": ("int32", (16,)),
        "lane_highs": ("int32", (16,)),
        "lane_lows": ("int32", (16,)),
        # The search through the deals from the lists: hand, cards, best values
        # and who has them, as bit masks of seats.
        "depth_at": ("int64", ("players + 1",)),
        "depth_taken": ("int64", ("players + 1",)),
        "depth_high": ("int64", ("players + 1",)),
        "depth_low": ("int64", ("players + 1",)),
        "depth_highs": ("int64", ("players + 1",)),
        "depth_lows": ("int64", ("players + 1",)),
        # Of one draw: outcomes of two seats; deals with and without a low, counts.
        "outcome": ("int64", (16,)),
        "deals": ("int64", (2,)),
        # Deals by the one winner of the high, and of the low or nobody.
        "solo": ("int64", ("players", "players + 1")),
        # By bit mask: the one seat in it, the number of seats for none, or more.
        "single": ("uint8", ("1 << players",)),
        "counts": ("int64", ("players", "players + 1", "players + 2")),
    },
)

RESULT = Record(
    "result",
    {
        "surveyed": ("int64", ()),
        # By seat, sharers of the high, sharers of the low, as in a tally.
        "counts": ("int64", ("players", "players + 1", "players + 2")),
        "sums": ("int64", (SUMS,)),
        "moments": ("int64", ("players", SHARES, MOMENTS)),
        # Of a survey, by class of boards: deals, and what each seat won.
        "deals": ("int64", ("surveyed",)),
        "won": ("int64", ("surveyed", "players")),
    },
)

SAMPLE = Kernel(
    "sample", "equity.kernels.sampling", (TABLES, LINES, DRAW, LISTS, SAMPLE_WORK, RESULT)
)


def list_block(hands: NDArray[np.uint8], weights: list[NDArray[np.int64]]) -> Block:
    """Lists of hands to draw from, and before them the list of boards.

    ``hands`` are those of all lists one after another, (n, hole), and at least one.
    ``weights`` are whole numbers above 0 without a common divisor, those of the
    boards first.
    """
    import numpy as np

    sums, guides = [np.zeros(0, np.int64)], [np.zeros(0, np.int32)]
    columns: dict[str, list[int]] = {
        name: [] for name in ("first", "size", "weight", "sum_first", "guide_first", "guide_shift")
    }
    first = 0
    for number, weight in enumerate(weights):
        total = int(weight.sum())
        # As many steps of the guide as entries, or up to twice as many.
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
    # No array is quite empty: each has an address.
    values["sum"] = np.concatenate([*sums, np.zeros(1, np.int64)])
    values["guide"] = np.concatenate([*guides, np.zeros(1, np.int32)])
    values["count"] = len(weights) - 1
    for size, name in (("entries", "hands"), ("sums", "sum"), ("guides", "guide")):
        values[size] = len(values[name])  # type: ignore[arg-type]
    return Block(LISTS, values)


class Boards(NamedTuple):
    """Classes of boards that are drawn from, and their numbers of boards or weights."""

    #: (n, 5) uint8: the cards that are known, and the ranks of those that come.
    cards: NDArray[np.uint8]
    ranks: NDArray[np.uint8]
    #: (n,) int64: bit masks of the cards that cannot come.
    taken: NDArray[np.int64]
    #: (n,) uint8: whether a flush is possible, 2 for either.
    flush: NDArray[np.uint8]
    #: (n,) int64: the multiset of all five ranks, if it is known.
    number: NDArray[np.int64]
    #: (n,) int64: boards of the class, or their weight.
    weights: NDArray[np.int64]

    @property
    def parts(self) -> int:
        """Boards of a draw; all there are if these are few."""
        total = int(self.weights.sum())
        return total if total <= 2 * DRAW_BOARDS else DRAW_BOARDS

    def reordered(self, order: NDArray[np.intp]) -> Boards:
        """The same classes in another order."""
        return Boards._make(column[order] for column in self)

    def smoothed(self, worth: NDArray[np.float64], times: int) -> NDArray[np.float64]:
        """What boards are worth, from few and noisy ``times`` of looking at each.

        A sum over the pairs of ranks that come is fitted, and the class's own
        number is trusted the more the oftener it was looked at.
        """
        import numpy as np

        missing = int((self.ranks[0] < ANY_RANK).sum()) if len(self.ranks) else 0
        pairs = [(one, two) for one in range(missing) for two in range(one)]
        if not pairs or self.ranks[0, 0] == ANY_RANK:
            return worth
        size = 2 * ANY_RANK * ANY_RANK
        codes = [
            (self.flush.astype(np.int64) * ANY_RANK + self.ranks[:, one]) * ANY_RANK
            + self.ranks[:, two]
            for one, two in pairs
        ]
        weights = self.weights.astype(np.float64)
        times_seen = np.maximum(sum(np.bincount(code, weights, size) for code in codes), 1.0)
        effects = np.zeros(size)
        fitted = np.zeros(len(worth))
        for _ in range(FIT_STEPS):
            rest = (worth - fitted) * weights
            moves = sum(np.bincount(code, rest, size) for code in codes) / times_seen
            effects += moves * (1.5 / len(pairs))
            fitted = np.sum([effects[code] for code in codes], axis=0)
        return fitted + (worth - fitted) * (times / (times + 3))


def board_classes(board: tuple[int, ...], live: int) -> Boards:
    """The boards by the ranks to come, and by whether three or more are of a suit.

    ``live`` are the cards that can come beside ``board``, as a bit mask.
    """
    import numpy as np

    missing = BOARD - len(board)

    to_come = list(combinations_with_replacement(range(ANY_RANK), missing))
    ranks = np.array(to_come, np.uint8).reshape(len(to_come), missing)
    suits = [(live >> suit) & int("1" * ANY_RANK, 16) for suit in range(4)]
    total = np.ones(len(ranks), np.int64)
    flush = np.zeros(len(ranks), np.int64)
    copies = np.stack([(ranks == rank).sum(axis=1) for rank in range(ANY_RANK)])
    lives = [[(mask >> 4 * rank) & 1 for rank in range(ANY_RANK)] for mask in suits]
    for rank in range(ANY_RANK):
        total *= _choose(sum(live[rank] for live in lives))[copies[rank]]
    for suit in range(4):
        # Boards by how many of their cards are of the suit, rank after rank.
        ways = np.zeros((missing + 1, len(ranks)), np.int64)
        ways[0] = 1
        for rank in range(ANY_RANK):
            inside = lives[suit][rank]
            others = _choose(sum(live[rank] for live in lives) - inside)
            without = ways * others[copies[rank]]
            if inside:
                one = others[np.maximum(copies[rank] - 1, 0)] * (copies[rank] > 0)
                without[1:] += ways[:-1] * one
            ways = without
        need = 3 - sum(card & 3 == suit for card in board)
        flush += ways[max(need, 0) :].sum(axis=0)
    weights = np.concatenate([total - flush, flush])
    known_ranks = np.array([card >> 2 for card in board], np.uint8)
    a, b, c, d, e = np.hstack([np.tile(known_ranks, (len(ranks), 1)), ranks]).T
    numbers = tables.array("board")[
        tables.array("triple")[a, b, c], tables.array("pair")[d, e]
    ].astype(np.int64)
    possible = weights > 0
    count = int(possible.sum())
    cards = np.zeros((count, BOARD), np.uint8)
    cards[:, : len(board)] = board
    padded = np.zeros((2 * len(ranks), BOARD), np.uint8)
    padded[:, :missing] = np.concatenate([ranks, ranks])
    return Boards(
        cards,
        padded[possible],
        np.full(count, ~live & ALL_CARDS, np.int64),
        np.repeat(np.array([0, 1], np.uint8), len(ranks))[possible],
        np.tile(numbers, 2)[possible],
        weights[possible],
    )


@cache
def _choose(cards: int) -> NDArray[np.int64]:
    """In how many ways 0 to 5 of some cards can be chosen."""
    import numpy as np

    return np.array([comb(cards, number) for number in range(BOARD + 1)], np.int64)


def board_list(
    entries: Sequence[tuple[tuple[int, ...], int, int]], held: int, missing: int
) -> Boards:
    """Possible boards as classes, weighed with the runouts that each leaves.

    ``entries`` are known cards, a bit mask of them and of dead cards, a weight;
    cards in the mask ``held`` do not come.
    """
    import numpy as np

    entries = [entry for entry in entries if not entry[1] & held]
    count = len(entries)
    cards = np.array([(*board, *[0] * missing) for board, _, _ in entries], np.uint8)
    runouts = [comb(DECK - (mask | held).bit_count(), missing) for _, mask, _ in entries]
    return Boards(
        cards.reshape(count, BOARD),
        np.full((count, BOARD), ANY_RANK, np.uint8),
        np.array([mask | held for _, mask, _ in entries], np.int64),
        np.full(count, EITHER, np.uint8),
        np.zeros(count, np.int64),
        np.array([w * n for (_, _, w), n in zip(entries, runouts, strict=True)], np.int64),
    )
