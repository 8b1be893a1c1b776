"""Two ranges against each other, exactly: by a sweep, or pair by pair.

Both methods have the same shape, for an engine to drive: a plan numbers the chunks
of its work, ``chunk()``; each thread takes ``start()``, memory to add up in, and ``run()``s
chunks with it; ``tally()`` and ``by_hand()`` read all of that memory together.
The order of the chunks changes nothing, and a part of them, in the order given,
tells about the whole.

A hand that a board or dead card kills stays in its range and gets nothing.
"""

from __future__ import annotations

from equity.engine.sweeping.deal import Hands
from equity.engine.sweeping.pairs import PairWalk, pairs_cost
from equity.engine.sweeping.sweep import Sweep, sweep_cost

__all__ = ["Hands", "PairWalk", "Sweep", "pairs_cost", "sweep_cost"]
