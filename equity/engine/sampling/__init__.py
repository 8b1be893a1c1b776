"""Deals of ranges drawn at random: the estimate, and how far it may be off.

A :class:`Sampler` makes tallies of numbered chunks.  What is in a chunk depends
on the question, the seed and its number alone, so that chunks can be made
anywhere, in any order, and add up to the same integers; :func:`estimate` makes
shares and standard errors of any sum of them.

The target is that every compatible deal (a hand for each player, a board, no
card twice) comes up as often as the product of its weights.  The kernel,
:mod:`equity.kernels.sampling`, says how that is kept while deals share their
parts.  Nothing is ever weighted: counts are deals, each for one.
"""

from __future__ import annotations

from equity.engine.sampling.estimates import (
    SHARES,
    Estimate,
    SampleTally,
    Sums,
    estimate,
    is_known,
    may_stop,
    standard_error,
)
from equity.engine.sampling.question import Hands, KnownCards, Question
from equity.engine.sampling.sampler import Pace, Sampler
from equity.engine.sampling.shares import cell_figures, figures_of

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
    "estimate",
    "figures_of",
    "is_known",
    "may_stop",
    "standard_error",
]
