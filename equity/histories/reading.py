"""Files and folders of hands, read one hand at a time."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from glob import glob
from pathlib import Path

from equity.common.arguments import shown
from equity.errors import EquityError
from equity.histories.formats import FORMATS, format_at
from equity.histories.hand import Hand, Unread
from equity.histories.source import Source, open_lines

__all__ = ["HistoryError", "files_of", "hands", "read_hands", "read_lines"]

#: Lines that may stand between hands.
_BETWEEN = re.compile(r"[\ufeff\s]*(?:#.*|\*{5,}.*)?$")


class HistoryError(EquityError):
    """Hand histories that cannot be read."""


def _ignore(_: Unread) -> None:
    """Ignore what is not understood."""


def hands(
    paths: str | Path | Iterable[str | Path], *, report: Callable[[Unread], None] = _ignore
) -> Iterator[Hand]:
    """Yield the hands of the Omaha family in files and folders.

    Formats are known by their content: text of PokerStars and GGPoker and of what follows
    them, Open Hand History, and PHH.  One hand is in memory at a time.

    Parameters
    ----------
    paths:
        A file or folder, or several.
    report:
        Called with each :class:`~equity.histories.Unread` line: what is not understood.

    Raises
    ------
    HistoryError
        A file or folder cannot be read.

    Examples
    --------
    >>> for hand in equity.hands("session"):
    ...     if found := hand.all_in():
    ...         print(hand.id, found.street_name, found.expected)
    """
    if not callable(report):
        raise HistoryError(
            f"{shown(report)} is no function", place="report", hint="give print, say"
        )
    names = [paths] if isinstance(paths, str | os.PathLike) else _listed(paths)
    return (hand for hand in read_hands(files_of(names), report) if hand.game is not None)


def _listed(paths: Iterable[str | Path]) -> list[str | Path]:
    try:
        names = list(paths)
    except TypeError:
        names = [paths]  # type: ignore[list-item]
    for name in names:
        if not isinstance(name, str | os.PathLike):
            raise HistoryError(
                f"{shown(name)} is no path", place="paths", hint="give files or folders"
            )
    return names


def files_of(paths: Iterable[str | Path]) -> list[Path]:
    """The files of paths: folders with all they hold, in the order of their names.

    Raises
    ------
    HistoryError
        There is no such file, or a folder is empty.
    """
    found: list[Path] = []
    for name in paths:
        path = Path(name)
        if not str(name).strip():
            raise HistoryError("an empty path", place="hands", hint="give files or folders")
        try:
            if path.is_dir():
                inside = sorted(file for file in path.rglob("*") if _is_visible(file, path))
                if not inside:
                    raise HistoryError(f"{shown(str(path))} is an empty folder", place="hands")
                found += inside
            elif path.exists():
                found.append(path)
            elif matching := sorted(map(Path, glob(str(path), recursive=True))):
                # Where the shell does not expand a *.
                found += files_of(matching)
            else:
                raise HistoryError(
                    f"{shown(str(path))} is no file or folder",
                    place="hands",
                    hint="name files of hands, or a folder with such files",
                )
        except (OSError, ValueError) as error:
            if isinstance(error, HistoryError):
                raise
            reason = getattr(error, "strerror", None) or "it is no path"
            raise HistoryError(f"{shown(str(path))}: {reason}", place="hands") from None
    return found


def _is_visible(file: Path, folder: Path) -> bool:
    parts = file.relative_to(folder).parts
    return file.is_file() and not any(part.startswith(".") for part in parts)


def read_hands(paths: Iterable[Path], report: Callable[[Unread], None]) -> Iterator[Hand]:
    """Yield the hands of files, those of other games too, whose game is None.

    Raises
    ------
    HistoryError
        A file cannot be read.
    """
    for path in paths:
        try:
            yield from read_lines(Source(str(path), open_lines(path), report))
        except OSError as error:
            reason = error.strerror or str(error)
            raise HistoryError(
                f"{shown(str(path))} cannot be read: {reason}", place="hands"
            ) from None


def read_lines(source: Source) -> Iterator[Hand]:
    """Yield the hands of lines, and report lines that belong to none, once a place."""
    is_told = False
    while source.next is not None:
        known = format_at(source.next)
        if known is not None:
            at = source.number
            yield from known.hands(source)
            is_told = False
            if source.number > at:
                continue
        if not is_told and not _BETWEEN.fullmatch(source.next or ""):
            formats = ", ".join(one.name for one in FORMATS)
            source.unread(source.number, f"no hand begins here; known are {formats}", source.next)
            is_told = True
        source.advance()
