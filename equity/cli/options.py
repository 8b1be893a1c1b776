"""Options that commands share, and how their output is written."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import click

from equity.cards import ascii_text
from equity.errors import EquityError
from equity.games import Game
from equity.notices import Notice, refuse_notices

__all__ = [
    "cards_option",
    "check_files",
    "exact_options",
    "format_options",
    "game_option",
    "notice_on_stderr",
    "ordering_option",
    "show_notices",
    "strict_option",
    "wants_colour",
]

Command = TypeVar("Command", bound=Callable[..., Any])

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
    help="What 10% is read by: an ordering of the package, or a file.  [default: ring]",
)


strict_option = click.option(
    "--strict", is_flag=True, help="Refuse what brings a notice because it may be a slip."
)


def cards_option(short: str, name: str, text: str) -> Callable[[Command], Command]:
    """An option that takes cards as one text, and the text of its help."""
    return click.option(short, name, default="", metavar="CARDS", help=text)


def exact_options(command: Command) -> Command:
    """``--exact``, and ``--yes`` to confirm what takes very long."""
    add_yes = click.option(
        "--yes",
        is_flag=True,
        help="With --exact: count even what takes more than a day, or more memory than is free.",
    )
    add_exact = click.option("--exact", is_flag=True, help="Count every deal, up to a day.")
    return add_exact(add_yes(command))


def format_options(command: Command) -> Command:
    """``--json`` and ``--csv``, as a parameter ``output`` that names the format."""
    for name in ("csv", "json"):
        command = click.option(
            f"--{name}",
            "output",
            flag_value=name,
            help=f"Print {name.upper()} instead of a table.",
        )(command)
    return command


def check_files(arguments: Sequence[str], game: Game, place: str) -> None:
    """Explain names of files, which a shell puts where a ``*`` stood.

    A text that is a range is one, whatever files there are; unless it stands
    among all files of the folder.
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
                hint="the shell may have put it for a *, which wants quotes: '*', or write all",
            )


def wants_colour() -> bool:
    """Whether stdout is a terminal that may be coloured."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.name != "nt"


def notice_on_stderr() -> None:
    """Show what the program does, that it compiles a kernel say, on stderr."""
    from equity.kernels.loader import listeners

    listeners[:] = [lambda message: print(f"equity: {message}", file=sys.stderr, flush=True)]


def show_notices(notices: Iterable[Notice], *, quiet: bool = False, strict: bool = False) -> None:
    """Print notices on unlikely readings on stderr; raise the first where they are refused."""
    if strict:
        refuse_notices(notices)
    if not quiet:
        for notice in notices:
            message = f"equity: notice: {notice}"
            print(message.encode("ascii", "backslashreplace").decode(), file=sys.stderr, flush=True)
