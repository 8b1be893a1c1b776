"""Options of ``equity odds`` about money."""

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
    "stacks": ("A,B,...", "Stacks of players who are all in, one each: chips won, with side pots."),
    "pot": ("AMOUNT", "Dead money in the main pot; with --call the whole pot."),
    "rake": ("PERCENT", "Rake on the contested money, such as 5%."),
    "cap": ("AMOUNT", "Cap on the rake."),
    "call": ("AMOUNT", "Price of a call for player 1: the equity they need, and have."),
}


def money_options(command: Command) -> Command:
    """``--stacks``, ``--pot``, ``--rake``, ``--cap`` and ``--call``."""
    for name, (value, text) in reversed(OPTIONS.items()):
        command = click.option(f"--{name}", metavar=value, help=text)(command)
    return command


def read_money(options: dict[str, Any], spot: Spot) -> Stakes | Call | None:
    """Validate the money options and remove them from ``options``."""
    given = {name: options.pop(name) for name in OPTIONS}
    if all(value is None for value in given.values()):
        return None
    from equity.money.parse import read_asked

    return read_asked(given, len(spot.players), mark="--")
