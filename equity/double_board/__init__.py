"""Several boards from one deck: double board games, and running it twice.

No card is dealt twice, and each board is played for an equal part of the pot, in games
with a low for high and low there.  :mod:`~equity.double_board.boards` holds the question,
:mod:`~equity.double_board.answers` the answer, :mod:`~equity.double_board.counting` counts every
deal and :mod:`~equity.double_board.drawing` draws some.
"""

from __future__ import annotations

from equity.double_board.answers import Double, DoublePlayer, Shares
from equity.double_board.boards import Boards, check_twice, read_boards
from equity.double_board.solving import find, two_boards

__all__ = [
    "Boards",
    "Double",
    "DoublePlayer",
    "Shares",
    "check_twice",
    "find",
    "read_boards",
    "two_boards",
]
