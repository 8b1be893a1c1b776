"""Reports: a page of its own for a student, with every view that applies to a spot.

What draws answers is imported when a report is made: the help of commands does not wait for it.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Any, NamedTuple

from equity import __version__
from equity.errors import EquityError
from equity.html.cards import cards, numbered
from equity.html.tags import Markup, el, join
from equity.operations import find_operation
from equity.operations import parameters as given
from equity.operations.batch import BATCH
from equity.operations.odds import ODDS
from equity.operations.operation import Operation, Question
from equity.operations.parameters import TEXT, Parameter
from equity.operations.spelling import command_line
from equity.results.formats import Printable, Style
from equity.rules.games import FLOP_SIZE
from equity.spot import Spot

__all__ = ["BATCH_REPORT", "REPORT", "Report", "html_report"]

TITLE = Parameter("title", TEXT, "The title of the report.", metavar="TEXT")
#: Combos up to which views that answer for every card are part of a report.
MOST_COMBOS = 60_000


@dataclass(frozen=True)
class Report(Printable):
    """A page of HTML that needs nothing beside it."""

    title: str
    html: str

    def to_dict(self) -> dict[str, Any]:
        """The title and the page."""
        return {"version": __version__, "title": self.title, "html": self.html}

    def lines(self, _: Style) -> Iterator[str]:
        """The page."""
        yield self.html


#: Returns the fields of the question of a section; None where it does not apply.
Fields = Callable[[Spot, dict[str, Any]], dict[str, Any] | None]


class _Section(NamedTuple):
    """A view in a report: a sentence that says what it shows, and when it applies."""

    title: str
    text: str
    path: str
    fields: Fields


def _texture(player: int) -> Fields:
    def fields(spot: Spot, asked: dict[str, Any]) -> dict[str, Any] | None:
        if len(spot.players) <= player or isinstance(spot.players[player], tuple):
            return None
        if len(spot.board) < FLOP_SIZE:
            return None
        others = [text for at, text in enumerate(asked["players"]) if at != player]
        against = others[0] if len(others) == 1 else None
        return {**asked, "expression": asked["players"][player], "against": against}

    return fields


def _flops(player: int) -> Fields:
    def fields(spot: Spot, asked: dict[str, Any]) -> dict[str, Any] | None:
        if spot.board or spot.board_pattern or spot.dead_pattern or len(spot.players) <= player:
            return None
        # What hands make is counted, no deals are sampled.
        one = {**asked, "players": asked["players"][player : player + 1], "trials": None}
        return one if player == 0 or spot.live_combos[player] <= MOST_COMBOS else None

    return fields


def _graph(spot: Spot, asked: dict[str, Any]) -> dict[str, Any] | None:
    if len(spot.players) != 2 or len(spot.board) not in (0, 3, 4, 5) or not _is_known(spot):
        return None
    if spot.hands is None:
        return asked
    # Known hands have one equity: it is spread over boards, unless all cards are there.
    over = {0: "flops", 3: "rivers", 4: "rivers"}.get(len(spot.board))
    return {**asked, "over": over} if over else None


def _next(spot: Spot, asked: dict[str, Any]) -> dict[str, Any] | None:
    return asked if len(spot.board) in (3, 4) and _is_known(spot) else None


def _streets(spot: Spot, asked: dict[str, Any]) -> dict[str, Any] | None:
    return asked if len(spot.board) >= FLOP_SIZE and _is_known(spot) else None


def _blockers(spot: Spot, asked: dict[str, Any]) -> dict[str, Any] | None:
    is_asked = len(spot.players) == 2 and isinstance(spot.players[0], tuple) and not spot.hands
    is_small = sum(spot.live_combos) <= MOST_COMBOS
    if not is_asked or not is_small or len(spot.board) < FLOP_SIZE:
        return None
    return asked if _is_known(spot) else None


def _is_known(spot: Spot) -> bool:
    """Whether board and dead cards are known cards, no patterns."""
    return spot.board_pattern is None and spot.dead_pattern is None


#: The views of a report, in order.
SECTIONS = (
    _Section(
        "Street by street",
        "How the equities changed as cards came; ranges keep their combos.",
        "views/streets",
        _streets,
    ),
    _Section(
        "The next card",
        "What each card would do to player 1: blue is better than now, orange worse. "
        "The small figures are the change.",
        "views/next",
        _next,
    ),
    _Section(
        "How equity is distributed",
        "The mean is made up of better and worse hands or boards: the curve sorts them, "
        "the columns count them.",
        "views/graph",
        _graph,
    ),
    *(
        _Section(
            f"What player {player + 1} holds",
            "How much of the range has each made hand and draw on this board.",
            "range/texture",
            _texture(player),
        )
        for player in range(2)
    ),
    *(
        _Section(
            f"What player {player + 1} flops",
            "How often each made hand and draw comes, over all flops.",
            "views/flops",
            _flops(player),
        )
        for player in range(2)
    ),
    _Section(
        "Card removal",
        "How much of the range each card takes away, and what that does to the equity.",
        "views/blockers",
        _blockers,
    ),
)


def html_report(
    players: Sequence[str],
    game: str = "plo4",
    board: str = "",
    dead: str = "",
    *,
    title: str | None = None,
    ordering: str | None = None,
    trials: int | None = None,
    error: float | None = None,
    seed: int = 0,
    threads: int | None = None,
) -> str:
    """A page of HTML with every view that applies to a spot.

    Parameters
    ----------
    players, game, board, dead:
        As for :func:`equity.odds`, as text.
    ordering:
        The name of an ordering.
    title:
        The title of the page; None names the players.
    trials, error, seed, threads:
        See :class:`equity.How`; they go for the samples of every view.

    Returns
    -------
    str
        A whole page, which needs no other file and runs no script.

    Raises
    ------
    EquityError
        A subclass says which argument is wrong.
    """
    # Texts alone are taken, as the page says which command repeats it.
    given_texts = list(players) if isinstance(players, tuple) else players
    asked = {"players": given_texts, "game": game, "board": board, "dead": dead, "title": title}
    options = {"ordering": ordering, "trials": trials, "error": error}
    options |= {"seed": seed, "threads": threads}
    made: Any = REPORT.ask(asked | options).answer(None)
    return str(made.html)


def _read_report(*, title: str | None, **asked: Any) -> Question:
    question = ODDS.read_with(**asked)
    spot: Any = question.spot  # odds are always about one
    name = title or _versus(spot)

    def answer(progress: Any) -> Report:
        from equity.html.render import render

        result: Any = question.answer(progress)
        if result.partial:
            raise KeyboardInterrupt
        parts, lines = [Markup(render(result))], [_command(asked, title)]
        for section in SECTIONS:
            fields = section.fields(spot, asked)
            if fields is not None:
                shown, line = _answered(section, fields)
                parts.append(shown)
                lines.append(line)
        return Report(name, _page(name, _table(spot), join(parts), lines, asked["seed"]))

    return replace(question, answer=answer)


def _answered(section: _Section, fields: dict[str, Any]) -> tuple[Markup, str]:
    """The answer to a section, or why there is none; and the command that asks it."""
    from equity.html.render import render

    operation = find_operation(section.path)
    names = {one.name for one in operation.parameters}
    asked = {name: value for name, value in fields.items() if name in names}
    try:
        shown = Markup(render(operation.read_with(**asked).answer(None)))
    except EquityError as error:
        shown = el("p", f"Left out: {error}", class_="notice")
    lead = el("p", section.text, class_="lead")
    line = command_line(operation, asked) or ""
    return el("section", el("h2", section.title), lead, shown), line


def _command(asked: dict[str, Any], title: str | None) -> str:
    """The command that makes a report again."""
    # It takes what "equity odds" takes.
    line = command_line(ODDS, asked) or ""
    named = f" --title {shlex.quote(title)}" if title else ""
    return f"{line.replace('odds', 'report', 1)}{named} -o report.html"


def _versus(spot: Spot) -> str:
    board = f" on {spot.board_text}" if spot.board_text else ""
    return f"{' v '.join(spot.texts)}{board}"


def _table(spot: Spot) -> Markup:
    """The spot, drawn: the game, the board in the middle, and the players below."""
    board = cards(spot.board_text) if spot.board_text else "before the flop"
    players = [el("li", numbered(at, text)) for at, text in enumerate(spot.texts, 1)]
    dead = el("p", "dead ", cards(spot.dead_text)) if spot.dead_text else None
    game = el("p", spot.game.title, class_="game")
    parts = game, el("p", board, class_="middle"), dead, el("ul", players)
    return el("div", parts, class_="spot")


def _page(
    title: str, spot: Markup, body: Markup, commands: Sequence[str] = (), seed: int = 0
) -> str:
    """A page with its styles and nothing from elsewhere."""
    from equity.html.render import style

    sheet = files("equity.html").joinpath("report.css").read_text(encoding="ascii")
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        el("title", title),
        Markup(f"<style>{style()}{sheet}</style>"),
    )
    again = " These commands make the page, and each of its parts, again:" if commands else None
    made = el("p", f"Made by equity {__version__}; samples have seed {seed}.", again)
    foot = el("footer", made, el("pre", "\n".join(commands)) if commands else None)
    main = el("main", el("h1", title), spot, body, foot)
    return f"<!doctype html>\n{el('html', head, el('body', main), lang='en')}\n"


#: A report runs no script and asks for nothing.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def _read_batch(*, title: str | None, **asked: Any) -> Question:
    question = BATCH.read_with(**asked)
    name = title or "Spots"

    def answer(report: Any) -> Report:
        from equity.html.render import render

        body = Markup(render(question.answer(report)))
        return Report(name, _page(name, Markup(""), body, seed=asked["seed"]))

    return replace(question, answer=answer)


REPORT = Operation(
    "report",
    "A page for a student, with every view that applies to a spot.",
    (
        given.PLAYERS,
        given.GAME,
        given.BOARD,
        given.DEAD,
        given.ORDERING,
        given.TRIALS,
        given.ERROR,
        given.SEED,
        given.THREADS,
        TITLE,
    ),
    _read_report,
)
BATCH_REPORT = Operation(
    "report/batch",
    "A page with the equities of many spots.",
    (*BATCH.parameters, TITLE),
    _read_batch,
)
