"""Folders of files beside the output, one for a row: results by combo, pictures."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from equity.batching.errors import HINT, BatchError, explained
from equity.batching.fingerprint import Inputs
from equity.batching.journal import atomic_write, sync_folder
from equity.batching.rows import Answered
from equity.rules.cards import ascii_text

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

    def prepare(self, part: range, inputs: Inputs, output: str, *, is_ours: bool) -> None:
        """Make the folder, and see that no file of it is lost.

        Parameters
        ----------
        part:
            The numbers of the rows of a run, from 0.
        inputs, output:
            What may not be overwritten in any case.
        is_ours:
            Whether other files may be: by force, or because the run that is gone on
            with has found none when it began.

        Raises
        ------
        BatchError
            A file of a row is there already, or there can be no such folder.
        """
        try:
            self.path.mkdir(exist_ok=True)
            stems = [path.stem for path in self.path.glob(f"*{self.ending}")]
        except OSError as error:
            raise BatchError(
                f"{ascii_text(str(self.path))}: {error.strerror}", place=self.place
            ) from None
        numbers = sorted(int(stem) - 1 for stem in stems if stem.isdecimal())
        there = (self._file(number) for number in numbers if number in part)
        first = next((path for path in there if path.exists()), None)
        for name in (*inputs.names, output):
            if self._has(name, part):
                raise BatchError(
                    f"{ascii_text(name)} would be overwritten",
                    place=self.place,
                    hint="name another folder",
                )
        if first and not is_ours:
            raise BatchError(
                f"{ascii_text(str(first))} is there already",
                place=self.place,
                hint="--force overwrites it",
            )

    def _has(self, name: str, part: range) -> bool:
        """Whether this is the file of one of these rows."""
        name = name.removesuffix(".tmp")
        paths = map(Path, (os.path.abspath(name), os.path.realpath(name)))
        return any(
            path.suffix == self.ending
            and path.stem.isdecimal()
            and int(path.stem) - 1 in part
            and path.parent.is_dir()
            and path.parent.samefile(self.path)
            for path in paths
        )

    def _file(self, number: int) -> Path:
        return self.path / f"{number + 1}{self.ending}"

    def write(self, number: int, answered: Answered) -> None:
        """Write the file of a row; there is none if it has nothing for it."""
        path, content = self._file(number), self.content(answered)
        with explained(ascii_text(str(path)), HINT):
            if content:
                with atomic_write(path) as unfinished:
                    unfinished.write_bytes(content)
                sync_folder(path)
            elif path.exists():
                path.unlink()
