"""Chunks of an exact plan in other processes, each of which makes the plan again.

A plan follows from the spot alone, so only the spot is sent out, and sums come back.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from equity.engine.executor import JobCache
from equity.engine.planner import ExactPlan, exact_plan
from equity.spot import Spot

__all__ = ["Sums", "Worker", "parts"]

#: A job has this many parts, if it has as many chunks; or more, so that a part takes at
#: most so many nanoseconds: one that has begun is not stopped.
PARTS = 64
PART_COST = 5_000_000_000
MOST_PARTS = 100_000


class Sums:
    """The sums of a part, without the memory that kernels work in."""

    def __init__(self, wide: tuple[NDArray[Any], ...]) -> None:
        self.wide = wide

    def flush(self) -> None:
        """Do nothing: all is added up."""

    def add(self, other: Sums) -> None:
        """Add the sums of another part."""
        for mine, theirs in zip(self.wide, other.wide, strict=True):
            np.add(mine, theirs, out=mine)


_plans: JobCache[ExactPlan] = JobCache()


def parts(plan: ExactPlan) -> list[range]:
    """The chunk numbers of each part of a plan."""
    total = plan.chunk_count
    count = min(max(PARTS, plan.cost // PART_COST), MOST_PARTS)
    step = max(1, -(-total // count))
    return [range(at, min(at + step, total)) for at in range(0, total, step)]


@dataclass(frozen=True)
class Worker:
    """Counts parts of a spot in another process; the name identifies the job."""

    spot: Spot
    name: str = field(default_factory=lambda: uuid4().hex)

    def __call__(self, numbers: range) -> Sums:
        """The sums of some chunks."""
        plan = _plans.get(self.name, partial(exact_plan, self.spot))
        sums = plan.start()
        for number in numbers:
            plan.run(plan.chunk(number), sums)
        sums.flush()
        return Sums(sums.wide)
