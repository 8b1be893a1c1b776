"""What hands have on boards, as board conditions ask for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from equity.ranges.boards import Boards

__all__ = ["Facts"]

Mask = NDArray[np.bool_]


class Facts(Protocol):
    """Made hands and draws, an entry for each hand on a board.

    :class:`~equity.ranges.texture.Texture` has all hands of a game on one board,
    :class:`~equity.ranges.holdings.Holdings` some hands on many boards.
    """

    @property
    def boards(self) -> Boards:
        """The boards."""

    @property
    def high(self) -> NDArray[np.uint16]:
        """The best high of two hole cards and three of the board, 1 to 7,462."""

    @property
    def low(self) -> NDArray[np.uint8]:
        """The best low, 1 to 56; 0 for none, and in a game without a low."""

    @property
    def best_low(self) -> Any:
        """The best low of any two cards that are not on the board, 0 for none."""

    @property
    def reachable(self) -> Mask:
        """(boards, 7463) by high, whether some hand without a card of the board has it."""

    @property
    def straight_outs(self) -> NDArray[np.uint8]:
        """How many unseen cards make a straight better than what the hand has."""

    @property
    def nut_straight_outs(self) -> NDArray[np.uint8]:
        """How many of them make the best straight possible on the board then."""

    @property
    def flush_draw(self) -> Mask:
        """Whether a hand is one card short of a flush, and has nothing as good."""

    @property
    def nut_flush_draw(self) -> Mask:
        """Whether it has a flush draw with the highest card of the suit off the board."""

    @property
    def backdoor_flush(self) -> Mask:
        """Whether a hand is two cards short of a flush, on the flop."""

    @property
    def low_draw(self) -> Mask:
        """Whether a hand has no low and some unseen card gives it one."""

    @property
    def nut_low_draw(self) -> Mask:
        """Whether most of these cards give it the best low possible then."""

    @property
    def counterfeit(self) -> Mask:
        """Whether the low of a hand hangs on one rank that can still come."""

    def of_board(self, values: NDArray[Any]) -> Any:
        """For every hand, a value of its board; ``values`` has one for each board."""

    def by_high(self, test: Callable[[NDArray[np.int64], NDArray[np.int64]], Mask]) -> Mask:
        """For every hand, the answer of ``test`` for the number of its board and its high."""
