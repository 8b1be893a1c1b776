"""Batches: answer many spots, from a table, a cross product or Python.

The way of a row:

- ``reading`` reads it from a table (``text_input``, ``parquet``, ``excel``; ``columns``
  and ``fields`` know the names), ``cross_product`` makes it, ``api`` takes it from Python;
- ``stream`` hands rows to workers in groups and yields the answers in order
  (``worker_pool``: local processes; ``cluster``: Dask);
- ``worker`` answers it: ``parse_row`` turns it into a question, ``views`` has it answered,
  ``layouts`` and ``writing`` make lines of the answer;
- ``output`` writes the lines, with a ``journal`` of checkpoints beside them.

``running`` drives a run; ``records`` reads finished outputs back, for retries and for
``merging`` the shards of a run.
"""

from __future__ import annotations

__all__ = ["Answer", "batch"]

from equity.batching.api import Answer, batch
