"""The operations of views: ``views/streets``, ``next``, ``graph``, ``flops`` and ``blockers``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from equity.common.arguments import shown
from equity.engine.options import How, read_spot_for
from equity.errors import EquityError, MethodError, PlayerCountError
from equity.operations import parameters as given
from equity.operations.operation import Operation, Question
from equity.operations.parameters import FLAG, TEXT, WHOLE, Kind, Parameter, choice
from equity.spot import MIN_PLAYERS, Spot

__all__ = ["BLOCKERS", "FLOPS", "GRAPH", "NEXT", "STREETS"]

#: Streets whose boards a view can go over.
_BOARDS = choice("flops", "turns", "rivers")


def _ask(
    find: Callable[[Spot, How], Any],
    *,
    players: tuple[str, ...],
    game: Any,
    board: str,
    dead: str,
    ordering: str | None,
    least: int = MIN_PLAYERS,
    part_of_flop: bool = False,
    mark: str = "",  # noqa: ARG001 - no parameter is named in a message
    **options: Any,
) -> Question:
    """Read the spot of a view, which ``find`` answers.

    Parameters
    ----------
    find:
        Returns the view of a spot.
    least:
        The least number of players.
    part_of_flop:
        Whether a board may be part of a flop, see :func:`equity.spot.read_spot`.
    options:
        Those of :class:`~equity.How`.
    """
    how = How(**options)
    spot = read_spot_for(
        players,
        game,
        board,
        dead,
        how,
        min_players=least,
        part_of_flop=part_of_flop,
        ordering=ordering,
    )
    return Question(lambda _: find(spot, how), spot.notices, spot)


def _check_two(players: Sequence[str]) -> None:
    if len(players) != 2:
        raise PlayerCountError(
            f"{len(players)} where a hand and a range are wanted",
            place="players",
            hint="give two, such as AhAsKhKs 10%",
        )


def _read_streets(**arguments: Any) -> Question:
    from equity.views.streets import find

    return _ask(find, **arguments)


def _read_next(*, two: bool, mark: str = "", **arguments: Any) -> Question:
    for name in ("trials", "error"):
        if two and arguments[name] is not None:
            raise MethodError(
                "turn and river are always enumerated",
                place=f"{mark}{name}",
                hint="leave it out",
            )

    from equity.views.next_card import find, find_two

    return _ask(find_two if two else find, **arguments)


def _read_graph(
    *, over: str | None, best: int | None, worst: int | None, **arguments: Any
) -> Question:
    if over is None:
        _check_two(arguments["players"])

    from equity.views.graph import find

    return _ask(lambda spot, how: find(spot, how, over, best or 0, worst or 0), **arguments)


def _read_flops(
    *,
    players: tuple[str, ...],
    against: str | None,
    over: str | None,
    by: str | None,
    at_least: str | None,
    levels: Sequence[float] | str | None,
    mark: str = "",
    **arguments: Any,
) -> Question:
    if len(players) != 1:
        raise PlayerCountError(
            f"{len(players)} where one hand or range is wanted",
            place="players",
            hint="an opponent goes with --against, as in AsAdKsJd --against 10%",
        )
    read = None if levels is None else _percentages(levels, f"{mark}levels")
    for name, value in (("levels", read), ("trials", arguments["trials"])):
        if against is None and value is not None:
            raise EquityError(f"is of use with {mark}against alone", place=f"{mark}{name}")

    from equity.views.flops import LEVELS, Wanted, find

    wanted = Wanted(over, by, at_least, read or LEVELS, arguments["ordering"])
    return _ask(
        lambda spot, how: find(spot, how, wanted),
        players=players if against is None else (*players, against),
        least=1,
        part_of_flop=True,
        **arguments,
    )


def _read_blockers(**arguments: Any) -> Question:
    _check_two(arguments["players"])

    from equity.views.blockers import find

    return _ask(find, **arguments)


def _parameters(board: str, trials: str, error: float | None = None) -> list[Parameter]:
    """The parameters of a view.

    Parameters
    ----------
    board, trials:
        The meaning of these.
    error:
        Default standard error of samples; None for a view without ``error``.
    """
    text = f"If sampled: stop when all standard errors of equities are below E.  [default: {error}]"
    return [
        given.GAME,
        given.BOARD.saying(board),
        given.DEAD.saying("Dead cards, for example folded ones."),
        given.ORDERING,
        given.EXACT,
        given.TRIALS.saying(trials),
        *([given.ERROR.saying(text)] if error else []),
        given.SEED,
        given.THREADS,
    ]


def _percentages(value: Any, place: str) -> tuple[float, ...]:
    """Percentages, as a list of numbers or as text with commas: ``"45,65"``."""
    try:
        found = (
            [float(one.strip().removesuffix("%")) for one in value.split(",")]
            if isinstance(value, str)
            else [float(one) for one in value]
        )
    except (TypeError, ValueError):
        raise MethodError(
            f"{shown(value)} is no list of percentages", place=place, hint="write 45,65"
        ) from None
    return tuple(int(level) if level.is_integer() else level for level in found)


_LEVELS = Kind(
    "list of percentages",
    {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "number"}}]},
    _percentages,
)
_OF_TWO = given.PLAYERS.saying("A hand or a range, and the range of the opponent.")
_ONE = given.PLAYERS.saying("One hand or range.")

STREETS = Operation(
    "views/streets",
    "Equity preflop, on the flop, on the turn and on the river.",
    (
        given.PLAYERS,
        *_parameters(
            "Three to five board cards in the order they were dealt.",
            "Sample N deals on each street.",
            0.001,
        ),
    ),
    _read_streets,
)
NEXT = Operation(
    "views/next",
    "Equity by the next card, best to worst for player 1.",
    (
        given.PLAYERS,
        *_parameters("The board: a flop or a turn.", "Sample N deals for each card.", 0.002),
        Parameter("two", FLAG, "Turn and river together, by their ranks.", default=False),
    ),
    _read_next,
)
GRAPH = Operation(
    "views/graph",
    "Equity distribution over the combos of a range, or over boards.",
    (
        _OF_TWO,
        *_parameters(
            "Known board cards, none or three to five.",
            "Sample N deals, on each board with --over.",
        ),
        Parameter("over", _BOARDS, "Go over the boards of this street instead of combos."),
        Parameter("best", WHOLE, "List the N best combos of each range.", metavar="N"),
        Parameter("worst", WHOLE, "List the N worst combos of each range.", metavar="N"),
    ),
    _read_graph,
)
FLOPS = Operation(
    "views/flops",
    "What a hand or a range flops: made hands and draws over all flops, counted exactly.",
    (
        _ONE,
        *_parameters(
            "Known cards: of the flop, or a flop or turn.",
            "With --against: sample N deals on each board.",
        ),
        Parameter(
            "against",
            TEXT,
            "An opponent's hand or range, for the equity on each board.",
            metavar="RANGE",
        ),
        Parameter("over", _BOARDS, "Go over the boards of this street.  [default: the next one]"),
        Parameter("by", choice("suits", "pairs", "high"), "Split flops into kinds."),
        given.AT_LEAST,
        Parameter(
            "levels",
            _LEVELS,
            "With --against: how often the equity is at least A %, B %.  [default: 45,65]",
            metavar="A,B",
        ),
    ),
    _read_flops,
)
BLOCKERS = Operation(
    "views/blockers",
    "Card removal: how each blocker changes a range and your equity.",
    (
        _OF_TWO,
        *_parameters(
            "Known board cards, none or three to five.", "Sample N deals for each card.", 0.001
        ),
    ),
    _read_blockers,
)
