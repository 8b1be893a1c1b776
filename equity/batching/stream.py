"""Schedule rows on a pool: a bounded number in flight, answers in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor, Future, wait
from dataclasses import dataclass
from itertools import chain, takewhile
from time import perf_counter
from typing import Any

from equity.batching.job import MOST_ROWS, Job
from equity.batching.rows import Answered, Row
from equity.batching.worker import Block, answer_row, answer_rows, make_block
from equity.batching.worker_pool import WorkerError, WorkerLostError, Workers, show_notices

__all__ = ["Blocks", "Pool", "answers", "local_pool"]

#: The aim for the seconds a group of rows takes, and the rows of the first.
GROUP_SECONDS = 0.1
FIRST_ROWS = 4
#: Yield None after this many seconds without an answer.
IDLE_SECONDS = 0.5
#: Groups in flight for each process.
AHEAD = 4
#: The most answers kept for later rows that have the players exchanged.
MOST_TWINS = 200_000


Blocks = Generator[tuple[list[Row], Block] | None, None, None]


class Inline(Executor):
    """An executor that calls functions at once, in this process."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call a function; return its result as a future."""
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


@dataclass(frozen=True)
class Pool:
    """An executor, and what the scheduler must know of it."""

    executor: Executor
    #: The number of tasks it runs at a time, which may change.
    slots: Callable[[], int]
    #: Errors of a task whose process died.
    lost: tuple[type[BaseException], ...] = ()
    #: Errors after which the pool is unusable.
    broken: tuple[type[BaseException], ...] = ()
    #: Whether tasks run in this process, one at a time.
    is_here: bool = False

    def share(self) -> dict[str, Any]:
        """Fields of :class:`~equity.How` that share the work of a large spot."""
        return {} if self.is_here else {"executor": self.executor, "threads": self.slots()}


def local_pool(jobs: int, *, talk: bool = False) -> Pool:
    """A pool of local processes; a single job runs in this process."""
    if jobs == 1:
        if talk:
            show_notices()
        return Pool(Inline(), lambda: 1, is_here=True)
    workers = Workers(jobs, talk=talk)
    return Pool(workers, lambda: jobs, lost=(WorkerLostError,), broken=(WorkerError,))


@dataclass
class _Group:
    rows: list[Row]
    #: None if it waits until nothing else is in flight.
    future: Future[Block] | None
    is_alone: bool = False
    #: Whether the answers come with those of earlier rows, which have the players exchanged.
    is_promised: bool = False


