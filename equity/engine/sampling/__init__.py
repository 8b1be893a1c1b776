"""Monte Carlo sampling of deals: estimates and their standard errors.

A sampler (:mod:`~equity.engine.sampling.sampler`) makes tallies of numbered chunks.  A chunk
depends only on the question, the seed and its number, so chunks can be made anywhere, in any
order, and add up to the same integers; :mod:`~equity.engine.sampling.estimates` has the
standard errors of any sum of them.

The target distribution: every compatible deal (a hand for each player, a board, no card
twice) has a probability proportional to the product of its weights.  The kernel,
:mod:`equity.kernels.sampling`, says how that holds although deals share their parts.
Deals are never weighted: each counts for one.
"""
