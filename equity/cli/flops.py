"""``equity flops``: what a hand or a range makes over all flops."""

from __future__ import annotations

from typing import Any

import click

from equity.cli.arguments import check_players
from equity.cli.views import prepare, show, view_options
from equity.errors import EquityError, PlayerCountError
from equity.rules.cards import ascii_text
from equity.rules.games import find_game

__all__ = ["flops"]


class Levels(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """Percentages with commas between."""

    name = "list of percentages"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, ...]:
        """The numbers of a text."""
        if not isinstance(value, str):
            return tuple(value)
        try:
            found = [float(text.strip().removesuffix("%")) for text in value.split(",")]
        except ValueError:
            self.fail(f"{ascii_text(value)} is no list of percentages; write 45,65", param, ctx)
        return tuple(int(level) if level.is_integer() else level for level in found)


@click.command()
@click.argument("players", nargs=-1, metavar="HAND|RANGE")
@view_options("Known cards: of the flop, or a flop or turn.", "With --against: sample N boards.")
@click.option(
    "--against", metavar="RANGE", help="An opponent's hand or range, for the equity on each board."
)
@click.option(
    "--over",
    type=click.Choice(["flops", "turns", "rivers"]),
    help="Go over the boards of this street.  [default: the next one]",
)
@click.option("--by", type=click.Choice(["suits", "pairs", "high"]), help="Split flops into kinds.")
@click.option(
    "--at-least",
    metavar="LINES",
    help="How often each of these holds, and any: '@SET,@NFD,@WRAP13+'.",
)
@click.option(
    "--levels",
    type=Levels(),
    metavar="A,B",
    help="With --against: how often the equity is at least A %, B %.  [default: 45,65]",
)
def flops(
    players: tuple[str, ...],
    game: str,
    board: str,
    dead: str,
    ordering: str | None,
    output: str | None,
    plot: str | None,
    strict: bool,
    quiet: bool,
    against: str | None,
    over: str | None,
    by: str | None,
    at_least: str | None,
    levels: tuple[float, ...] | None,
    **asked: Any,
) -> None:
    """What a hand or a range flops: made hands and draws over all flops, counted exactly.

    Conditions are those of ranges, 'equity range --help-board' lists them.  With a
    flop or a turn: over the boards that follow.

    \b
    equity flops AsAdKsJd
    equity flops 10% --by suits
    equity flops AsAdKsJd --at-least '@SET,@NFD,@WRAP13+'
    equity flops JsTs9h8h -b Qs --dead AsKs
    equity flops AsAdKsJd -b Th7h2c --against 10%
    """
    check_players(players, board, dead, find_game(game), least=1)
    if len(players) != 1:
        raise PlayerCountError(
            f"{len(players)} where one hand or range is wanted",
            place="players",
            hint="an opponent goes with --against, as in AsAdKsJd --against 10%",
        )
    for name, value in (("levels", levels), ("trials", asked["trials"])):
        if against is None and value is not None:
            raise EquityError("is of use with --against alone", place=f"--{name}")
    spot, path = prepare(
        players if against is None else (*players, against),
        game,
        board,
        dead,
        ordering,
        plot,
        quiet=quiet,
        strict=strict,
        min_players=1,
        part_of_flop=True,
    )

    from equity.engine.options import How
    from equity.views.flop_table import table
    from equity.views.flops import LEVELS, Wanted, find

    wanted = Wanted(over, by, at_least, levels or LEVELS, ordering)
    found = find(spot, How(**asked), wanted)
    show(found, table(found), output, path)
