"""``equity potlimit``: the largest raise that pot limit allows."""

from __future__ import annotations

import click

from equity.cli.options import format_options, print_answer, takes
from equity.operations.potlimit import POTLIMIT

__all__ = ["potlimit"]


@click.command()
@takes(POTLIMIT)
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
    print_answer(POTLIMIT.read(pot=pot, bets=bets, own=own).answer(None), output)
