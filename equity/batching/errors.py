"""The errors of a batch as a whole; those of a row stand in its row."""

from __future__ import annotations

from equity.errors import EquityError

__all__ = ["BatchError", "ConflictError", "OutputError"]


class BatchError(EquityError):
    """A batch that cannot be run as asked."""


class ConflictError(BatchError):
    """A row that asks one question where the options ask another."""


class OutputError(EquityError):
    """A batch that could not go on: a full disk, a cluster that has gone."""

    exit_code = 1
