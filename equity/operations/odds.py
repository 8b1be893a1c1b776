"""The operation ``odds``: equities, of one board or two, of pots and calls."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from equity.engine.options import How, read_spot_for
from equity.errors import MethodError
from equity.operations import parameters as given
from equity.operations.operation import Operation, Question, Report
from equity.operations.parameters import CARDS, MONEY, WHOLE, Parameter
from equity.results.formats import Printable
from equity.spot import Spot

__all__ = ["ODDS"]

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
    by_combo: int | None = None,
    mark: str = "",
    **options: Any,
) -> Question:
    """Read a question; ``mark`` is put before names in messages, ``"--"`` for options."""
    about_money = {name: options.pop(name, None) for name in _MONEY}
    is_double = board2 is not None or runs is not None
    count = _check_double(board2, runs, about_money, by_combo, mark) if is_double else 0
    how = How(**options, by_combo=by_combo is not None)
    spot = read_spot_for(players, game, board, dead, how, ordering=ordering)
    asked: Any = None
    boards: Any = None
    if is_double:
        from equity.double_board import read_boards

        boards = read_boards(spot, board2, count)
    if any(value is not None for value in about_money.values()):
        from equity.money.parse import read_asked

        asked = read_asked(about_money, len(spot.players), mark=mark)
    if by_combo is not None and not 0 < by_combo <= len(spot.players):
        raise MethodError(
            f"there is no player {by_combo}",
            place=f"{mark}by_combo",
            hint=f"players are 1 to {len(spot.players)}",
        )

    def answer(report: Report) -> Printable:
        found = _answer(spot, boards, asked, replace(how, progress=report))
        # A part of an answer has no combos.
        if by_combo is None or found.partial:
            return found  # type: ignore[no-any-return]
        return found.combos(by_combo - 1)  # type: ignore[no-any-return]

    return Question(answer, spot.notices, spot)


def _answer(spot: Spot, boards: Any, asked: Any, how: How) -> Any:
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
    board2: str | None, runs: int | None, money: dict[str, Any], by_combo: Any, mark: str
) -> int:
    """The number of boards; an error for options that do not go with several."""
    from equity.double_board import check_runs

    count = check_runs(board2, runs, mark=mark)
    asked = [] if money["call"] is None else ["call"]
    asked += [] if by_combo is None else ["by-combo" if mark else "by_combo"]
    if asked:
        raise MethodError("it does not go with two boards", place=f"{mark}{asked[0]}")
    return count


ODDS = Operation(
    "odds",
    "Equities of hands and ranges.",
    (
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
        Parameter("board2", CARDS, "A second board; each is played for half of the pot."),
        Parameter("runs", WHOLE, "Run it twice, or three times.", metavar="2|3"),
        *MONEY,
        Parameter("by_combo", WHOLE, "Answer the equity of every combo of this player."),
    ),
    _read,
)
