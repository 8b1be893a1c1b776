"""The versions of this package and of what it runs on."""

from __future__ import annotations

__all__ = ["versions"]

#: The packages that compiled kernels depend on.
_PACKAGES = ("numpy", "numba", "llvmlite")


def versions() -> dict[str, str]:
    """The versions of this package, of Python and of what kernels depend on, by name."""
    import platform
    from importlib.metadata import PackageNotFoundError, version

    from equity import __version__

    found = {
        "equity": __version__,
        "Python": f"{platform.python_version()} ({platform.system()} {platform.machine()})",
    }
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "unknown"
    return found
