"""The errors of a batch as a whole; those of a row stand in its row."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from equity.errors import EquityError

__all__ = ["HINT", "BatchError", "ConflictError", "OutputError", "explained"]

#: What helps when the disk is full.
HINT = "free some space; --resume goes on from what is safe"


class BatchError(EquityError):
    """A batch that cannot be run as asked."""


class ConflictError(BatchError):
    """A row that asks one question where the options ask another."""


class OutputError(EquityError):
    """A batch that could not go on: a full disk, a cluster that has gone."""

    exit_code = 1


@contextmanager
def explained(name: str, hint: str = "") -> Iterator[None]:
    """Say what could not be written."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(
            f"cannot write: {error.strerror or error}", place=name, hint=hint
        ) from None
