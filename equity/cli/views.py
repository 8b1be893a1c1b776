"""The commands of views: ``equity streets``, ``next``, ``graph``, ``flops`` and ``blockers``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from equity.cli.arguments import check_players
from equity.cli.options import (
    PART,
    WHOLE,
    cards_option,
    exact_options,
    format_options,
    game_option,
    log_to_stderr,
    ordering_option,
    print_answer,
    seed_option,
    show_notices,
    strict_option,
    threads_option,
)
from equity.engine.options import How, read_spot_for
from equity.errors import EquityError, MethodError, PlayerCountError
from equity.rules.cards import ascii_text
from equity.rules.games import find_game
from equity.spot import MIN_PLAYERS, Spot

if TYPE_CHECKING:
    from pathlib import Path

    from equity.views.answers import View

__all__ = ["blockers", "flops", "graph", "next_", "streets"]

Command = TypeVar("Command", bound=Callable[..., Any])


#: Options that are none of the calculation, in the order in which they are taken.
_NOT_OF_HOW = (
    *("players", "game", "board", "dead", "ordering"),
    *("output", "plot", "strict", "quiet"),
)


def _view_options(
    board: str, trials: str, error: float | None = None
) -> Callable[[Command], Command]:
    """The options of a view.

    Parameters
    ----------
    board, trials:
        Help of these options.
    error:
        Default standard error of samples; None for a view without ``--error``.
    """
    text = f"If sampled: stop when all standard errors of equities are below E.  [default: {error}]"
    errors = [click.option("--error", type=PART, metavar="E", help=text)] if error else []
    options = [
        game_option,
        cards_option("-b", "--board", board),
        cards_option("-d", "--dead", "Dead cards, for example folded ones."),
        ordering_option,
        format_options,
        click.option("--plot", metavar="FILE", help="Also draw a picture, .png or .svg."),
        exact_options,
        click.option("--trials", type=WHOLE, metavar="N", help=trials),
        *errors,
        seed_option,
        threads_option,
        strict_option,
        click.option("-q", "--quiet", is_flag=True, help="Print no notices."),
    ]

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


class _Asked(NamedTuple):
    """What a view command was asked."""

    spot: Spot
    how: How
    output: str | None
    #: The file of the picture.
    path: Path | None

    def show(self, view: View) -> None:
        """Print a view, and draw its picture."""
        print_answer(view, self.output)
        if self.path is not None:
            from equity.views.plots import plot

            plot(view, self.path)


def _read(
    options: dict[str, Any],
    *,
    exactly: int | None = None,
    least: int = MIN_PLAYERS,
    part_of_flop: bool = False,
) -> _Asked:
    """Validate the options of a command.

    Parameters
    ----------
    options:
        Those of :func:`_view_options`, and the players.
    exactly, least:
        The number of players, if not any, and the least one.
    part_of_flop:
        Whether a board may be part of a flop, see :func:`equity.spot.read_spot`.
    """
    players, game, board, dead, ordering, output, picture, strict, quiet = map(
        options.pop, _NOT_OF_HOW
    )
    rules = find_game(game)
    check_players(players, board, dead, rules, least=least)
    if exactly is not None and len(players) != exactly:
        raise PlayerCountError(
            f"{len(players)} where a hand and a range are wanted",
            place="players",
            hint="give two, such as AhAsKhKs 10%",
        )
    path = None
    if picture is not None:
        from equity.views.plots import check_plot

        path = check_plot(picture)
    how = How(**options)
    spot = read_spot_for(
        players,
        rules,
        board,
        dead,
        how,
        min_players=least,
        part_of_flop=part_of_flop,
        ordering=ordering,
    )
    show_notices(spot.notices, quiet=quiet, strict=strict)
    if not quiet:
        log_to_stderr()
    return _Asked(spot, how, output, path)


@click.command()
@click.argument("players", nargs=-1, metavar="PLAYER PLAYER...")
@_view_options(
    "Three to five board cards in the order they were dealt.",
    "Sample N deals on each street.",
    0.001,
)
def streets(**options: Any) -> None:
    """Equity preflop, on the flop, on the turn and on the river.

    Players are written as in 'equity odds'.  A range keeps the same combos on all
    streets.

    \b
    equity streets AhAsKhKs 9c8c7d6d -b Kd5h4cTd3d
    equity streets -g o8 AsKdQd2s Ac4d3h2h -b 9s7s6hKh
    equity streets AhAsKhKs 10% -b Th7h2c --plot streets.png
    """
    asked = _read(options)

    from equity.views.streets import find

    asked.show(find(asked.spot, asked.how))


@click.command("next")
@click.argument("players", nargs=-1, metavar="PLAYER PLAYER...")
@_view_options("The board: a flop or a turn.", "Sample N deals for each card.", 0.002)
@click.option("--two", is_flag=True, help="Turn and river together, by their ranks.")
def next_(two: bool, **options: Any) -> None:
    """Equity by the next card, best to worst for player 1.

    Isomorphic cards share a row.  Weighted by the deals that each leaves, equities
    average to the equity now.

    \b
    equity next AhAsKhKs 9c8c7d6d -b Th7h2c
    equity next -g o8 AsKdQd2s Ac4d3h2h -b 9s7s6h --plot next.png
    equity next 'AA:xxyy' '10%' -b Th7h2cJd
    equity next AhAsKhKs 9c8c7d6d -b Th7h2c --two
    """
    for name in ("trials", "error"):
        if two and options[name] is not None:
            raise MethodError(
                "turn and river are always enumerated", place=f"--{name}", hint="leave it out"
            )
    asked = _read(options)

    from equity.views.next_card import find, find_two

    asked.show(find_two(asked.spot, asked.how) if two else find(asked.spot, asked.how))


@click.command()
@click.argument("players", nargs=-1, metavar="HERO RANGE")
@_view_options(
    "Known board cards, none or three to five.", "Sample N deals, on each board with --over."
)
@click.option(
    "--over",
    type=click.Choice(["flops", "turns", "rivers"]),
    help="Go over the boards of this street instead of combos.",
)
def graph(over: str | None, **options: Any) -> None:
    """Equity distribution over the combos of a range, or over boards.

    A hand against a range: its equity against each combo, the strongest first, and
    against the top of the range.  Two ranges: the equity of each combo of both.
    With --over: the equity on every board to come, for any number of players.

    \b
    equity graph AhAsKhKs 10% -b Th7h2c
    equity graph AA:xxyy KQJT,QJT9 -b Kh9h4c --plot graph.png
    equity graph AhAsKhKs 9c8c7d6d --over flops
    equity graph AhAsKhKs 10% -b Th7h2c --over turns --json
    """
    asked = _read(options, exactly=None if over else 2)

    from equity.views.graph import find

    asked.show(find(asked.spot, asked.how, over))


class _Levels(click.ParamType):  # type: ignore[type-arg,unused-ignore]
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
@_view_options(
    "Known cards: of the flop, or a flop or turn.",
    "With --against: sample N deals on each board.",
)
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
    type=_Levels(),
    metavar="A,B",
    help="With --against: how often the equity is at least A %, B %.  [default: 45,65]",
)
def flops(
    players: tuple[str, ...],
    against: str | None,
    over: str | None,
    by: str | None,
    at_least: str | None,
    levels: tuple[float, ...] | None,
    **options: Any,
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
    check_players(players, options["board"], options["dead"], find_game(options["game"]), least=1)
    if len(players) != 1:
        raise PlayerCountError(
            f"{len(players)} where one hand or range is wanted",
            place="players",
            hint="an opponent goes with --against, as in AsAdKsJd --against 10%",
        )
    for name, value in (("levels", levels), ("trials", options["trials"])):
        if against is None and value is not None:
            raise EquityError("is of use with --against alone", place=f"--{name}")
    ordering = options["ordering"]
    options["players"] = players if against is None else (*players, against)
    asked = _read(options, least=1, part_of_flop=True)

    from equity.views.flops import LEVELS, Wanted, find

    wanted = Wanted(over, by, at_least, levels or LEVELS, ordering)
    asked.show(find(asked.spot, asked.how, wanted))


@click.command()
@click.argument("players", nargs=-1, metavar="HERO RANGE")
@_view_options("Known board cards, none or three to five.", "Sample N deals for each card.", 0.001)
def blockers(**options: Any) -> None:
    """Card removal: how each blocker changes a range and your equity.

    For each card: the share of the range that holds it, and the change of your
    equity when it is dead.  The cards of your hand come first.

    \b
    equity blockers AhKsQdJc '@FLUSH,@SET' -b Th7h2h
    equity blockers AhAsKhKs 10% -b Th7h2c --plot blockers.png
    """
    asked = _read(options, exactly=2)

    from equity.views.blockers import find

    asked.show(find(asked.spot, asked.how))
