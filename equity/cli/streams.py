"""The standard streams: closed ones at the start, and what is left in them at the end."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

__all__ = ["flush", "open_streams"]


def open_streams() -> None:
    """Put something in place of standard streams that are closed.

    Their numbers would be given to the next files that are opened, which would then
    get what is printed.  Reading or writing in place of a closed stream fails.
    """
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is not None:
            continue
        # Of stdin and stdout the wrong direction; what goes to stderr is for nobody.
        flags = os.O_RDONLY if name == "stdout" else os.O_WRONLY
        with suppress(OSError):
            descriptor = os.open(os.devnull, flags)
            if descriptor != number:
                os.dup2(descriptor, number)
                os.close(descriptor)
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115


def flush() -> None:
    """Write out what is printed; drop what cannot be, which Python would try again."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
