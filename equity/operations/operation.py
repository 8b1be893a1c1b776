"""An operation, and a question that was asked of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from equity.common.arguments import shown
from equity.common.notices import Notice
from equity.engine.options import Progress
from equity.errors import MethodError
from equity.operations.parameters import Parameter
from equity.results.formats import Printable
from equity.spot import Spot

__all__ = ["Operation", "Question", "Report", "suggestion"]

#: What a calculation calls with its progress; None if nobody listens.
Report = Callable[[Progress], None] | None


@dataclass(frozen=True)
class Question:
    """A question that was read and validated.

    Parameters
    ----------
    answer:
        Returns the answer.
    notices:
        Warnings about ambiguous input.
    spot:
        The spot that it is about, if it is about one.
    """

    answer: Callable[[Report], Printable]
    notices: tuple[Notice, ...] = ()
    spot: Spot | None = None


def suggestion(name: str, known: Iterable[str]) -> str:
    """What was meant by an unknown name, or all that are known."""
    # Imported here, as it takes milliseconds of every start.
    from difflib import get_close_matches

    names = list(known)
    close = get_close_matches(name, names, n=1)
    return f"did you mean {close[0]}?" if close else f"there are {', '.join(names)}"


@dataclass(frozen=True)
class Operation:
    """A kind of question: a command, and a path of the server.

    Parameters
    ----------
    path:
        Its name: ``"odds"``, ``"views/streets"``.
    summary:
        What it answers, a line.
    parameters:
        What it takes.
    read:
        Reads a question; takes a keyword for each parameter.  Most also take ``mark``, which
        is put before the names of parameters in messages: ``"--"`` for options.
    is_list:
        Whether the answer is a list of objects.
    """

    path: str
    summary: str
    parameters: tuple[Parameter, ...]
    read: Callable[..., Question]
    is_list: bool = False

    def ask(self, given: Mapping[str, Any]) -> Question:
        """Read a question from a JSON object.

        Raises
        ------
        EquityError
            A field is unknown, is missing or is of the wrong kind, or the question is wrong.
        """
        known = {parameter.name: parameter for parameter in self.parameters}
        for name in given:
            if name not in known:
                raise MethodError(
                    "there is no such field", place=shown(name), hint=suggestion(name, known)
                )
        arguments: dict[str, Any] = {}
        for name, parameter in known.items():
            value = given.get(name)
            if value is not None:
                arguments[name] = parameter.kind.read(value, name)
            elif parameter.is_required:
                raise MethodError("it is missing", place=name, hint=parameter.text)
            else:
                arguments[name] = parameter.default
        return self.read(**arguments)

    def read_with(self, **given: Any) -> Question:
        """Read a question of arguments that are known to be of the right kind."""
        return self.read(**{one.name: one.default for one in self.parameters} | given)

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of a question."""
        return {
            "type": "object",
            "properties": {one.name: one.schema for one in self.parameters},
            "required": [one.name for one in self.parameters if one.is_required],
            "additionalProperties": False,
        }
