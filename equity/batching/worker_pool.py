"""A pool of worker processes whose tasks survive the death of a process.

A worker is a fresh interpreter that reads tasks from standard input and writes answers to
standard output.  It exits when its input ends, so it never outlives the process that
started it.  Unlike ``concurrent.futures``, the pool knows which task a process died of,
and repeats only that one.
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

#: A task fails after this many processes have died of it.
TRIES = 3
#: The first message of a worker.
_READY = b"ready"
#: Errors when the other end of a pipe is gone.
_GONE = (EOFError, OSError, pickle.UnpicklingError)

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")


class WorkerError(RuntimeError):
    """Worker processes cannot be started."""


class WorkerLostError(RuntimeError):
    """Every process that tried a task died."""


class _Task:
    def __init__(self, call: tuple[Any, ...]) -> None:
        self.call = call
        self.future: Future[Any] = Future()


class Workers(Executor):
    """An executor of ``count`` worker processes, which start when there are tasks.

    With ``talk`` the first process shows its notices, on compilation say, on stderr.
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
        """Call a function in one of the processes."""
        task = _Task((function, arguments, named))
        with self._lock:
            if self._is_closed:
                raise RuntimeError("the workers have been shut down")
            self._tasks.put(task)
            if len(self._threads) < self.count:
                first = not self._threads
                thread = threading.Thread(target=self._feed, args=(self._talk and first,))
                thread.daemon = True
                self._threads.append(thread)
                thread.start()
        return task.future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes; with ``cancel_futures``, kill them at once."""
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
        """The ids of the processes."""
        with self._lock:
            return [process.pid for process in self._processes]

    def __exit__(self, *_: object) -> None:
        # All results that are wanted have been taken.
        self.shutdown(wait=True, cancel_futures=True)

    def _feed(self, talk: bool) -> None:
        """Feed tasks to a process, one after the other; each process has a thread for this."""
        process: subprocess.Popen[bytes] | None = None
        while (task := self._tasks.get()) is not None:
            if self._is_cancelled or not task.future.set_running_or_notify_cancel():
                task.future.cancel()
                continue
            for _ in range(TRIES):
                try:
                    process = process or self._start(talk)
                    is_good, answer = _ask(process, task.call)
                    break
                except (EOFError, ConnectionError, pickle.UnpicklingError):
                    self._end(process)
                    process = None
                    if self._is_cancelled:
                        is_good, answer = False, WorkerLostError("the workers were shut down")
                        break
                except Exception as error:
                    # The task cannot be pickled, or no process starts.
                    is_good, answer = False, error
                    break
            else:
                problem = f"its worker process died {TRIES} times (out of memory?)"
                is_good, answer = False, WorkerLostError(problem)
            if is_good:
                task.future.set_result(answer)
            else:
                task.future.set_exception(answer)
        self._end(process)

    def _start(self, talk: bool) -> subprocess.Popen[bytes]:
        """Start a process; try several times."""
        program = (
            f"import sys; sys.path[:] = {sys.path!r}; "
            f"from equity.batching.worker_pool import serve; serve({talk!r})"
        )
        # Ctrl-C reaches only the parent process, which ends the workers.
        own_group: dict[str, Any] = {"process_group": 0} if os.name == "posix" else {}
        for _ in range(TRIES):
            with self._lock:
                if self._is_cancelled:
                    raise EOFError
                process = subprocess.Popen(  # noqa: S603 - this interpreter and our own program
                    [sys.executable, "-c", program],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    **own_group,
                )
                self._processes.add(process)
            assert process.stdout is not None  # noqa: S101 - for the type checker
            with suppress(*_GONE):
                if pickle.load(process.stdout) == _READY:  # noqa: S301 - our own process
                    return process
            self._end(process)
        raise WorkerError("worker processes die as soon as they start")

    def _end(self, process: subprocess.Popen[bytes] | None) -> None:
        """Kill a process, if it still runs, and release its pipes."""
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


#: All pools, to end them at exit.
_open: WeakSet[Workers] = WeakSet()


@atexit.register
def _end_all() -> None:
    """End all workers before the interpreter shuts down."""
    for workers in list(_open):
        # A forked child leaves the workers of its parent alone.
        if workers.owner == os.getpid():
            workers.shutdown(wait=True, cancel_futures=True)


def _ask(process: subprocess.Popen[bytes], call: tuple[Any, ...]) -> tuple[bool, Any]:
    assert process.stdin is not None  # noqa: S101 - for the type checker
    assert process.stdout is not None  # noqa: S101
    _send(process.stdin, pickle.dumps(call))
    is_good, answer = pickle.loads(pickle.load(process.stdout))  # noqa: S301 - our own process
    return is_good, answer


def _send(pipe: IO[bytes], message: bytes) -> None:
    pickle.dump(message, pipe)
    pipe.flush()


def show_notices() -> None:
    """Show notices on compilation on stderr, but not the time estimates of spots."""
    from equity.kernels.log import listeners

    def show(message: str) -> None:
        if "kernel" in message:
            print(f"equity: {message}", file=sys.stderr, flush=True)

    listeners[:] = [show]


def serve(talk: bool = False) -> None:
    """The main loop of a worker process: answer the tasks on standard input."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if talk:
        show_notices()
    # Output of tasks goes to stderr; it must not mix with the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    _reply(answers, _READY)
    tasks: SimpleQueue[tuple[Any, ...]] = SimpleQueue()
    threading.Thread(target=_listen, args=(tasks,), daemon=True).start()
    while True:
        function, arguments, named = tasks.get()
        try:
            answer = pickle.dumps((True, function(*arguments, **named)))
        except BaseException as error:
            answer = _failure(error)
        _reply(answers, answer)


def _reply(pipe: IO[bytes], message: bytes) -> None:
    """Send a message; exit if the reader is gone."""
    try:
        _send(pipe, message)
    except OSError:
        os._exit(1)


def _listen(tasks: SimpleQueue[tuple[Any, ...]]) -> None:
    """Queue the tasks; at the end of the input exit at once, even amid a task."""
    while True:
        try:
            message = pickle.load(sys.stdin.buffer)  # noqa: S301 - from our own parent
        except _GONE:
            os._exit(0)
        try:
            call = pickle.loads(message)  # noqa: S301 - from our own parent
        except Exception as error:
            call = (_raise, (RuntimeError(f"the task cannot be unpickled: {error}"),), {})
        tasks.put(call)


def _raise(error: Exception) -> None:
    raise error


def _failure(error: BaseException) -> bytes:
    """Pickle an error; as text if it cannot be pickled and unpickled."""
    try:
        answer = pickle.dumps((False, error))
        pickle.loads(answer)  # noqa: S301 - made above
    except Exception:
        answer = pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")))
    return answer
