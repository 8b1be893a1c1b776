"""What each function computes, for all deals of a block at once."""

from __future__ import annotations

# Modules enter their functions into the table.
from equity.queries import card_vectors, made_vectors  # noqa: F401
from equity.queries.vector_table import VECTORS, compute

__all__ = ["VECTORS", "compute"]
