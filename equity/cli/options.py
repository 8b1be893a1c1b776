"""Options that commands share, and how their output is written."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import click

from equity.common.notices import Notice, refuse_notices
from equity.errors import EquityError
from equity.results.formats import FORMATS, Printable, Style
from equity.rules.cards import ascii_text
from equity.rules.games import Game

__all__ = [
    "MONEY",
    "PART",
    "WHOLE",
    "cards_option",
    "check_files",
    "exact_options",
    "format_options",
    "game_option",
    "log_to_stderr",
    "money_options",
    "ordering_option",
    "print_answer",
    "seed_option",
    "show_notices",
    "strict_option",
    "threads_option",
]

Command = TypeVar("Command", bound=Callable[..., Any])


class Amount(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """A number; errors for other text suggest the spelling."""

    def __init__(self, name: str, read: Callable[[str], float]) -> None:
        self.name = name
        self._read = read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number of a text."""
        try:
            return self._read(value)
        except ValueError:
            self.fail(f"{ascii_text(value)} is no {self.name}{self._hint(value)}", param, ctx)

    def _hint(self, text: str) -> str:
        """Suggest the spelling of a number with commas, a unit or a percent sign."""
        match = _NUMBER.fullmatch(text.strip().lower())
        if not match:
            return ""
        number, unit = match.groups()
        bare = number.replace(",", "." if self._read is float else "")
        try:
            meant = self._read(f"{float(bare) * _UNITS[unit]:.12g}")
        except ValueError:
            return ""
        return f"; write {meant}"


#: Numbers with commas or an exponent, and their unit.
_NUMBER = re.compile(r"(\d[\d,]*(?:\.\d+)?(?:e\d+)?)\s*([km%]?)")
_UNITS = {"": 1, "%": 0.01, "k": 1_000, "m": 1_000_000}
#: The options about money, their value in the help, and what they are.
MONEY = {
    "stacks": ("A,B,...", "Stacks of players who are all in, one each: chips won, with side pots."),
    "pot": ("AMOUNT", "Dead money in the main pot; with --call the whole pot."),
    "rake": ("PERCENT", "Rake on the contested money, such as 5%."),
    "cap": ("AMOUNT", "Cap on the rake."),
    "call": ("AMOUNT", "Price of a call for player 1: the equity they need, and have."),
}
WHOLE = Amount("whole number", int)
#: A part of the pot.
PART = Amount("number", float)

game_option = click.option(
    "-g",
    "--game",
    default="plo4",
    show_default=True,
    metavar="GAME",
    help="Name or alias; 'equity games' lists them.",
)


ordering_option = click.option(
    "--ordering",
    metavar="NAME|FILE",
    help="Hand ranking that percentages refer to: a name or a file.  [default: ring]",
)


seed_option = click.option(
    "--seed", type=int, default=0, show_default=True, help="Seed of the random numbers."
)


threads_option = click.option(
    "--threads", type=int, metavar="N", help="Number of threads.  [default: all processors]"
)


strict_option = click.option(
    "--strict", is_flag=True, help="Treat notices on ambiguous input as errors."
)


def cards_option(short: str, name: str, text: str) -> Callable[[Command], Command]:
    """Declare an option that takes cards as one text."""
    return click.option(short, name, default="", metavar="CARDS", help=text)


def exact_options(command: Command) -> Command:
    """``--exact``, and ``--yes`` to confirm what takes very long."""
    add_yes = click.option(
        "--yes",
        is_flag=True,
        help="With --exact: also when it takes more than a day or the free memory.",
    )
    add_exact = click.option(
        "--exact", is_flag=True, help="Enumerate every deal; refused if that takes more than a day."
    )
    return add_exact(add_yes(command))


def money_options(command: Command) -> Command:
    """``--stacks``, ``--pot``, ``--rake``, ``--cap`` and ``--call``."""
    for name, (value, text) in reversed(MONEY.items()):
        command = click.option(f"--{name}", metavar=value, help=text)(command)
    return command


def format_options(command: Command) -> Command:
    """``--json`` and ``--csv``, as a parameter ``output``: a name of :data:`FORMATS`."""
    for name in reversed([name for name in FORMATS if name != "table"]):
        command = click.option(
            f"--{name}",
            "output",
            flag_value=name,
            help=f"Print {name.upper()} instead of a table.",
        )(command)
    return command


def check_files(arguments: Sequence[str], game: Game, place: str) -> None:
    """Raise an error for file names, to which a shell expands a ``*``.

    A text that is also a range is accepted, unless the arguments include all files of
    the folder.
    """
    files = [text for text in arguments if os.path.exists(text)]
    if not files:
        return
    from equity.ranges import is_range

    visible = {name for name in os.listdir() if not name.startswith(".")}
    expanded = bool(visible) and visible <= set(arguments)
    for number, text in enumerate(arguments, 1):
        if text in files and (expanded or not is_range(text, game)):
            raise EquityError(
                f"{ascii_text(text)} is the name of a file here",
                place=place.format(number),
                hint="the shell may have expanded a *; put it in quotes, '*', or write all",
            )


def print_answer(answer: Printable, output: str | None, *, verbose: bool = False) -> None:
    """Print an answer in a format of :func:`format_options`, None for a table."""
    is_colourful = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.name != "nt"
    sys.stdout.writelines(FORMATS[output or "table"](answer, Style(verbose, is_colourful)))
    sys.stdout.flush()


def log_to_stderr() -> None:
    """Print notices of the engine (a kernel is being compiled) on stderr."""
    from equity.kernels.log import listeners

    listeners[:] = [lambda message: print(f"equity: {message}", file=sys.stderr, flush=True)]


def show_notices(notices: Iterable[Notice], *, quiet: bool = False, strict: bool = False) -> None:
    """Print notices on ambiguous input on stderr, or raise the first one if ``strict``."""
    if strict:
        refuse_notices(notices)
    if not quiet:
        for notice in notices:
            message = f"equity: notice: {notice}"
            print(message.encode("ascii", "backslashreplace").decode(), file=sys.stderr, flush=True)
