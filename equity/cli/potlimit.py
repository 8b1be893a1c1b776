"""``equity potlimit``: the largest raise that pot limit allows."""

from __future__ import annotations

import json

import click

from equity.cli.options import format_options

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
    from equity.money.amounts import plain
    from equity.money.limits import pot_limit

    limit = pot_limit(pot, bets, own)
    if output == "json":
        click.echo(json.dumps(limit.to_dict()))
    elif output == "csv":
        from equity.results.report import csv_rows

        whole = limit.to_dict() | {"bets": " ".join(map(plain, limit.bets))}
        click.echo(csv_rows(list(whole), [list(whole.values())]), nl=False)
    else:
        click.echo(limit.line)
        if limit.min_raise_by is not None and limit.min_raise_to is not None:
            least = f"by {plain(limit.min_raise_by)}, to {plain(limit.min_raise_to)}"
            click.echo(f"the smallest raise is {least}")
