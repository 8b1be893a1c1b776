"""Running the parts of a job: on threads, in order, until told to stop.

Kernels let go of Python's global lock, so threads are all it takes.  A part is some
tens of milliseconds, and between parts there is time to report and to stop.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

__all__ = ["default_threads", "in_order", "pool"]

Part = TypeVar("Part")
Done = TypeVar("Done")


def default_threads() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def pool(executor: Executor | None, threads: int) -> Iterator[Executor]:
    """The executor of the caller, or one of as many threads that ends with the block."""
    if executor is not None:
        yield executor
        return
    own = ThreadPoolExecutor(threads, thread_name_prefix="equity")
    try:
        yield own
    finally:
        own.shutdown(wait=True, cancel_futures=True)


def in_order(
    executor: Executor, function: Callable[[Part], Done], parts: Iterable[Part], ahead: int
) -> Generator[Done, None, None]:
    """The results of parts in their order, with ``ahead`` of them under way.

    Closing the iterator, or an exception in the loop over it, drops what is
    under way: what has been yielded is then all that counts.
    """
    waiting: deque[Future[Done]] = deque()
    remaining = iter(parts)
    try:
        for part in remaining:
            waiting.append(executor.submit(function, part))
            if len(waiting) >= ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()
