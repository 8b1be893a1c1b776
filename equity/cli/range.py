"""``equity range``: the combos of a range."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from equity.cli.options import (
    check_files,
    format_options,
    log_to_stderr,
    page,
    print_answer,
    quiet_option,
    show_notices,
    strict_option,
    takes,
)
from equity.errors import EquityError
from equity.operations.ranges import CLASSES, COMBOS, RANGE, TEXTURE
from equity.rules.cards import ascii_text
from equity.rules.games import Game, find_game

__all__ = ["range_"]

#: What is printed of a range, by the option.
_OPERATIONS = {None: RANGE, "list": COMBOS, "classes": CLASSES, "texture": TEXTURE}


@click.command("range")
@click.argument("expressions", nargs=-1, metavar="EXPR")
@takes(RANGE, "expression")
@click.option("--list", "what", flag_value="list", help="Print every live combo.")
@click.option("--classes", "what", flag_value="classes", help="Print every suit-isomorphic class.")
@click.option(
    "--texture",
    "what",
    flag_value="texture",
    help="Break it down by made hands and draws on the board.",
)
@click.option(
    "--against", metavar="RANGE", help="With --texture: the opponent's range, to add equities."
)
@click.option(
    "--help-board",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda ctx, _, wanted: _help_board(ctx) if wanted else None,
    help="List the board conditions, @SET and so on, and exit.",
)
@format_options
@strict_option
@quiet_option
def range_(
    expressions: tuple[str, ...],
    what: str | None,
    against: str | None,
    output: str | None,
    strict: bool,
    quiet: bool,
    **arguments: Any,
) -> None:
    """Count and list the combos of a range.

    A comma joins, ':' intersects, '!' subtracts; unnamed cards are free.  Hands
    that differ by a permutation of suits are one class.  Put quotes around *, !
    and $.

    \b
    equity range AA:xxyy                 two aces, double suited
    equity range 'TT+!AA' -b Th7h2c      with a board
    equity range KQJT-9876 --classes     a rundown, class by class
    equity range 5%-10%:xxyy             the second best 5 percent, double suited
    equity range '10%:@TWOPAIR+' -b Th7h2c
    equity range 10% -b Th7h2c --texture --against 'TT,77,@FLUSHDRAW'
    """
    expression = _one_expression(expressions, find_game(arguments["game"]))
    if what == "texture":
        arguments["against"] = against
    elif against is not None:
        raise EquityError("requires --texture", place="--against")
    question = _OPERATIONS[what].read(expression=expression, **arguments)
    show_notices(question.notices, quiet=quiet, strict=strict)
    if what == "texture":
        log_to_stderr()
    print_answer(question.answer(None), output)


def _one_expression(expressions: Sequence[str], game: Game) -> str:
    """The range of the command line, or what is wrong with the arguments."""
    check_files(expressions, game, "range")
    if len(expressions) == 1:
        return expressions[0]
    if not expressions:
        raise EquityError("there is none", place="range", hint="write one, such as AA:xxyy")
    joined = ascii_text(",".join(expressions))
    raise EquityError(
        f"{len(expressions)} arguments where one range is wanted",
        place="range",
        hint=f"join ranges by commas, {joined}, and put quotes round spaces",
    )


def _help_board(ctx: click.Context) -> None:
    """Print the table of predicates and of short forms, and end."""
    from equity.ranges.predicates import ALIASES, PREDICATES

    lines = ["Conditions on a hand and a board of three to five cards, as in 'AA:@SET':", ""]
    lines += [f"  @{row.written:<34} {row.meaning}" for row in PREDICATES]
    lines.append(f"  {'@BLOCKS(expr)20':<35} shares a card with 20 % of expr's live combos or more")
    lines += ["", "Short forms:", ""]
    lines += [f"  @{row.name:<6} @{row.predicate:<14} {row.meaning}" for row in ALIASES]
    page(f"{line}\n" for line in lines)
    ctx.exit()
