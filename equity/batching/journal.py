"""The journal of a run: what was asked, how far the run has come, which rows failed.

``RESULTS.journal`` stands beside the results, and stays there when the run is
complete.  Its first line, the head, says what the run is.  Each further line is a
checkpoint: the state of the run at a moment when everything before was on the disk,
with the size and the digest of the file that rows are written to.  When the run is
complete, one line takes the place of all checkpoints.  ``--resume``, ``--retry-failed``
and ``equity merge`` trust a file only if its journal vouches for it.

Every line begins with a checksum of itself and of all lines before it, so a line that
is torn, changed or out of order ends the journal.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from io import FileIO
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from equity.batching.errors import BatchError, OutputError
from equity.rules.cards import ascii_text

__all__ = ["DONE", "ROWS", "Failed", "Journal", "Record", "State", "journal_path", "read"]

#: Failures that are kept for the summary.
KEPT = 5
#: Stages of a run: rows are answered; rows that failed are answered again, either those
#: that failed because of the machine (``AGAIN``) or all (``RETRY``); it is complete.
ROWS, AGAIN, RETRY, DONE = "rows", "again", "retry", "done"
#: Stands for the number of a row over all flops among failures.
TOTAL = -1
#: The checksum before the first line; it changes with the meaning of the lines.
_SEED = zlib.crc32(b"equity journal 2")
#: Numbers of a run of failed rows, see :class:`Failed`.
_WIDTH = 4


@dataclass
class State:
    """How far a run has come."""

    stage: str = ROWS
    #: Rows of the input that are done in this stage.
    rows: int = 0
    #: Size and SHA-256 of the file that they are in: the output once it is complete.
    size: int = 0
    digest: str = hashlib.sha256().hexdigest()
    #: Rows of the output that they became, without totals.
    records: int = 0
    failed: int = 0
    #: The first that failed: the number of the row, its place, and the message.
    failures: list[tuple[int, str, str]] = field(default_factory=list)
    #: Rows without results by combo.
    no_combos: int = 0
    #: Rows with a notice.
    noticed: int = 0
    #: The sums of match-ups over their flops, by number.
    sums: dict[str, Any] = field(default_factory=dict)
    #: Whether the output has its name, and nothing is left of the files it was made of.
    is_settled: bool = True

    def next_stage(self, stage: str) -> State:
        """The state at the beginning of another stage, which counts on."""
        return State(stage, no_combos=self.no_combos, noticed=self.noticed, sums=self.sums)

    def note_failure(self, number: int, place: str, problem: str) -> None:
        """Count a row that failed."""
        self.failed += 1
        if len(self.failures) < KEPT:
            self.failures.append((number, place, problem))

    def note_totals(self, problems: Iterable[str]) -> None:
        """Count rows over all flops that failed."""
        for problem in problems:
            self.note_failure(TOTAL, "all flops", problem)


class Failed:
    """Where rows that failed stand, as runs of rows that follow each other.

    A run is four integers: the number of its first row, the place of that row in the
    output, how many rows there are, and whether they failed because of the machine.
    A row that failed is one row of the output.
    """

    def __init__(self) -> None:
        self.numbers = array("q")

    def add(self, number: int, record: int, count: int = 1, *, transient: bool) -> None:
        """Add rows that follow each other, behind all others."""
        if self.numbers:
            first, begin, before, kind = self.numbers[-_WIDTH:]
            if (first + before, begin + before, kind) == (number, record, transient):
                self.numbers[-2] += count
                return
        self.numbers.extend((number, record, count, transient))

    def extend(self, numbers: Sequence[int]) -> None:
        """Add runs, as the integers that they are."""
        for at in range(0, len(numbers), _WIDTH):
            first, begin, count, transient = numbers[at : at + _WIDTH]
            self.add(first, begin, count, transient=bool(transient))

    def __iter__(self) -> Iterator[tuple[int, int, bool]]:
        """The number of each row, its place in the output, whether the machine was at fault."""
        for at in range(0, len(self.numbers), _WIDTH):
            first, begin, count, transient = self.numbers[at : at + _WIDTH]
            for step in range(count):
                yield first + step, begin + step, bool(transient)

    def rows(self, stage: str) -> Iterator[int]:
        """The numbers of the rows that a stage answers again."""
        return (number for number, _, transient in self if transient or stage == RETRY)


class Record(NamedTuple):
    """What a journal says."""

    head: dict[str, Any]
    state: State
    #: The state when the run was complete, if it has been.
    done: State | None
    #: The rows that failed, up to then.
    failed: Failed
    #: Bytes and checksum of the lines that are whole.
    size: int
    checksum: int


def journal_path(output: Path) -> Path:
    """Where the journal of an output is."""
    return output.with_name(f"{output.name}.journal")


def _lines(file: BinaryIO) -> Iterator[tuple[dict[str, Any], int, int]]:
    """What each line says, as long as they are whole; the bytes and the checksum so far."""
    size, checksum = 0, _SEED
    for line in file:
        given, _, text = line.removesuffix(b"\n").partition(b" ")
        checksum = zlib.crc32(text, checksum)
        if not line.endswith(b"\n") or given != b"%08x" % checksum:
            return
        size += len(line)
        yield json.loads(text), size, checksum


def read(path: Path) -> Record:
    """What a journal says.

    Raises
    ------
    BatchError
        There is no beginning of one in the file.
    """
    state, done = State(), None
    sums: dict[str, Any] = {}
    failed = Failed()
    with path.open("rb") as file:
        lines = _lines(file)
        head, size, checksum = next(lines, (None, 0, 0))
        if head is None:
            raise BatchError(
                f"{ascii_text(str(path))} is no journal of a run", hint="--force begins again"
            )
        for value, size, checksum in lines:  # noqa: B007 - those of the last line
            failed.extend(value.pop("failed_rows"))
            sums.update(value["sums"])
            value["failures"] = list(map(tuple, value["failures"]))
            state = State(**value)
            done = state if state.stage == DONE else done
    state.sums = sums
    return Record(head, state, done, failed, size, checksum)


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Yield a path to write to; rename it to ``path`` once the file is safely on disk."""
    unfinished = path.with_name(f"{path.name}.tmp")
    yield unfinished
    with unfinished.open("rb+") as file:
        os.fsync(file.fileno())
    os.replace(unfinished, path)


