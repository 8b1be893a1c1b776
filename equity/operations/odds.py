"""The operation ``odds``: equities, of one board or two, of pots and calls."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from equity.engine.options import How, read_spot_for
from equity.errors import MethodError
from equity.operations import parameters as given
from equity.operations.operation import Operation, Question, Report
from equity.operations.parameters import MONEY, WHOLE, Parameter
from equity.results.formats import Printable
from equity.spot import Spot

__all__ = ["COMBOS", "ODDS"]

#: Parameters about money, by name.
_MONEY = tuple(parameter.name for parameter in MONEY)


def _read(
    *,
    players: tuple[str, ...],
    game: Any,
    board: str,
    dead: str,
    ordering: str | None,
    board2: str | None = None,
    runs: int | None = None,
    with_combos: bool = False,
    mark: str = "",
    **options: Any,
) -> Question:
    """Read a question.

    ``with_combos`` also finds the equity of every combo.  ``mark`` is put before names in
    messages, ``"--"`` for options.
    """
    about_money = {name: options.pop(name, None) for name in _MONEY}
    is_double = board2 is not None or runs is not None
    count = _check_double(board2, runs, about_money, with_combos, mark) if is_double else 0
    how = How(**options, by_combo=with_combos)
    spot = read_spot_for(players, game, board, dead, how, ordering=ordering)
    asked: Any = None
    boards: Any = None
    if is_double:
        from equity.double_board import read_boards

        boards = read_boards(spot, board2, count)
    if any(value is not None for value in about_money.values()):
        from equity.money.parse import read_asked

        asked = read_asked(about_money, len(spot.players), mark=mark)

    def answer(report: Report) -> Printable:
        return _answer(spot, boards, asked, replace(how, progress=report))

    return Question(answer, spot.notices, spot)


def _read_combos(*, player: int, mark: str = "", **arguments: Any) -> Question:
    question = _read(**arguments, with_combos=True, mark=mark)
    players = len(arguments["players"])
    if not 0 < player <= players:
        raise MethodError(
            f"there is no player {player}",
            place=f"{mark}player",
            hint=f"players are 1 to {players}",
        )

    def answer(report: Report) -> Printable:
        result: Any = question.answer(report)
        # A part of an answer has no combos.
        return result if result.partial else result.combos(player - 1)  # type: ignore[no-any-return]

    return replace(question, answer=answer)


def _answer(spot: Spot, boards: Any, asked: Any, how: How) -> Printable:
    """The answer about money or boards, or the equities."""
    if boards is not None and asked is not None:
        from equity.money.boards import settle_boards

        return settle_boards(boards, asked, how)
    if boards is not None:
        from equity.double_board import find

        return find(boards, how)
    if asked is not None:
        from equity.money.parse import answer

        return answer(asked, spot, how)
    from equity.engine.solver import solve

    return solve(spot, how)


def _check_double(
    board2: str | None, runs: int | None, money: dict[str, Any], with_combos: bool, mark: str
) -> int:
    """The number of boards; an error for options that do not go with several."""
    from equity.double_board import check_runs

    count = check_runs(board2, runs, mark=mark)
    asked = [] if money["call"] is None else ["call"]
    asked += ["by-combo"] if with_combos else []
    if asked:
        raise MethodError("it does not go with two boards", place=f"{mark}{asked[0]}")
    return count


_OF_ODDS = (
    given.PLAYERS,
    given.GAME,
    given.BOARD,
    given.DEAD,
    given.ORDERING,
    given.EXACT,
    given.TRIALS.saying("Sample N deals, or up to a tenth or 100,000 more."),
    given.ERROR.saying(
        "Sample until the standard error of every equity is at most E; other figures "
        "have their own.  [default: 0.0005]"
    ),
    given.BUDGET,
    given.SEED,
    given.THREADS,
)
ODDS = Operation(
    "odds",
    "Equities of hands and ranges.",
    (*_OF_ODDS, given.BOARD2, given.RUNS, *MONEY),
    _read,
)
COMBOS = Operation(
    "odds/combos",
    "The equity of every combo of a player, best first.",
    (*_OF_ODDS, Parameter("player", WHOLE, "The number of the player, from 1.", 1)),
    _read_combos,
    is_list=True,
)
