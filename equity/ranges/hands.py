"""All hands of some number of cards, numbered.

A hand is its ranks, descending, and the suits of its cards, descending where
ranks are equal.  Hands are numbered by ranks first, by suits second, best
first: the first hand of four cards is AsAhAdAc, the last 2s2h2d2c.  All hands
with the same ranks stand together, and which suits they can have depends only
on where ranks repeat, so sets of hands are worked on as ranks x suits.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, cached_property
from itertools import combinations_with_replacement, permutations, product
from math import comb

import numpy as np
from numpy.typing import NDArray

from equity.rules.cards import DECK_SIZE, SUITS
from equity.rules.ranks import RANK_COUNT

__all__ = ["HandSpace", "HandTypes", "hand_space", "sets_below"]

_SUIT_COUNT = len(SUITS)
_CHUNK = 1 << 16
#: Hands whose classes are found in one go.
_PIECE = 1 << 20

Ids = NDArray[np.int64]


class HandTypes:
    """The suit-isomorphic classes of a :class:`HandSpace`.

    Hands that become each other when suits change names are one class.  Classes
    are numbered in the order of their first hands, which stand for them.
    """

    def __init__(self, space: HandSpace) -> None:
        names = [
            _canonical(suits, ties) for suits, ties in zip(space.suits, space.ties, strict=True)
        ]
        firsts, orbits, sizes = [], [], []
        for canonical in names:
            first, orbit, size = np.unique(
                canonical, return_index=True, return_inverse=True, return_counts=True
            )[1:]
            order = np.argsort(first)
            firsts.append(first[order])
            orbits.append(np.argsort(order)[orbit])
            sizes.append(size[order])
        lengths = np.array([len(first) for first in firsts])[space.pattern]
        self._space = space
        #: The number of the first class of each ranks, and of all classes.
        self._starts = np.concatenate([[0], np.cumsum(lengths)])
        #: By pattern of the space, and all of them together.
        self._orbits_of = orbits
        self._orbits = np.concatenate(orbits)
        self._pattern_starts = np.concatenate([[0], np.cumsum([len(first) for first in firsts])])
        self._firsts = np.concatenate(firsts)
        self._sizes = np.concatenate(sizes)
        self.count = int(self._starts[-1])

    def of(self, index: NDArray[np.integer]) -> Ids:
        """The classes of hands."""
        ranks, suits = self._space.split(index)
        return self._starts[ranks] + self._orbits[suits]

    @cached_property
    def of_all(self) -> NDArray[np.int32]:
        """(hands,) int32, the class of each hand."""
        blocks = [orbit.astype(np.int32) for orbit in self._orbits_of]
        rows = [blocks[pattern] for pattern in self._space.pattern.tolist()]
        every = np.concatenate(rows)
        every += np.repeat(self._starts[:-1].astype(np.int32), list(map(len, rows)))
        return every

    def sums(self, index: NDArray[np.integer], weights: NDArray[np.int64]) -> tuple[Ids, Ids, Ids]:
        """The classes of some hands, the hands of each and the sums of their weights."""
        hands = np.zeros(self.count, np.int64)
        sums = np.zeros(self.count, np.float64)
        for start in range(0, len(index), _PIECE):
            piece = slice(start, start + _PIECE)
            of = self.of(index[piece])
            hands += np.bincount(of, minlength=self.count)
            # Sums of a class are far below 2**53, so floats hold them exactly.
            sums += np.bincount(of, weights=weights[piece], minlength=self.count)
        number = np.flatnonzero(hands)
        return number, hands[number], sums[number].astype(np.int64)

    def _split(self, classes: Ids) -> tuple[Ids, Ids]:
        ranks = np.searchsorted(self._starts, classes, side="right") - 1
        orbit = classes - self._starts[ranks]
        return ranks, self._pattern_starts[self._space.pattern[ranks]] + orbit

    def first(self, classes: Ids) -> Ids:
        """The hands that stand for classes."""
        ranks, row = self._split(classes)
        return self._space.starts[ranks] + self._firsts[row]

    def size(self, classes: Ids) -> Ids:
        """How many hands are in classes."""
        return self._sizes[self._split(classes)[1]]


class HandSpace:
    """The hands of ``cards`` cards.

    Attributes
    ----------
    cards:
        Cards of a hand.
    size:
        How many hands there are.
    ranks:
        (ranks, cards) uint8, the possible ranks of a hand, descending.
    pattern:
        (ranks,) int64, which entry of ``suits`` goes with them.
    ties:
        Per pattern, for each card but the first whether its rank is that of the
        card before.
    suits:
        Per pattern (n, cards) uint8, the possible suits.
    codes:
        Per pattern (n,) int64, the same as numbers of base 4.
    starts:
        (ranks + 1,) int64, the number of the first hand of each ranks.
    """

    def __init__(self, cards: int) -> None:
        self.cards = cards
        deals = combinations_with_replacement(range(RANK_COUNT - 1, -1, -1), cards)
        rows = np.array([ranks for ranks in deals if not _too_many(ranks)], dtype=np.uint8)
        self.ranks: NDArray[np.uint8] = rows.reshape(-1, cards)
        tied = self.ranks[:, 1:] == self.ranks[:, :-1]
        patterns, self.pattern = _unique_rows(tied)
        self.ties = [tuple(map(bool, row)) for row in patterns]
        self.suits = [_suits(ties) for ties in self.ties]
        self.codes = [_code(suits) for suits in self.suits]
        lengths = np.array([len(codes) for codes in self.codes])
        self.starts: Ids = np.concatenate([[0], np.cumsum(lengths[self.pattern])])
        self.size = int(self.starts[-1])
        self._suit_rows = np.concatenate(self.suits)
        self._pattern_starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])

    @cached_property
    def types(self) -> HandTypes:
        """The suit-isomorphic classes."""
        return HandTypes(self)

    @cached_property
    def _positions(self) -> NDArray[np.int64]:
        """(patterns, codes), where a code stands in its pattern."""
        out = np.zeros((len(self.codes), _SUIT_COUNT**self.cards), dtype=np.int64)
        for row, codes in zip(out, self.codes, strict=True):
            row[codes] = np.arange(len(codes))
        return out

    @cached_property
    def _rank_keys(self) -> Ids:
        return self._rank_key(self.ranks)

    def _rank_key(self, ranks: NDArray[np.integer]) -> Ids:
        """Numbers that ascend in the order of ``ranks``."""
        key = np.zeros(len(ranks), dtype=np.int64)
        for column in ranks.T:
            key = key * RANK_COUNT + (RANK_COUNT - 1 - column.astype(np.int64))
        return key

    def index(self, hands: NDArray[np.integer]) -> Ids:
        """The numbers of hands, (n, cards) distinct card ids in any order."""
        hands = -np.sort(-hands.astype(np.int64), axis=1)
        ranks = np.searchsorted(self._rank_keys, self._rank_key(hands // _SUIT_COUNT))
        position = self._positions[self.pattern[ranks], _code(hands % _SUIT_COUNT)]
        return self.starts[ranks] + position

    def split(self, index: NDArray[np.integer]) -> tuple[Ids, Ids]:
        """Which ranks and which suits (rows of all patterns) hands have."""
        if len(index) > len(self.ranks) and np.all(index[1:] >= index[:-1]):
            bounds = np.searchsorted(index, self.starts.astype(index.dtype))
            ranks = np.repeat(np.arange(len(self.ranks)), np.diff(bounds))
        else:
            ranks = np.searchsorted(self.starts, index, side="right") - 1
        suits = index - self.starts[ranks] + self._pattern_starts[self.pattern[ranks]]
        return ranks, suits

    def hands(self, index: NDArray[np.integer]) -> NDArray[np.uint8]:
        """The cards of hands: (n, cards) uint8 ids, descending."""
        out = np.empty((len(index), self.cards), dtype=np.uint8)
        lowest = self.ranks * np.uint8(_SUIT_COUNT)
        for start in range(0, len(index), _CHUNK):  # in pieces that stay in cache
            ranks, suits = self.split(index[start : start + _CHUNK])
            piece = np.take(lowest, ranks, axis=0)
            piece += np.take(self._suit_rows, suits, axis=0)
            out[start : start + _CHUNK] = piece
        return out

    def avoiding(self, cards: Iterable[int]) -> NDArray[np.bool_]:
        """Which hands hold none of some cards."""
        out = np.ones(self.size, np.bool_)
        for card in cards:
            out &= ~self.holding(card)
        return out

    def holding(self, card: int) -> NDArray[np.bool_]:
        """Which hands hold a card."""
        # In which places a hand has the rank, and in which the suit, as bit masks.
        rank, suit = divmod(card, _SUIT_COUNT)
        places = 1 << np.arange(self.cards)
        suits = np.arange(_SUIT_COUNT**self.cards)[:, np.newaxis] // _SUIT_COUNT ** np.arange(
            self.cards - 1, -1, -1
        )
        kinds = np.arange(1 << self.cards)
        return self.mask(
            kinds[:, np.newaxis] & kinds != 0,
            (self.ranks == rank) @ places,
            (suits % _SUIT_COUNT == suit) @ places,
        )

    def mask(self, allowed: NDArray[np.bool_], rank_kind: Ids, suit_kind: Ids) -> NDArray[np.bool_]:
        """The hands whose ranks and suits go together.

        Parameters
        ----------
        allowed:
            (kinds of ranks, kinds of suits), whether they go together.
        rank_kind:
            (ranks,) the kind of each ranks.
        suit_kind:
            (4 ** cards,) the kind of each code of suits.
        """
        rows: list[NDArray[np.bool_]] = [allowed[0]] * len(self.ranks)
        for pattern, codes in enumerate(self.codes):
            where = np.flatnonzero(self.pattern == pattern)
            kinds, inverse = np.unique(rank_kind[where], return_inverse=True)
            blocks = list(allowed[kinds][:, suit_kind[codes]])
            for at, kind in zip(where.tolist(), inverse.tolist(), strict=True):
                rows[at] = blocks[kind]
        return np.concatenate(rows)


@cache
def sets_below() -> NDArray[np.int64]:
    """(7, 52): how many sets of so many cards there are below a card.

    The sum over the cards of a set, each with the number of cards from the lowest
    up to it, numbers the sets of one size.
    """
    return np.array(
        [[comb(card, size) for card in range(DECK_SIZE)] for size in range(7)], np.int64
    )


@cache
def hand_space(cards: int) -> HandSpace:
    """The hands of ``cards`` cards, made once."""
    return HandSpace(cards)


def _too_many(ranks: tuple[int, ...]) -> bool:
    return any(a == b for a, b in zip(ranks, ranks[_SUIT_COUNT:], strict=False))


def _suits(ties: tuple[bool, ...]) -> NDArray[np.uint8]:
    """The suits that cards with such ties can have, descending."""
    cards = len(ties) + 1
    every = np.array(list(product(range(_SUIT_COUNT - 1, -1, -1), repeat=cards)), dtype=np.uint8)
    falling = every[:, 1:] < every[:, :-1]
    return every[np.all(falling | ~np.array(ties, dtype=bool), axis=1)]


def _code(suits: NDArray[np.integer]) -> Ids:
    code = np.zeros(len(suits), dtype=np.int64)
    for column in suits.T:
        code = code * _SUIT_COUNT + column
    return code


def _canonical(suits: NDArray[np.uint8], ties: tuple[bool, ...]) -> Ids:
    """The greatest code that suits can get by changing the names of suits."""
    # Cards of equal ranks are a run; sorting by run and suit keeps runs apart.
    run = np.cumsum([0, *(not tie for tie in ties)])
    order = ((run[-1] - run) * _SUIT_COUNT).astype(np.int64)
    best = np.zeros(len(suits), dtype=np.int64)
    for names in permutations(range(_SUIT_COUNT)):
        renamed = np.array(names)[suits] + order
        renamed = -np.sort(-renamed, axis=1)
        np.maximum(best, _code(renamed % _SUIT_COUNT), out=best)
    return best


def _unique_rows(table: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], Ids]:
    """The different rows of ``table`` and which of them each row is."""
    key = np.zeros(len(table), dtype=np.int64)
    for column in table.T:
        key = key * 2 + column
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    return table[first], inverse
