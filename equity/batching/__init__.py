"""Hundreds of questions: spots from a table or a cross product to rows of results.

Rows are read (``reading``, ``crossing``), answered in groups by worker processes
(``answering``, ``working``, ``cluster``, in order by ``stream``) and written
(``writing``), with a journal beside the output that an interrupted run goes on
from (``journal``, ``running``).  Parts of a run are put together by ``merging``.
"""

from __future__ import annotations

__all__ = ["Answer", "batch"]

from equity.batching.answers import Answer, batch
