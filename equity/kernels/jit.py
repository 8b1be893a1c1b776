"""The one module that asks numba for jitted functions.

Only the modules with the source of kernels import it, and these are imported only to
compile.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba

__all__ = ["callable_from_python", "jit"]


def jit(function: Callable[..., Any]) -> Any:
    """Jit a function that other jitted functions call, but Python does not.

    Division follows numpy, so that no kernel can raise.  Without the wrappers for callers
    in Python and C, compilation takes half the time.
    """
    try:
        decorate = numba.njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)
        return decorate(function)
    except (KeyError, TypeError):  # a numba without these options, which it does not promise
        return numba.njit(error_model="numpy")(function)


def callable_from_python(function: Any) -> Callable[..., Any]:
    """Jit the same function for Python to call, through numba's dispatcher.

    It releases the GIL.  ``NUMBA_BOUNDSCHECK`` and ``NUMBA_DISABLE_JIT`` have numba check
    array bounds or interpret it.
    """
    plain = getattr(function, "py_func", function)
    dispatcher: Callable[..., Any] = numba.njit(error_model="numpy", nogil=True)(plain)
    return dispatcher
