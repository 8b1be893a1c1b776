"""Lists of hands that a player is dealt from."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from equity.engine.sampling.question import Cards, Weights
from equity.engine.sweeping.symmetry import masks
from equity.rules.cards import DECK_SIZE

__all__ = ["HandList"]

#: Hands that are representative of most lists.
_FEW = 256
_PIECE = 1 << 15


class HandList:
    """Hands, (n, hole) uint8, and their weights, (n,) int64."""

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
