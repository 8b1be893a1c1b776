"""Options that commands share, and how their output is written."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

__all__ = ["cards_option", "format_options", "game_option", "notice_on_stderr", "wants_colour"]

Command = TypeVar("Command", bound=Callable[..., Any])

game_option = click.option(
    "-g",
    "--game",
    default="plo4",
    show_default=True,
    metavar="GAME",
    help="Name or alias; 'equity games' lists them.",
)


def cards_option(short: str, name: str, text: str) -> Callable[[Command], Command]:
    """An option that takes cards as one text, and the text of its help."""
    return click.option(short, name, default="", metavar="CARDS", help=text)


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


def wants_colour() -> bool:
    """Whether stdout is a terminal that may be coloured."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.name != "nt"


def notice_on_stderr() -> None:
    """Show notices of the loader, that compiling takes a while, on stderr."""
    from equity.kernels.loader import listeners

    listeners[:] = [lambda message: print(f"equity: {message}", file=sys.stderr, flush=True)]
