"""Errors that end a batch; an invalid row only fails itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from equity.errors import EquityError

__all__ = ["HINT", "BatchError", "ConflictError", "OutputError", "explained"]

#: What helps when the disk is full.
HINT = "free some space, then continue with --resume"


class BatchError(EquityError):
    """A batch cannot be run as requested."""


class ConflictError(BatchError):
    """A row and the options ask for different views."""


class OutputError(EquityError):
    """A batch cannot continue: the disk is full, say, or the cluster is gone."""

    exit_code = 1


@contextmanager
def explained(name: str, hint: str = "") -> Iterator[None]:
    """Turn an OSError into an :class:`OutputError` that names the file."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(
            f"cannot write: {error.strerror or error}", place=name, hint=hint
        ) from None
