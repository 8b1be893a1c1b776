"""The options of money that ``odds`` has, and what they ask for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from equity.money import Call, Stakes
    from equity.spot import Spot

__all__ = ["OPTIONS", "money_options", "read_money"]

Command = TypeVar("Command", bound=Callable[..., Any])

#: The options, their value in the help, and what they are.
OPTIONS = {
    "stacks": ("A,B,...", "All are in with these, one a player: chips won, with side pots."),
    "pot": ("AMOUNT", "Dead money in the main pot; with --call all that is in the middle."),
    "rake": ("PERCENT", "Taken of the contested money, 5% say."),
    "cap": ("AMOUNT", "The most that the rake is."),
    "call": ("AMOUNT", "Player 1 may call this: the equity he needs, and has."),
}


def money_options(command: Command) -> Command:
    """``--stacks``, ``--pot``, ``--rake``, ``--cap`` and ``--call``."""
    for name, (value, text) in reversed(OPTIONS.items()):
        command = click.option(f"--{name}", metavar=value, help=text)(command)
    return command


def read_money(options: dict[str, Any], spot: Spot) -> Stakes | Call | None:
    """What is asked about money; its options are taken out of ``options``."""
    given = {name: options.pop(name) for name in OPTIONS}
    if all(value is None for value in given.values()):
        return None
    from equity.money.parse import read_asked

    return read_asked(given, len(spot.players), mark="--")
