"""The views of a batch: how each is computed, its options and its columns.

``odds`` is the equities of the players.  The columns of a view are those of ``--csv`` of
its command, with separate columns for each player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from equity.batching.columns import OPTIONS, Column
from equity.engine.solver import run, solve
from equity.results.player import PlayerResult
from equity.results.result import Result

if TYPE_CHECKING:
    from equity.batching.rows import Question
    from equity.spot import Spot

__all__ = ["VIEWS", "Line", "View"]


class Line(NamedTuple):
    """A row of an answer, not laid out yet."""

    spot: Mapping[str, Any]
    #: The hand or range of each player, and the columns of that player.
    players: Sequence[tuple[str | None, Mapping[str, Any]]]


def _anything(_: Question) -> None:
    """Accept any question."""


def _nothing(_: Mapping[str, Any], __: Spot) -> None:
    """The view has no input of its own."""


class View(NamedTuple):
    """A view: what is computed for a spot."""

    #: Columns of the spot, and of each player, after the hand or range.
    spot: tuple[Column, ...]
    player: tuple[Column, ...]
    find: Callable[[Question], Any]
    lines: Callable[[Any], Iterable[Line]]
    #: Raises an error for an invalid question, before anything is computed.
    check: Callable[[Question], None] = _anything
    #: Options it takes.
    options: tuple[str, ...] = OPTIONS
    #: Columns that ask for it without naming it in a column ``view``; others that belong to
    #: them; and the function that parses them all.
    asked_by: tuple[str, ...] = ()
    goes_with: tuple[str, ...] = ()
    read: Callable[[Mapping[str, Any], Spot], Any] = _nothing
    has_picture: bool = False
    #: Arguments of :func:`~equity.engine.options.read_spot_for` for its spots.
    reading: Mapping[str, Any] = {}
    #: Whether the work of a large spot can be shared among processes.
    is_shared: bool = False

    @property
    def takes(self) -> tuple[str, ...]:
        """All columns that belong to it, first those that ask for it."""
        return (*self.asked_by, *self.goes_with)


def _columns(text: str) -> tuple[Column, ...]:
    """Columns of a text such as ``"game:text equity"``; the kind is ``number`` if not given."""
    pairs = (word.partition(":") for word in text.split())
    return tuple(Column(name, kind or "number") for name, _, kind in pairs)


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


_SPOT = _columns("game:text board:text dead:text")
_ODDS_OF_SPOT = _SPOT + _columns(
    "method:text exact:truth deals:big weight:big no_low:big seed:whole"
)
_ODDS_OF_PLAYER = _columns(
    "combos:whole live:whole equity equity_exact:text std_error high low scoop win tie"
    " orderings:text"
)


# Money: the columns of odds, and chips.

_MONEY_OF_SPOT = _columns("pot contested rake rake_exact:text pots:text")
_MONEY_OF_PLAYER = _columns("put_in returned won expected expected_exact:text net chips_error")
_CALL_OF_SPOT = _columns(
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


def _read_double(given: Mapping[str, Any], spot: Spot) -> Any:
    from equity.double_board import check_twice, read_boards

    runs, board2 = given.get("runs"), given.get("board2")
    # Text in a table, 2.0 in a data frame.
    check_twice(board2, 2 if str(runs).strip() in ("2", "2.0") else runs)
    return read_boards(spot, board2)


def _double(question: Question) -> Any:
    from equity.double_board import find

    return find(question.asked, question.how)


def _double_lines(found: Any) -> Iterator[Line]:
    whole = found.to_dict()
    players = whole.pop("players")
    del whole["partial"]
    yield Line(whole, [(player.pop("range"), player) for player in players])


# Views with several rows.

_PART = _columns("equity equity_exact:text low std_error low_error")
_DEALT = _columns("exact:truth weight:big seed:whole")


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


_GRAPH_OF_PLAYER = _columns(
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
        + _columns(
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
        + _columns(
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
        _SPOT + _columns("board2:text twice:truth exact:truth pairs:big counted:truth seed:whole"),
        _columns(
            "equity equity_exact:text std_error first first_error second second_error"
            " spread spread_error spread_once spread_once_error outcomes:text"
            " outcome_errors:text outcomes_once:text outcome_once_errors:text"
        ),
        _double,
        _double_lines,
        asked_by=("board2", "runs"),
        read=_read_double,
    ),
    "streets": _picture(
        _SPOT + _columns("street:text dealt:text") + _DEALT,
        _PART,
        _find("streets"),
        _part_lines,
        _check("streets"),
        _SAMPLED,
    ),
    "next": _picture(
        _SPOT + _columns("cards:text count:whole change change_error") + _DEALT,
        _PART,
        _find("next_card"),
        _part_lines,
        _check("next_card"),
        _SAMPLED,
    ),
    "next-two": _picture(
        _SPOT + _columns("ranks:text boards:whole change") + _DEALT,
        _PART,
        _find("next_card", "find_two"),
        _part_lines,
        _check("next_card", "check_two"),
        ("exact",),
    ),
    "blockers": _picture(
        _SPOT
        + _columns(
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
