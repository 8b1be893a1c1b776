"""Monte Carlo sampling of deals: estimates and their standard errors.

A :class:`Sampler` makes tallies of numbered chunks.  A chunk depends only on the
question, the seed and its number, so chunks can be made anywhere, in any order, and add
up to the same integers; :func:`estimate` makes shares and standard errors of any sum of
them.

The target distribution: every compatible deal (a hand for each player, a board, no card
twice) has a probability proportional to the product of its weights.  The kernel,
:mod:`equity.kernels.sampling`, says how that holds although deals share their parts.
Deals are never weighted: each counts for one.
"""

from __future__ import annotations

from equity.engine.sampling.estimates import (
    SHARES,
    Estimate,
    SampleTally,
    Sums,
    cell_figures,
    equity_errors,
    estimate,
    figures_of,
    is_known,
    may_stop,
    standard_error,
)
from equity.engine.sampling.question import Hands, KnownCards, Question
from equity.engine.sampling.sampler import Pace, Sampler

__all__ = [
    "SHARES",
    "Estimate",
    "Hands",
    "KnownCards",
    "Pace",
    "Question",
    "SampleTally",
    "Sampler",
    "Sums",
    "cell_figures",
    "equity_errors",
    "estimate",
    "figures_of",
    "is_known",
    "may_stop",
    "standard_error",
]
