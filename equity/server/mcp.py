"""An MCP server on the standard streams: every operation is a tool for an assistant.

The Model Context Protocol is JSON-RPC 2.0, one message a line.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from equity import __version__
from equity.common.arguments import shown
from equity.errors import EquityError
from equity.operations import OPERATIONS, Operation, find_operation
from equity.results.formats import written
from equity.server.answering import attempt, objects
from equity.server.stdio import Lines, parse

__all__ = ["handle", "serve_mcp"]

#: Versions of the protocol that are spoken, the newest first.
VERSIONS = ("2025-06-18", "2025-03-26", "2024-11-05")
#: Codes of errors in JSON-RPC.
NO_JSON, NO_REQUEST, NO_METHOD, NO_PARAMETERS = -32700, -32600, -32601, -32602
#: Names of tools have no other characters.
_NOT_IN_NAMES = re.compile(r"[^a-zA-Z0-9_-]")
#: Operations by the names of their tools.
_PATHS = {_NOT_IN_NAMES.sub("_", path): path for path in OPERATIONS}


def serve_mcp() -> None:
    """Answer the messages on stdin until it ends."""
    with Lines() as lines:
        for line in lines:
            try:
                answer = handle(parse(line))
            except EquityError as error:
                answer = _error(None, NO_JSON, error)
            if answer is not None:
                lines.send(answer)


def handle(message: Any) -> Any:
    """The answer to a message, or to a list of them; None if it asks for none."""
    if isinstance(message, list) and message:
        return [answer for one in message if (answer := handle(one)) is not None] or None
    fields = message if isinstance(message, dict) else {}
    if "method" not in fields and ("result" in fields or "error" in fields):
        return None  # a response, to nothing that was asked
    method, given = fields.get("method"), fields.get("params", {})
    number = fields.get("id")
    if not isinstance(method, str) or isinstance(number, list | dict | bool):
        return _error(None, NO_REQUEST, f"{shown(message)} is no request")
    if "id" not in fields:
        return None  # a notification
    if method not in _METHODS:
        return _error(number, NO_METHOD, f"{shown(method)} is no method here")
    if not isinstance(given, dict):
        return _error(number, NO_PARAMETERS, f"{shown(given)} is no object")
    try:
        return {"jsonrpc": "2.0", "id": number, "result": _METHODS[method](given)}
    except EquityError as error:
        return _error(number, NO_PARAMETERS, error)


def _error(number: Any, code: int, problem: object) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": str(problem)}}


def _initialize(given: dict[str, Any]) -> dict[str, Any]:
    asked = given.get("protocolVersion")
    return {
        "protocolVersion": asked if asked in VERSIONS else VERSIONS[0],
        "capabilities": {"tools": {"listChanged": False}},
        "serverInfo": {"name": "equity", "version": __version__},
        "instructions": "Equities for Omaha, Omaha hi/lo and their 5- and 6-card games.",
    }


def _list(_: dict[str, Any]) -> dict[str, Any]:
    return {"tools": [_tool(name, find_operation(path)) for name, path in _PATHS.items()]}


def _tool(name: str, operation: Operation) -> dict[str, Any]:
    return {
        "name": name,
        "description": operation.summary,
        "inputSchema": operation.schema,
        "annotations": {"readOnlyHint": True, "openWorldHint": False},
    }


def _call(given: dict[str, Any]) -> dict[str, Any]:
    name = given.get("name")
    if not isinstance(name, str) or name not in _PATHS:
        hint = f"there are {', '.join(_PATHS)}"
        raise EquityError(f"{shown(name)} is no tool", place="name", hint=hint)
    operation = find_operation(_PATHS[name])
    found = attempt(lambda: _answer(operation, given.get("arguments", {})))
    if "error" not in found:
        return found
    return {"content": [_text(found["error"]["error"])], "isError": True}


def _answer(operation: Operation, arguments: Any) -> dict[str, Any]:
    """The result of a tool: a table to read, and an object."""
    if not isinstance(arguments, dict):
        raise EquityError(f"{shown(arguments)} is no object", place="arguments")
    answer = operation.ask(arguments).answer(None)
    content = objects(operation, answer)
    return {
        "content": [_text(written(answer))],
        "structuredContent": content if isinstance(content, dict) else {"answers": content},
        "isError": False,
    }


def _text(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


_METHODS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "initialize": _initialize,
    "ping": lambda _: {},
    "tools/list": _list,
    "tools/call": _call,
}
