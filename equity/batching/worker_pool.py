"""Worker processes: an executor whose tasks survive the death of a process.

A worker is a fresh interpreter that takes tasks from its standard input and gives
answers on its standard output.  It ends when its input does, so none outlives the
process that started it, however that ended.  Unlike a pool of ``concurrent.futures``
it is known which task a process died of: it alone is tried again.
"""

from __future__ import annotations

import atexit
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from queue import SimpleQueue
from typing import IO, Any, ParamSpec, TypeVar
from weakref import WeakSet

__all__ = ["WorkerError", "WorkerLostError", "Workers", "serve", "show_notices"]

#: A task that so many processes died of is not tried again.
TRIES = 3
#: What a worker says when it is ready.
_READY = b"ready"
#: Bytes of the length that stands before a message.
_LENGTH = 8

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")


class WorkerError(RuntimeError):
    """Workers cannot be started."""


class WorkerLostError(RuntimeError):
    """Every process that was given a task died of it."""


class _Task:
    def __init__(self, call: tuple[Any, ...]) -> None:
        self.call = call
        self.future: Future[Any] = Future()


class Workers(Executor):
    """So many processes, started when there is something for them to do.

    Parameters
    ----------
    count:
        How many.
    talk:
        Whether the first one's notices, that it compiles say, go to stderr.
    """

    def __init__(self, count: int, *, talk: bool = False) -> None:
        self.count = count
        self._talk = talk
        self._tasks: SimpleQueue[_Task | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._is_closed = self._is_cancelled = False
        self.owner = os.getpid()
        _open.add(self)

    def submit(
        self,
        function: Callable[Arguments, Answer],
        /,
        *arguments: Arguments.args,
        **named: Arguments.kwargs,
    ) -> Future[Answer]:
        """Have a function called by one of the processes."""
        task = _Task((function, arguments, named))
        with self._lock:
            if self._is_closed:
                raise RuntimeError("the workers have been shut down")
            self._tasks.put(task)
            if len(self._threads) < self.count:
                first = not self._threads
                thread = threading.Thread(target=self._attend, args=(self._talk and first,))
                thread.daemon = True
                self._threads.append(thread)
                thread.start()
        return task.future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes; with ``cancel_futures`` whatever they are at."""
        with self._lock:
            self._is_closed = True
            self._is_cancelled |= cancel_futures
            for _ in self._threads:
                self._tasks.put(None)
            if cancel_futures:
                for process in self._processes:
                    process.kill()
        if wait:
            for thread in self._threads:
                thread.join()

    @property
    def pids(self) -> list[int]:
        """The numbers of the processes."""
        with self._lock:
            return [process.pid for process in self._processes]

    def __exit__(self, *_: object) -> None:
        # Who leaves the block has all that he wants.
        self.shutdown(wait=True, cancel_futures=True)

    def _attend(self, talk: bool) -> None:
        """Give the tasks to a process, one after the other; run by its thread."""
        process: subprocess.Popen[bytes] | None = None
        while (task := self._tasks.get()) is not None:
            if self._is_cancelled or not task.future.set_running_or_notify_cancel():
                task.future.cancel()
                continue
            for _ in range(TRIES):
                try:
                    process = process or self._started(talk)
                    is_good, answer = _ask(process, task.call)
                except (EOFError, ConnectionError):
                    self._ended(process)
                    process = None
                    if self._is_cancelled:
                        break
                    continue
                except Exception as error:
                    # It cannot be sent, or no process can be started.
                    is_good, answer = False, error
                if is_good:
                    task.future.set_result(answer)
                else:
                    task.future.set_exception(answer)
                break
            if not task.future.done():
                task.future.set_exception(
                    WorkerLostError(f"it ended its process {TRIES} times, for want of memory maybe")
                )
        self._ended(process)

    def _started(self, talk: bool) -> subprocess.Popen[bytes]:
        """A new process that is ready for tasks."""
        for _ in range(TRIES):
            if process := self._start(talk):
                return process
            if self._is_cancelled:
                raise EOFError
        raise WorkerError("worker processes end as soon as they are started")

    def _start(self, talk: bool) -> subprocess.Popen[bytes] | None:
        """A new process, if it comes as far as to be ready."""
        program = (
            f"import sys; sys.path[:] = {sys.path!r}; "
            f"from equity.batching.worker_pool import serve; serve({talk!r})"
        )
        own_group: dict[str, Any] = {}
        if os.name == "posix":
            # Ctrl-C is for the program that has the terminal, which ends the workers.
            own_group["process_group"] = 0
        with self._lock:
            if self._is_cancelled:
                return None
            process = subprocess.Popen(  # noqa: S603 - this interpreter and our own program
                [sys.executable, "-c", program],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                **own_group,
            )
            self._processes.add(process)
        try:
            assert process.stdout is not None  # noqa: S101 - for the type checker
            is_ready = _receive(process.stdout) == _READY
        except EOFError:
            is_ready = False
        if not is_ready:
            self._ended(process)
        return process if is_ready else None

    def _ended(self, process: subprocess.Popen[bytes] | None) -> None:
        """Make an end of a process, if it has not come to one."""
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        with self._lock:
            self._processes.discard(process)


#: Whose owner may never come to end them.
_open: WeakSet[Workers] = WeakSet()


@atexit.register
def _end_all() -> None:
    """End all workers before the program takes itself apart, when nobody could wait for them."""
    for workers in list(_open):
        # A copy of this process, made by a fork, ends without touching them.
        if workers.owner == os.getpid():
            workers.shutdown(wait=True, cancel_futures=True)


def _ask(process: subprocess.Popen[bytes], call: tuple[Any, ...]) -> tuple[bool, Any]:
    assert process.stdin is not None  # noqa: S101 - for the type checker
    assert process.stdout is not None  # noqa: S101
    _send(process.stdin, pickle.dumps(call))
    is_good, answer = pickle.loads(_receive(process.stdout))  # noqa: S301 - our own process
    return is_good, answer


def _send(pipe: IO[bytes], message: bytes) -> None:
    pipe.write(len(message).to_bytes(_LENGTH) + message)
    pipe.flush()


def _receive(pipe: IO[bytes]) -> bytes:
    """The next message, as a whole; an EOFError if there is none."""
    length = pipe.read(_LENGTH)
    size = int.from_bytes(length)
    message = pipe.read(size)
    if len(length) < _LENGTH or len(message) < size:
        raise EOFError
    return message


def show_notices() -> None:
    """Show on stderr that kernels are compiled; not how long each of many spots takes."""
    from equity.kernels.loader import listeners

    def show(message: str) -> None:
        if "kernel" in message:
            print(f"equity: {message}", file=sys.stderr, flush=True)

    listeners[:] = [show]


def serve(talk: bool = False) -> None:
    """Answer the tasks of standard input; the whole of a worker process."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if talk:
        show_notices()
    # What a task prints must not get among the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    _give(answers, _READY)
    tasks: SimpleQueue[tuple[Any, ...]] = SimpleQueue()
    threading.Thread(target=_listen, args=(tasks,), daemon=True).start()
    while True:
        function, arguments, named = tasks.get()
        try:
            answer = pickle.dumps((True, function(*arguments, **named)))
        except BaseException as error:
            answer = _failure(error)
        _give(answers, answer)


def _give(pipe: IO[bytes], message: bytes) -> None:
    """Send a message; where nobody is left to take it, end the process."""
    try:
        _send(pipe, message)
    except OSError:
        os._exit(1)


def _listen(tasks: SimpleQueue[tuple[Any, ...]]) -> None:
    """Read the tasks; where they end, end the process at once, whatever it is at."""
    while True:
        try:
            message = _receive(sys.stdin.buffer)
        except (EOFError, OSError):
            os._exit(0)
        try:
            call = pickle.loads(message)  # noqa: S301 - from our own parent
        except Exception as error:
            call = (_raise, (RuntimeError(f"a task that cannot be read: {error}"),), {})
        tasks.put(call)


def _raise(error: Exception) -> None:
    raise error


def _failure(error: BaseException) -> bytes:
    """An error as an answer; as text where it does not survive being sent."""
    try:
        answer = pickle.dumps((False, error))
        pickle.loads(answer)  # noqa: S301 - made above
    except Exception:
        answer = pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")))
    return answer
