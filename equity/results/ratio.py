"""The standard error of a ratio of two sums over independent draws."""

from __future__ import annotations

from typing import Any

__all__ = ["mean_variance", "ratio_variance"]


def ratio_variance(ratio: Any, draws: int, n: Any, *, xx: Any, nx: Any, nn: Any) -> Any:
    """Squared standard error of the ratio ``x / n`` of two sums over draws.

    Draws are independent of each other; each adds ``x_i`` to the one sum and ``n_i`` to
    the other.  Numbers may be fractions, which makes the result exact, floats or arrays.

    Parameters
    ----------
    ratio:
        ``x / n``.
    draws:
        Number of draws, at least two.
    n:
        Sum of ``n_i``.
    xx, nx, nn:
        Sums of ``x_i * x_i``, ``n_i * x_i`` and ``n_i * n_i``.
    """
    spread = xx - 2 * ratio * nx + ratio * ratio * nn
    return spread * draws / ((draws - 1) * n * n)


def mean_variance(mean: Any, draws: int, deals: float, xx: Any) -> Any:
    """Squared standard error of a mean over deals, with equally many in each draw.

    ``xx`` is the sum over draws of the square of what a draw adds.
    """
    each = deals / draws
    return ratio_variance(mean, draws, deals, xx=xx, nx=each * mean * deals, nn=each * deals)
