"""Where the rows of a run go: a file with a journal beside it, or a stream."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from io import FileIO
from pathlib import Path
from typing import Any, NamedTuple

from equity.batching.columns import Column
from equity.batching.errors import BatchError, OutputError
from equity.batching.heads import changes
from equity.batching.journal import Journal, State, journal_path, read
from equity.batching.writing import FORMATS, read_json_lines
from equity.cards import ascii_text

__all__ = [
    "HINT",
    "FileOutput",
    "Opening",
    "StreamOutput",
    "explained",
    "find_output",
    "is_stream",
]


#: What helps when there is no room for more.
HINT = "free some space; --resume goes on from what is safe"


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


@contextmanager
def explained(name: str, hint: str = "") -> Iterator[None]:
    """Say what could not be written."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(
            f"cannot write: {error.strerror or error}", place=name, hint=hint
        ) from None


def data_path(path: Path, format_name: str) -> Path:
    """Where rows are written while there may be more of them."""
    return path.with_name(f"{path.name}.rows.jsonl") if FORMATS[format_name].at_end else path


class StreamOutput:
    """Rows go to a stream, and nothing is kept."""

    def __init__(self, name: str, begin: bytes) -> None:
        self.name = ascii_text(name)
        self.state = State()
        with explained(self.name):
            # Without a buffer, so that nothing is left in one that cannot be written.
            self._file: Any = (
                getattr(sys.stdout.buffer, "raw", sys.stdout.buffer)
                if name == "-"
                else Path(name).open("wb", buffering=0)  # noqa: SIM115 - see close
            )
        self._is_ours = name != "-"
        try:
            self.write(begin)
        except BaseException:
            self.close()
            raise

    def write(self, text: bytes) -> None:
        """Write rows."""
        with explained(self.name):
            while text:
                text = text[self._file.write(text) :]
            self._file.flush()

    def checkpoint(self, sums: Mapping[str, Any]) -> None:
        """Nothing can be gone on with."""

    def finish(self, *, keep_journal: bool) -> None:
        """Everything is written."""

    def close(self) -> None:
        """Leave the stream."""
        if self._is_ours:
            self._file.close()


class FileOutput:
    """Rows go to a file, with a journal beside it.

    Parameters
    ----------
    path:
        The output.
    format_name:
        A name of :data:`~equity.batching.writing.FORMATS`.
    columns:
        Of all rows.
    begin:
        What stands before the first row.
    journal:
        New, or that of the run that is gone on with.
    """

    def __init__(
        self,
        path: Path,
        format_name: str,
        columns: Sequence[Column],
        begin: bytes,
        journal: Journal,
    ) -> None:
        self.path = path
        self.name = ascii_text(str(path))
        self.columns = columns
        self.journal = journal
        self.state = journal.state
        self.format = FORMATS[format_name]
        self.at_end = self.format.at_end
        self.data = data_path(path, format_name)
        #: Whether rows have been put into their format, and nothing is left of them.
        self._is_made = False
        self._file: FileIO | None = None
        with explained(self.name):
            self._open(begin)

    def _open(self, begin: bytes) -> None:
        size = self.state.size
        is_there = self.data.exists()
        if size == 0:
            self._file = self.data.open("wb", buffering=0)
            try:
                self._write(begin)
            except BaseException:
                self._file.close()
                raise
            return
        if self.at_end and not is_there and self.path.exists() and self.state.is_done:
            self._is_made = True
            return
        if not is_there or self.data.stat().st_size < size:
            raise BatchError(
                f"{ascii_text(str(self.data))} is shorter than its journal says",
                hint="--force begins again",
            )
        self._file = self.data.open("r+b", buffering=0)
        self._file.truncate(size)
        self._file.seek(size)

    def _write(self, text: bytes) -> None:
        assert self._file is not None  # noqa: S101 - what is made is not written to
        while text:
            text = text[self._file.write(text) :]

    def write(self, text: bytes) -> None:
        """Write rows; they are safe at the next checkpoint."""
        with explained(self.name, HINT):
            self._write(text)

    def checkpoint(self, sums: Mapping[str, Any]) -> None:
        """Make everything written so far safe, and say so in the journal."""
        assert self._file is not None  # noqa: S101 - what is made is not written to
        with explained(self.name, HINT):
            os.fsync(self._file.fileno())
            self.state.size = self._file.tell()
            self.journal.checkpoint(sums)

    def finish(self, *, keep_journal: bool) -> None:
        """Everything is written and safe: put it into its format, and end the journal."""
        with explained(self.name, HINT):
            if self.at_end and not self._is_made:
                self.format.module.write(self.columns, read_json_lines(self.data), self.path)
                self.data.unlink()
            if not keep_journal:
                self.journal.remove()

    def close(self) -> None:
        """Leave everything as it is, to be gone on with."""
        if self._file is not None:
            self._file.close()
        self.journal.close()


class Opening(NamedTuple):
    """An output that may be opened."""

    #: Rows that are in it already.
    rows: int
    open: Callable[[], FileOutput | StreamOutput]


def find_output(
    name: str,
    format_name: str,
    columns: Sequence[Column],
    head: Mapping[str, Any],
    *,
    resume: bool,
    force: bool,
) -> Opening | None:
    """The output of a run, to be begun or gone on with; None if it is complete.

    Nothing is changed before it is opened.

    Raises
    ------
    BatchError
        It is there already, or it is that of another run.
    """
    begin = FORMATS[format_name].header(columns)
    if is_stream(name):
        return Opening(0, partial(StreamOutput, name, begin))
    path = Path(name)
    beside = journal_path(path)
    has_journal = beside.exists()
    if resume and has_journal:
        rows = _check_unfinished(path, format_name, head)
        make = partial(Journal.resume, beside)
    elif resume and path.exists():
        rows = None
    elif force or not (path.exists() or has_journal):
        rows, make = 0, partial(Journal.begin, beside, head)
    else:
        there = "is there already" if path.exists() else "an unfinished run of it is there"
        hint = "--resume goes on, --force begins again" if has_journal else "--force overwrites it"
        raise BatchError(there, place=ascii_text(name), hint=hint)
    if rows is None:
        return None
    return Opening(rows, partial(_beside, make, path, format_name, columns, begin))


def _check_unfinished(path: Path, format_name: str, head: Mapping[str, Any]) -> int | None:
    """The rows that are done of a run to be gone on with; None if it is complete."""
    before, state, _ = read(journal_path(path))
    said = changes(before, head)
    if said:
        raise BatchError(
            f"the run to go on with was another one: changed is {said}",
            place="resume",
            hint="run it as before, or begin again with --force",
        )
    is_part = head["shard"] is not None
    is_made = not (FORMATS[format_name].at_end and data_path(path, format_name).exists())
    if is_part and state.is_done and is_made and path.exists():
        return None
    return state.rows


def _beside(
    make: Callable[[], Journal],
    path: Path,
    format_name: str,
    columns: Sequence[Column],
    begin: bytes,
) -> FileOutput:
    """The output that a journal stands beside."""
    with explained(ascii_text(str(path))):
        journal = make()
    try:
        return FileOutput(path, format_name, columns, begin, journal)
    except BaseException:
        journal.close()
        raise