def sync_folder(path: Path) -> None:
    """Flush the folder of ``path`` to disk, where the system can do that."""
    with suppress(OSError):
        folder = os.open(path.absolute().parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


class Journal:
    """A journal that this run alone may write to, from the moment it is claimed.

    Attributes
    ----------
    record:
        What it said when it was claimed; None if there is no journal in the file.
    is_blank:
        Whether there was nothing in the file at all.
    failed:
        Rows that have failed since the last checkpoint.
    """

    def __init__(self, path: Path) -> None:
        """Claim a journal, and read it; make a blank one if there is none.

        Raises
        ------
        OutputError
            Another run has it.
        """
        self.path = path
        self.failed = Failed()
        # Opened to append, so that nothing is lost by opening it.
        while not _is_at(path, file := _locked(path, "a+b")):
            # It was replaced or removed before it was locked.
            file.close()
        self._file = file
        self._checksum = _SEED
        self.is_blank = os.fstat(file.fileno()).st_size == 0
        self.record: Record | None = None
        with suppress(BatchError):
            self.record = read(path)

    def begin(self, head: Mapping[str, Any]) -> None:
        """Begin anew, in place of whatever was there."""
        self._renew(head)

    def go_on(self) -> None:
        """Go on behind the last line that is whole."""
        assert self.record is not None  # noqa: S101 - only then can it be gone on with
        self._file.truncate(self.record.size)
        self._checksum = self.record.checksum

    def checkpoint(self, state: State, sums: Mapping[str, Any]) -> None:
        """Say that a state is safe, with the sums that have changed and rows that failed."""
        failed, self.failed = self.failed, Failed()
        self._append(_content(state, sums, failed))
        os.fsync(self._file.fileno())

    def conclude(self, state: State, failed: Failed | None = None) -> None:
        """Say that the run is complete, with all rows that failed if they are others now."""
        record = read(self.path)
        if failed is None:
            failed = record.failed
            failed.extend(self.failed.numbers)
        self.failed = Failed()
        self._renew(record.head, _content(state, state.sums, failed))

    def _renew(self, *values: Mapping[str, Any]) -> None:
        """Have these lines in place of all others, at one moment."""
        new = self.path.with_name(f"{self.path.name}.tmp")
        old, self._file = self._file, _locked(new, "w+b")
        old_checksum, self._checksum = self._checksum, _SEED
        try:
            for value in values:
                self._append(value)
            os.fsync(self._file.fileno())
            if os.name == "nt":  # where no open file is renamed or replaced
                self._file.close()
                old.close()
            # It is locked already when it gets its name.
            os.replace(new, self.path)
            if os.name == "nt":
                self._file = _locked(self.path, "a+b")
        except BaseException:
            self._file.close()
            self._file, self._checksum = old, old_checksum
            raise
        old.close()
        sync_folder(self.path)

    def _append(self, value: Mapping[str, Any]) -> None:
        text = json.dumps(value).encode()
        self._checksum = zlib.crc32(text, self._checksum)
        line = b"%08x %s\n" % (self._checksum, text)
        while line:
            line = line[self._file.write(line) :]

    def close(self) -> None:
        """Let others have it; a blank one is removed."""
        if os.fstat(self._file.fileno()).st_size == 0:
            self.path.unlink(missing_ok=True)
        self._file.close()


def _content(state: State, sums: Mapping[str, Any], failed: Failed) -> dict[str, Any]:
    return {**vars(state), "sums": sums, "failed_rows": failed.numbers.tolist()}


def _is_at(path: Path, file: FileIO) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False


def _locked(path: Path, mode: str) -> FileIO:
    """A file that other runs cannot lock, where the system can do that, until it is closed.

    The lock ends with the process.
    """
    file = FileIO(path, mode)
    try:
        import fcntl

        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise OutputError(
            "another run is writing to it", place=str(path).removesuffix(".journal")
        ) from None
    except (ImportError, OSError):  # Windows, or a file system without locks
        pass
    return file
