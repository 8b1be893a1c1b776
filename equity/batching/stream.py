"""Rows in, what became of them out, in order, with a bounded number under way."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor, Future, wait
from dataclasses import dataclass
from itertools import islice
from typing import Any

from equity.batching.rows import Answered, Row
from equity.batching.worker import Job, Part, answer_row, answer_rows
from equity.batching.worker_pool import WorkerError, WorkerLostError, Workers, show_notices

__all__ = ["Answers", "Pool", "answers", "local_pool"]

#: A group of rows should take about so many seconds, and has at most so many rows.
GROUP_SECONDS = 0.1
MOST_ROWS = 256
FIRST_ROWS = 4
#: Seconds without an answer after which that is said.
IDLE_SECONDS = 0.5
#: Groups under way for each process.
AHEAD = 4


Answers = Generator[tuple[Row, Answered] | None, None, None]


class Inline(Executor):
    """Calls functions at once, here."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """The result of a call."""
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


@dataclass(frozen=True)
class Pool:
    """What does the work."""

    executor: Executor
    #: How many tasks it does at a time, which may change.
    slots: Callable[[], int]
    #: Errors that say that the task has ended its process.
    lost: tuple[type[BaseException], ...] = ()
    #: Errors that say that it cannot go on.
    broken: tuple[type[BaseException], ...] = ()
    #: Whether it is this process, which does one thing at a time.
    is_here: bool = False

    def share(self) -> dict[str, Any]:
        """How the work of a large row is shared, as fields of a :class:`~equity.How`."""
        return {} if self.is_here else {"executor": self.executor, "threads": self.slots()}


def local_pool(jobs: int, *, talk: bool = False) -> Pool:
    """So many processes of this machine; one is this process."""
    if jobs == 1:
        if talk:
            show_notices()
        return Pool(Inline(), lambda: 1, is_here=True)
    workers = Workers(jobs, talk=talk)
    return Pool(workers, lambda: jobs, lost=(WorkerLostError,), broken=(WorkerError,))


@dataclass
class _Group:
    rows: list[Row]
    #: None if it is to be tried when nothing else is under way.
    future: Future[Part] | None
    is_alone: bool = False


class _Stream:
    """Groups of rows under way, first come first out."""

    def __init__(
        self, job: Job, rows: Iterable[Row], pool: Pool, tick: Callable[[], None] | None
    ) -> None:
        self.job = job
        self.rows = iter(rows)
        self.pool = pool
        self.tick = tick
        self.size = FIRST_ROWS
        self.waiting: deque[_Group] = deque()

    def run(self) -> Answers:
        try:
            while self._fill():
                first = self.waiting[0]
                if first.future is None:
                    yield from self._until_done(list(self.waiting))
                    first.future = self._submitted(first.rows)
                yield from self._until_done([first])
                self.waiting.popleft()
                yield from self._taken(first.rows, first.future, is_alone=first.is_alone)
        finally:
            for group in self.waiting:
                if group.future is not None:
                    group.future.cancel()

    def _until_done(self, groups: list[_Group]) -> Iterator[None]:
        futures = [group.future for group in groups if group.future is not None]
        while wait(futures, IDLE_SECONDS).not_done:
            yield None

    def _submitted(self, rows: list[Row]) -> Future[Part]:
        return self.pool.executor.submit(answer_rows, self.job, rows)

    def _group(self, rows: list[Row]) -> _Group:
        return _Group(rows, self._submitted(rows))

    def _fill(self) -> bool:
        """Have enough groups under way; whether there are any."""
        if self.waiting and self.waiting[0].future is None:
            return True
        ahead = 1 if self.pool.is_here else AHEAD * self.pool.slots()
        while len(self.waiting) < ahead and (some := list(islice(self.rows, self.size))):
            self.waiting.append(self._group(some))
        return bool(self.waiting)

    def _taken(
        self, rows: list[Row], future: Future[Part], *, is_alone: bool
    ) -> Iterator[tuple[Row, Answered]]:
        """What became of the first group; what was left of it is the first then."""
        try:
            part = future.result()
        except self.pool.lost as error:
            if is_alone:
                yield rows[0], self._lost(rows[0], error)
            else:
                # One of them is the culprit, or a row of another group with the same process.
                self.waiting.extendleft(_Group([row], None, True) for row in reversed(rows))
            return
        done = len(part.answers)
        yield from zip(rows, part.answers, strict=False)
        rest = rows[done:]
        if done:
            wanted = int(GROUP_SECONDS * done / max(part.seconds, 1e-6))
            self.size = max(1, min(wanted, 2 * self.size, MOST_ROWS))
        self._put_first(rest[1:] if part.stopped == "large" else rest, self.size)
        if part.stopped == "large":
            yield rest[0], self._shared(rest[0])

    def _put_first(self, rows: list[Row], size: int) -> None:
        groups = [self._group(rows[at : at + size]) for at in range(0, len(rows), size)]
        self.waiting.extendleft(reversed(groups))

    def _shared(self, row: Row) -> Answered:
        """A large row, whose work is shared."""
        share = self.pool.share()
        if self.tick:
            tick = self.tick
            share["progress"] = lambda _: tick()
        try:
            passed_on = (*self.pool.lost, *self.pool.broken)
            answered = answer_row(self.job, row, share=share, passed_on=passed_on)
        except self.pool.lost as error:
            answered = self._lost(row, error)
        assert answered is not None  # noqa: S101 - nothing is too large to share
        return answered

    def _lost(self, row: Row, error: BaseException) -> Answered:
        failed = answer_row(self.job, row._replace(problem=f"its process was lost: {error}"))
        assert failed is not None  # noqa: S101 - it is not even read
        return failed._replace(transient=True)


def answers(
    job: Job, rows: Iterable[Row], pool: Pool, tick: Callable[[], None] | None = None
) -> Answers:
    """What becomes of each row, in order; None where it takes a while.

    Parameters
    ----------
    rows:
        Read as far ahead as keeps the pool busy, and no further.
    tick:
        Called now and then while a large row is answered.
    """
    return _Stream(job, rows, pool, tick).run()
