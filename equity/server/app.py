"""The application: the paths of the server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, Router
from starlette.types import Receive, Scope, Send

from equity.common.arguments import shown
from equity.errors import EquityError
from equity.operations import OPERATIONS
from equity.server.answering import DEFAULT_FORM, FORMS, respond
from equity.server.files import Files
from equity.server.openapi import openapi
from equity.server.reading import read_json
from equity.server.reply import Reply, failed, reply_of
from equity.server.responses import JSON, NOT_KEPT, Refused, event, response
from equity.server.small import is_small
from equity.server.workers import Workers

__all__ = ["make_app", "warm_up"]

#: The most bytes of a body; of operations whose questions are tables and files, more.
MOST_BODY = 1 << 20
MOST_BODIES = dict.fromkeys(("batch", "hands", "report/batch"), 20 << 20)
#: The most bytes that are read of a body that is refused, to be heard by who sends it.
MOST_DISCARDED = 64 << 20
#: Seconds in which a body must come.
BODY_SECONDS = 30.0
EVENTS = "text/event-stream"


def make_app(workers: Workers) -> Router:
    """The application, without its guard."""
    files = Files()
    return Router(
        [
            Route("/api/openapi.json", _document),
            Route("/api/{path:path}", _Api(workers)),
            Route("/{path:path}", files.get),
        ],
        redirect_slashes=False,
    )


def warm_up() -> None:
    """Load what answers small questions, so that the first takes no longer than others."""
    players = ["AhAsKhKs", "9c8c7d6d"]
    for path, board in (("odds", ""), ("evaluate", "Th7h2c")):
        _answer_here(path, {"players": players, "board": board}, DEFAULT_FORM)


async def _document(_: Request) -> Response:
    return Response(json.dumps(openapi()), media_type=JSON, headers={"cache-control": "no-cache"})


class Gone(Exception):  # noqa: N818 - it is no defect
    """The client has gone."""


class _Api:
    """The ASGI application of all operations."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a question."""
        try:
            path, form, streams = await _head(scope, receive)
            body = await _read_body(receive, MOST_BODIES.get(path, MOST_BODY))
            arguments = _read_arguments(body)
            if streams:
                await _until_gone(receive, self._stream(path, body, form, send))
                return
            if is_small(path, arguments):
                reply = _answer_here(path, arguments, form)
            else:
                question = _question(path, body, form)
                reply = await _until_gone(receive, self._workers.ask(question))
            answer = response(reply, form)
        except Refused as refused:
            answer = refused.response
        except Gone:
            return
        await answer(scope, receive, send)

    async def _stream(self, path: str, body: bytes, form: str, send: Send) -> None:
        """Send the progress of a question and its answer as events."""
        headers = [(b"content-type", EVENTS.encode()), (b"cache-control", b"no-store")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})

        async def report(reply: Reply) -> None:
            part = {"type": "http.response.body", "body": event(reply), "more_body": True}
            await send(part)

        await report(await self._workers.ask(_question(path, body, form, stream=True), report))
        await send({"type": "http.response.body", "body": b""})


async def _head(scope: Scope, receive: Receive) -> tuple[str, str, bool]:
    """See :func:`_read_head`; a refusal waits for the body."""
    try:
        return _read_head(scope)
    except Refused:
        await _discard(receive)
        raise


async def _discard(receive: Receive) -> None:
    """Read the rest of a body that is refused: few clients listen before they have sent it."""
    size = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(BODY_SECONDS):
            while size < MOST_DISCARDED:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise Gone
                size += len(message.get("body", b""))
                if not message.get("more_body", False):
                    return


def _read_head(scope: Scope) -> tuple[str, str, bool]:
    """The operation that is asked, the form of the answer, and whether it comes in events."""
    path = scope["path"].removeprefix("/api/")
    if path not in OPERATIONS:
        raise _refused(
            404, f"{shown(path)} is no operation", hint=f"there are {', '.join(OPERATIONS)}"
        )
    if scope["method"] != "POST":
        raise _refused(
            405, f"{scope['method']} is not answered", {"allow": "POST"}, hint="send POST"
        )
    headers = dict(scope["headers"])
    kind = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
    if kind != JSON.encode():
        raise _refused(415, "the content is no JSON", hint=f"send Content-Type: {JSON}")
    length = headers.get(b"content-length", b"0")
    if not length.isdigit() or int(length) > MOST_BODIES.get(path, MOST_BODY):
        raise _too_large(MOST_BODIES.get(path, MOST_BODY))
    query = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    form = query.pop("form", [DEFAULT_FORM])[-1]
    if query or form not in FORMS:
        problem = f"{shown(next(iter(query)))} is no field" if query else f"{shown(form)} is none"
        raise _refused(400, problem, place="query", hint=f"form is one of {', '.join(FORMS)}")
    return path, form, EVENTS.encode() in headers.get(b"accept", b"")


def _refused(
    status: int,
    problem: str,
    headers: dict[str, str] = NOT_KEPT,
    *,
    place: str = "",
    hint: str = "",
) -> Refused:
    return Refused(failed("request", problem, place=place, hint=hint), status, headers)


def _too_large(most: int) -> Refused:
    return _refused(413, "the question is too large", hint=f"at most {most >> 20} MiB are read")


async def _read_body(receive: Receive, most: int) -> bytes:
    """The body of a request, of ``most`` bytes at most."""
    parts, size = [], 0
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise Gone
                parts.append(message.get("body", b""))
                size += len(parts[-1])
                if size > most:
                    if message.get("more_body", False):
                        await _discard(receive)
                    raise _too_large(most)
                if not message.get("more_body", False):
                    return b"".join(parts)
    except TimeoutError:
        raise _refused(408, f"the question did not come in {BODY_SECONDS:g} seconds") from None


def _read_arguments(body: bytes) -> dict[str, Any]:
    try:
        arguments = read_json(body, "body")
    except EquityError as error:
        reply = failed("request", error.problem, place=error.place, hint=error.hint)
        raise Refused(reply, 400) from None
    if not isinstance(arguments, dict):
        raise _refused(
            400,
            f"{shown(arguments)} is no object",
            place="body",
            hint='send {"players": ["AA", "KK"]}, say',
        )
    return arguments


def _answer_here(path: str, arguments: dict[str, Any], form: str) -> Reply:
    """The answer to a small question."""
    sent: list[dict[str, Any]] = []
    respond({"operation": path, "arguments": arguments, "form": form}, sent.append)
    del sent[-1]["id"]
    return reply_of(json.dumps(sent[-1]).encode())


def _question(path: str, body: bytes, form: str, *, stream: bool = False) -> bytes:
    """The fields of a request of the protocol; the body is known to be JSON.

    A line has no line ends, which in JSON stand between values only.
    """
    line = body.replace(b"\n", b" ").replace(b"\r", b" ")
    head = json.dumps({"operation": path, "form": form, "stream": stream})[1:-1]
    return head.encode() + b', "arguments": ' + line


async def _until_gone(receive: Receive, work: Coroutine[Any, Any, Any]) -> Any:
    """The result of ``work``, which is cancelled when the client goes."""
    task = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(receive())
    try:
        await asyncio.wait((task, gone), return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise Gone
    finally:
        for one in (task, gone):
            one.cancel()
        await asyncio.gather(task, gone, return_exceptions=True)
