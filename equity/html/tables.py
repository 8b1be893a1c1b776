"""Tables of figures, and the facts above and below them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction

from equity.html.cards import cards
from equity.html.tags import Child, Markup, el
from equity.results.text import error_percent, percent
from equity.rules.games import Game

__all__ = [
    "boxed",
    "error",
    "error_text",
    "facts",
    "figure",
    "footing",
    "heading",
    "notices",
    "share",
    "table",
]


def heading(game: Game, board: str, dead: str, boards: Child = None) -> Markup:
    """What is played, and the known cards; several ``boards`` come as elements."""
    parts: list[Child] = [el("span", game.title, class_="game"), boards]
    if board:
        parts.append(el("span", "board ", cards(board), class_="board"))
    if dead:
        parts.append(el("span", "dead ", cards(dead), class_="dead"))
    return el("p", parts, class_="heading")


def notices(warnings: Iterable[str]) -> Markup:
    """Warnings about ambiguous input."""
    return Markup("".join(el("p", warning, class_="notice") for warning in warnings))


def facts(pairs: Iterable[tuple[str, Child]]) -> Markup:
    """Names and values, one below the other."""
    return el("dl", [[el("dt", name), el("dd", value)] for name, value in pairs], class_="facts")


def footing(*texts: str) -> Markup:
    """How the figures were found."""
    return el("p", " \N{MIDDLE DOT} ".join(filter(None, texts)), class_="footing")


def figure(chart: Markup, caption: Child = None) -> Markup:
    """A chart below its caption."""
    return el("figure", el("figcaption", caption) if caption else None, chart)


def share(part: Fraction | float | None, error_of: float | None = None, decimals: int = 2) -> Child:
    """A share in percent with its standard error; a dash if there is none."""
    if part is None:
        return "-"
    exact = part if isinstance(part, Fraction) else Fraction(part)
    return [percent(exact, decimals), error(error_of)]


def error(value: float | None) -> Markup | None:
    """A standard error in percent; nothing for an exact figure."""
    return None if value is None else error_text(error_percent(value))


def error_text(text: str) -> Markup:
    """A standard error that is text."""
    return el("small", f"\N{PLUS-MINUS SIGN}{text}")


def table(
    titles: Sequence[Child],
    rows: Iterable[Sequence[Child]],
    *,
    caption: str = "",
    texts: Collection[int] = (0,),
) -> Markup:
    """A table in a box of its own, which scrolls where it is too wide.

    Parameters
    ----------
    titles:
        The titles of the columns.
    rows:
        The cells of each row.
    caption:
        What the table shows.
    texts:
        The columns that are text, from 0; the others are numbers.
    """

    def line(tag: str, cells: Sequence[Child]) -> Markup:
        found = []
        for at, cell in enumerate(cells):
            scope = ("col" if tag == "th" else None) if at or tag == "th" else "row"
            name = "th" if scope else "td"
            found.append(el(name, cell, scope=scope, class_=None if at in texts else "n"))
        return el("tr", found)

    whole = el(
        "table", el("thead", line("th", titles)), el("tbody", [line("td", row) for row in rows])
    )
    return boxed(whole, caption)


def boxed(whole: Markup, caption: str) -> Markup:
    """A table below its caption, in a box that scrolls where the table is too wide."""
    title = el("p", caption, class_="caption") if caption else None
    box = el(
        "div", whole, class_="scroll", tabindex="0", role="region", aria_label=caption or "table"
    )
    return el("div", title, box, class_="listing")
