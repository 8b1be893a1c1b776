"""A reply to a question: JSON that is passed on as it came, and what kind it is."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from equity.errors import EquityError
from equity.server.answering import failure

__all__ = ["STATUS", "Reply", "failed", "reply_of"]

#: Statuses of HTTP by the kind of an error.
STATUS = {
    "request": 400,
    "question": 422,
    "unexpected": 500,
    "busy": 503,
    "time": 504,
    "memory": 507,
}


@dataclass(frozen=True)
class Reply:
    """A reply without its ``id``.

    Parameters
    ----------
    event:
        ``"answer"``, ``"error"`` or ``"progress"``.
    body:
        A JSON object in UTF-8.
    """

    event: str
    body: bytes

    @property
    def status(self) -> int:
        """The status of HTTP."""
        return 200 if self.event != "error" else STATUS[json.loads(self.body)["kind"]]

    @property
    def answer(self) -> bytes:
        """The JSON of the answer alone; of a reply whose only field it is."""
        return self.body[len(b'{"answer": ') : -1]

    @property
    def text(self) -> str:
        """The answer as text; of a reply in such a form."""
        text: str = json.loads(self.body)["text"]
        return text


#: What the objects of the protocol begin with, by event.
_STARTS = {b'{"kind"': "error", b'{"done"': "progress"}


def reply_of(body: bytes) -> Reply:
    """The reply of a JSON object without its ``id``."""
    return Reply(_STARTS.get(body[:7], "answer"), body)


def failed(kind: str, problem: str, *, place: str = "", hint: str = "") -> Reply:
    """The reply that something went wrong."""
    fields: dict[str, Any] = failure(kind, EquityError(problem, place=place, hint=hint))
    return Reply("error", json.dumps(fields).encode())
