"""Files: bounded reading of those that others name, and files that appear whole."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["appears_whole", "read_file"]


@contextmanager
def appears_whole(path: Path) -> Iterator[Path]:
    """A path beside another one to write to; at the end it takes its place, or is removed."""
    unfinished = path.with_name(f"{path.name}.part")
    try:
        yield unfinished
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def read_file(path: str | Path, most: int) -> bytes:
    """Read a regular file of at most ``most`` bytes.

    Devices and pipes are refused without waiting: they may never end, or never begin.

    Raises
    ------
    OSError
        It cannot be read, is no regular file, or is larger.
    """
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file")
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most:,} bytes")
    return content
