"""What a report of a bug should say of the installation."""

from __future__ import annotations

from collections.abc import Iterator

from equity.common.versions import versions
from equity.kernels import store
from equity.kernels.machine import processor_name, target
from equity.kernels.registry import KERNELS

__all__ = ["lines"]


def lines() -> Iterator[str]:
    """The versions, the processor, and where the kernels are: a fact a line."""
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
