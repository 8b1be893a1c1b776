"""Running the parts of a job: on threads, in order, until told to stop.

Kernels let go of Python's global lock, so threads are all it takes.  A part is some
tens of milliseconds, and between parts there is time to report and to stop.  What a
job takes to be made ready is kept for its later parts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import Generic, TypeVar

from equity.common.limits import processors
from equity.kernels.loader import notice

__all__ = ["Kept", "in_order", "pool", "worker_threads"]

Part = TypeVar("Part")
Done = TypeVar("Done")
Ready = TypeVar("Ready")

#: Jobs that a process keeps something for; it may be large.
KEPT_JOBS = 2


def worker_threads(asked: int | None, executor: Executor | None = None) -> int:
    """How many threads work where so many are asked for; None is all processors.

    More threads than processors only cost, so there are never more.  The threads of
    an executor of the caller's are as many as they say.
    """
    if executor is not None and asked is not None:
        return asked
    most = processors()
    if asked is not None and asked > most:
        _say_fewer(asked, most)
    return most if asked is None else min(asked, most)


@cache
def _say_fewer(asked: int, most: int) -> None:
    """Say that fewer threads work than are asked for; once, a view asks many times."""
    notice(f"--threads {asked:,} is more than the {most} processors, so {most} work")


class _Place(Generic[Ready]):
    """Where something is kept once it is made."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.ready: Ready | None = None


class Kept(Generic[Ready]):
    """What the last few jobs of a process have been made ready with, shared by its threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._places: dict[str, _Place[Ready]] = {}

    def get(self, job: str, make: Callable[[], Ready]) -> Ready:
        """What is kept for a job, which is made by the first thread that asks for it."""
        with self._lock:
            # Who was asked for last is last; one that has to go stays with who uses it.
            place = self._places.pop(job, None) or _Place()
            self._places[job] = place
            while len(self._places) > KEPT_JOBS:
                del self._places[next(iter(self._places))]
        with place.lock:
            if place.ready is None:
                place.ready = make()
            return place.ready


@contextmanager
def pool(executor: Executor | None, threads: int) -> Iterator[Executor | None]:
    """The executor of the caller, or one of as many threads that ends with the block.

    One thread is the caller's own: None.
    """
    if executor is not None or threads == 1:
        yield executor
        return
    own = ThreadPoolExecutor(threads, thread_name_prefix="equity")
    try:
        yield own
    finally:
        _end(own)


def _end(own: ThreadPoolExecutor) -> None:
    """End the threads of a pool, once the parts that they are at are done.

    Their memory is read afterwards, so nothing must cut the wait short: a Ctrl-C in it
    is one more of those that ended the work.
    """
    while True:
        try:
            own.shutdown(wait=True, cancel_futures=True)
        except KeyboardInterrupt:
            continue
        return


def in_order(
    executor: Executor | None,
    function: Callable[[Part], Done],
    parts: Iterable[Part],
    ahead: int,
) -> Generator[Done, None, None]:
    """The results of parts in their order, with ``ahead`` of them under way.

    Without an executor each is done here, when it is asked for.  Closing the iterator,
    or an exception in the loop over it, drops what is under way: what has been yielded
    is then all that counts.
    """
    if executor is None:
        yield from map(function, parts)
        return
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
