"""The figures in HTML are those of the answers, in every game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from html_tools import check, shown, text_of
from operation_bodies import HERO

from equity.html.render import render
from equity.operations import find_operation
from equity.results.formats import PLAIN
from equity.results.text import error_percent, percent
from equity.rules.games import GAMES

GAME_NAMES = [game.name for game in GAMES]
TURN = "Th7h2c9d"
#: Questions of every kind, by what their players are: two hands, a hand and a range, two ranges,
#: or the first of them.
QUESTIONS: list[tuple[str, str, dict[str, Any]]] = [
    ("hands", "odds", {}),
    ("hands", "odds", {"board": TURN}),
    ("mixed", "odds", {"trials": 2_000}),
    ("ranges", "odds", {"board": TURN}),
    ("mixed", "odds", {"stacks": [100, 60.5], "rake": "5%", "cap": 3, "trials": 1_000}),
    ("hands", "odds", {"call": 50, "pot": 150, "board": TURN}),
    ("mixed", "odds", {"call": 50, "pot": 150, "trials": 1_000}),
    ("hands", "odds", {"runs": 2, "board": TURN}),
    ("mixed", "odds", {"board": "Th7h2c", "board2": "Kc4s3c", "trials": 1_000}),
    ("hands", "odds", {"board": "Th7h2c", "board2": "Kc4s3c", "stacks": [10, 10]}),
    ("ranges", "odds/combos", {"board": TURN}),
    ("hands", "views/streets", {"board": TURN}),
    ("mixed", "views/streets", {"board": TURN, "trials": 1_000}),
    ("hands", "views/next", {"board": "Th7h2c"}),
    ("mixed", "views/next", {"board": TURN, "trials": 500}),
    ("hands", "views/next", {"board": "Th7h2c", "two": True}),
    ("mixed", "views/blockers", {"board": TURN}),
]


def players_of(kind: str, game: str) -> list[str]:
    """Two players; ranges are small in every game."""
    hero = HERO[game]
    villain = "QsQc8s8d5d4c"[: len(hero)]
    wide = f"{villain[:-2]}*"
    by_kind = {"hands": [hero, villain], "mixed": [hero, wide], "ranges": [f"{hero[:-2]}*", wide]}
    return by_kind[kind]


TINY = Fraction(1, 10**12)
#: What JSON calls equities, in parts of 1, and their standard errors.
EQUITIES = {"equity", "equities", "low", "had", "needed"}
ERRORS = {"std_error", "std_errors", "change_error", "low_error", "had_error"}


def figures(value: Any, name: str = "") -> Iterator[set[str]]:
    """The text of every equity and standard error of an object; of ties, both."""
    if isinstance(value, dict) and name in ERRORS:
        yield {error_percent(value["equity"])}
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from figures(one, key)
    elif isinstance(value, list):
        for one in value:
            yield from figures(one, name)
    elif isinstance(value, float) and name in ERRORS:
        yield {error_percent(value)}
    elif isinstance(value, float) and name in EQUITIES:
        # A float lies on one side of a tie, the fraction that is printed may be on it.
        yield {percent(Fraction(value) + nudge) for nudge in (-TINY, 0, TINY)}


@pytest.mark.parametrize("game", GAME_NAMES)
@pytest.mark.parametrize(("kind", "path", "more"), QUESTIONS)
def test_every_equity_and_error_is_shown(
    game: str, kind: str, path: str, more: dict[str, Any]
) -> None:
    body = {"players": players_of(kind, game), "game": game, **more}
    found: Any = find_operation(path).ask(body).answer(None)
    html = render(found)
    check(html)
    text = text_of(html)
    # Turn and river together have one decimal, and the second player is not in their grid.
    objects = [] if more.get("two") else list(found.objects())
    for view in objects:
        if "now" in view:
            # What cards change is told of the first player.
            others = [row["players"][1:] for row in view["rows"] if "players" in row]
            for other in (part for parts in others for part in parts):
                other["low"] = other["low_error"] = None
            del view["now"]["players"][1:]
            if path == "views/blockers":
                del view["now"]["players"][0]["low"], view["now"]["players"][0]["low_error"]
    wanted = list(figures(objects))
    assert wanted or more.get("two")
    assert not [texts for texts in wanted if not any(one in text for one in texts)]
    assert ("\N{PLUS-MINUS SIGN}" in text) == ("trials" in more)
    assert ("sampled" in text) == ("trials" in more)


@pytest.mark.parametrize("more", [{}, {"trials": 1_000}])
def test_chips_have_the_digits_of_the_terminal(more: dict[str, Any]) -> None:
    body = {"players": ["AhAsKhKs", "QsQc8s*"], "stacks": [100, 60.5], "rake": "5%", **more}
    found: Any = find_operation("odds").ask(body).answer(None)
    text = text_of(render(found))
    table = "\n".join(found.lines(PLAIN)).partition("pots ")[2].replace("+/-", " ")
    for number in re.findall(r"[+-]?\d+\.\d+", table):
        assert number in text


def test_lows_are_apart_in_games_that_have_one() -> None:
    for game in GAMES:
        body = {"players": players_of("hands", game.name), "game": game.name, "board": "Th7h2c"}
        two = shown("views/next", body | {"two": True})
        assert (two.count("<table") == 2) == game.low
        for path in ("odds", "views/streets", "views/next"):
            assert (">low" in shown(path, body)) == game.low


#: A query with a histogram.
QUERY = (
    "select avg(riverEquity(a)) as eq, histogram(handType(a, river)) as h "
    "from game='omahahi', a='AhAsKhKs', b='QdQcJdTd', board='Th7h2c'"
)


def test_no_time_is_shown() -> None:
    """The same question gives the same fragment."""
    for path, body in (
        ("odds", {"players": ["AhAsKhKs", "9c8c7d6d"]}),
        ("odds", {"players": ["AA", "KK"], "trials": 100}),
        ("pql", {"query": QUERY}),
    ):
        assert shown(path, body) == shown(path, body)
        assert not re.search(r"\d m?s\b", text_of(shown(path, body)))


def test_queries_have_the_digits_of_the_terminal() -> None:
    found: Any = find_operation("pql").ask({"query": QUERY}).answer(None)
    html = render(found)
    check(html)
    numbers = re.findall(r"\d+\.\d\d(?= %)", "\n".join(found.lines(PLAIN)))
    assert len(numbers) > 3
    for number in numbers:
        assert number in text_of(html)
    assert len(found[0]["h"].bins) == html.count('class="bar"')
