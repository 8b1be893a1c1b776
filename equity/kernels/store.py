"""Where compiled kernels are kept between runs.

A file holds machine code for one kernel; its name is a hash of everything the
code depends on, so a changed kernel, numba or processor is simply another
file.  A file that is missing, cut short or damaged is a miss, and a folder that
cannot be written costs time but never an answer.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from platformdirs import user_cache_path

__all__ = ["CACHE_VARIABLE", "clear", "entries", "folders", "is_on", "read", "write"]

#: Environment variable: the folder for compiled kernels, or ``off``.
CACHE_VARIABLE = "EQUITY_CACHE_DIR"
_SUFFIX = ".kernel"
_DIGEST_SIZE = hashlib.sha256().digest_size


def is_on() -> bool:
    """Whether compiled kernels are to be kept at all."""
    return os.environ.get(CACHE_VARIABLE) != "off"


def folders() -> Iterator[Path]:
    """The folders to try, best first; none if the user has turned them off."""
    if not is_on():
        return
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        yield Path(chosen)
        return
    numba_folder = os.environ.get("NUMBA_CACHE_DIR")
    if numba_folder:
        yield Path(numba_folder) / "equity"
    with suppress(OSError, RuntimeError, KeyError):  # no home folder can be found
        yield user_cache_path("equity", appauthor=False)
    temporary = Path(tempfile.gettempdir()) / f"equity-{_user()}"
    if _is_private(temporary):
        yield temporary


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else "user"


def _is_private(folder: Path) -> bool:
    """Whether nobody else can have put files into a folder of the temporary one.

    What is read from it is run, so a folder made by another user will not do.
    """
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
    except OSError:
        return False
    if not hasattr(os, "getuid"):
        return True
    is_folder = (status.st_mode & 0o170000) == 0o040000
    return is_folder and status.st_uid == os.getuid() and not status.st_mode & 0o022


def read(name: str) -> bytes | None:
    """The content stored under a name, or None."""
    for folder in folders():
        try:
            stored = (folder / f"{name}{_SUFFIX}").read_bytes()
        except OSError:
            continue
        digest, content = stored[:_DIGEST_SIZE], stored[_DIGEST_SIZE:]
        if content and hashlib.sha256(content).digest() == digest:
            return content
    return None


def write(name: str, content: bytes) -> Path | None:
    """Store content under a name; the path, or None if no folder takes it.

    The file appears whole or not at all, so processes that start together do
    not disturb each other.
    """
    for folder in folders():
        path = folder / f"{name}{_SUFFIX}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            handle, unfinished = tempfile.mkstemp(dir=folder, prefix=f".{name}-")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(hashlib.sha256(content).digest() + content)
                os.replace(unfinished, path)
            except BaseException:
                os.unlink(unfinished)
                raise
        except OSError:
            continue
        return path
    return None


def entries() -> list[Path]:
    """All stored kernels, of this version and of others, in every folder."""
    found = []
    for folder in folders():
        try:
            found += [path for path in folder.iterdir() if path.name.endswith(_SUFFIX)]
        except OSError:
            continue
    return sorted(found)


def clear() -> int:
    """Remove all stored kernels; how many there were."""
    removed = 0
    for path in entries():
        try:
            path.unlink()
        except OSError as error:
            print(f"equity: cannot remove {path} ({error.strerror})", file=sys.stderr)
        else:
            removed += 1
    return removed
