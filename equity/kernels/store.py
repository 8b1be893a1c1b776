"""The cache of compiled kernels, which keeps machine code between runs.

A file holds the machine code of one kernel.  Its name is a hash of everything the code
depends on, so that a changed kernel, numba or processor uses another file.  A missing,
truncated or damaged file is a miss, and a folder that cannot be written costs time but
never an answer.

Code in the cache is executed.  So folders and files that another user could have written
to are skipped with a notice, see :mod:`equity.kernels.trust`.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from platformdirs import user_cache_path

from equity.kernels.log import log
from equity.kernels.trust import UntrustedError, make_folder, read_file, trusted_folder, user_number

__all__ = ["CACHE_VARIABLE", "clear", "entries", "folders", "is_on", "read", "write"]

#: Environment variable: the folder for compiled kernels, or ``off``.
CACHE_VARIABLE = "EQUITY_CACHE_DIR"
_SUFFIX = ".kernel"
_DIGEST_SIZE = hashlib.sha256().digest_size
#: Kernels are much smaller than this, in bytes; a longer file is damaged.
_MOST = 1 << 24


def is_on() -> bool:
    """Whether the cache is on."""
    return os.environ.get(CACHE_VARIABLE) != "off"


def folders(check: Callable[[Path], Path] = trusted_folder) -> Iterator[Path]:
    """The folders of the cache, best first; none if the user has turned it off.

    A folder that another user can write to is skipped with a notice.
    """
    for folder in _candidates():
        try:
            checked = check(folder)
        except UntrustedError as error:
            _pass_over("folder", folder, str(error))
        except OSError:
            continue
        else:
            yield checked


def _candidates() -> Iterator[Path]:
    """The folders that the environment names."""
    if not is_on():
        return
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        yield Path(chosen)
        return
    numba_folder = os.environ.get("NUMBA_CACHE_DIR")
    if numba_folder:
        yield Path(numba_folder) / "equity"
    with suppress(OSError, RuntimeError, KeyError):  # there is no home folder
        yield user_cache_path("equity", appauthor=False)
    user = user_number()
    yield Path(tempfile.gettempdir()) / f"equity-{'user' if user is None else user}"


@cache
def _pass_over(what: str, path: Path, reason: str) -> None:
    """Tell the user, once, that compiled kernels are not loaded from a path."""
    log(
        f"the {what} of compiled kernels {path} is not used: {reason}; "
        f"set {CACHE_VARIABLE} to a folder of your own"
    )


def read(name: str) -> bytes | None:
    """The content stored under a name, or None."""
    for folder in folders():
        path = folder / f"{name}{_SUFFIX}"
        try:
            stored = read_file(path, _MOST)
        except UntrustedError as error:
            _pass_over("file", path, str(error))
            continue
        except OSError:
            continue
        digest, content = stored[:_DIGEST_SIZE], stored[_DIGEST_SIZE:]
        if content and hashlib.sha256(content).digest() == digest:
            return content
    return None


def write(name: str, content: bytes) -> Path | None:
    """Store content under a name; return the path, or None if no folder can be written.

    The file is replaced atomically, so processes that start together do not disturb each
    other.
    """
    for folder in folders(make_folder):
        path = folder / f"{name}{_SUFFIX}"
        try:
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
    """All stored kernels, of this version and others, in every folder."""
    found = []
    for folder in folders():
        try:
            found += [path for path in folder.iterdir() if path.name.endswith(_SUFFIX)]
        except OSError:
            continue
    return sorted(found)


def clear() -> int:
    """Remove all stored kernels; return how many were removed."""
    removed = 0
    for path in entries():
        try:
            path.unlink()
        except OSError as error:
            print(f"equity: cannot remove {path} ({error.strerror})", file=sys.stderr)
        else:
            removed += 1
    return removed
