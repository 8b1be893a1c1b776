"""Classes of boards, sorted by equity for systematic (stratified) sampling."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations_with_replacement
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from equity.engine.sampling.question import KnownCards, Weights
from equity.rules import tables
from equity.rules.cards import DECK_SIZE
from equity.rules.games import BOARD_SIZE
from equity.rules.ranks import RANK_COUNT

__all__ = ["Boards", "by_worth", "possible", "suit_codes"]

#: Cards of a suit on the board that allow a flush.
FLUSH_CARDS = 3
#: Steps of the fit of board values.
FIT_STEPS = 12
#: Boards of a draw.
DRAW_BOARDS = 64
#: Any rank; and for a flush, possible or not.
ANY_RANK = RANK_COUNT
EITHER = 2
ALL_CARDS = (1 << DECK_SIZE) - 1


class Boards(NamedTuple):
    """Classes of boards to draw from, with the number or weight of their boards."""

    #: (n, 5) uint8: known cards, and ranks of the cards to come.
    cards: NDArray[np.uint8]
    ranks: NDArray[np.uint8]
    #: (n,) int64: bit masks of the cards that cannot come.
    taken: NDArray[np.int64]
    #: (n,) uint8: whether a flush is possible, 2 for either.
    flush: NDArray[np.uint8]
    #: (n,) uint16: the first of the codes of their suits, and how many there are.
    suits_first: NDArray[np.uint16]
    suits_count: NDArray[np.uint16]
    #: (n,) int64: the multiset of all five ranks, if it is known.
    number: NDArray[np.int64]
    #: (n,) int64: boards of the class, or their weight.
    weights: NDArray[np.int64]

    @property
    def parts(self) -> int:
        """Boards of a draw; all of them if they are few."""
        total = int(self.weights.sum())
        return total if total <= 2 * DRAW_BOARDS else DRAW_BOARDS

    def reordered(self, order: NDArray[np.intp]) -> Boards:
        """The same classes in another order."""
        return Boards._make(column[order] for column in self)

    def smoothed(self, worth: NDArray[np.float64], times: int) -> NDArray[np.float64]:
        """Smooth noisy board values that come from ``times`` samples of each class.

        A sum over the pairs of ranks to come is fitted; the value of a class itself gets
        more weight the more samples it has.
        """
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


@lru_cache(maxsize=32)
def board_classes(board: tuple[int, ...], live: int) -> Boards:
    """Classes of boards by the ranks to come, and by whether a flush is possible.

    ``live`` are the cards that can come beside ``board``, as a bit mask.
    """
    missing = BOARD_SIZE - len(board)

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
        need = FLUSH_CARDS - sum(card & 3 == suit for card in board)
        flush += ways[max(need, 0) :].sum(axis=0)
    weights = np.concatenate([total - flush, flush])
    known_ranks = np.array([card >> 2 for card in board], np.uint8)
    a, b, c, d, e = np.hstack([np.tile(known_ranks, (len(ranks), 1)), ranks]).T
    numbers = tables.array("board")[
        tables.array("triple")[a, b, c], tables.array("pair")[d, e]
    ].astype(np.int64)
    ties = (ranks[:, 1:] == ranks[:, :-1]) @ (1 << np.arange(max(missing - 1, 0)))
    coded = suit_codes(tuple(card & 3 for card in board), missing)
    possible = weights > 0
    count = int(possible.sum())
    cards = np.zeros((count, BOARD_SIZE), np.uint8)
    cards[:, : len(board)] = board
    padded = np.zeros((2 * len(ranks), BOARD_SIZE), np.uint8)
    padded[:, :missing] = np.concatenate([ranks, ranks])
    return Boards(
        cards,
        padded[possible],
        np.full(count, ~live & ALL_CARDS, np.int64),
        np.repeat(np.array([0, 1], np.uint8), len(ranks))[possible],
        coded.starts[:, ties].ravel()[possible],
        coded.sizes[:, ties].ravel()[possible],
        np.tile(numbers, 2)[possible],
        weights[possible],
    )


class Suits(NamedTuple):
    """Suits of the cards to come, as codes of two bits for each card."""

    #: (n,) uint16.
    codes: NDArray[np.uint16]
    #: (2, ties) uint16: where the codes start that leave a flush impossible or make
    #: it possible, and how many they are, by which cards have the rank of the one before.
    starts: NDArray[np.uint16]
    sizes: NDArray[np.uint16]


@cache
def suit_codes(board: tuple[int, ...], missing: int) -> Suits:
    """Suits of the cards to come, given those on the board.

    Suits of cards of one rank ascend, so that each board has one code.
    """
    places = np.arange(max(missing - 1, 0))
    codes = np.arange(4**missing)
    suits = codes[:, np.newaxis] >> 2 * np.arange(missing) & 3
    ascends = (suits[:, 1:] > suits[:, :-1]) @ (1 << places)
    most = np.max([(suits == suit).sum(axis=1) + board.count(suit) for suit in range(4)], axis=0)
    lists = [
        codes[(ascends & ties == ties) & ((most >= FLUSH_CARDS) == flush)].astype(np.uint16)
        for flush in (False, True)
        for ties in range(1 << len(places))
    ]
    sizes = np.array([len(one) for one in lists])
    starts = np.cumsum(sizes) - sizes
    return Suits(
        np.concatenate(lists),
        starts.reshape(2, -1).astype(np.uint16),
        sizes.reshape(2, -1).astype(np.uint16),
    )


@cache
def _choose(cards: int) -> NDArray[np.int64]:
    """Numbers of combinations of 0 to 5 of ``cards`` cards."""
    return np.array([comb(cards, number) for number in range(BOARD_SIZE + 1)], np.int64)


def board_list(
    entries: Sequence[tuple[tuple[int, ...], int, int]], held: int, missing: int
) -> Boards:
    """Possible boards as classes, weighted by the number of their runouts.

    ``entries`` are known cards, a bit mask of them and of dead cards, a weight;
    cards in the mask ``held`` do not come.
    """
    entries = [entry for entry in entries if not entry[1] & held]
    count = len(entries)
    cards = np.array([(*board, *[0] * missing) for board, _, _ in entries], np.uint8)
    runouts = [comb(DECK_SIZE - (mask | held).bit_count(), missing) for _, mask, _ in entries]
    return Boards(
        cards.reshape(count, BOARD_SIZE),
        np.full((count, BOARD_SIZE), ANY_RANK, np.uint8),
        np.array([mask | held for _, mask, _ in entries], np.int64),
        np.full(count, EITHER, np.uint8),
        np.zeros(count, np.uint16),
        np.zeros(count, np.uint16),
        np.zeros(count, np.int64),
        np.array([w * n for (_, _, w), n in zip(entries, runouts, strict=True)], np.int64),
    )


def possible(known: Sequence[KnownCards], gone: int, held: int) -> Boards:
    """Classes of the possible boards.

    ``gone`` and ``held`` are bit masks of dead cards, and of cards that are certain to be
    in some hand.
    """
    if len(known) == 1:
        live = ~(gone | held) & ALL_CARDS
        return board_classes(known[0].board, live)
    entries = [(one.board, one.taken, one.weight) for one in known]
    return board_list(entries, held, BOARD_SIZE - len(known[0].board))


def by_worth(boards: Boards, deals: Weights, won: Weights, times: int) -> Boards:
    """The classes sorted by the equity of a player on them.

    ``deals`` of each class were sampled in ``times`` draws; ``won`` is what each player
    won of them.
    """
    total = int((boards.weights * deals).sum())
    if not total:
        return boards
    # What a player wins beyond their equity; integers, and sums in a fixed order, so
    # that the order is the same on every machine.
    shares = [int(part) / total for part in (boards.weights[:, np.newaxis] * won).sum(axis=0)]
    excess = [won[:, seat] - deals * share for seat, share in enumerate(shares)]
    spread = [int((boards.weights * np.abs(one).astype(np.int64)).sum()) for one in excess]
    worth = boards.smoothed(excess[spread.index(max(spread))], times)
    return boards.reordered(np.argsort(worth, kind="stable"))
