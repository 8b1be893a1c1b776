"""Parameters of operations: their names, meaning, JSON schema, and how JSON is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from equity.common.arguments import shown, truth, whole
from equity.errors import MethodError
from equity.rules.games import GAMES

__all__ = [
    "AMOUNT",
    "AMOUNTS",
    "AT_LEAST",
    "BOARD",
    "BOARD2",
    "BUDGET",
    "CALL",
    "CAP",
    "CARDS",
    "DEAD",
    "DOCUMENT",
    "ERROR",
    "EXACT",
    "FLAG",
    "GAME",
    "MONEY",
    "NUMBER",
    "ORDERING",
    "PLAYERS",
    "POT",
    "RAKE",
    "RUNS",
    "SEED",
    "STACKS",
    "TEXT",
    "TEXTS",
    "THREADS",
    "TRIALS",
    "WHOLE",
    "Kind",
    "Parameter",
    "choice",
]

#: Most characters of a text, and most texts of a list.
MOST_TEXT = 100_000
MOST_TEXTS = 50


@dataclass(frozen=True)
class Kind:
    """What the values of a parameter are.

    Parameters
    ----------
    name:
        What a value is called in messages: ``"whole number"``.
    schema:
        The JSON schema of a value.
    read:
        Returns the value of a JSON value; raises an error at a place.
    """

    name: str
    schema: dict[str, Any] = field(hash=False)
    read: Callable[[Any, str], Any]


def _text(value: Any, place: str) -> str:
    if not isinstance(value, str):
        raise MethodError(f"{shown(value)} is no text", place=place, hint='write it as "..."')
    if len(value) > MOST_TEXT:
        raise MethodError(
            f"{len(value):,} characters", place=place, hint=f"at most {MOST_TEXT:,} are read"
        )
    return value


def _document(value: Any, place: str) -> str:
    """The text of a file, as long as the body of a request may be."""
    if not isinstance(value, str):
        raise MethodError(f"{shown(value)} is no text", place=place, hint='write it as "..."')
    return value


def _texts(value: Any, place: str) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise MethodError(
            f"{shown(value)} is no list", place=place, hint='write ["AhAsKhKs", "10%"], say'
        )
    if len(value) > MOST_TEXTS:
        raise MethodError(f"{len(value):,} texts", place=place, hint=f"at most {MOST_TEXTS}")
    return tuple(_text(one, f"{place} {number}") for number, one in enumerate(value, 1))


def _whole(value: Any, place: str) -> int:
    return whole(value, place, 0)


def _number(value: Any, place: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise MethodError(f"{shown(value)} is no number", place=place, hint="write one such as 0.5")
    try:
        return float(value)
    except OverflowError:
        raise MethodError(f"{shown(value)} is too large", place=place) from None


def _amount(value: Any, place: str) -> str:
    """An amount stays text, so that it is exact: ``"5%"``, ``"0.10"``, or a number."""
    if isinstance(value, str):
        return _text(value, place)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise MethodError(f"{shown(value)} is no amount", place=place, hint='write 2.50 or "5%"')
    return repr(value)


def _amounts(value: Any, place: str) -> str:
    if isinstance(value, list):
        if len(value) > MOST_TEXTS:
            raise MethodError(f"{len(value):,} amounts", place=place, hint=f"at most {MOST_TEXTS}")
        return ",".join(_amount(one, place) for one in value)
    return _amount(value, place)


_STRING = {"type": "string"}
TEXT = Kind("text", _STRING, _text)
DOCUMENT = Kind("text of a file", _STRING, _document)
CARDS = Kind("cards", _STRING, _text)
TEXTS = Kind("list of texts", {"type": "array", "items": _STRING, "maxItems": MOST_TEXTS}, _texts)
WHOLE = Kind("whole number", {"type": "integer", "minimum": 0}, _whole)
NUMBER = Kind("number", {"type": "number"}, _number)
FLAG = Kind("true or false", {"type": "boolean"}, truth)
AMOUNT = Kind("amount", {"type": ["number", "string"]}, _amount)
AMOUNTS = Kind(
    "amounts",
    {
        "anyOf": [
            {"type": ["number", "string"]},
            {"type": "array", "items": {"type": ["number", "string"]}},
        ]
    },
    _amounts,
)


def choice(*names: str) -> Kind:
    """The kind of a parameter that is one of some names."""

    def read(value: Any, place: str) -> str:
        if value not in names:
            raise MethodError(
                f"{shown(value)} is not known here", place=place, hint=f"use {', '.join(names)}"
            )
        return str(value)

    return Kind("choice", {"type": "string", "enum": list(names)}, read)


@dataclass(frozen=True)
class Parameter:
    """A parameter of an operation.

    Parameters
    ----------
    name:
        Its name in JSON and in Python; an option of a command has dashes for underscores.
    kind:
        What its values are.
    text:
        What it means, a sentence.
    default:
        Its value if it is not given.
    short:
        The short option of a command, ``"-b"``.
    metavar:
        How the help of a command shows a value.
    is_required:
        Whether it must be given.
    """

    name: str
    kind: Kind
    text: str
    default: Any = None
    short: str = ""
    metavar: str = ""
    is_required: bool = False
    #: The long option of a command, where it is not the name.
    option: str = ""
    #: Returns values to suggest, for completion in a shell.
    values: Callable[[], Sequence[str]] = tuple

    @property
    def flag(self) -> str:
        """The long option of a command."""
        return f"--{self.option or self.name.replace('_', '-')}"

    @property
    def schema(self) -> dict[str, Any]:
        """Its JSON schema."""
        schema = self.kind.schema | {"description": self.text}
        return (
            schema if self.default in (None, "", (), False) else schema | {"default": self.default}
        )

    def saying(self, text: str) -> Parameter:
        """The same parameter with another meaning."""
        return replace(self, text=text)


def _games() -> list[str]:
    return [game.name for game in GAMES]


def _orderings() -> Sequence[str]:
    from equity.ranges.orderings import ordering_names

    return ordering_names(GAMES[0].name)


def _ordering(value: Any, place: str) -> str:
    """The name of an ordering: a file is none that a request can name."""
    from equity.ranges.orderings import is_ordering_name

    name = _text(value, place)
    if not is_ordering_name(name):
        raise MethodError(
            f"{shown(name)} is no ordering", place=place, hint="give the name of one, such as ring"
        )
    return name


PLAYERS = Parameter(
    "players",
    TEXTS,
    "A hand or a range for each player.",
    metavar="PLAYER PLAYER...",
    is_required=True,
)
GAME = Parameter(
    "game",
    TEXT,
    "Name or alias; 'equity games' lists them.",
    "plo4",
    "-g",
    metavar="GAME",
    values=_games,
)
BOARD = Parameter(
    "board", CARDS, "Up to five board cards, or a pattern; '-' for none.", "", "-b", "CARDS"
)
DEAD = Parameter(
    "dead", CARDS, "Dead cards, for example folded ones, or a pattern.", "", "-d", "CARDS"
)
ORDERING = Parameter(
    "ordering",
    Kind("ordering", _STRING, _ordering),
    "Hand ranking that percentages refer to.  [default: ring]",
    metavar="NAME|FILE",
    values=_orderings,
)
EXACT = Parameter(
    "exact", FLAG, "Enumerate every deal; refused if that takes more than a day.", default=False
)
TRIALS = Parameter("trials", WHOLE, "Sample N deals.", metavar="N")
ERROR = Parameter("error", NUMBER, "Sample until standard errors are at most E.", metavar="E")
BUDGET = Parameter("budget", NUMBER, "Stop sampling after so many seconds.", metavar="SECONDS")
SEED = Parameter("seed", WHOLE, "Seed of the random numbers.", default=0)
THREADS = Parameter("threads", WHOLE, "Number of threads.  [default: all processors]", metavar="N")
STACKS = Parameter(
    "stacks",
    AMOUNTS,
    "Stacks of players who are all in, one each: chips won, with side pots.",
    metavar="A,B,...",
)
POT = Parameter(
    "pot", AMOUNT, "Dead money in the main pot; with a call the whole pot.", metavar="AMOUNT"
)
RAKE = Parameter("rake", AMOUNT, "Rake on the contested money, such as 5%.", metavar="PERCENT")
CAP = Parameter("cap", AMOUNT, "Cap on the rake.", metavar="AMOUNT")
CALL = Parameter(
    "call",
    AMOUNT,
    "Price of a call for player 1: the equity they need, and have.",
    metavar="AMOUNT",
)
BOARD2 = Parameter(
    "board2", CARDS, "A second board; each is played for half of the pot.", metavar="CARDS"
)
RUNS = Parameter("runs", WHOLE, "Run it twice, or three times.", metavar="2|3")
AT_LEAST = Parameter(
    "at_least",
    TEXT,
    "How often each of these holds, and any: '@SET,@NFD,@WRAP13+'.",
    metavar="LINES",
)
MONEY: Sequence[Parameter] = (STACKS, POT, RAKE, CAP, CALL)
