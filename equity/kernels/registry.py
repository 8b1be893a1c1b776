"""Every kernel of the package, for commands that prepare or list them all."""

from __future__ import annotations

from equity import kernels
from equity.kernels import (
    deals_records,
    evolution_records,
    holdings_records,
    rows_records,
    sampling_records,
    sweep_records,
)

__all__ = ["KERNELS"]

KERNELS = (
    kernels.WALK,
    kernels.FIND_FAULT,
    kernels.EVALUATE,
    rows_records.SOLVE_ROWS,
    holdings_records.TALLY_HOLDINGS,
    *sweep_records.SWEEP.values(),
    sweep_records.WALK_PAIRS,
    sampling_records.SAMPLE,
    deals_records.SAMPLE_DEALS,
    evolution_records.DEAL_TABLES,
    evolution_records.DEAL_CLASSES,
)
