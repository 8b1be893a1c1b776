"""Names of machine code: hashes of everything that it depends on."""

from __future__ import annotations

import hashlib
import importlib.util
from functools import cache
from pathlib import Path

from equity.kernels.machine import Target

__all__ = ["compilers", "name_of"]

_PACKAGE = Path(__file__).parents[1]
#: Folders with the source of kernels, and with the constants that it uses.
_SOURCES = ("kernels", "rules")


def name_of(kernel: str, declaration: str, target: Target, compilers: str = "") -> str:
    """The name of a kernel's machine code.

    The code is that of the source of the kernels, for a target, called with the records of
    the declaration.  It refers to neither Python nor numba, so it is right in every version
    of them, whatever compiled it.  For code in the cache the compilers count as well, so
    that a new numba is not hidden by what an older one has made.

    Parameters
    ----------
    kernel:
        The kernel's own name.
    declaration:
        Its module and records as text.
    target:
        What the code is made for.
    compilers:
        Their versions, if they count.
    """
    text = " ".join([sources(), kernel, declaration, *target, compilers])
    return f"{kernel}-{hashlib.sha256(text.encode()).hexdigest()[:24]}"


@cache
def sources() -> str:
    """A hash of the source of all kernels."""
    hashed = hashlib.sha256()
    for folder in _SOURCES:
        for path in sorted((_PACKAGE / folder).glob("*.py")):
            hashed.update(path.read_bytes())
    return hashed.hexdigest()


@cache
def compilers() -> str:
    """The versions of numba and llvmlite, found without importing either."""
    found = []
    for package in ("numba", "llvmlite"):
        spec = importlib.util.find_spec(package)
        for folder in (spec and spec.submodule_search_locations) or ():
            version = Path(folder, "_version.py").read_bytes()
            found.append(hashlib.sha256(version).hexdigest())
    return " ".join(found)
