"""Parts of an exact answer in other processes, each with a plan of its own.

A plan follows from the question alone, so a process makes it again, once for a
job; what it sends back are sums.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from equity.engine.executor import Kept
from equity.engine.planner import Plan, exact_plan
from equity.spot import Spot

__all__ = ["Job", "Sums", "parts", "run_part"]

#: A job is cut into so many parts, if it has as many chunks; or into more, for a part
#: to take so many nanoseconds: one that has begun is not stopped.
PARTS = 64
PART_COST = 5_000_000_000
MOST_PARTS = 100_000


@dataclass(frozen=True)
class Job:
    """An exact question; the name tells jobs apart."""

    spot: Spot
    name: str = field(default_factory=lambda: uuid4().hex)


class Sums:
    """The sums of a part, in place of the memory that they were added up in."""

    def __init__(self, wide: tuple[NDArray[Any], ...]) -> None:
        self.wide = wide

    def flush(self) -> None:
        """Nothing is left to be added."""

    def add(self, other: Sums) -> None:
        """Add the sums of another part."""
        for mine, theirs in zip(self.wide, other.wide, strict=True):
            np.add(mine, theirs, out=mine)


_plans: Kept[Plan] = Kept()


def parts(plan: Plan) -> list[range]:
    """The numbers of the chunks of each part of a plan."""
    total = plan.chunk_count
    count = min(max(PARTS, plan.cost // PART_COST), MOST_PARTS)
    step = max(1, -(-total // count))
    return [range(at, min(at + step, total)) for at in range(0, total, step)]


def run_part(job: Job, numbers: range) -> Sums:
    """The sums of some chunks."""
    plan = _plans.get(job.name, partial(_plan, job.spot))
    sums = plan.start()
    for number in numbers:
        plan.run(plan.chunk(number), sums)
    sums.flush()
    return Sums(sums.wide)


def _plan(spot: Spot) -> Plan:
    plan = exact_plan(spot, forced=True)
    if plan is None:
        raise RuntimeError("a forced plan is never refused")
    return plan
