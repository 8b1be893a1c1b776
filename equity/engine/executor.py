"""Runs the chunks of a job: on threads, in order, until it is done or interrupted.

Kernels release the GIL, so threads suffice.  A chunk takes some tens of milliseconds;
between chunks there is time to report progress and to stop.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import cache
from threading import Lock
from typing import Generic, Protocol, TypeVar

from equity.common.limits import processors
from equity.kernels.log import log

__all__ = ["Job", "JobCache", "in_order", "pool", "run_job", "worker_threads"]

Part = TypeVar("Part")
Done = TypeVar("Done")
State = TypeVar("State")

#: Jobs whose state a process keeps; it may be large.
CACHED_JOBS = 2


def worker_threads(asked: int | None, executor: Executor | None = None) -> int:
    """The number of threads that work when ``asked`` are requested; None means all processors.

    More threads than processors only cost time, so there are never more.  A caller's own
    executor has as many as the caller says.
    """
    if executor is not None and asked is not None:
        return asked
    most = processors()
    if asked is not None and asked > most:
        _say_fewer(asked, most)
    return most if asked is None else min(asked, most)


@cache
def _say_fewer(asked: int, most: int) -> None:
    """Give notice, once, that fewer threads work than were requested."""
    log(f"--threads {asked:,} is more than the {most} processors, so {most} work")


class Job(Protocol[Part, Done]):
    """Work in chunks that :func:`run_job` drives."""

    def groups(self, threads: int) -> Iterable[Iterable[Part]]:
        """The chunks in groups; a group begins when all of the group before are added."""

    def work(self, chunk: Part, /) -> Done:
        """Do a chunk; called on any thread."""

    def add(self, done: Done, /) -> bool:
        """Add what :meth:`work` returned, in the order of the chunks; whether to stop."""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to make a result of yet."""

    def stop(self) -> None:
        """Cut short the chunks that other threads are working on."""


def run_job(job: Job[Part, Done], *, threads: int, executor: Executor | None = None) -> bool:
    """Run a job until it is done; whether a Ctrl-C ended it early.

    Raises
    ------
    KeyboardInterrupt
        It was interrupted before there was any result.
    """
    try:
        with pool(executor, threads) as workers:
            try:
                for group in job.groups(threads):
                    with closing(in_order(workers, job.work, group, 2 * threads)) as results:
                        if any(map(job.add, results)):
                            break
            except KeyboardInterrupt:
                # The pool waits for its threads.
                job.stop()
                raise
    except KeyboardInterrupt:
        if job.is_empty:
            raise
        return True
    return False


class _Slot(Generic[State]):
    """The state of one job, once it is made."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.state: State | None = None


class JobCache(Generic[State]):
    """An LRU cache of per-job state, shared by the threads of a process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._slots: dict[str, _Slot[State]] = {}

    def get(self, job: str, make: Callable[[], State]) -> State:
        """The state of a job; the first thread that asks for it calls ``make``."""
        with self._lock:
            # The most recently used is last; users of an evicted state keep it.
            slot = self._slots.pop(job, None) or _Slot()
            self._slots[job] = slot
            while len(self._slots) > CACHED_JOBS:
                del self._slots[next(iter(self._slots))]
        with slot.lock:
            if slot.state is None:
                slot.state = make()
            return slot.state


@contextmanager
def pool(executor: Executor | None, threads: int) -> Iterator[Executor | None]:
    """The caller's executor, or a pool of ``threads`` that ends with the block.

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
    """Shut a pool down, waiting for the chunks under way.

    Their memory is read afterwards, so nothing may cut the wait short: a Ctrl-C in it
    repeats the one that ended the work.
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
    """Apply a function to parts and yield the results in order, with ``ahead`` under way.

    Without an executor each is computed here, when it is asked for.  Closing the
    generator, or an exception in the loop over it, drops what is under way: only what
    has been yielded counts.
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
