"""The file that the rows of a run go to, with its journal beside it."""

from __future__ import annotations

import os
import stat
import sys
from array import array
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from equity.batching.errors import HINT, BatchError, explained
from equity.batching.fingerprint import Inputs, changes, file_digest, hash_stream
from equity.batching.journal import (
    AGAIN,
    DONE,
    KEPT,
    RETRY,
    ROWS,
    TOTAL,
    Failed,
    Journal,
    State,
    read,
    sync_folder,
)
from equity.batching.records import Results, Retried, splice
from equity.batching.writing import read_json_lines
from equity.rules.cards import ascii_text

__all__ = ["FileOutput", "StreamOutput", "is_stream"]


class _Rows:
    """A file that rows are appended to, with the digest of all that is in it."""

    def __init__(self, path: Path, size: int, digest: str) -> None:
        """Go on behind so many bytes, which must be those of the digest; begin for 0."""
        try:
            self._file = path.open("r+b" if size else "wb", buffering=0)
        except FileNotFoundError:
            raise _differs(path) from None
        try:
            self._hash = hash_stream(self._file, size)
            if self._file.tell() != size or self._hash.hexdigest() != digest:
                raise _differs(path)
            self._file.truncate(size)
        except BaseException:
            self._file.close()
            raise

    def write(self, text: bytes) -> None:
        while text:
            done = self._file.write(text)
            self._hash.update(text[:done])
            text = text[done:]

    def sync(self) -> tuple[int, str]:
        """Have all of it on the disk; its size and digest."""
        os.fsync(self._file.fileno())
        return self._file.tell(), self._hash.hexdigest()

    def close(self) -> None:
        self._file.close()


def _differs(path: Path) -> BatchError:
    return BatchError(
        f"{ascii_text(str(path))} is not what the run wrote: it was changed, cut or removed",
        hint="--force begins again",
    )


