"""What a query has dealt: the players, the known cards, and the cards of the board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from math import comb
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equity.engine.hand_lists import reduced
from equity.engine.sampling.question import HandList, question
from equity.queries.unseen import Unseen, unseen_cost
from equity.rules.cards import DECK_SIZE
from equity.rules.games import FLOP_SIZE

if TYPE_CHECKING:
    from equity.queries.program import Program

__all__ = ["Block", "Dealing", "KnownSet"]

#: Nanoseconds that a deal takes at least.
_DEAL = 60


class KnownSet(NamedTuple):
    """Known cards: those on the board in the order in which they are dealt, and dead ones."""

    board: tuple[int, ...]
    dead: tuple[int, ...]

    @property
    def taken(self) -> int:
        """Bit mask of all of them."""
        return sum(1 << card for card in {*self.board, *self.dead})


@dataclass(frozen=True)
class Block:
    """Deals, a row for each."""

    #: (n, seats, hole) uint8.
    hands: NDArray[np.uint8]
    #: (n, seats) int32: the position of each hand in its list.
    positions: NDArray[np.int32]
    #: (n, cards) uint8: the board as far as it is dealt.
    boards: NDArray[np.uint8]
    #: (n,) int32: the number of the set of known cards.
    sets: NDArray[np.int32]
    #: (n,) int64; None if all are 1.
    weights: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self.hands)

    def take(self, rows: NDArray[np.generic]) -> Block:
        """Some of the deals, by a mask or by numbers."""
        weights = None if self.weights is None else self.weights[rows]
        parts = (self.hands, self.positions, self.boards, self.sets)
        hands, positions, boards, sets = (part[rows] for part in parts)
        return Block(hands, positions, boards, sets, weights)


class Dealing:
    """Who and what is dealt for a program.

    Players who occur nowhere and may hold anything are left out; the board is dealt as far
    as something looks at it.

    Parameters
    ----------
    program:
        The query.
    counts_unseen:
        Whether one player with a range who occurs nowhere is not dealt either, where that is
        cheaper: a deal then counts for each hand that they may have.
    """

    def __init__(self, program: Program, *, counts_unseen: bool = False) -> None:
        spot = program.setup.spot
        self.game = spot.game
        #: What percent items are read by.
        self.ordering = program.setup.ordering
        asked = question(spot)
        seen = program.players
        #: Players who are dealt, and their lists; None for any hand from the deck.
        self.seats = [
            player
            for player, hands in enumerate(asked.ranges)
            if player in seen or hands is not None
        ]
        self.left_out = [player for player in range(len(asked.ranges)) if player not in self.seats]
        #: The hands of the player who is counted only.
        self.unseen: HandList | None = None
        self.boards = program.boards
        #: Cards of the board that are dealt.
        self.top = max(self.boards, default=0)
        declared = [KnownSet(known.board, known.dead) for known in asked.known]
        is_pattern = spot.board_pattern is not None
        self.known = self._ordered(declared) if is_pattern else declared
        gone = self.known[0].taken
        for known in self.known[1:]:
            gone &= known.taken
        lists = [asked.ranges[player] for player in self.seats]
        self.lists = [None if hands is None else HandList(*hands).without(gone) for hands in lists]
        if counts_unseen:
            self._leave_out(seen)

    def _leave_out(self, seen: set[int]) -> None:
        """Take out the unseen player with the most hands, if counting them is cheaper."""
        sizes = [
            (len(hands), seat)
            for seat, hands in enumerate(self.lists)
            if hands is not None and self.seats[seat] not in seen
        ]
        if not sizes:
            return
        size, seat = max(sizes)
        hands = self.lists[seat]
        cards = self._loose(seat)
        cost = None if hands is None else unseen_cost(hands, self.game.hole, cards)
        if hands is None or cost is None or cost > _DEAL * size:
            return
        del self.seats[seat], self.lists[seat]
        self.unseen = hands.without(self.fixed)

    def _loose(self, without: int | None = None) -> int:
        """How many cards of a deal are not the same in all of them."""
        loose = [seat for seat in range(len(self.lists)) if seat not in (*self._single, without)]
        known = len(self.known[0].board) + len(self.known[0].dead)
        rest = max(self.top - len(self.known[0].board), 0)
        return rest + self.game.hole * len(loose) + (known if len(self.known) > 1 else 0)

    @property
    def _single(self) -> list[int]:
        """Seats with one hand."""
        return [at for at, hands in enumerate(self.lists) if hands is not None and len(hands) == 1]

    @property
    def fixed(self) -> int:
        """Bit mask of the cards that are the same in all deals."""
        mask = self.known[0].taken if len(self.known) == 1 else 0
        for seat in self._single:
            hands = self.lists[seat]
            mask |= int(hands.masks[0]) if hands is not None else 0
        return mask

    def counter(self) -> Callable[[Block], NDArray[np.int64]] | None:
        """What counts the hands of the unseen player for each deal."""
        if self.unseen is None:
            return None
        weights = np.ascontiguousarray(reduced(self.unseen.weights))
        unseen = Unseen(self.unseen, weights, self._loose())
        fixed = set(self._single)
        seats = [seat for seat in range(len(self.lists)) if seat not in fixed]
        dead = [[*known.board, *known.dead] for known in self.known]
        one = len(self.known) == 1
        begin = len(self.known[0].board) if one else self.known_cards

        def count(block: Block) -> NDArray[np.int64]:
            parts = [block.hands[:, seat] for seat in seats] + [block.boards[:, begin:]]
            if not one:
                parts.append(np.array(dead, np.uint8)[block.sets])
            return unseen.count(np.hstack(parts))

        return count

    def _ordered(self, known: list[KnownSet]) -> list[KnownSet]:
        """Sets of a pattern in each order of turn and river, where something tells them apart."""
        found, end = known, len(known[0].board)
        for size in (4, 3):
            if size in self.boards and size < end:
                found = [
                    KnownSet((*first, *(set(board[:end]) - set(first)), *board[end:]), dead)
                    for board, dead in found
                    for first in combinations(board[:end], size)
                ]
                end = size
        return found

    # The board

    @property
    def known_cards(self) -> int:
        """Cards of the known board that are seen."""
        return min(len(self.known[0].board), self.top)

    @property
    def groups(self) -> list[int]:
        """How many cards are dealt between two boards that something looks at."""
        sizes = [size for size in self.boards if size > self.known_cards]
        return [size - before for before, size in pairwise([self.known_cards, *sizes])]

    @property
    def left(self) -> int:
        """Cards that the rest of the board comes from."""
        taken = self.known[0].taken.bit_count() + self.game.hole * len(self.seats)
        return DECK_SIZE - taken

    @cached_property
    def runouts(self) -> int:
        """How many ways there are to deal the rest of the board."""
        left, count = self.left, 1
        for cards in self.groups:
            count *= comb(max(left, 0), cards)
            left -= cards
        return count

    def prefixes(self, size: int) -> int:
        """How many boards of ``size`` cards there are at most."""
        missing = max(size - len(self.known[0].board), 0)
        return len(self.known) * comb(max(self.left, 0), missing)

    # The hands

    @cached_property
    def every(self) -> list[HandList]:
        """A list for each seat; of any hand all of them."""
        return [self._all() if hands is None else hands for hands in self.lists]

    def _all(self) -> HandList:
        from equity.ranges.hands import hand_space

        space = hand_space(self.game.hole)
        cards = space.hands(np.arange(space.size))
        return HandList(cards, np.ones(len(cards), np.int64))

    @cached_property
    def sizes(self) -> list[int]:
        """How many hands each seat may be dealt."""
        every = comb(DECK_SIZE, self.game.hole)
        return [every if hands is None else len(hands) for hands in self.lists]

    @property
    def is_weighted(self) -> bool:
        """Whether some deals count for more than others."""
        return self.unseen is not None or any(
            hands is not None and len(hands) and bool((hands.weights != hands.weights[0]).any())
            for hands in self.lists
        )

    @property
    def deals(self) -> int:
        """An upper bound of the number of deals."""
        count = len(self.known) * self.runouts
        for size in self.sizes:
            count *= size
        return count

    def weights(self, seat: int) -> NDArray[np.int64]:
        """(n,) int64: the weights of the hands of a seat, as small as can be."""
        hands = self.every[seat]
        if not len(hands):
            return np.zeros(0, np.int64)
        return np.ascontiguousarray(reduced(hands.weights))

    @property
    def streets(self) -> Sequence[int]:
        """Boards of which each hand is told, from the flop on."""
        return [size for size in self.boards if size >= FLOP_SIZE]
