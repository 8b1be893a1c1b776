"""The text of the kernel of :mod:`tiny_kernel`."""

from __future__ import annotations

from typing import Any

from equity.kernels.jit import jit


@jit
def fill(some: Any) -> None:
    for at in range(some.count):
        some.values[at] = 7
