"""Responses of HTTP to replies, whole and as events."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.responses import Response

from equity.server.answering import DEFAULT_FORM
from equity.server.reply import Reply

__all__ = ["Refused", "error_response", "event", "response"]

#: Answers change with the program, and they are somebody's own.
NOT_KEPT = {"cache-control": "no-store"}
JSON = "application/json"
#: Types of content by form; others are JSON.
TYPES = {"csv": "text/csv", "table": "text/plain"}


class Refused(Exception):  # noqa: N818 - it is no defect, but an answer
    """A request is answered with an error."""

    def __init__(self, reply: Reply, status: int, headers: Mapping[str, str] = NOT_KEPT) -> None:
        super().__init__(reply)
        self.response = error_response(reply, status, headers)


def error_response(
    reply: Reply, status: int | None = None, headers: Mapping[str, str] = NOT_KEPT
) -> Response:
    """The response to an error, by its kind or with a status."""
    return Response(reply.body, status or reply.status, NOT_KEPT | dict(headers), JSON)


def response(reply: Reply, form: str) -> Response:
    """The response to the last reply to a question."""
    if reply.event == "error":
        return error_response(reply)
    if form in TYPES:
        return Response(reply.text, 200, NOT_KEPT, TYPES[form])
    body = reply.answer if form == DEFAULT_FORM else reply.body
    return Response(body, 200, NOT_KEPT, JSON)


def event(reply: Reply) -> bytes:
    """A reply as a server-sent event."""
    return b"event: %s\ndata: %s\n\n" % (reply.event.encode(), reply.body)
