"""A server in a process of its own, and what is asked of it over a socket."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx

__all__ = ["LONG", "SMALL", "Server", "events"]

#: A question that is answered at once, and one that takes minutes.
SMALL = {"players": ["AhAsKhKs", "9c8c7d6d"]}
LONG = {"players": ["AA", "KK", "QQ", "*"], "error": 0.000001}
SERVING = re.compile(r"equity: serving (http://(\S+):(\d+)/\S*)")


class Server:
    """``equity serve`` at a free port, for the time of a ``with`` block."""

    def __init__(self, *options: str, program: Sequence[str] = ("-m", "equity")) -> None:
        self._process = subprocess.Popen(
            [sys.executable, *program, "serve", "--port", "0", "--no-open", *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._process.stderr is not None
        told = ""
        while not (found := SERVING.search(told)):
            line = self._process.stderr.readline()
            assert line, told
            told += line
        self.link, self.host, port = found.groups()
        self.port = int(port)
        self.client = httpx.Client(base_url=f"http://{self.host}:{port}", timeout=60)

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.client.close()
        if self._process.poll() is None:
            self.stop()

    def stop(self, number: int = signal.SIGINT) -> tuple[int, str, str]:
        """Exit code, stdout and the rest of stderr, after a signal."""
        self._process.send_signal(number)
        out, err = self._process.communicate(timeout=10)
        return self._process.returncode, out, err

    def post(self, path: str, body: object, **options: Any) -> httpx.Response:
        """Ask a question."""
        return self.client.post(f"/api/{path}", json=body, **options)

    @property
    def children(self) -> set[int]:
        """The numbers of its worker processes, on Linux."""
        found: set[int] = set()
        for file in Path(f"/proc/{self._process.pid}/task").glob("*/children"):
            found |= {int(number) for number in file.read_text().split()}
        return found

    def busy(self) -> set[int]:
        """The workers that are computing, on Linux."""
        before = {number: _seconds(number) for number in self.children}
        time.sleep(0.25)
        return {one for one, seconds in before.items() if _seconds(one) > seconds + 0.05}


def _seconds(process: int) -> float:
    """Seconds that a process has computed."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def events(lines: Iterator[str]) -> Iterator[tuple[str, Any]]:
    """The events of a stream, with their data."""
    name = ""
    for line in lines:
        field, _, value = line.partition(": ")
        if field == "event":
            name = value
        elif field == "data":
            yield name, json.loads(value)
