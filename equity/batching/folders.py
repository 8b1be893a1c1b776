"""Folders of files beside the output, one for a row: results by combo, pictures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from equity.batching.errors import BatchError
from equity.batching.journal import write_whole
from equity.batching.output import HINT, explained
from equity.batching.rows import Answered
from equity.cards import ascii_text

__all__ = ["Folder"]


class Folder(NamedTuple):
    """A folder with a file for each row that has something for it: ``1.csv``, ``2.csv``."""

    path: Path
    #: Of its files.
    ending: str
    #: What it is for, for messages.
    place: str
    #: What stands in the file of a row; nothing if it has none.
    content: Callable[[Answered], bytes]

    def prepare(self, part: range, done: int, *, is_ours: bool) -> None:
        """Make the folder, with none of the files that are to come.

        Parameters
        ----------
        part:
            The numbers of the rows of a run, from 0.
        done:
            How many of them are safe.
        is_ours:
            Whether files that are there may be overwritten.

        Raises
        ------
        BatchError
            They may not, or there can be no such folder.
        """
        try:
            self.path.mkdir(exist_ok=True)
            stems = [path.stem for path in self.path.glob(f"*{self.ending}")]
        except OSError as error:
            raise BatchError(
                f"{ascii_text(str(self.path))}: {error.strerror}", place=self.place
            ) from None
        numbers = sorted(int(stem) - 1 for stem in stems if stem.isdecimal())
        numbers = [number for number in numbers if number in part]
        if done == 0 and numbers and not is_ours:
            raise BatchError(
                f"{ascii_text(str(self._file(numbers[0])))} is there already",
                place=self.place,
                hint="--force overwrites it",
            )
        for number in numbers:
            # What was written behind the last checkpoint is written again.
            if number >= part.start + done:
                self._file(number).unlink()

    def _file(self, number: int) -> Path:
        return self.path / f"{number + 1}{self.ending}"

    def write(self, number: int, answered: Answered) -> None:
        """Write the file of a row, if it has something for it."""
        if content := self.content(answered):
            path = self._file(number)
            with explained(ascii_text(str(path)), HINT):
                write_whole(path, content)
