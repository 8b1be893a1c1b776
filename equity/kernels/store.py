"""The cache of compiled kernels, which keeps machine code between runs.

A file holds the machine code of one kernel.  Its name is a hash of everything the code
depends on, so that a changed kernel, numba or processor uses another file.  A missing,
truncated or damaged file is a miss, and a folder that cannot be written costs time but
never an answer.  Wheels can bring such files with the package; these are not in the cache,
and come first.

Code in the cache is executed.  So folders and files that another user could have written
to are skipped with a notice, see :mod:`equity.kernels.trust`.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from equity.kernels.log import log
from equity.kernels.trust import UntrustedError, make_folder, read_file, trusted_folder, user_number

__all__ = [
    "CACHE_VARIABLE",
    "SHIPPED",
    "SUFFIX",
    "clear",
    "entries",
    "folders",
    "is_on",
    "pack",
    "read",
    "read_shipped",
    "shipped",
    "write",
]

#: Environment variable: the folder for compiled kernels, or ``off``.
CACHE_VARIABLE = "EQUITY_CACHE_DIR"
#: Where a wheel puts compiled kernels; in a source tree there is no such folder.
SHIPPED = Path(__file__).parent / "compiled"
SUFFIX = ".kernel"
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
    from platformdirs import user_cache_path

    with suppress(OSError, RuntimeError, KeyError):  # there is no home folder
        yield user_cache_path("equity", appauthor=False)
    import tempfile

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
        path = folder / f"{name}{SUFFIX}"
        try:
            stored = read_file(path, _MOST)
        except UntrustedError as error:
            _pass_over("file", path, str(error))
            continue
        except OSError:
            continue
        content = _unpack(stored)
        if content is not None:
            return content
    return None


def read_shipped(name: str) -> bytes | None:
    """The content of a file that came with the package, or None.

    It is trusted like the modules of the package, which are in the same folders.
    """
    try:
        return _unpack((SHIPPED / f"{name}{SUFFIX}").read_bytes())
    except OSError:
        return None


def shipped() -> list[Path]:
    """The kernels that came with the package."""
    return sorted(SHIPPED.glob(f"*{SUFFIX}"))


def pack(content: bytes) -> bytes:
    """What is stored of content: its digest comes first."""
    return hashlib.sha256(content).digest() + content


def _unpack(stored: bytes) -> bytes | None:
    """The content of what is stored, unless it is damaged."""
    digest, content = stored[:_DIGEST_SIZE], stored[_DIGEST_SIZE:]
    return content if content and hashlib.sha256(content).digest() == digest else None


def write(name: str, content: bytes) -> Path | None:
    """Store content under a name; return the path, or None if no folder can be written.

    The file is replaced atomically, so processes that start together do not disturb each
    other.
    """
    import tempfile

    for folder in folders(make_folder):
        path = folder / f"{name}{SUFFIX}"
        try:
            handle, unfinished = tempfile.mkstemp(dir=folder, prefix=f".{name}-")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(pack(content))
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
            found += [path for path in folder.iterdir() if path.name.endswith(SUFFIX)]
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
