"""Batches: answer many spots, from a table, a cross product or Python.

A row takes three forms: ``Row``, as given; ``Question``, parsed; ``Answered``, as text.

- ``table`` reads rows from a file (``text``, ``parquet``, ``excel``; ``columns`` and
  ``fields`` know the names), ``cross_product`` makes them, ``api`` takes them from Python;
- ``stream`` hands rows to workers in groups and yields the answers in order
  (``worker_pool``: local processes; ``cluster``: Dask);
- ``worker`` answers them: ``parse_row`` turns a row into a question, ``views`` has it
  answered, ``layouts`` and ``formats`` make lines of the answer;
- ``output`` writes the lines, with a ``journal`` of checkpoints beside them.

``run`` drives a run, ``merge`` joins its shards, ``totals`` sums over all flops.
"""

from __future__ import annotations

__all__ = ["Answer", "batch"]

from equity.batching.api import Answer, batch
