"""The options of money that ``odds`` has, and what they ask for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from equity.how import How
    from equity.money import Call, Money, PotOdds, Stakes
    from equity.spot import Spot

__all__ = ["ask_money", "money_options", "read_money"]

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
    named = [name for name, value in given.items() if value is not None]
    if not named:
        return None
    from equity.money import MoneyError, read_call, read_stakes

    stacks, call = given.pop("stacks"), given.pop("call")
    if stacks is not None and call is not None:
        raise MoneyError(
            "all in, or a call to think about", place="--call", hint="leave out --stacks or --call"
        )
    if call is not None:
        return read_call(call, **given)
    if stacks is None:
        raise MoneyError(
            "it goes with stacks or a call",
            place=f"--{named[0]}",
            hint="say what each player has put in, --stacks 100,60, or what there is to --call",
        )
    return read_stakes(stacks, len(spot.players), **given)


def ask_money(asked: Stakes | Call, spot: Spot, how: How) -> Money | PotOdds:
    """The answer to what was asked."""
    from equity.money import Stakes, settle
    from equity.money.calls import face

    return settle(spot, asked, how) if isinstance(asked, Stakes) else face(spot, asked, how)