class FileOutput:
    """Rows go to a file, with a journal beside it; no other run may write to it.

    Nothing is changed before :meth:`begin`.

    Parameters
    ----------
    name:
        The path of the output; a symbolic link is followed.
    table:
        How rows are written.
    head:
        What the run is.
    inputs:
        What may not be overwritten.
    resume, force:
        Whether to go on with a run that is there, or to begin again.
    wants_run:
        Whether there must be a run to go on with.

    Raises
    ------
    BatchError
        It is there already, or it is that of another run.
    OutputError
        Another run is writing to it.
    """

    def __init__(
        self,
        name: str,
        table: Results,
        head: Mapping[str, Any],
        inputs: Inputs,
        *,
        resume: bool = False,
        force: bool = False,
        wants_run: bool = False,
    ) -> None:
        # All names of a file share a journal, which stands beside the file itself.
        self.path = Path(os.path.realpath(name) if os.path.islink(name) else name)
        self.name = ascii_text(name)
        self.table = table
        self.head = head
        #: Where rows are written while there may be more of them.
        self.data = self._beside(".rows.jsonl") if table.at_end else self.path
        #: Rows that are answered again, and an output that is to take the place of this one.
        self.retried, self.new = self._beside(".retry"), self._beside(".new")
        self.state = State()
        self._rows: _Rows | None = None
        journals = [self._beside(".journal"), self._beside(".journal.tmp")]
        if found := inputs.find([*journals, *self._own]):
            raise BatchError(
                f"{ascii_text(found)} is an input, which the results or their journal "
                "would overwrite",
                place="output",
                hint="name another output",
            )
        with explained(self.name):
            self.journal = Journal(journals[0])
        try:
            #: Whether there is nothing to go on with.
            self.is_new = force or not self._check(resume, wants_run)
            record = self.journal.record
            if record and not self.is_new:
                self.state = record.state
                if record.done:
                    self._find_done(record.done)
        except BaseException:
            self.journal.close()
            raise

    def _beside(self, ending: str) -> Path:
        return self.path.with_name(self.path.name + ending)

    @property
    def _own(self) -> list[Path]:
        """The files that a run makes, and may overwrite once it has begun."""
        return [self.path, self.data, self.retried, self.new, self._beside(".new.tmp")]

    def _check(self, resume: bool, wants_run: bool) -> bool:
        """Whether there is a run to go on with; an error for all that must not be touched."""
        record = self.journal.record
        there = next(filter(Path.exists, self._own), None)
        if record and record.done is record.state and not there:
            # The results were removed, and the record of them tells nothing any more.
            return False
        if resume and record:
            if said := changes(record.head, self.head):
                raise BatchError(
                    f"the run to go on with was another one: changed is {said}",
                    place="resume",
                    hint="run it as before, or begin again with --force",
                )
            return True
        if resume and (there or not self.journal.is_blank):
            what = "has no journal, so nothing tells which run wrote it"
            if not self.journal.is_blank:
                there, what = self.journal.path, "is no journal of a run"
            raise BatchError(f"{ascii_text(str(there))} {what}", hint="--force begins again")
        if wants_run:
            raise BatchError(
                "there is no run of it", place=self.name, hint="leave out --retry-failed"
            )
        if there or not self.journal.is_blank:
            is_done = record is None or record.done is not None
            what = "is there already" if there else "an unfinished run of it is there"
            place = self.name if there in (None, self.path) else ascii_text(str(there))
            raise BatchError(
                what,
                place=place,
                hint="--force overwrites it"
                if is_done
                else "--resume goes on, --force begins again",
            )
        return False

    def _find_done(self, done: State) -> Path:
        """Where the complete output is: it may not have got its name yet."""
        for path in (self.path, self.new):
            if path.exists() and file_digest(path) == (done.size, done.digest):
                return path
        raise _differs(self.path)

    def to_retry(self, stage: str) -> bool:
        """Whether there are rows for a stage that answers rows again, or it is under way."""
        if self.is_new or self.state.stage in (AGAIN, RETRY):
            return not self.is_new
        return any(True for _ in read(self.journal.path).failed.rows(stage))

    def begin(self) -> None:
        """Begin the run, or open what is to be gone on with."""
        with explained(self.name, HINT):
            if self.is_new:
                record = self.journal.record
                if record and not (record.done is record.state and record.state.is_settled):
                    self._remove_extras()
                self.journal.begin(self.head)
                self.is_new = False
            else:
                self.journal.go_on()
            if self.state.stage == DONE:
                self._settle()
                return
            path = self.data if self.state.stage == ROWS else self.retried
            self._rows = _Rows(path, self.state.size, self.state.digest)
            if self.state.size == 0 and path == self.path:
                self._rows.write(self.table.header)

    def begin_retry(self, stage: str) -> Sequence[int]:
        """Go over to a stage that answers rows again, if none is under way.

        Returns the numbers of all its rows.
        """
        if self.state.stage == DONE:
            for path in self._own[1:]:
                if path != self.path and path.exists():
                    raise BatchError("is there already", place=ascii_text(str(path)))
            self.state = self.state.next_stage(stage)
            with explained(self.name, HINT):
                # First, so that the file is known to be ours.
                self.journal.checkpoint(self.state, {})
                if self._rows is not None:
                    self._rows.close()
                self._rows = _Rows(self.retried, 0, self.state.digest)
        return array("q", read(self.journal.path).failed.rows(self.state.stage))

    def note_failure(self, number: int, record: int, *, transient: bool) -> None:
        """Remember where a row that failed stands."""
        if self.state.stage == ROWS:
            self.journal.failed.add(number, record, transient=transient)

    def write(self, text: bytes) -> None:
        """Write rows; they are safe at the next checkpoint."""
        assert self._rows is not None  # noqa: S101 - nothing is written before begin
        with explained(self.name, HINT):
            self._rows.write(text)

    def checkpoint(self, sums: Mapping[str, Any]) -> None:
        """Make everything written so far safe, and say so in the journal."""
        assert self._rows is not None  # noqa: S101 - nothing is written before begin
        with explained(self.name, HINT):
            self.state.size, self.state.digest = self._rows.sync()
            self.journal.checkpoint(self.state, sums)

    def finish(self, totals: str, problems: Sequence[str], sums: dict[str, Any]) -> None:
        """Write the rows over all flops, and say in the journal that the output is complete.

        Parameters
        ----------
        totals:
            These rows, as lines.
        problems:
            What is wrong with some of them.
        sums:
            Of all match-ups.
        """
        assert self._rows is not None  # noqa: S101 - nothing is finished before begin
        self.state.sums = sums
        with explained(self.name, HINT):
            if self.state.stage != ROWS:
                self._finish_retry(totals, problems)
                return
            self._rows.write(totals.encode())
            self.state.note_totals(problems)
            if self.table.at_end:
                self.table.write(read_json_lines(self.data), self.new)
                self._replace()
            else:
                self.state.size, self.state.digest = self._rows.sync()
                self.state.stage = DONE
                self.journal.conclude(self.state)

    def _finish_retry(self, totals: str, problems: Sequence[str]) -> None:
        record, state, still = read(self.journal.path), self.state, Failed()
        assert record.done is not None  # noqa: S101 - rows are answered again when all are done
        done = record.done
        again = (Retried(*line) for line in read_json_lines(self.retried))
        old = self.table.read(self.path)
        spliced = splice(self.table, old, record, again, still)
        self.table.write(chain(spliced, self.table.parse(totals)), self.new)
        failures = {failure[0]: failure for failure in done.failures}
        for number in chain([TOTAL], record.failed.rows(state.stage)):
            failures.pop(number, None)
        failures |= {failure[0]: failure for failure in state.failures}
        state.rows, state.records = done.rows, done.records + state.records - state.rows
        state.failed = sum(1 for _ in still)
        state.failures = sorted(failures.values())[:KEPT]
        state.note_totals(problems)
        self._replace(still)

    def fill(self, records: Iterable[Any], state: State, failed: Failed) -> None:
        """Make a complete output of records that are there."""
        with explained(self.name):
            self.table.write(records, self.new)
            self.journal.begin(self.head)
            self.state = state
            self._replace(failed)

    def _replace(self, failed: Failed | None = None) -> None:
        """Have the new file in place of the output; it is complete then."""
        if self._rows is not None:
            self._rows.close()
        self.state.size, self.state.digest = file_digest(self.new)
        self.state.stage, self.state.is_settled = DONE, False
        self.journal.conclude(self.state, failed)
        self._settle()

    def _settle(self) -> None:
        """Give a complete output its name, and remove what it was made of."""
        if self.state.is_settled:
            return
        if self._find_done(self.state) == self.new:
            os.replace(self.new, self.path)
        self._remove_extras()
        sync_folder(self.path)
        self.state.is_settled = True
        self.journal.conclude(self.state)

    def _remove_extras(self) -> None:
        """Remove what an output is made of, of a run whose journal says that it is there."""
        for path in self._own[1:]:
            if path != self.path and path.exists():
                path.unlink()

    def close(self) -> None:
        """Leave everything as it is, to be gone on with."""
        if self._rows is not None:
            self._rows.close()
        self.journal.close()