class _Stream:
    """The groups of rows in flight, first in, first out."""

    def __init__(
        self, job: Job, rows: Iterable[Row], pool: Pool, tick: Callable[[], None] | None
    ) -> None:
        self.job = job
        self.rows = iter(rows)
        self.pool = pool
        self.tick = tick
        self.size = FIRST_ROWS
        self.waiting: deque[_Group] = deque()
        #: A row that was read, and is in no group yet.
        self.read: list[Row] = []
        #: Numbers of the rows whose answers come with those of others, and the answers.
        self.promised: set[int] = set()
        self.twins: dict[int, Answered] = {}

    def run(self) -> Blocks:
        try:
            while self._fill():
                first = self.waiting[0]
                if first.is_promised:
                    self.waiting.popleft()
                    yield from self._collect_promised(first.rows)
                    continue
                if first.future is None:
                    yield from self._until_done(list(self.waiting))
                    first.future = self._submit(first.rows)
                yield from self._until_done([first])
                self.waiting.popleft()
                yield from self._collect(first.rows, first.future, is_alone=first.is_alone)
        finally:
            for group in self.waiting:
                if group.future is not None:
                    group.future.cancel()

    def _until_done(self, groups: list[_Group]) -> Iterator[None]:
        futures = [group.future for group in groups if group.future is not None]
        while wait(futures, IDLE_SECONDS).not_done:
            self.pool.slots()  # raises an error if the pool is gone
            yield None

    def _submit(self, rows: list[Row]) -> Future[Block]:
        return self.pool.executor.submit(answer_rows, self.job, rows)

    def _group(self, rows: list[Row]) -> _Group:
        return _Group(rows, self._submit(rows))

    def _fill(self) -> bool:
        """Submit groups while there is room; return whether any are in flight."""
        if self.waiting and self.waiting[0].is_alone:
            return True
        ahead = 1 if self.pool.is_here else AHEAD * self.pool.slots()
        ahead -= sum(not group.is_promised for group in self.waiting)
        while ahead > 0 and (some := self._next_rows()):
            if some[0].number in self.promised:
                self.waiting.append(_Group(some, None, is_promised=True))
            else:
                self.waiting.append(self._group(some))
                ahead -= 1
        return bool(self.waiting)

    def _next_rows(self) -> list[Row]:
        """The next rows of a group: all are promised, or none is."""
        some: list[Row] = []
        is_promised, most = False, self.size
        read, self.read = self.read, []
        for row in chain(read, self.rows):
            if (row.number in self.promised) != is_promised:
                if some:
                    self.read = [row]
                    break
                is_promised, most = True, MOST_ROWS
            some.append(row if row.twin is None else self._with_twin(row, row.twin))
            if len(some) >= most:
                break
        return some

    def _with_twin(self, row: Row, twin: Row) -> Row:
        """The row, whose answer brings that of its twin, unless too many are kept."""
        if self.job.check or len(self.promised) >= MOST_TWINS:
            return row._replace(twin=None)
        self.promised.add(twin.number)
        return row

    def _collect_promised(self, rows: list[Row]) -> Blocks:
        """The answers that came with others; a row of which none came is answered now."""
        there = list(takewhile(lambda row: row.number in self.twins, rows))
        left = rows[len(there) :]
        self.promised.difference_update(row.number for row in rows[: len(there) + 1])
        if left[1:]:
            self.waiting.appendleft(_Group(left[1:], None, is_promised=True))
        if left:
            self.waiting.appendleft(self._group(left[:1]))
        if there:
            found = [self.twins.pop(row.number) for row in there]
            yield there, make_block(self.job, there, found, perf_counter())

    def _collect(self, rows: list[Row], future: Future[Block], *, is_alone: bool) -> Blocks:
        """The answers of the first group; its unanswered rows become the first group."""
        try:
            block = future.result()
        except self.pool.lost as error:
            if is_alone:
                yield rows, self._fail_lost(rows[0], error)
            else:
                # One of these rows is the culprit, or a row of another group on the same process.
                self.waiting.extendleft(_Group([row], None, True) for row in reversed(rows))
            return
        done = block.done
        rest = rows[done:]
        self.twins |= block.twins
        if done:
            yield rows[:done], block
            wanted = int(GROUP_SECONDS * done / max(block.seconds, 1e-6))
            self.size = max(1, min(wanted, 2 * self.size, MOST_ROWS))
        self._put_first(rest[1:] if block.is_large_next else rest, self.size)
        if block.is_large_next:
            yield rest[:1], self._answer_shared(rest[0])

    def _put_first(self, rows: list[Row], size: int) -> None:
        groups = [self._group(rows[at : at + size]) for at in range(0, len(rows), size)]
        self.waiting.extendleft(reversed(groups))

    def _answer_shared(self, row: Row) -> Block:
        """Answer a large row, with its work shared among all processes."""
        share = self.pool.share()
        if self.tick:
            tick = self.tick
            share["progress"] = lambda _: tick()
        start = perf_counter()
        try:
            reraised = (*self.pool.lost, *self.pool.broken)
            answered = answer_row(self.job, row, share=share, reraised=reraised)
        except self.pool.lost as error:
            return self._fail_lost(row, error)
        assert answered is not None  # noqa: S101 - nothing is too large to share
        block = make_block(self.job, [row], [answered], start)
        self.twins |= block.twins
        return block

    def _fail_lost(self, row: Row, error: BaseException) -> Block:
        failed = answer_row(self.job, row._replace(problem=f"its worker was lost: {error}"))
        assert failed is not None  # noqa: S101 - an invalid row is never large
        return make_block(self.job, [row], [failed._replace(transient=True)], perf_counter())


def answers(
    job: Job, rows: Iterable[Row], pool: Pool, tick: Callable[[], None] | None = None
) -> Blocks:
    """Answer rows on a pool; yield blocks of rows with their answers, in order.

    Yields None now and then while waiting.  ``rows`` are read only as far ahead as keeps the
    pool busy.  ``tick`` is called every now and then while a large row is answered.
    """
    return _Stream(job, rows, pool, tick).run()
