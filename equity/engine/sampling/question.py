"""What a sampler deals: a game, ranges, and known cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from equity.engine.hand_lists import Hands, live_hands
from equity.errors import MethodError
from equity.ranges import CardPattern
from equity.ranges.combos import expand
from equity.ranges.hands import hand_space
from equity.rules.games import Game
from equity.spot import Spot

__all__ = ["Cards", "Hands", "KnownCards", "Question", "Weights", "question"]

Cards = NDArray[np.uint8]
Weights = NDArray[np.int64]

#: Patterns of board and dead cards stand for at most this many sets of cards.
MOST_KNOWN = 2_000_000


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
