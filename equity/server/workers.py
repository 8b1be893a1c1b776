"""Workers: processes that answer questions for the server, so that it is never busy itself.

A question has a worker to itself.  To cancel a question is to kill its worker: kernels cannot be
interrupted otherwise.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import signal
import sys
from asyncio import StreamReader, StreamWriter
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import cast

import equity
from equity.server.reply import STATUS, Reply, failed, reply_of

__all__ = ["MOST_WORKERS", "Workers"]

#: Workers at a time, and questions that wait for one.
MOST_WORKERS = 8
MOST_WAITING = 64
#: Workers that are kept when there is nothing to do; others end after so many seconds.
KEPT = 2
IDLE_SECONDS = 60.0
#: The status of a reply after which a worker is replaced, for its memory is in pieces.
MEMORY = STATUS["memory"]
#: The most bytes of an answer.
MOST_ANSWER = 256 << 20
TOO_LONG = failed("memory", f"the answer has more than {MOST_ANSWER >> 20} MiB").body
#: Bytes that are read at a time of what nobody wants any more.
CHUNK = 1 << 16
#: Loads arrays and kernels, so that a new worker is warm.
WARM_UP = (
    b'"operation": "odds", "arguments": {"players": ["AA:xxyy", "AhKhQsJs"], "board": "Th7h2c"}'
)

Report = Callable[[Reply], Awaitable[None]]


class Worker:
    """A process that answers one question at a time."""

    _ids = itertools.count(1)

    def __init__(self, process: Process, given: StreamWriter, answers: StreamReader) -> None:
        self._process, self._given, self._answers = process, given, answers
        #: When it was last used.
        self.since = monotonic()
        #: Whether it has answered anything.
        self.is_warm = False

    @classmethod
    async def start(cls, memory: float) -> Worker:
        """Start a process of this program."""
        # Modules are not looked for where the server was started, unless the package is there.
        safely = () if Path(equity.__file__).parents[1] == Path.cwd() else ("-P",)
        words = ("serve", "--stdio", "--worker", "--memory-limit", f"{memory:g}")
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, *safely, "-m", "equity", *words),
            stdin=PIPE,
            stdout=PIPE,
            limit=MOST_ANSWER,
            # A Ctrl-C is for the server, which ends its workers.
            start_new_session=os.name == "posix",
        )
        # They are there, for they were asked for.
        return cls(
            process, cast("StreamWriter", process.stdin), cast("StreamReader", process.stdout)
        )

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._process.returncode is None

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    async def ask(self, question: bytes, report: Report | None = None) -> Reply | None:
        """The last reply to a question, the fields of an object; None if the process dies."""
        start = b'{"id": %d, ' % next(self._ids)
        with suppress(ConnectionError):
            self._given.write(start + question + b"}\n")
            await self._given.drain()
        while line := await self._read():
            reply = reply_of(b"{" + line.removeprefix(start).rstrip(b"\n"))
            if reply.event != "progress":
                self.since = monotonic()
                return reply
            if report is not None:
                await report(reply)
        return None

    async def _read(self) -> bytes:
        try:
            return await self._answers.readline()
        except ValueError:  # asyncio's word for a line without an end
            return TOO_LONG

    async def code(self) -> int:
        """The exit code of the process, when it has ended."""
        return await self._process.wait()

    def kill(self) -> None:
        """End the process and those that it has started, whatever they do."""
        with suppress(ProcessLookupError):
            if os.name == "posix" and self.is_alive:
                os.killpg(self.pid, signal.SIGKILL)
            else:
                self._process.kill()

    async def ended(self) -> None:
        """Wait until the process has ended and its streams are closed."""
        self._given.close()
        while await self._answers.read(CHUNK):
            pass
        await self._process.wait()


class Workers:
    """A pool of workers; the one that was used last is used next, since its caches are warm.

    Parameters
    ----------
    time:
        Seconds that a question may take.
    memory:
        GiB that a worker may take.
    most:
        The most workers at a time.
    waiting:
        The most questions that wait for a worker.
    """

    def __init__(
        self,
        time: float,
        memory: float,
        *,
        most: int = MOST_WORKERS,
        waiting: int = MOST_WAITING,
    ) -> None:
        self._time, self._memory = time, memory
        self._turn = asyncio.Semaphore(most)
        self._most, self._most_waiting, self._waiting = most, waiting, 0
        self._idle: list[Worker] = []
        self._all: set[Worker] = set()
        #: What is under way: workers that start, and those that end.
        self._starting: set[asyncio.Task[None]] = set()
        self._ending: set[asyncio.Task[None]] = set()
        #: Questions that have no worker yet.
        self._wanted = 0
        self._is_closed = False

    @property
    def pids(self) -> set[int]:
        """The numbers of the processes."""
        return {worker.pid for worker in self._all if worker.is_alive}

    def start(self) -> None:
        """Start a first worker."""
        self._start_spare()

    async def close(self) -> None:
        """End all workers."""
        self._is_closed = True
        for task in list(self._starting):
            task.cancel()
        await asyncio.gather(*self._starting, return_exceptions=True)
        for worker in list(self._all):
            self._discard(worker)
        await asyncio.gather(*self._ending, return_exceptions=True)

    async def ask(self, question: bytes, report: Report | None = None) -> Reply:
        """The last reply to a question; one of progress goes to ``report``.

        To cancel this is to cancel the question.
        """
        if self._turn.locked() and self._waiting >= self._most_waiting:
            return failed("busy", "too many questions are waiting", hint="ask again later")
        self._waiting += 1
        try:
            async with asyncio.timeout(self._time):
                await self._turn.acquire()
        except TimeoutError:
            return failed("busy", "other questions take too long", hint="ask again later")
        finally:
            self._waiting -= 1
        try:
            return await self._ask(question, report)
        finally:
            self._turn.release()

    async def _ask(self, question: bytes, report: Report | None) -> Reply:
        worker, reply = None, None
        try:
            async with asyncio.timeout(self._time):
                worker = await self._take()
                reply = await worker.ask(question, report)
            if reply is None:
                problem = f"the process that worked on it has died ({await worker.code()})"
                return self._too_much(f"{problem}, probably for want of memory")
            if reply.status == MEMORY:
                return self._too_much(json.loads(reply.body)["error"]["problem"])
            return reply
        except TimeoutError:
            return failed(
                "time",
                f"it takes longer than {self._time:g} seconds",
                hint="ask for less, a smaller range, fewer trials or a larger error; "
                "'equity serve --time-limit' is the limit",
            )
        finally:
            if worker is not None:
                self._give_back(worker, is_well=reply is not None and reply.status != MEMORY)

    async def _take(self) -> Worker:
        """A worker that is free; another one is made ready in its place."""
        self._wanted += 1
        try:
            while True:
                while self._idle:
                    worker = self._idle.pop()
                    # One that died before it was warm says why; others are replaced.
                    if worker.is_alive or not worker.is_warm:
                        return worker
                    self._discard(worker)
                self._start_spare()
                await asyncio.wait(self._starting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._wanted -= 1
            self._start_spare()

    def _give_back(self, worker: Worker, *, is_well: bool) -> None:
        if not is_well or self._is_closed:
            self._discard(worker)
            self._start_spare()
            return
        self._idle.append(worker)
        while len(self._idle) > KEPT and monotonic() - self._idle[0].since > IDLE_SECONDS:
            self._discard(self._idle.pop(0))

    def _discard(self, worker: Worker) -> None:
        """End a worker, without waiting for it."""
        self._all.discard(worker)
        worker.kill()
        task = asyncio.create_task(worker.ended())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    def _too_much(self, problem: str) -> Reply:
        return failed(
            "memory",
            problem,
            hint="ask for less, smaller ranges say; 'equity serve --memory-limit' is the limit, "
            f"{self._memory:g} GiB here",
        )

    def _start_spare(self) -> None:
        """Start a worker, unless one is left for the next question or there are enough."""
        starting = len(self._starting)
        is_enough = len(self._idle) + starting > self._wanted
        if is_enough or self._is_closed or len(self._all) + starting >= self._most:
            return
        task = asyncio.create_task(self._add_spare())
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    async def _add_spare(self) -> None:
        worker = await Worker.start(self._memory)
        try:
            worker.is_warm = await worker.ask(WARM_UP) is not None
        except asyncio.CancelledError:
            self._discard(worker)
            raise
        self._all.add(worker)
        self._idle.append(worker)
