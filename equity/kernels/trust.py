"""Checks that no other user can have written to a folder or file.

The cache holds machine code, so whoever can write to it can run code as the user
who loads it.  A path is trusted if every folder on it, and the file itself, belongs
to this user or to root, and nobody else may write to it.  A folder such as ``/tmp``,
where others may create files but not rename ours (the sticky bit), may be on the path.

If all its parents are trusted, only this user and root can replace a folder.  So nothing
can change between the check of a path and its use.

Windows has no such owners and modes; there a path is used as it is.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

__all__ = ["UntrustedError", "make_folder", "read_file", "trusted_folder", "user_number"]

_ROOT = 0
#: Group and others may write.
_WRITABLE = 0o022
#: The number of symbolic links that Linux follows.
_MOST_LINKS = 40
#: A symbolic link is not followed, a FIFO is not waited for.
_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


class UntrustedError(Exception):
    """Another user can have written to a folder or file; the message says which and why."""


def trusted_folder(folder: Path) -> Path:
    """Check a folder and all its parents; those that do not exist yet pass.

    Returns
    -------
    Path
        The folder as an absolute path without symbolic links.

    Raises
    ------
    UntrustedError
        Another user can write to one of them, or one is a symbolic link.
    OSError
        The path leads through something that is no folder.
    """
    return _follow(folder, make=False)


def make_folder(folder: Path) -> Path:
    """Like :func:`trusted_folder`, but create missing folders, for this user alone."""
    return _follow(folder, make=True)


def read_file(path: Path, most: int) -> bytes:
    """The content of a file in a trusted folder, up to ``most`` bytes.

    The check is made on the open file, so that it cannot be replaced in between.

    Raises
    ------
    UntrustedError
        Another user can write to it, or it is no regular file.
    OSError
        It cannot be read.
    """
    try:
        descriptor = os.open(path, _FLAGS)
    except OSError:
        if path.is_symlink():
            raise UntrustedError(f"{path} is a symbolic link") from None
        raise
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise UntrustedError(f"{path} is no regular file")
        _check(path, status)
        return file.read(most)


def user_number() -> int | None:
    """The number of this user; None on systems without such numbers."""
    return os.geteuid() if hasattr(os, "geteuid") else None


def _check(path: Path, status: os.stat_result, *, is_on_the_way: bool = False) -> None:
    """Raise an error for a file or folder that another user can write to."""
    user = user_number()
    if user is None:
        return
    if status.st_uid not in (user, _ROOT):
        raise UntrustedError(f"{path} belongs to another user (number {status.st_uid})")
    is_sticky = bool(status.st_mode & stat.S_ISVTX)
    if status.st_mode & _WRITABLE and not (is_on_the_way and is_sticky):
        raise UntrustedError(f"other users can write to {path} (chmod go-w forbids it)")


def _follow(folder: Path, *, make: bool) -> Path:
    """Walk from the root to a folder, and check each folder on the path."""
    whole = Path(os.path.abspath(folder))
    if user_number() is None:
        if make:
            whole.mkdir(parents=True, exist_ok=True)
        return whole
    at, links = Path(whole.anchor), 0
    rest = list(reversed(whole.parts[1:]))
    status = os.lstat(at)
    _check(at, status, is_on_the_way=True)
    while rest:
        parent, parent_status, name = at, status, rest.pop()
        at = parent / name
        try:
            status = os.lstat(at)
        except FileNotFoundError:
            if not make:
                return at.joinpath(*reversed(rest))
            status = _make(at)
        if stat.S_ISLNK(status.st_mode):
            links += 1
            # Systems have links of their own near the top, /var on macOS for one.
            is_system = (
                status.st_uid == parent_status.st_uid == _ROOT
                and not parent_status.st_mode & _WRITABLE
            )
            if not rest or not is_system or links > _MOST_LINKS:
                raise UntrustedError(f"{at} is a symbolic link")
            target = Path(os.path.normpath(parent / os.readlink(at)))
            rest += reversed(target.parts[1:])
            at = Path(target.anchor)
            status = os.lstat(at)
            continue
        if not stat.S_ISDIR(status.st_mode):
            raise NotADirectoryError(20, "it is no folder", str(at))
        _check(at, status, is_on_the_way=bool(rest))
    return at


def _make(folder: Path) -> os.stat_result:
    """Create a folder for this user alone, whatever the umask."""
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        pass  # another process has just made it; it is checked like any other
    else:
        os.chmod(folder, 0o700)
    return os.lstat(folder)
