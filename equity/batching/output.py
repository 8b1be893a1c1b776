"""Outputs of a run: files with a journal beside them, and streams."""

from __future__ import annotations

import os
import stat
import sys
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

from equity.batching.errors import HINT, BatchError, explained
from equity.batching.fingerprint import Inputs, changes, file_digest, hash_stream
from equity.batching.formats import Format, read_json_lines
from equity.batching.journal import (
    AGAIN,
    DONE,
    KEPT,
    RETRY,
    ROWS,
    TOTAL,
    Failed,
    Journal,
    Record,
    State,
    read,
    sync_folder,
)
from equity.rules.cards import ascii_text

__all__ = ["FileOutput", "StreamOutput", "is_stream"]


class _Rows:
    """A file that rows are appended to, with the digest of its content."""

    def __init__(self, path: Path, size: int, digest: str) -> None:
        """Continue after ``size`` bytes, which must match the digest; 0 creates the file."""
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
        """Flush the file to disk; return its size and digest."""
        os.fsync(self._file.fileno())
        return self._file.tell(), self._hash.hexdigest()

    def close(self) -> None:
        self._file.close()


def _differs(path: Path) -> BatchError:
    return BatchError(
        f"{ascii_text(str(path))} is not what the run wrote: it was changed, truncated or removed",
        hint="start over with --force",
    )


class FileOutput:
    """An output file with a journal beside it, locked against other runs.

    No file is changed before :meth:`begin`.

    A symbolic link is followed.  ``head`` is the fingerprint of the run; ``inputs`` must not be
    overwritten.  ``resume`` continues an earlier run, ``retry`` answers its failed rows again,
    which needs an earlier run unless ``resume`` is set, and ``force`` starts over.

    Raises ``BatchError`` if the output exists, or belongs to a run with another fingerprint;
    ``OutputError`` if another run is writing to the output.
    """

    def __init__(
        self,
        name: str,
        table: Format,
        head: Mapping[str, Any],
        inputs: Inputs,
        *,
        resume: bool = False,
        retry: bool = False,
        force: bool = False,
    ) -> None:
        # A symbolic link shares the journal of the file it points to.
        self.path = Path(os.path.realpath(name) if os.path.islink(name) else name)
        self.name = ascii_text(name)
        self.table = table
        self.head = head
        #: The file that rows are appended to during the run.
        self.data = self._beside(".rows.jsonl") if table.at_end else self.path
        #: Answers of a retry, and the new output that will replace this one.
        self.retried, self.new = self._beside(".retry"), self._beside(".new")
        self.state = State()
        self._rows: _Rows | None = None
        journals = [self._beside(".journal"), self._beside(".journal.tmp")]
        if found := inputs.find([*journals, *self._own]):
            raise BatchError(
                f"{ascii_text(found)} is an input; the results or their journal would overwrite it",
                place="output",
                hint="name another output",
            )
        with explained(self.name):
            self.journal = Journal(journals[0])
        try:
            #: Whether the run starts from the first row.
            self.is_new = force or not self._check(resume, retry)
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
        """The files that a run creates, and may overwrite once it has begun."""
        return [self.path, self.data, self.retried, self.new, self._beside(".new.tmp")]

    def _check(self, resume: bool, retry: bool) -> bool:
        """Whether there is a run to continue; raise an error for files that must not be touched."""
        record = self.journal.record
        there = next(filter(Path.exists, self._own), None)
        if record and record.done is record.state and not there:
            # The results were deleted; their journal is void.
            return False
        if (resume or retry) and record:
            if said := changes(record.head, self.head):
                raise BatchError(
                    f"the earlier run is a different one, with changes in {said}",
                    place="resume",
                    hint="repeat it unchanged, or start over with --force",
                )
            return True
        is_blank = self.journal.is_blank
        if (resume or retry) and (there or not is_blank):
            what = "has no journal, so it is unknown which run wrote it"
            if not is_blank:
                there, what = self.journal.path, "is not the journal of a run"
            raise BatchError(f"{ascii_text(str(there))} {what}", hint="start over with --force")
        if retry and not resume:
            raise BatchError(
                "there is no earlier run", place=self.name, hint="leave out --retry-failed"
            )
        if there or not is_blank:
            is_done = record is None or record.done is not None
            place = self.name if there in (None, self.path) else ascii_text(str(there))
            hint = "--resume continues it, --force starts over"
            raise BatchError(
                "it exists already" if there else "it has an unfinished run",
                place=place,
                hint="--force overwrites it" if is_done else hint,
            )
        return False

    def _find_done(self, done: State) -> Path:
        """The path of the complete output, which may not be renamed yet."""
        for path in (self.path, self.new):
            if path.exists() and file_digest(path) == (done.size, done.digest):
                return path
        raise _differs(self.path)

    def to_retry(self, stage: str) -> bool:
        """Whether a retry is under way, or there are rows for this stage to retry."""
        if self.is_new or self.state.stage in (AGAIN, RETRY):
            return not self.is_new
        return any(True for _ in read(self.journal.path).failed.numbers(stage))

    def begin(self) -> None:
        """Start the run, or open the files of the one to continue."""
        with explained(self.name, HINT):
            if self.is_new:
                record = self.journal.record
                if record and not (record.done is record.state and record.state.is_settled):
                    self._remove_extras()
                self.journal.renew(self.head)
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
        """Start a retry, unless one is under way; return the numbers of all its rows."""
        if self.state.stage == DONE:
            for path in self._own[1:]:
                if path != self.path and path.exists():
                    raise BatchError("it exists already", place=ascii_text(str(path)))
            self.state = self.state.next_stage(stage)
            with explained(self.name, HINT):
                # The checkpoint comes first; it proves that the file is ours.
                self.journal.checkpoint(self.state, {})
                if self._rows is not None:
                    self._rows.close()
                self._rows = _Rows(self.retried, 0, self.state.digest)
        return array("q", read(self.journal.path).failed.numbers(self.state.stage))

    def note_failed(self, failed: Failed) -> None:
        """Record the failed ones of the next rows."""
        if self.state.stage == ROWS:
            self.journal.failed.add_all(failed, self.state.records)

    def write(self, text: bytes) -> None:
        """Append rows; the next checkpoint makes them safe."""
        assert self._rows is not None  # noqa: S101 - nothing is written before begin
        with explained(self.name, HINT):
            self._rows.write(text)

    def checkpoint(self, sums: Mapping[str, Any]) -> None:
        """Flush everything written so far to disk, and record the state in the journal."""
        assert self._rows is not None  # noqa: S101 - nothing is written before begin
        with explained(self.name, HINT):
            self.state.size, self.state.digest = self._rows.sync()
            self.journal.checkpoint(self.state, sums)

    def finish(self, totals: str, problems: Sequence[str]) -> None:
        """Append the totals over all flops and the errors of some; complete the output."""
        assert self._rows is not None  # noqa: S101 - nothing is finished before begin
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
        assert record.done is not None  # noqa: S101 - a retry follows a complete run
        done = record.done
        spliced = self._spliced(record, done.records, still)
        self.table.write(chain(spliced, self.table.parse(totals)), self.new)
        failures = {failure[0]: failure for failure in done.failures}
        for number in chain([TOTAL], record.failed.numbers(state.stage)):
            failures.pop(number, None)
        failures |= {failure[0]: failure for failure in state.failures}
        state.rows, state.records = done.rows, done.records + state.records - state.rows
        state.failed = sum(count for _, _, count, _ in still)
        state.failures = sorted(failures.values())[:KEPT]
        state.note_totals(problems)
        self._replace(still)

    def _spliced(self, record: Record, count: int, still: Failed) -> Iterator[Any]:
        """Yield the records of the output, with new answers in the places of failed rows.

        ``still`` receives the rows that fail again.
        """
        old, again = self.table.read(self.path), read_json_lines(self.retried)
        at = shift = 0
        answer = next(again, None)
        for number, place, transient in record.failed.rows():
            if answer is None or answer[0] != number:
                still.add(number, place + shift, transient=transient)
                continue
            _, text, problem, records, is_transient = answer
            yield from islice(old, place - at)
            next(old)
            at = place + 1
            yield from self.table.parse(text)
            if problem:
                still.add(number, place + shift, transient=is_transient)
            shift += records - 1
            answer = next(again, None)
        yield from islice(old, count - at)

    def fill(self, records: Iterable[Any], state: State, failed: Failed) -> None:
        """Write a complete output from the records of others."""
        with explained(self.name):
            self.table.write(records, self.new)
            self.journal.renew(self.head)
            self.state = state
            self._replace(failed)

    def _replace(self, failed: Failed | None = None) -> None:
        """Replace the output by the new file, which completes it."""
        if self._rows is not None:
            self._rows.close()
        self.state.size, self.state.digest = file_digest(self.new)
        self.state.stage, self.state.is_settled = DONE, False
        self.journal.conclude(self.state, failed)
        self._settle()

    def _settle(self) -> None:
        """Rename a complete output to its final name, and remove temporary files."""
        if self.state.is_settled:
            return
        if self._find_done(self.state) == self.new:
            os.replace(self.new, self.path)
        self._remove_extras()
        sync_folder(self.path)
        self.state.is_settled = True
        self.journal.conclude(self.state)

    def _remove_extras(self) -> None:
        """Remove the temporary files of a run that is known from its journal."""
        for path in self._own[1:]:
            if path != self.path and path.exists():
                path.unlink()

    def close(self) -> None:
        """Close the files; the run can be resumed."""
        if self._rows is not None:
            self._rows.close()
        self.journal.close()


