"""The journal of a run: its fingerprint, its checkpoints and the rows that failed.

``RESULTS.journal`` lies beside the results and stays there after the run.  Its first
line, the head, is the fingerprint of the run.  Each further line is a checkpoint: the
state of the run at a moment when everything before it was on disk, with the size and
digest of the file that rows are written to.  When the run is complete, one line replaces
all checkpoints.  ``--resume``, ``--retry-failed`` and ``equity merge`` trust a file only
if it matches its journal.

Every line begins with a checksum of itself and all lines before it, so the journal ends
before the first line that is torn, changed or out of order.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from io import FileIO
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from equity.batching.errors import BatchError, OutputError
from equity.rules.cards import ascii_text

__all__ = ["DONE", "ROWS", "Failed", "Journal", "Record", "State", "journal_path", "read"]

#: The number of failures kept for the summary.
KEPT = 5
#: Stages of a run: answer the rows; answer failed rows again, either those with a transient
#: failure (``AGAIN``) or all (``RETRY``); complete.
ROWS, AGAIN, RETRY, DONE = "rows", "again", "retry", "done"
#: The row number of totals over all flops, among failures.
TOTAL = -1
#: The sums of a match-up before its first flop.
NO_SUMS: Mapping[str, Any] = {"flops": 0, "deals": 0, "sampled": 0, "tally": []}
#: The checksum before the first line; change it with the format.
_SEED = zlib.crc32(b"equity journal 3")


@dataclass
class State:
    """The progress of a run."""

    stage: str = ROWS
    #: Rows of the input done in this stage.
    rows: int = 0
    #: Size and SHA-256 of the file with their answers; of the output once it is complete.
    size: int = 0
    digest: str = hashlib.sha256().hexdigest()
    #: Rows of the output, without totals.
    records: int = 0
    failed: int = 0
    #: The first failures: the number of the row, its place in the input, and the message.
    failures: list[tuple[int, str, str]] = field(default_factory=list)
    #: Rows without results by combo.
    no_combos: int = 0
    #: Rows with a notice.
    noticed: int = 0
    #: The sums of match-ups over their flops, by the number of the match-up.
    sums: dict[str, Any] = field(default_factory=dict)
    #: Whether the output has its final name and temporary files are removed.
    is_settled: bool = True

    def next_stage(self, stage: str) -> State:
        """The state at the start of another stage; some counts go on."""
        return State(stage, no_combos=self.no_combos, noticed=self.noticed, sums=self.sums)

    def add(self, other: State) -> None:
        """Add the counts, failures and sums of the rows that follow."""
        for name in ("rows", "records", "failed", "no_combos", "noticed"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.failures = (self.failures + other.failures)[:KEPT]
        for matchup, sums in other.sums.items():
            self.add_sums(matchup, sums)

    def add_sums(self, matchup: str, sums: Mapping[str, Any]) -> None:
        """Add the sums of one or more flops to those of their match-up."""
        mine = self.sums.setdefault(matchup, dict(NO_SUMS))
        for name in ("flops", "deals", "sampled"):
            mine[name] += sums[name]
        if not mine["tally"]:
            mine["tally"] = list(sums["tally"])
        elif sums["tally"]:
            mine["tally"] = [a + b for a, b in zip(mine["tally"], sums["tally"], strict=True)]

    def note_failure(self, number: int, place: str, problem: str) -> None:
        """Count a failed row."""
        self.failed += 1
        if len(self.failures) < KEPT:
            self.failures.append((number, place, problem))

    def note_totals(self, problems: Iterable[str]) -> None:
        """Count failed totals over all flops."""
        for problem in problems:
            self.note_failure(TOTAL, "all flops", problem)


class Failed(list[list[int]]):
    """The failed rows, as runs of consecutive rows.

    A run is the number of its first row, the index of that row in the output, the number of
    rows, and whether the failure is transient.  A failed row is one row of the output.
    """

    def add(self, number: int, record: int, count: int = 1, transient: int = False) -> None:
        """Append a run of rows."""
        if self:
            first, begin, before, kind = self[-1]
            if (first + before, begin + before, kind) == (number, record, transient):
                self[-1][2] += count
                return
        self.append([number, record, count, transient])

    def add_all(self, runs: Iterable[list[int]], shift: int = 0) -> None:
        """Append runs, with indices that begin at ``shift``."""
        for number, record, count, transient in runs:
            self.add(number, record + shift, count, transient)

    def rows(self) -> Iterator[tuple[int, int, int]]:
        """Yield for each row its number, its index in the output, and whether it is transient."""
        for first, begin, count, transient in self:
            for step in range(count):
                yield first + step, begin + step, transient

    def numbers(self, stage: str) -> Iterator[int]:
        """The numbers of the rows that a stage answers again."""
        return (number for number, _, transient in self.rows() if transient or stage == RETRY)


class Record(NamedTuple):
    """The content of a journal."""

    head: dict[str, Any]
    state: State
    #: The state when the run was complete; None if it never was.
    done: State | None
    #: The rows that failed.
    failed: Failed
    #: Size and checksum of its intact lines.
    size: int
    checksum: int


def journal_path(output: Path) -> Path:
    """The path of the journal of an output."""
    return output.with_name(f"{output.name}.journal")


def _lines(file: BinaryIO) -> Iterator[tuple[dict[str, Any], int, int]]:
    """Yield the intact lines, with the size and checksum up to each."""
    size, checksum = 0, _SEED
    for line in file:
        given, _, text = line.removesuffix(b"\n").partition(b" ")
        checksum = zlib.crc32(text, checksum)
        if not line.endswith(b"\n") or given != b"%08x" % checksum:
            return
        size += len(line)
        yield json.loads(text), size, checksum


def read(path: Path) -> Record:
    """Read a journal.

    Raises ``BatchError`` if the file does not begin with the head of a journal.
    """
    state, done = State(), None
    sums: dict[str, Any] = {}
    failed = Failed()
    with path.open("rb") as file:
        lines = _lines(file)
        head, size, checksum = next(lines, (None, 0, 0))
        if head is None:
            raise BatchError(
                f"{ascii_text(str(path))} is not the journal of a run",
                hint="start over with --force",
            )
        for value, size, checksum in lines:  # noqa: B007 - those of the last line
            failed.add_all(value.pop("failed_rows"))
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
    """A journal, locked so that only this run writes to it."""

    def __init__(self, path: Path) -> None:
        """Lock and read a journal; create an empty one if there is none.

        Raises ``OutputError`` if another run has locked it.
        """
        self.path = path
        #: The rows that failed since the last checkpoint.
        self.failed = Failed()
        # Append mode does not truncate the file.
        while not _is_at(path, file := _locked(path, "a+b")):
            # Another run replaced or removed the file before it was locked.
            file.close()
        self._file = file
        self._checksum = _SEED
        #: Whether the file was new or empty.
        self.is_blank = os.fstat(file.fileno()).st_size == 0
        #: Its content when it was opened; None if the file is not a journal.
        self.record: Record | None = None
        with suppress(BatchError):
            self.record = read(path)

    def go_on(self) -> None:
        """Continue after the last intact line."""
        assert self.record is not None  # noqa: S101 - a journal is read before it is resumed
        self._file.truncate(self.record.size)
        self._checksum = self.record.checksum

    def checkpoint(self, state: State, sums: Mapping[str, Any]) -> None:
        """Append a checkpoint: the state, the changed sums and the new failed rows."""
        failed, self.failed = self.failed, Failed()
        self._append(_content(state, sums, failed))
        os.fsync(self._file.fileno())

    def conclude(self, state: State, failed: Failed | None = None) -> None:
        """Replace all checkpoints by the final state; ``failed`` replaces the failed rows."""
        record = read(self.path)
        if failed is None:
            failed = record.failed
            failed.add_all(self.failed)
        self.failed = Failed()
        self.renew(record.head, _content(state, state.sums, failed))

    def renew(self, *values: Mapping[str, Any]) -> None:
        """Replace all lines by these, atomically."""
        new = self.path.with_name(f"{self.path.name}.tmp")
        old, self._file = self._file, _locked(new, "w+b")
        old_checksum, self._checksum = self._checksum, _SEED
        try:
            for value in values:
                self._append(value)
            os.fsync(self._file.fileno())
            if os.name == "nt":  # open files cannot be renamed or replaced there
                self._file.close()
                old.close()
            # The new file is locked before it gets its name.
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
        """Unlock the journal; remove it if it is empty."""
        if os.fstat(self._file.fileno()).st_size == 0:
            self.path.unlink(missing_ok=True)
        self._file.close()


def _content(state: State, sums: Mapping[str, Any], failed: Failed) -> dict[str, Any]:
    return {**vars(state), "sums": sums, "failed_rows": failed}


def _is_at(path: Path, file: FileIO) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False


def _locked(path: Path, mode: str) -> FileIO:
    """Open a file and lock it, where the system can do that, until it is closed.

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
