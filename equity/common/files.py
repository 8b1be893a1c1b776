"""Reading of files that are named by users, or by tables of other people."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

__all__ = ["read_file"]


def read_file(path: str | Path, most: int) -> bytes:
    """The content of a regular file of at most ``most`` bytes.

    A device or a pipe may never end, or never begin; so they are not even waited for.

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
