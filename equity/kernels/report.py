"""What a report of a bug should say of the installation."""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["lines", "versions"]

#: The packages that kernels depend on.
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


def lines() -> Iterator[str]:
    """The versions, the processor, and where the kernels are: a fact a line."""
    from equity.kernels import store
    from equity.kernels.machine import processor_name, target
    from equity.kernels.registry import KERNELS

    facts = versions()
    facts["processor"] = f"{processor_name()}, kernels are compiled for {target().cpu}"
    folder = next(store.folders(), "none")
    stored = {path.stem for path in store.entries()}
    cached = sum(kernel.stored_name() in stored for kernel in KERNELS)
    facts["cache"] = f"{folder}, {cached} of {len(KERNELS)} kernels"
    shipped = {path.stem for path in store.shipped()}
    found = sum(kernel.name_for(target()) in shipped for kernel in KERNELS)
    facts["shipped"] = f"{found} of {len(KERNELS)} kernels came with the package"
    width = max(map(len, facts))
    for name, value in facts.items():
        yield f"{name:{width}}  {value}"
