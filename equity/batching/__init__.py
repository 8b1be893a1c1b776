"""Hundreds of questions: spots from a table or a cross product to rows of results.

Rows are read (``reading``, ``crossing``), answered in groups by worker processes
(``answering``, ``working``, ``cluster``, in order by ``stream``) and written
(``writing``, ``output``), with a journal beside the output that says what the run was,
how far it has come and which rows failed (``journal``, ``running``).  Parts of a run are
put together by ``merging``; rows of finished outputs are read by ``records``.
"""

from __future__ import annotations

__all__ = ["Answer", "batch"]

from equity.batching.api import Answer, batch
