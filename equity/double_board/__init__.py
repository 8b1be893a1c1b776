"""Several boards from one deck: double board games, and running it twice.

No card is dealt twice, and each board is played for an equal share of the pot, with high
and low in split-pot games.  :mod:`~equity.double_board.boards` holds the spot,
:mod:`~equity.double_board.answers` the result; :mod:`~equity.double_board.counting`
enumerates all deals and :mod:`~equity.double_board.drawing` samples them.
"""

from __future__ import annotations

from equity.double_board.answers import Double, DoublePlayer, Shares
from equity.double_board.boards import Boards, check_runs, read_boards
from equity.double_board.solving import find, two_boards

__all__ = [
    "Boards",
    "Double",
    "DoublePlayer",
    "Shares",
    "check_runs",
    "find",
    "read_boards",
    "two_boards",
]
