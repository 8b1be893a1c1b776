"""The journal of a run: what is safely written, so that a run can be gone on with.

It stands beside the output.  The first line says what the run is; each one after
it how far the run had come at a moment when all of that was on the disk.  A line
begins with a checksum, and the first that is torn or damaged ends the journal.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from equity.batching.errors import BatchError, OutputError
from equity.cards import ascii_text

__all__ = ["Journal", "State", "journal_path", "write_whole"]

#: Failures that are kept for the summary.
KEPT = 5


@dataclass
class State:
    """How far a run has come."""

    #: Rows of the input that are done, and the bytes that they became.
    rows: int = 0
    size: int = 0
    failed: int = 0
    #: The place and the message of the first that failed.
    failures: list[tuple[str, str]] = field(default_factory=list)
    #: Rows without results by combo.
    no_combos: int = 0
    #: The sums of match-ups over their flops, by number.
    sums: dict[str, Any] = field(default_factory=dict)
    #: Whether nothing remains to be done.
    is_done: bool = False

    def note_failure(self, place: str, problem: str) -> None:
        """Count a row that failed."""
        self.failed += 1
        if len(self.failures) < KEPT:
            self.failures.append((place, problem))


def journal_path(output: Path) -> Path:
    """Where the journal of an output is."""
    return output.with_name(f"{output.name}.journal")


def _line(value: Mapping[str, Any]) -> bytes:
    text = json.dumps(value).encode()
    return b"%08x %s\n" % (zlib.crc32(text), text)


def _value(line: bytes) -> dict[str, Any] | None:
    """What a line says; None if it is not whole."""
    checksum, _, text = line.removesuffix(b"\n").partition(b" ")
    if not line.endswith(b"\n") or checksum != b"%08x" % zlib.crc32(text):
        return None
    value: dict[str, Any] = json.loads(text)
    return value


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that is there whole or not at all, whatever happens."""
    unfinished = path.with_name(f"{path.name}.tmp")
    with unfinished.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(unfinished, path)
    sync_folder(path)


def sync_folder(path: Path) -> None:
    """Have the names of files in the folder of ``path`` on the disk, where that can be asked."""
    with suppress(OSError):
        folder = os.open(path.absolute().parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


class Journal:
    """A journal that is written to; nobody else may at the same time.

    Attributes
    ----------
    head:
        What the run is.
    state:
        How far it has come.
    """

    def __init__(self, path: Path, head: dict[str, Any], state: State, size: int) -> None:
        self.path = path
        self.head = head
        self.state = state
        self._file = path.open("r+b", buffering=0)
        try:
            _lock(self._file.fileno(), path)
            self._file.truncate(size)
            self._file.seek(size)
        except BaseException:
            self._file.close()
            raise

    @classmethod
    def begin(cls, path: Path, head: Mapping[str, Any]) -> Journal:
        """A new journal, in place of whatever was there."""
        if path.exists():
            with path.open("r+b") as file:
                _lock(file.fileno(), path)
        write_whole(path, _line(head))
        return cls(path, dict(head), State(), path.stat().st_size)

    @classmethod
    def resume(cls, path: Path) -> Journal:
        """Go on with a journal.

        Raises
        ------
        BatchError
            There is no beginning of one in the file.
        """
        head, state, size = read(path)
        return cls(path, head, state, size)

    def checkpoint(self, sums: Mapping[str, Any]) -> None:
        """Say that the state is safe, with the sums that have changed."""
        line = _line({**asdict(self.state), "sums": sums})
        while line:
            line = line[self._file.write(line) :]
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Leave the journal where it is."""
        self._file.close()

    def remove(self) -> None:
        """The run is complete, and needs no journal any more."""
        self._file.close()
        self.path.unlink()
        sync_folder(self.path)


def read(path: Path) -> tuple[dict[str, Any], State, int]:
    """The head of a journal, the last state, and the bytes that are whole."""
    head: dict[str, Any] | None = None
    state = State()
    sums: dict[str, Any] = {}
    size = 0
    with path.open("rb") as file:
        for line in file:
            value = _value(line)
            if value is None:
                break
            size += len(line)
            if head is None:
                head = value
            else:
                sums.update(value["sums"])
                state = State(**{name: value[name] for name in State.__dataclass_fields__})
    if head is None:
        raise BatchError(
            f"{ascii_text(str(path))} is no journal of a run", hint="--force begins again"
        )
    state.failures = [(place, problem) for place, problem in state.failures]
    state.sums = sums
    return head, state, size


def _lock(descriptor: int, path: Path) -> None:
    """Keep other runs away, where the system can; the lock ends with the process."""
    try:
        import fcntl
    except ImportError:  # Windows
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise OutputError(
            "another run is writing to it", place=str(path).removesuffix(".journal")
        ) from None
    except OSError:  # a file system without locks
        return
