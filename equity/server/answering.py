"""Answers requests: an object that names an operation, to the objects of its answer.

This is the protocol of ``equity serve --stdio``, which the workers of the server speak too; it is
described in ``docs/server.md``.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any

from equity.common.arguments import shown, truth
from equity.engine.options import Progress
from equity.errors import EquityError
from equity.operations import Operation, Question, find_operation
from equity.operations.spelling import command_line, python_call
from equity.results.formats import FORMATS, Printable, written
from equity.server.reading import RequestError

__all__ = [
    "DEFAULT_FORM",
    "FORMS",
    "Request",
    "attempt",
    "failure",
    "objects",
    "read_request",
    "respond",
]

#: How an answer is wanted.
DEFAULT_FORM = "json"
FORMS = (DEFAULT_FORM, "html", *(name for name in FORMATS if name != DEFAULT_FORM))
FIELDS = ("id", "operation", "arguments", "form", "stream")
#: Seconds between two reports of progress.
PAUSE = 0.2

Send = Callable[[dict[str, Any]], None]


@dataclass(frozen=True)
class Request:
    """A question that was read, and how its answer is wanted."""

    operation: Operation
    arguments: Mapping[str, Any]
    form: str
    stream: bool
    question: Question

    def shape(self, answer: Printable) -> dict[str, Any]:
        """The answer in the form that is wanted."""
        if self.form == DEFAULT_FORM:
            return {"answer": objects(self.operation, answer)}
        if self.form != "html":
            return {"text": written(answer, self.form)}
        # Most programs want JSON; what writes HTML is large.
        from equity.html.render import render

        return {
            "answer": objects(self.operation, answer),
            "html": render(answer),
            "notices": [str(notice) for notice in self.question.notices],
            "command": command_line(self.operation, self.arguments),
            "python": python_call(self.operation, self.arguments),
        }


def objects(operation: Operation, answer: Printable) -> Any:
    """An answer for JSON: a list if the operation has lists, otherwise an object."""
    found = answer.objects()
    return list(found) if operation.is_list else next(iter(found))


def read_request(request: object) -> Request:
    """Read a request of the protocol, and its question.

    Raises
    ------
    EquityError
        The request has other fields, there is no such operation, or the question is wrong.
    """
    if not isinstance(request, dict):
        raise RequestError(
            f"{shown(request)} is no object",
            place="request",
            hint='send {"operation": "odds", "arguments": {"players": ["AA", "KK"]}}, say',
        )
    for name in request:
        if name not in FIELDS:
            raise RequestError(
                "there is no such field", place=shown(name), hint=f"there are {', '.join(FIELDS)}"
            )
    path = request.get("operation")
    if not isinstance(path, str):
        raise RequestError(f"{shown(path)} is no text", place="operation", hint="give its name")
    operation = find_operation(path)
    arguments = request.get("arguments", {})
    if not isinstance(arguments, dict):
        raise RequestError(
            f"{shown(arguments)} is no object",
            place="arguments",
            hint='send {"players": ["AA", "KK"]}, say',
        )
    form = request.get("form", DEFAULT_FORM)
    if form not in FORMS:
        raise RequestError(
            f"{shown(form)} is no form", place="form", hint=f"use {', '.join(FORMS)}"
        )
    stream = truth(request.get("stream", False), "stream")
    return Request(operation, arguments, form, stream, operation.ask(arguments))


def respond(request: object, send: Send) -> None:
    """Answer a request of the protocol; ``send`` is called with each object.

    The last object has the answer or an error, and those before it have progress.
    """
    start = {"id": request.get("id") if isinstance(request, dict) else None}

    def answer() -> dict[str, Any]:
        asked = read_request(request)
        report = _Progress(asked, start, send) if asked.stream else None
        return asked.shape(asked.question.answer(report))

    send(start | attempt(answer))


def attempt(answer: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The fields of an answer, or those of the error that there is instead."""
    try:
        return answer()
    except EquityError as error:
        return failure("request" if isinstance(error, RequestError) else "question", error)
    except MemoryError:
        return failure("memory", EquityError("there is not enough memory for it"))
    except RecursionError:
        return failure("question", EquityError("it is nested too deeply"))
    except Exception as error:
        if os.environ.get("EQUITY_DEBUG"):
            traceback.print_exc()
        problem = f"unexpected {type(error).__name__}: {error}"
        hint = "this is a defect of the program"
        return failure("unexpected", EquityError(problem, hint=hint))


def failure(kind: str, error: EquityError) -> dict[str, Any]:
    """The fields of an error.

    ``kind`` says whose it is: ``"request"`` and ``"question"`` are the caller's, ``"memory"``,
    ``"time"`` and ``"busy"`` are limits, and ``"unexpected"`` is a defect.
    """
    return {"kind": kind, "error": error.to_dict()}


class _Progress:
    """Sends the progress of a question, not too often."""

    def __init__(self, asked: Request, start: dict[str, Any], send: Send) -> None:
        self._asked, self._start, self._send = asked, start, send
        self._next = monotonic() + PAUSE

    def __call__(self, progress: Progress) -> None:
        if monotonic() < self._next:
            return
        result: object = progress.result
        so_far = self._asked.shape(result) if isinstance(result, Printable) else {}
        self._send(self._start | {"done": min(max(progress.done, 0.0), 1.0)} | so_far)
        self._next = monotonic() + PAUSE
