"""Connections: a client who does not finish the head of a request is dropped."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

__all__ = ["Connection"]

#: Seconds and bytes in which the head of a request must end.
HEAD_SECONDS = 10.0
HEAD_BYTES = 64 << 10


class Connection(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """A connection of the server; uvicorn itself waits for a head as long as it takes."""

    _deadline: asyncio.TimerHandle | None = None
    _size = 0

    def connection_made(self, transport: Any) -> None:
        """Wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Read a part of a request."""
        super().data_received(data)
        cycle = self.cycle
        if cycle is not None and not cycle.response_complete:
            # The head has come; its answer is under way.
            self._stop()
            return
        self._size += len(data)
        if self._size > HEAD_BYTES:
            self._drop()
        elif self._deadline is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._stop()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._deadline = asyncio.get_running_loop().call_later(HEAD_SECONDS, self._drop)

    def _stop(self) -> None:
        self._size = 0
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _drop(self) -> None:
        self._stop()
        self.transport.close()
