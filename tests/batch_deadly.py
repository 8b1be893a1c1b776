"""Tasks for workers: some end their process."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from typing import Any

from equity.batching.job import Job
from equity.batching.rows import Row
from equity.batching.worker import Block, answer_rows


def answer_or_end(job: Job, rows: Sequence[Row]) -> Block:
    """Answer rows; one with the id ``deadly`` ends the process."""
    if any(row.values.get("id") == "deadly" for row in rows):
        os._exit(3)
    return answer_rows(job, rows)


def end(path: str) -> int:
    """End the process the first time, and say how often it was tried the next."""
    with open(path, "a+") as file:
        file.write("x")
        file.seek(0)
        times = len(file.read())
    if times < 3:
        os._exit(3)
    return times


def fail(kind: str) -> Any:
    """Fail in some way, or answer with something odd."""
    print("words that are not meant for anybody", flush=True)
    if kind == "value":
        raise ValueError("no value")
    if kind == "exit":
        raise SystemExit(5)
    if kind == "lock":
        return threading.Lock()
    return kind
