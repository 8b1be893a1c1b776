"""``equity potlimit``: the largest raise that pot limit allows."""

from __future__ import annotations

import click

from equity.cli.options import format_options, print_answer

__all__ = ["potlimit"]


@click.command()
@click.option("--pot", required=True, metavar="AMOUNT", help="The pot before this street's bets.")
@click.option(
    "--bets",
    default="",
    metavar="A,B,...",
    help="What each opponent has bet on this street, in order.  [default: none]",
)
@click.option(
    "--in",
    "own",
    default="0",
    metavar="AMOUNT",
    help="What the player to act has bet on this street.  [default: 0]",
)
@format_options
def potlimit(pot: str, bets: str, own: str, output: str | None) -> None:
    """The largest raise in pot limit, with the arithmetic on one line.

    Bets are totals for this street, also of players who have folded since.  Blinds
    are bets; antes belong to the pot.  The minimum raise is given where it is clear.

    \b
    equity potlimit --pot 50 --bets 10,10
    equity potlimit --pot 0 --bets 1,2
    equity potlimit --pot 60 --bets 100,40 --in 20
    """
    from equity.money.limits import pot_limit

    print_answer(pot_limit(pot, bets, own), output)
