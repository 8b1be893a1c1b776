"""Answers to queries as text: tables with bars, and lists of the language."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from equity.queries.functions import rows as functions
from equity.queries.results import Answer, Figure
from equity.queries.selectors import SELECTORS
from equity.queries.types import EQUITY
from equity.results.text import error_percent, heading, percent, shorten
from equity.rules.games import find_game
from equity.views.drawing import bar

__all__ = ["answer_lines", "footing", "function_lines", "value_parts"]

#: Widths of the name of a result, and of a bar.
_NAME, _BAR = 38, 24
_METHODS = {
    "enumerate": "",
    "sweep": " by a sweep of boards",
    "pairs": " by pairs of hands",
    "tuples": " by sets of hands",
}


def answer_lines(answer: Answer) -> Iterator[str]:
    """The lines of an answer: its game and players, the results, and the method."""
    yield heading(find_game(answer.game), answer.board, answer.dead)
    for name, text in answer.players:
        out = "  (not dealt)" if name in answer.left_out else ""
        yield f"{shorten(name, 16):<17} {shorten(text, 48)}{out}"
    yield ""
    for figure in answer.results:
        yield from _figure_lines(figure, answer)
    yield footing(answer)


def _figure_lines(figure: Figure, answer: Answer) -> Iterator[str]:
    name = shorten(figure.name, _NAME)
    note = f"   of {figure.of:,} with a value" if figure.of != answer.deals else ""
    if figure.bins is not None:
        yield f"{name}{note}"
        most = max(
            (Fraction(one.hits, max(figure.of, 1)) for one in figure.bins), default=Fraction(0)
        )
        width = max((len(one.label) for one in figure.bins), default=0)
        for one in figure.bins:
            share = Fraction(one.hits, figure.of)
            error = "" if one.std_error is None else f" +/- {error_percent(one.std_error)}"
            label = f"  {one.label:<{max(width, 18)}}"
            drawn = bar(share, most, _BAR)
            yield f"{label} {percent(share):>6} %{error:<10} {one.hits:>13,}  {drawn}".rstrip()
        return
    if figure.share is not None:
        share = Fraction(figure.hits or 0, answer.deals)
        error = "" if figure.std_error is None else f" +/- {error_percent(figure.std_error)}"
        yield f"{name:<{_NAME}} {percent(share):>8} %{error:<12} {figure.hits:>15,} deals"
        return
    if figure.value is None:
        yield f"{name:<{_NAME}} {'-':>8}   no deal has a value"
        return
    yield f"{name:<{_NAME}} {_value(figure)}{note}"


def _value(figure: Figure) -> str:
    """A number with its error, or a text."""
    text, unit, error, exact = value_parts(figure)
    if isinstance(figure.value, str):
        return f"{text:>8}"
    behind = f" +/- {error}" if error else ""
    return f"{text:>8} {unit:<1}{behind:<12} {exact:>15}".rstrip()


def value_parts(figure: Figure) -> tuple[str, str, str, str]:
    """A value as text, its unit, its standard error, and the fraction that it is exactly."""
    if isinstance(figure.value, str):
        return figure.value, "", "", ""
    value, exact, error = figure.value or 0.0, figure.value_exact, figure.std_error
    shown = "" if exact is None or exact.denominator == 1 else f"{exact}"
    if figure.type == EQUITY.name:
        part = percent(Fraction(value) if exact is None else exact)
        return part, "%", "" if error is None else error_percent(error), shown
    known = "" if error is None else "?" if error == float("inf") else f"{error:.2g}"
    return f"{value:.6g}", "", known, shown


def footing(answer: Answer, *, is_timed: bool = True) -> str:
    """The last line: the method, the deals, and how long it took unless it is not ``timed``."""
    if answer.exact:
        counted = f"exact{_METHODS.get(answer.method, '')}, all {answer.all:,} deals"
    elif answer.seed is None:
        counted = f"PARTIAL, ended early: {answer.all:,} deals counted"
    else:
        counted = f"sampled, {answer.all:,} deals, seed {answer.seed}"
        counted = f"PARTIAL, {counted}" if answer.partial else counted
    if answer.deals != answer.all:
        share = percent(Fraction(answer.deals, answer.all))
        counted += f", {answer.deals:,} ({share} %) pass where"
    if not is_timed:
        return counted
    time = answer.elapsed
    return f"{counted}, {time * 1000:.1f} ms" if time < 1 else f"{counted}, {time:.1f} s"


def function_lines() -> Iterator[str]:
    """The selectors and functions, a line for each."""
    width = 42
    yield "selectors"
    for selector in SELECTORS.values():
        yield f"  {selector.signature:<{width}} {selector.meaning}"
    yield "functions (S is a street, p a player)"
    for row in functions():
        also = f" (also {', '.join(row.aliases)})" if row.aliases else ""
        low = "; hi/lo games" if row.low else ""
        yield f"  {row.signature:<{width}} {row.gives.name}: {row.meaning}{also}{low}"
