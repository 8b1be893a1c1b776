"""The query language: any question about deals, exactly or with standard errors.

A text is parsed (:mod:`equity.queries.syntax`), named and typed (:mod:`equity.queries.analysis`),
and computed for arrays of deals (:mod:`equity.queries.evaluation`), which are enumerated or drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from equity.queries.answers import Answers
    from equity.queries.results import Answer, Bin, Figure
    from equity.queries.solving import pql

__all__ = ["Answer", "Answers", "Bin", "Figure", "pql"]


def __getattr__(name: str) -> Any:
    """Load what needs numpy on first use."""
    import importlib

    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = {"pql": "solving", "Answers": "answers"}.get(name, "results")
    return getattr(importlib.import_module(f"equity.queries.{module}"), name)