def is_stream(name: str) -> bool:
    """Whether an output is standard output, a pipe or a device."""
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
    """A stream of rows, without a journal."""

    def __init__(self, name: str, table: Format) -> None:
        self.name = ascii_text(name)
        self.state = State()
        self.is_new = True
        self._path = name
        self._header = table.header
        self._file: Any = None

    def begin(self) -> None:
        """Open the stream, and write the header."""
        with explained(self.name):
            # Unbuffered: after a failed write nothing is left to flush.
            self._file = (
                getattr(sys.stdout.buffer, "raw", sys.stdout.buffer)
                if self._path == "-"
                else Path(self._path).open("wb", buffering=0)  # noqa: SIM115 - see close
            )
        self.write(self._header)

    def to_retry(self, stage: str) -> bool:  # noqa: ARG002 - as in FileOutput
        """A stream has no retries."""
        return False

    def note_failed(self, failed: Failed) -> None:
        """A stream has no retries."""

    def write(self, text: bytes) -> None:
        """Write rows."""
        with explained(self.name):
            while text:
                text = text[self._file.write(text) :]
            self._file.flush()

    def checkpoint(self, sums: Mapping[str, Any]) -> None:
        """A stream has no checkpoints."""

    def finish(self, totals: str, problems: Sequence[str]) -> None:
        """Write the totals over all flops."""
        self.write(totals.encode())
        self.state.note_totals(problems)
        self.state.stage = DONE

    def close(self) -> None:
        """Close the stream, unless it is standard output."""
        if self._file is not None and self._path != "-":
            self._file.close()
