"""Options that commands share, and how their output is written."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, islice
from pathlib import Path
from shutil import get_terminal_size
from typing import Any, TypeVar

import click

from equity.common.notices import Notice, refuse_notices
from equity.errors import EquityError
from equity.operations import parameters as kinds
from equity.operations.operation import Operation
from equity.operations.parameters import Parameter
from equity.results.formats import FORMATS, Listing, Printable, Style
from equity.rules.cards import ascii_text
from equity.rules.games import Game

__all__ = [
    "check_files",
    "format_options",
    "log_to_stderr",
    "option",
    "page",
    "print_answer",
    "quiet_option",
    "read_text",
    "show_notices",
    "strict_option",
    "takes",
    "yes_option",
]

#: The end of a line.
_END = "\n"
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
WHOLE = Amount("whole number", int)
PART = Amount("number", float)
#: How the values of parameters are read from the command line, by kind; others are text.
TYPES: dict[str, Any] = {kinds.WHOLE.name: WHOLE, kinds.NUMBER.name: PART}
#: Defaults that the help does not show.
_HIDDEN = (None, "", (), False)


def takes(operation: Operation, *without: str) -> Callable[[Command], Command]:
    """The argument and the options for the parameters of an operation, in their order.

    Parameters
    ----------
    operation:
        The operation.
    without:
        Names of parameters that the command has otherwise, or not at all.
    """

    def add(command: Command) -> Command:
        for parameter in reversed(operation.parameters):
            if parameter.name not in without:
                command = option(parameter)(command)
        return command

    return add


def option(parameter: Parameter) -> Callable[[Command], Command]:
    """The option of click for a parameter; for a list of texts the arguments."""
    kind = parameter.kind
    if kind is kinds.TEXTS:
        return click.argument(parameter.name, nargs=-1, metavar=parameter.metavar or None)
    names = [parameter.flag, parameter.name]
    if parameter.short:
        names.insert(0, parameter.short)
    shared: dict[str, Any] = {"help": parameter.text}
    shared |= {"required": True} if parameter.is_required else {"default": parameter.default}
    if kind is kinds.FLAG:
        return click.option(*names, is_flag=True, **shared)
    if "enum" in kind.schema:
        return click.option(*names, type=click.Choice(kind.schema["enum"]), **shared)
    return click.option(
        *names,
        type=TYPES.get(kind.name, str),
        metavar=parameter.metavar or None,
        show_default=parameter.default not in _HIDDEN,
        shell_complete=lambda _, __, begun: [
            value for value in parameter.values() if value.startswith(begun)
        ],
        **shared,
    )


yes_option = click.option(
    "--yes",
    is_flag=True,
    help="With --exact: also when it takes more than a day or the free memory.",
)


strict_option = click.option(
    "--strict", is_flag=True, help="Treat notices on ambiguous input as errors."
)


quiet_option = click.option("-q", "--quiet", is_flag=True, help="Print no progress and no notices.")


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
    """Print an answer in a format of :func:`format_options`, None for a table.

    On a terminal tables have colours, unless ``NO_COLOR`` is set, and a long list goes
    through the pager that ``PAGER`` names.
    """
    is_colourful = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.name != "nt"
    text = FORMATS[output or "table"](answer, Style(verbose, is_colourful))
    if isinstance(answer, Listing):
        page(text)
        return
    sys.stdout.writelines(text)
    sys.stdout.flush()


def read_text(name: str, place: str) -> str:
    """The text of a file that an option names, in UTF-8; of stdin for ``-``."""
    try:
        content = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return content.decode("utf-8-sig")
    except OSError as error:
        problem = f"{ascii_text(name)} cannot be read ({error.strerror})"
    except UnicodeDecodeError as error:
        problem = f"{ascii_text(name)} is no text in UTF-8 (byte {error.start + 1})"
    raise EquityError(problem, place=place)


def page(lines: Iterable[str]) -> None:
    """Print lines, through a pager if stdout is a terminal that cannot show all at once."""
    remaining = iter(lines)
    if sys.stdout.isatty():
        first = list(islice(remaining, get_terminal_size().lines - 1))
        if more := list(islice(remaining, 1)):
            # As git does it: colours pass, and a short text stays on the screen.
            os.environ.setdefault("LESS", "FRX")
            # The end of the last line is click's.
            start, *begun = [*first, *more]
            rest = (f"\n{line.removesuffix(_END)}" for line in chain(begun, remaining))
            click.echo_via_pager(chain([start.removesuffix(_END)], rest))
            return
        remaining = iter(first)
    sys.stdout.writelines(remaining)
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
