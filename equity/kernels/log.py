"""The log: lines for the user while the engine works, such as that a kernel is compiled."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["failed", "listeners", "log", "report_failure"]

#: Called with each line; a program with a terminal adds a function.
listeners: list[Callable[[str], None]] = []
#: Kernels that run through numba's dispatcher because they did not compile or load.
failed: list[str] = []


def log(message: str) -> None:
    """Send a line to every listener."""
    for listener in listeners:
        listener(message)


def report_failure(kernel: str, error: Exception) -> None:
    """Say, once in a process, that kernels run through numba, and how to report it."""
    failed.append(kernel)
    if len(failed) > 1:
        return
    from equity.common.versions import versions

    named = ", ".join(f"{package} {version}" for package, version in versions().items())
    reason = f"{type(error).__name__}: {error}".partition("\n")[0]
    log(
        f"cannot compile or load the kernel '{kernel}' as stand-alone code ({reason}); kernels "
        "run through numba instead, compiled again in every run: slower to start, with the same "
        f"answers. Please report this line and what 'equity cache' prints: {named}"
    )
