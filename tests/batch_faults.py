"""Disks and processes that fail, for tests of batches."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from equity.batching import run, stream
from equity.batching.journal import Journal, State
from equity.batching.output import _Rows

AA, RUN = "AhAsKhKs", "9c8c7d6d"
PLO: dict[str, Any] = {"game": "plo4", "board": "", "dead": "", "ordering": None}
#: So many dead cards that there are few flops.
SHORT = PLO | {"dead": "".join(r + s for r in "23456789T" for s in "cdhs") + "JcJdJh"}


def files(folder: Path) -> dict[str, bytes]:
    """All files; the journal of a complete run is the same, however the run went."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@contextmanager
def every_row() -> Iterator[None]:
    """Have runs make a checkpoint after every row."""
    with (
        mock.patch.object(run, "CHECKPOINT_EVERY", 0.0),
        mock.patch.object(stream, "FIRST_ROWS", 1),
        mock.patch.object(stream, "MOST_ROWS", 1),
    ):
        yield


class KilledError(BaseException):
    """Stands for the end of the process: nothing handles it."""


class Faults:
    """Counts what is done to the disk, and fails at one of the steps."""

    def __init__(self, error: BaseException) -> None:
        self.error = error
        self.left = 0
        self.steps = 0
        #: How much of each file is on the disk, by its number.
        self.synced: dict[int, int] = {}

    def step(self) -> bool:
        self.steps += 1
        self.left -= 1
        return self.left == 0

    @contextmanager
    def at(self, number: int) -> Iterator[None]:
        """Fail at a step; a write is left half done."""
        self.left, self.steps = number, 0
        move, unlink = os.replace, Path.unlink
        write, checkpoint = _Rows.write, Journal.checkpoint

        def plain(function: Any, *arguments: Any, **named: Any) -> Any:
            if self.step():
                raise self.error
            return function(*arguments, **named)

        def sync(file: int) -> None:
            # Noted, not done, for a disk takes its time.
            self.synced[os.fstat(file).st_ino] = os.fstat(file).st_size

        def half_write(mine: _Rows, text: bytes) -> None:
            if self.step():
                write(mine, text[: len(text) // 2])
                raise self.error
            write(mine, text)

        def half_checkpoint(mine: Journal, state: State, sums: Any) -> None:
            if self.step():
                mine._file.write(b'01234567 {"rows": 3, "size": 1')
                raise self.error
            checkpoint(mine, state, sums)

        with (
            mock.patch.object(os, "fsync", lambda file: plain(sync, file)),
            mock.patch.object(os, "replace", lambda one, two: plain(move, one, two)),
            mock.patch.object(Path, "unlink", lambda path, **named: plain(unlink, path, **named)),
            mock.patch.object(_Rows, "write", half_write),
            mock.patch.object(Journal, "checkpoint", half_checkpoint),
        ):
            yield

    def cut_power(self) -> None:
        """Lose whatever of the files here has not been made safe."""
        for path in Path().rglob("*"):
            if path.is_file() and path.name != "spots.csv":
                safe = self.synced.get(path.stat().st_ino, 0)
                os.truncate(path, min(safe, path.stat().st_size))
