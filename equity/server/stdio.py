"""Questions over standard streams: one a line in, one answer a line out."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, BinaryIO

from equity.errors import EquityError
from equity.server.answering import failure, respond
from equity.server.reading import RequestError, read_json

__all__ = ["MOST_LINE", "Lines", "limit_memory", "parse", "serve_stdio"]

#: The most bytes of a line.
MOST_LINE = 32 << 20
GIGABYTE = 1 << 30


class Lines:
    """Lines of JSON on the standard streams, for the time of a ``with`` block.

    Whatever else is printed goes to stderr.  Ctrl-C ends the program without a word, and so does
    a reader who has gone.

    Parameters
    ----------
    is_worker:
        Whether the program ends as soon as stdin does, whatever it is doing: nobody waits for
        the answer.
    """

    def __init__(self, *, is_worker: bool = False) -> None:
        self._is_worker = is_worker
        self._input: BinaryIO = sys.stdin.buffer
        self._output: BinaryIO = sys.stdout.buffer

    def __enter__(self) -> Lines:
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        with suppress(OSError, ValueError):  # a stream that is no file stays as it is
            descriptor = os.dup(sys.stdout.fileno())
            os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
            self._output = os.fdopen(descriptor, "wb")
        self._stdout, sys.stdout = sys.stdout, sys.stderr
        return self

    def __exit__(self, *_: object) -> None:
        sys.stdout = self._stdout

    def __iter__(self) -> Iterator[bytes | None]:
        """The lines that are not empty; None for one that is too long."""
        return self._watched() if self._is_worker else self._read()

    def send(self, message: object) -> None:
        """Write a line, at once."""
        try:
            self._output.write(json.dumps(message).encode() + b"\n")
            self._output.flush()
        except OSError:
            # The reader has gone; nothing that is left in the stream can be written.
            os._exit(1)

    def _read(self) -> Iterator[bytes | None]:
        while line := self._input.readline(MOST_LINE + 1):
            if len(line) > MOST_LINE and not line.endswith(b"\n"):
                while line and not line.endswith(b"\n"):
                    line = self._input.readline(MOST_LINE)
                yield None
            elif line.strip():
                yield line

    def _watched(self) -> Iterator[bytes | None]:
        """The lines, read by a thread that ends the program with them."""
        lines: SimpleQueue[bytes | None] = SimpleQueue()

        def read() -> None:
            for line in self._read():
                lines.put(line)
            os._exit(0)

        threading.Thread(target=read, daemon=True).start()
        while True:
            yield lines.get()


def serve_stdio(*, is_worker: bool = False) -> None:
    """Answer the questions on stdin until it ends."""
    with Lines(is_worker=is_worker) as lines:
        for line in lines:
            try:
                request = parse(line)
            except EquityError as error:
                lines.send({"id": None} | failure("request", error))
            else:
                respond(request, lines.send)


def parse(line: bytes | None) -> Any:
    """The value of a line; None is one that is too long."""
    if line is None:
        raise RequestError(
            "the line is too long", place="request", hint=f"at most {MOST_LINE >> 20} MiB are read"
        )
    return read_json(line, "request")


def limit_memory(gigabytes: float) -> None:
    """Let this process take so much memory at most, where the system can limit it."""
    try:
        import resource
    except ImportError:  # Windows
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (min([int(gigabytes * GIGABYTE), *most]), hard))
