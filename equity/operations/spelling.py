"""Questions as a command line, and as a call from Python."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from equity.operations.operation import Operation
from equity.operations.parameters import FLAG, Parameter

__all__ = ["command_line", "python_call"]

#: Options of :class:`~equity.How`; some functions take them as ``how``.
_OF_HOW = ("exact", "trials", "error", "budget", "seed", "threads")


class _Command(NamedTuple):
    """How a command is called for an operation."""

    words: tuple[str, ...]
    #: Parameters that are arguments, not options.
    arguments: tuple[str, ...] = ("players",)


_COMMANDS = {
    "odds": _Command(("odds",)),
    "evaluate": _Command(("evaluate",)),
    "range": _Command(("range",), ("expression",)),
    "range/combos": _Command(("range", "--list"), ("expression",)),
    "range/classes": _Command(("range", "--classes"), ("expression",)),
    "range/texture": _Command(("range", "--texture"), ("expression",)),
    "rank": _Command(("rank",), ("hands",)),
    "views/streets": _Command(("streets",)),
    "views/next": _Command(("next",)),
    "views/graph": _Command(("graph",)),
    "views/flops": _Command(("flops",)),
    "views/blockers": _Command(("blockers",)),
    "potlimit": _Command(("potlimit",), ()),
    "pql": _Command(("pql",), ("query",)),
    "games": _Command(("games",), ()),
}


def command_line(operation: Operation, given: Mapping[str, Any]) -> str | None:
    """The command that asks a question; None if it needs a file.

    >>> from equity.operations import find_operation
    >>> command_line(find_operation("odds"), {"players": ["AA", "KK!AA"], "board": "Th7h2c"})
    "equity odds AA 'KK!AA' -b Th7h2c"
    """
    command = _COMMANDS.get(operation.path)
    if command is None:
        return None
    parameters = {one.name: one for one in operation.parameters}
    words = ["equity", *command.words]
    for name in command.arguments:
        value = given.get(name) or ()
        words += [value] if isinstance(value, str) else value
    for name, value in _asked(operation, given):
        if name not in command.arguments:
            words += _option(parameters[name], value)
    return shlex.join(map(str, words))


def _option(parameter: Parameter, value: Any) -> list[str]:
    flag = parameter.short or parameter.flag
    if parameter.kind is FLAG:
        return [flag]
    return [flag, ",".join(map(str, value)) if isinstance(value, list) else str(value)]


def _asked(operation: Operation, given: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The fields that are not at their default, in the order of the parameters."""
    for parameter in operation.parameters:
        value = given.get(parameter.name)
        if value is not None and value != parameter.default:
            yield parameter.name, value


class _Call(NamedTuple):
    """How a function is called for an operation."""

    function: str
    #: The parameter that comes first.
    first: str = "players"
    #: Whether the function takes one hand where the parameter has a list.
    is_one: bool = False
    #: Whether options of the calculation are passed as ``how``.
    has_how: bool = False


def _of_odds(given: Mapping[str, Any]) -> _Call:
    if given.get("stacks") is not None:
        return _Call("all_in", has_how=True)
    if given.get("call") is not None:
        return _Call("pot_odds", has_how=True)
    if given.get("runs") is not None or given.get("board2") is not None:
        return _Call("two_boards", has_how=True)
    return _Call("odds")


def _of_next(given: Mapping[str, Any]) -> _Call:
    return _Call("two_cards" if given.get("two") else "next_cards")


_CALLS: dict[str, Callable[[Mapping[str, Any]], _Call]] = {
    "odds": _of_odds,
    "range": lambda _: _Call("Range", "expression"),
    "range/texture": lambda _: _Call("texture", "expression"),
    "rank": lambda _: _Call("rank", "hands", is_one=True),
    "views/streets": lambda _: _Call("streets"),
    "views/next": _of_next,
    "views/graph": lambda _: _Call("graph"),
    "views/flops": lambda _: _Call("flops", is_one=True),
    "views/blockers": lambda _: _Call("blockers"),
    "potlimit": lambda _: _Call("pot_limit", "pot"),
    "pql": lambda _: _Call("pql", "query"),
}


def python_call(operation: Operation, given: Mapping[str, Any]) -> str | None:
    """The call that asks a question; None if no public function does.

    >>> from equity.operations import find_operation
    >>> python_call(find_operation("odds"), {"players": ["AA", "KK"], "runs": 2, "seed": 3})
    "equity.two_boards(['AA', 'KK'], runs=2, how=equity.How(seed=3))"
    """
    if operation.path not in _CALLS:
        return None
    call = _CALLS[operation.path](given)
    first = given.get(call.first)
    each = ""
    text = repr(first)
    if call.is_one and isinstance(first, list):
        # A function of one hand is called for each.
        each = "" if len(first) == 1 else f" for hand in {first!r}"
        text = "hand" if each else repr(first[0])
    arguments, how = [text], list[str]()
    for name, value in _asked(operation, given):
        if name in (call.first, "two"):
            continue
        where = how if call.has_how and name in _OF_HOW else arguments
        where.append(f"{name}={value!r}")
    if how:
        arguments.append(f"how=equity.How({', '.join(how)})")
    spelled = f"equity.{call.function}({', '.join(arguments)})"
    return f"[{spelled}{each}]" if each else spelled