def is_stream(name: str) -> bool:
    """Whether an output cannot be gone back to: standard output, a pipe, a device."""
    if name == "-":
        return True
    try:
        mode = os.stat(name).st_mode
    except OSError:
        return False
    if stat.S_ISDIR(mode):
        raise BatchError(f"{ascii_text(name)} is a folder", place="output", hint="name a file")
    return not stat.S_ISREG(mode)


class StreamOutput:
    """Rows go to a stream, and nothing is kept."""

    def __init__(self, name: str, table: Results) -> None:
        self.name = ascii_text(name)
        self.state = State()
        self.is_new = True
        self._path = name
        self._header = table.header
        self._file: Any = None

    def begin(self) -> None:
        """Open the stream, and write what stands before the first row."""
        with explained(self.name):
            # Without a buffer, so that nothing is left in one that cannot be written.
            self._file = (
                getattr(sys.stdout.buffer, "raw", sys.stdout.buffer)
                if self._path == "-"
                else Path(self._path).open("wb", buffering=0)  # noqa: SIM115 - see close
            )
        self.write(self._header)

    def to_retry(self, stage: str) -> bool:  # noqa: ARG002 - as for files
        """Nothing can be answered again."""
        return False

    def note_failure(self, number: int, record: int, *, transient: bool) -> None:
        """Nobody will ask where it stands."""

    def write(self, text: bytes) -> None:
        """Write rows."""
        with explained(self.name):
            while text:
                text = text[self._file.write(text) :]
            self._file.flush()

    def checkpoint(self, sums: Mapping[str, Any]) -> None:
        """Nothing can be gone on with."""

    def finish(self, totals: str, problems: Sequence[str], sums: object) -> None:  # noqa: ARG002
        """Write the rows over all flops."""
        self.write(totals.encode())
        self.state.note_totals(problems)
        self.state.stage = DONE

    def close(self) -> None:
        """Leave the stream."""
        if self._file is not None and self._path != "-":
            self._file.close()
