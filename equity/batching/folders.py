"""Folders with a file per row: results by combo, pictures."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from equity.batching.errors import HINT, BatchError, explained
from equity.batching.fingerprint import Inputs
from equity.batching.journal import atomic_write, sync_folder
from equity.rules.cards import ascii_text

__all__ = ["Folder"]


class Folder(NamedTuple):
    """A folder with a file per row: ``1.csv``, ``2.csv`` and so on."""

    path: Path
    #: The ending of its files.
    ending: str
    #: Its name in messages.
    place: str
    #: The field of :class:`~equity.batching.rows.Answered` with the content of its files.
    field: str

    def prepare(self, part: range, inputs: Inputs, output: str, *, is_ours: bool) -> None:
        """Create the folder, and check that no file is overwritten.

        ``part`` are the rows of the run.  Other files may be overwritten if it ``is_ours``:
        with ``--force``, or if the run that is resumed created them; ``inputs`` and
        ``output`` never.
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
                f"{ascii_text(str(first))} exists already",
                place=self.place,
                hint="--force overwrites it",
            )

    def _has(self, name: str, part: range) -> bool:
        """Whether a path is the file of one of these rows."""
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

    def write(self, number: int, content: bytes) -> None:
        """Write the file of a row, or remove it if there is no content."""
        path = self._file(number)
        with explained(ascii_text(str(path)), HINT):
            if content:
                with atomic_write(path) as unfinished:
                    unfinished.write_bytes(content)
                sync_folder(path)
            elif path.exists():
                path.unlink()
