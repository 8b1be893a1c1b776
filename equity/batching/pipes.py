"""Outputs that cannot be gone back to: standard output, pipes and devices."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from equity.batching.errors import BatchError, explained
from equity.batching.journal import DONE, State
from equity.batching.records import Results
from equity.rules.cards import ascii_text

__all__ = ["StreamOutput", "is_stream"]


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
