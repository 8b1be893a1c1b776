"""Exact plans for two ranges: a sweep over boards, or a walk of each pair of hands.

Both are made from one :class:`Deal`.  A plan numbers its chunks, ``chunk()``; each thread
takes ``start()``, memory to add up in, and ``run()``s chunks with it; ``tally()`` and
``by_hand()`` read the memory of all threads.  The order of chunks does not matter, and the
first chunks are representative of all.
"""

from __future__ import annotations

from equity.engine.hand_lists import Hands
from equity.engine.sweeping.board_tallies import BoardTallies, board_tallies
from equity.engine.sweeping.deal import PLAYERS, Deal
from equity.engine.sweeping.pairs import PairWalk, pairs_cost
from equity.engine.sweeping.sweep import Sweep, sweep_cost

__all__ = [
    "PLAYERS",
    "BoardTallies",
    "Deal",
    "Hands",
    "PairWalk",
    "Sweep",
    "board_tallies",
    "pairs_cost",
    "sweep_cost",
]
