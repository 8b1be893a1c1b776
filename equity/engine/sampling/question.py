"""What a sampler deals: a game, lists of hands, and known cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from equity.engine.hand_lists import Hands, live_hands
from equity.engine.sweeping.symmetry import masks
from equity.errors import MethodError
from equity.ranges import CardPattern
from equity.ranges.combos import expand
from equity.ranges.hands import hand_space
from equity.rules.cards import DECK_SIZE
from equity.rules.games import Game
from equity.spot import Spot

__all__ = ["Cards", "HandList", "Hands", "KnownCards", "Question", "Weights", "question"]

Cards = NDArray[np.uint8]
Weights = NDArray[np.int64]

#: Hands that are representative of most lists, and hands looked at in one go.
_FEW = 256
_PIECE = 1 << 15
#: Patterns of board and dead cards stand for at most this many sets of cards.
MOST_KNOWN = 2_000_000


class HandList:
    """Hands that a player is dealt from, (n, hole) uint8, and their weights, (n,) int64."""

    def __init__(self, cards: Cards, weights: Weights) -> None:
        self.cards = cards
        self.weights = weights

    def __len__(self) -> int:
        return len(self.cards)

    @cached_property
    def masks(self) -> NDArray[np.int64]:
        """(n,) int64: bit mask of each hand."""
        return masks(self.cards)

    @cached_property
    def few(self) -> NDArray[np.int64]:
        """Bit masks of a few evenly spaced hands."""
        return masks(self.cards[:: -(-len(self) // _FEW)])

    @cached_property
    def held(self) -> int:
        """Bit mask of the cards that every hand has."""
        # Mostly a few hands already have none in common.
        if not np.bitwise_and.reduce(self.few):
            return 0
        return int(np.bitwise_and.reduce(self.masks))

    def without(self, cards: int) -> HandList:
        """The hands with a positive weight and none of the cards of a bit mask."""
        keep = self.weights > 0
        if self._meets(cards):
            keep &= self.masks & cards == 0
        return self if keep.all() else HandList(self.cards[keep], self.weights[keep])

    def _meets(self, cards: int) -> bool:
        """Whether some hand has a card of a bit mask."""
        some = [card for card in range(DECK_SIZE) if cards >> card & 1]
        # In pieces that stay in cache.
        pieces = (self.cards[at : at + _PIECE] for at in range(0, len(self), _PIECE) if some)
        return any(bool((piece == card).any()) for piece in pieces for card in some)


class KnownCards(NamedTuple):
    """Known board and dead cards, or one of the sets that patterns stand for."""

    board: tuple[int, ...] = ()
    dead: tuple[int, ...] = ()
    weight: int = 1

    @property
    def taken(self) -> int:
        """Bit mask of all these cards."""
        return sum(1 << card for card in {*self.board, *self.dead})


@dataclass(frozen=True)
class Question:
    """What is dealt; cards are valid, and hands belong to the game."""

    game: Game
    #: None for a player who can hold any hand.
    ranges: Sequence[Hands | None]
    #: Sets with the same numbers of board and dead cards; one is drawn by weight.
    known: Sequence[KnownCards] = (KnownCards(),)


def question(spot: Spot) -> Question:
    """What a sampler deals for a spot.

    Raises
    ------
    MethodError
        No cards match a pattern, or too many sets of cards do.
    """
    whole = hand_space(spot.game.hole).size
    # A full range needs no list of its hands, which would be long.
    anything = [
        not isinstance(player, tuple) and len(player) == whole and player.is_uniform
        for player in spot.players
    ]
    ranges = [None if free else live_hands(spot, at) for at, free in enumerate(anything)]
    return Question(spot.game, ranges, _known_cards(spot))


def _known_cards(spot: Spot) -> list[KnownCards]:
    """Board and dead cards, or all sets that their patterns stand for."""
    hands = [set(player) for player in spot.players if isinstance(player, tuple)]
    boards = _matches(spot.board, spot.board_pattern)
    dead = _matches(spot.dead, spot.dead_pattern)
    if len(boards) * len(dead) > MOST_KNOWN:
        raise MethodError(
            "the patterns of board and dead cards together match too many sets of cards",
            place="board",
            hint="name the cards of one of them",
        )
    known = [
        KnownCards(board, gone)
        for board in boards
        for gone in dead
        if not set(board) & set(gone) and not any(hand & {*board, *gone} for hand in hands)
    ]
    if not known:
        raise MethodError(
            "all cards that match the pattern are in hands",
            place="board" if spot.board_pattern else "dead cards",
            hint="'equity range' shows what a pattern matches",
        )
    return known


def _matches(cards: tuple[int, ...], pattern: CardPattern | None) -> list[tuple[int, ...]]:
    """The sets of cards that a pattern matches; the cards themselves without one."""
    if pattern is None:
        return [cards]
    space = hand_space(pattern.cards)
    numbers = expand(pattern.tree, Game("board", "cards", pattern.cards, False)).numbers
    return [tuple(row) for row in space.hands(numbers).tolist()]
