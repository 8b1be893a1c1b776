"""What is dealt at random: a game, ranges, and cards that are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from equity.rules.games import Game

__all__ = ["Cards", "Hands", "KnownCards", "Question", "Weights"]

Cards = NDArray[np.uint8]
Weights = NDArray[np.int64]


class Hands(NamedTuple):
    """The hands of a range and their weights, whole numbers."""

    #: (n, hole) uint8, and (n,) int64.
    cards: Cards
    weights: Weights


class KnownCards(NamedTuple):
    """Board cards and dead cards that are known, or one of several such sets."""

    board: tuple[int, ...] = ()
    dead: tuple[int, ...] = ()
    weight: int = 1

    @property
    def taken(self) -> int:
        """All of them as a bit mask."""
        return sum(1 << card for card in {*self.board, *self.dead})


@dataclass(frozen=True)
class Question:
    """What is dealt: cards are valid, and hands are of the game."""

    game: Game
    #: None for a player who can hold anything.
    ranges: Sequence[Hands | None]
    #: Of equal numbers of board cards and dead cards; one is drawn by weight.
    known: Sequence[KnownCards] = (KnownCards(),)
