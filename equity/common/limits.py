"""Resource limits of this process: processors and memory.

A container may be given a part of a machine, which the operating system tells by
control groups (cgroups) rather than by the number of processors.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

__all__ = ["free_memory", "processors"]

#: Where Linux tells the control groups of this process, and where their limits are.
_OWN_GROUPS = Path("/proc/self/cgroup")
_GROUPS = Path("/sys/fs/cgroup")
_MEMORY = Path("/proc/meminfo")


def processors() -> int:
    """Return the number of processors that this process may use, at least one.

    The smallest of: the processors of the machine, those that the process is bound
    to, and the quota of its container, rounded up.
    """
    if hasattr(os, "process_cpu_count"):  # Python 3.13
        count = os.process_cpu_count() or 1
    elif hasattr(os, "sched_getaffinity"):
        count = len(os.sched_getaffinity(0))
    else:
        count = os.cpu_count() or 1
    quota = _quota()
    return max(1, count if quota is None else min(count, quota))


def free_memory() -> int | None:
    """Return the bytes of memory that are available; None if the system does not say."""
    found = []
    with suppress(OSError, ValueError, IndexError):
        for line in _MEMORY.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                found.append(int(line.split()[1]) * 1024)
    for folder in _folders("memory"):
        for most, used in (
            ("memory.max", "memory.current"),
            ("memory.limit_in_bytes", "memory.usage_in_bytes"),
        ):
            # "max" is no limit, and no number.
            with suppress(OSError, ValueError):
                found.append(_number(folder / most) - _number(folder / used))
    return max(0, min(found)) if found else None


@cache
def _quota() -> int | None:
    """Return the tightest processor quota, rounded up; None without a quota."""
    found = []
    for folder in _folders("cpu"):
        with suppress(OSError, ValueError):
            quota, period = (folder / "cpu.max").read_text().split()
            found.append(-(-int(quota) // int(period)))
        with suppress(OSError, ValueError):
            number = _number(folder / "cpu.cfs_quota_us")
            if number > 0:  # -1 is no limit
                found.append(-(-number // _number(folder / "cpu.cfs_period_us")))
    return min(found, default=None)


def _number(path: Path) -> int:
    return int(path.read_text())


def _folders(controller: str) -> Iterator[Path]:
    """Yield the control group folders of this process, from its own up to the root."""
    try:
        lines = _OWN_GROUPS.read_text().splitlines()
    except OSError:
        return
    for line in lines:
        # Version 2 is "0::/path", version 1 "4:cpu,cpuacct:/path".
        _, controllers, path = [*line.split(":", 2), "", ""][:3]
        if not controllers:
            root = _GROUPS
        elif controller in controllers.split(","):
            root = _GROUPS / controller
        else:
            continue
        group = root / path.lstrip("/")
        yield from (place for place in (group, *group.parents) if place.is_relative_to(root))
