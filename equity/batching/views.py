"""The views of a batch: how each is computed, its options and its columns.

``odds`` is the equities of the players.  The columns of a view are those of ``--csv`` of
its command, with separate columns for each player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from equity.batching.columns import Column
from equity.batching.view import Line, View, columns_of
from equity.engine.solver import run, solve
from equity.results.player import PlayerResult
from equity.results.result import Result

if TYPE_CHECKING:
    from equity.batching.rows import Question
    from equity.spot import Spot

__all__ = ["VIEWS"]


def _odds(question: Question) -> Result:
    if question.spot.hands is not None:
        return solve(question.spot, question.how)
    return run(question.spot, question.plan, question.how)


def _odds_of_player(player: PlayerResult) -> dict[str, Any]:
    sampled = player.std_error
    high, low = player.high, player.low
    return {
        "combos": player.combos,
        "live": player.live,
        "equity": player.equity,
        "equity_exact": None if sampled else player.equity_text,
        "std_error": sampled["equity"] if sampled else None,
        "high": high.equity,
        "low": low.equity if low else None,
        "scoop": player.scoop,
        "win": high.win,
        "tie": high.tie,
        "orderings": "; ".join(player.orderings),
    }


def _odds_line(result: Result) -> Line:
    spot = {name: getattr(result, name) for name, _ in _ODDS_OF_SPOT}
    return Line(spot, [(player.range, _odds_of_player(player)) for player in result.players])


_SPOT = columns_of("game:text board:text dead:text")
_ODDS_OF_SPOT = _SPOT + columns_of(
    "method:text exact:truth deals:big weight:big no_low:big seed:whole"
)
_ODDS_OF_PLAYER = columns_of(
    "combos:whole live:whole equity equity_exact:text std_error high low scoop win tie"
    " orderings:text"
)


# Money: the columns of odds, and chips.

_MONEY_OF_SPOT = columns_of("pot contested rake rake_exact:text pots:text")
_MONEY_OF_PLAYER = columns_of("put_in returned won expected expected_exact:text net chips_error")
_CALL_OF_SPOT = columns_of(
    "call pot rake rake_exact:text needed needed_exact:text gain gain_exact:text gain_error"
)


_WITH_MONEY = ("pot", "rake", "cap")


def _read_money(given: Mapping[str, Any], spot: Spot) -> Any:
    from equity.money.parse import read_asked

    return read_asked(given, len(spot.players))


def _money(question: Question) -> Any:
    from equity.money.parse import answer

    return answer(question.asked, question.spot, question.how)


def _all_in_lines(found: Any) -> Iterator[Line]:
    """The columns of odds, with the chips of the spot and of each player."""
    (line,) = _call_lines(found, _MONEY_OF_SPOT)
    players = [
        (text, {**values, **more.to_dict()})
        for (text, values), more in zip(line.players, found.players, strict=True)
    ]
    yield Line({**line.spot, "exact": found.exact}, players)


def _call_lines(found: Any, columns: Sequence[Column] = _CALL_OF_SPOT) -> Iterator[Line]:
    """The columns of odds, with some of the money."""
    contest = _odds_line(found.result)
    whole = found.to_dict()
    yield Line({**contest.spot, **{name: whole[name] for name, _ in columns}}, contest.players)


# Two boards.


#: Numbers of runs as tables have them.
_RUNS = {text: number for number in (2, 3) for text in (str(number), f"{number}.0")}


def _read_double(given: Mapping[str, Any], spot: Spot) -> Any:
    from equity.double_board import check_runs, read_boards

    runs, board2 = given.get("runs"), given.get("board2")
    # Text in a table, 2.0 in a data frame.
    count = check_runs(board2, _RUNS.get(str(runs).strip(), runs))
    return read_boards(spot, board2, count)


def _read_money_on_boards(given: Mapping[str, Any], spot: Spot) -> Any:
    money = {name: given.get(name) for name in ("stacks", *_WITH_MONEY)}
    return _read_double(given, spot), _read_money(money, spot)


def _money_on_boards(question: Question) -> Any:
    from equity.money.boards import settle_boards

    boards, stakes = question.asked
    return settle_boards(boards, stakes, question.how)


def _money_on_boards_lines(found: Any) -> Iterator[Line]:
    whole = {**found.facts(), **found.to_dict()}
    players = [(player.range, player.to_dict()) for player in found.players]
    yield Line({name: whole[name] for name, _ in _MONEY_ON_BOARDS}, players)


def _double(question: Question) -> Any:
    from equity.double_board import find

    return find(question.asked, question.how)


def _double_lines(found: Any) -> Iterator[Line]:
    whole = found.to_dict()
    players = whole.pop("players")
    del whole["partial"]
    yield Line(whole, [(player.pop("range"), player) for player in players])


_MONEY_ON_BOARDS = _SPOT + columns_of("board2:text runs:whole exact:truth") + _MONEY_OF_SPOT


# Queries.


def _read_queries(given: Mapping[str, Any], spot: Spot) -> Any:
    from equity.queries.of_spots import read_for_spot

    return read_for_spot(given["query"], spot)


def _queries(question: Question) -> Any:
    from equity.queries.of_spots import answer_spot

    return answer_spot(question.asked, question.how)


def _query_lines(found: Any) -> Iterator[Line]:
    """A line per result or bin; players have no columns of their own."""
    from equity.queries.of_spots import rows_of

    players: list[tuple[str, dict[str, Any]]] = [(text, {}) for _, text in found[0].players]
    for row in rows_of(found):
        yield Line(row, players)


# Views with several rows.

_PART = columns_of("equity equity_exact:text low std_error low_error")
_DEALT = columns_of("exact:truth weight:big seed:whole")


def _view(module: str, name: str) -> Any:
    """Import a function of ``equity.views``; late, because it needs numpy."""
    return getattr(import_module(f"equity.views.{module}"), name)


def _find(module: str, name: str = "find", *more: Any) -> Callable[[Question], Any]:
    """A function that computes a view."""
    return lambda question: _view(module, name)(question.spot, question.how, *more)


def _check(module: str, name: str = "check", *more: Any) -> Callable[[Question], None]:
    """A function that raises an error for a spot that the view does not take."""

    def check(question: Question) -> None:
        _view(module, name)(question.spot, *more)

    return check


def _common(whole: Mapping[str, Any], *more: str) -> dict[str, Any]:
    """The columns that all rows of a view share."""
    return {name: whole[name] for name in ("game", "board", "dead", "exact", "seed", *more)}


def _part_lines(found: Any) -> Iterator[Line]:
    """A line per row of the view."""
    whole = found.to_dict()
    for row in whole["rows"]:
        parts = row.pop("players")
        yield Line({**_common(whole), **row}, list(zip(whole["players"], parts, strict=True)))


def _blocker_lines(found: Any) -> Iterator[Line]:
    """A line per card; only the first player has an equity."""
    whole = found.to_dict()
    first, *others = whole["players"]
    for row in whole["rows"]:
        part = {name: row.pop(name) for name, _ in _PART}
        yield Line({**_common(whole), **row}, [(first, part), *((text, {}) for text in others)])


_GRAPH_OF_PLAYER = columns_of(
    "mean mean_error equity equity_error running running_error share share_error"
)
#: The values of a curve at each twentieth.
_OF_TWENTIETH = ("equity", "running", "share")


def _graph_lines(found: Any) -> Iterator[Line]:
    """A line per twentieth, with the curves of the players that have one."""
    whole = found.to_dict()
    common = _common(whole, "over", "drawn", "drawn_from", "deals")
    curves = dict(enumerate(whole["curves"], 1))
    by_step: dict[int, dict[int, dict[str, Any]]] = {}
    for row in whole["rows"]:
        by_step.setdefault(row["percent"], {})[row["curve"]] = row
    for percent, of_curve in by_step.items():
        bins = {name: of_curve[1][name] for name in ("bin_from", "bin_to")}
        values: dict[int, dict[str, Any]] = {
            number: {
                "mean": curves[number]["mean"],
                "mean_error": curves[number]["std_error"],
                **{name: row[name] for name in _OF_TWENTIETH},
                **{f"{name}_error": row[f"{name}_error"] for name in _OF_TWENTIETH},
            }
            for number, row in of_curve.items()
        }
        players = [(text, values.get(at, {})) for at, text in enumerate(whole["players"], 1)]
        yield Line({**common, "percent": percent, **bins}, players)


def _graph(over: str | None) -> View:
    return View(
        _SPOT
        + columns_of(
            "over:text exact:truth drawn:whole drawn_from:whole deals:big seed:whole"
            " percent:whole bin_from bin_to"
        ),
        _GRAPH_OF_PLAYER,
        _find("graph", "find", over),
        _graph_lines,
        _check("graph", "check", over),
        options=("exact", "trials", "seed"),
        has_picture=True,
    )


def _flops_lines(found: Any) -> Iterator[Line]:
    """A line per condition and kind of flops."""
    whole = found.to_dict()
    common = _common(whole, "over", "boards", "deals")
    for row in whole["rows"]:
        yield Line({**common, **row}, [(text, {}) for text in whole["players"]])


def _flops(by: str | None) -> View:
    return View(
        _SPOT
        + columns_of(
            "over:text exact:truth deals:big seed:whole boards:whole kind:text group:text"
            " condition:text depth:whole count:big share share_exact:text share_error"
        ),
        (),
        lambda question: _view("flops", "find")(question.spot, question.how, question.asked),
        _flops_lines,
        lambda question: _view("flops", "check")(question.spot, question.asked),
        options=("exact", "trials", "seed"),
        goes_with=("at_least",),
        read=lambda given, _: _view("flops", "Wanted")(by=by, at_least=given.get("at_least")),
        has_picture=True,
        reading={"min_players": 1, "part_of_flop": True},
    )


_SAMPLED = ("exact", "trials", "error", "seed")
_picture = partial(View, has_picture=True)

#: Views by name.
VIEWS = {
    "odds": View(
        _ODDS_OF_SPOT, _ODDS_OF_PLAYER, _odds, lambda result: [_odds_line(result)], is_shared=True
    ),
    "money": View(
        _ODDS_OF_SPOT + _MONEY_OF_SPOT,
        _ODDS_OF_PLAYER + _MONEY_OF_PLAYER,
        _money,
        _all_in_lines,
        asked_by=("stacks",),
        goes_with=_WITH_MONEY,
        read=_read_money,
    ),
    "call": View(
        _ODDS_OF_SPOT + _CALL_OF_SPOT,
        _ODDS_OF_PLAYER,
        _money,
        _call_lines,
        asked_by=("call",),
        goes_with=_WITH_MONEY,
        read=_read_money,
    ),
    "double": View(
        _SPOT
        + columns_of(
            "board2:text twice:truth runs:whole exact:truth pairs:big counted:truth seed:whole"
        ),
        columns_of(
            "equity equity_exact:text std_error first first_error second second_error"
            " spread spread_error spread_once spread_once_error outcomes:text"
            " outcome_errors:text outcomes_once:text outcome_once_errors:text"
        ),
        _double,
        _double_lines,
        asked_by=("board2", "runs"),
        read=_read_double,
    ),
    "money-on-boards": View(
        _MONEY_ON_BOARDS,
        _MONEY_OF_PLAYER,
        _money_on_boards,
        _money_on_boards_lines,
        goes_with=("stacks", "board2", "runs", *_WITH_MONEY),
        read=_read_money_on_boards,
        joins=("money", "double"),
    ),
    "query": View(
        _SPOT
        + columns_of(
            "query_number:whole name:text kind:text type:text label:text share hits:big"
            " value:text value_exact:text std_error of:big deals:big all:big exact:truth"
            " method:text seed:whole"
        ),
        (),
        _queries,
        _query_lines,
        asked_by=("query",),
        read=_read_queries,
    ),
    "streets": _picture(
        _SPOT + columns_of("street:text dealt:text") + _DEALT,
        _PART,
        _find("streets"),
        _part_lines,
        _check("streets"),
        _SAMPLED,
    ),
    "next": _picture(
        _SPOT + columns_of("cards:text count:whole change change_error") + _DEALT,
        _PART,
        _find("next_card"),
        _part_lines,
        _check("next_card"),
        _SAMPLED,
    ),
    "next-two": _picture(
        _SPOT + columns_of("ranks:text boards:whole change") + _DEALT,
        _PART,
        _find("next_card", "find_two"),
        _part_lines,
        _check("next_card", "check_two"),
        ("exact",),
    ),
    "blockers": _picture(
        _SPOT
        + columns_of(
            "cards:text count:whole held:truth combos:whole share change change_error"
            " exact:truth seed:whole"
        ),
        _PART,
        _find("blockers"),
        _blocker_lines,
        _check("blockers"),
        _SAMPLED,
    ),
    "graph": _graph(None),
    "graph-flops": _graph("flops"),
    "graph-turns": _graph("turns"),
    "graph-rivers": _graph("rivers"),
    "flops": _flops(None),
    "flops-suits": _flops("suits"),
    "flops-pairs": _flops("pairs"),
    "flops-high": _flops("high"),
}
