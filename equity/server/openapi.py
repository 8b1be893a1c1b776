"""The description of the API in OpenAPI 3.1, made of the table of operations."""

from __future__ import annotations

from typing import Any

from equity import __version__
from equity.operations import OPERATIONS, Operation, find_operation
from equity.server.answering import DEFAULT_FORM, FORMS
from equity.server.reply import STATUS

__all__ = ["openapi"]

_TEXT = {"type": "string"}
_OBJECT = {"type": "object"}
_ERROR = {
    "type": "object",
    "properties": {
        "kind": {"type": "string", "enum": [*STATUS], "description": "Whose the error is."},
        "error": {
            "type": "object",
            "properties": {
                "error": _TEXT | {"description": "All of it, a line."},
                "problem": _TEXT | {"description": "What is wrong."},
                "place": _TEXT | {"description": "Where."},
                "hint": _TEXT | {"description": "What would be right."},
                "text": {"type": ["string", "null"], "description": "The text of a range."},
                "column": {
                    "type": ["integer", "null"],
                    "description": "Where in the text the culprit begins, from 1.",
                },
            },
            "required": ["error", "problem", "place", "hint", "text", "column"],
        },
    },
    "required": ["kind", "error"],
}
#: What is wrong, by status.
ERRORS = {
    400: "The body is no JSON object.",
    403: "Host, origin or token are wrong.",
    408: "The body does not come.",
    413: "The body is too large.",
    415: "The content type is not application/json.",
    422: "The question is wrong.",
    500: "A defect of the program.",
    503: "Too many questions are waiting.",
    504: "The question takes too long.",
    507: "The question takes too much memory.",
}


def openapi() -> dict[str, Any]:
    """The document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "equity",
            "version": __version__,
            "summary": "Exact equities for Omaha, Omaha hi/lo and their 5- and 6-card games.",
        },
        "paths": {f"/api/{path}": {"post": _describe(find_operation(path))} for path in OPERATIONS},
        "components": {"schemas": {"Error": _ERROR}},
    }


def _describe(operation: Operation) -> dict[str, Any]:
    answer = {"type": "array", "items": _OBJECT} if operation.is_list else {}
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    errors = {
        str(status): {"description": text, "content": error} for status, text in ERRORS.items()
    }
    contents = {
        "application/json": {"schema": answer},
        "text/csv": {"schema": _TEXT},
        "text/plain": {"schema": _TEXT},
        "text/event-stream": {"schema": _TEXT},
    }
    form = {
        "name": "form",
        "in": "query",
        "description": "The form of the answer.",
        "schema": {"type": "string", "enum": list(FORMS), "default": DEFAULT_FORM},
    }
    return {
        "operationId": operation.path.replace("/", "_"),
        "summary": operation.summary,
        "parameters": [form],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": operation.schema}},
        },
        "responses": {"200": {"description": "The answer.", "content": contents}, **errors},
    }
