"""The one place that asks numba for a jitted function.

Only the modules that hold kernels import this, and they are imported only
when something has to be compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba

__all__ = ["callable_from_python", "jit"]


def jit(function: Callable[..., Any]) -> Any:
    """A function that other jitted functions can call, Python itself not.

    Division follows numpy, so that no kernel can raise.  Without the wrappers
    for callers in Python and C, compiling takes half the time.
    """
    return numba.njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)


def callable_from_python(function: Any) -> Callable[..., Any]:
    """The same function for Python to call, through numba's dispatcher.

    Checked or interpreted, as ``NUMBA_BOUNDSCHECK`` and ``NUMBA_DISABLE_JIT`` say.
    """
    plain = getattr(function, "py_func", function)
    dispatcher: Callable[..., Any] = numba.njit(error_model="numpy")(plain)
    return dispatcher
