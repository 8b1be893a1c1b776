"""Heat maps by card and by two ranks, as tables whose cells have one of a few colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from equity.html.cards import SUITS
from equity.html.tables import boxed
from equity.html.tags import Child, Markup, el
from equity.rules.cards import RANKS

__all__ = ["Cell", "card_grid", "rank_grid"]

#: Steps of the colour of a heat map on each side of the middle.
DEPTHS = 5
#: Ranks as people list them, the ace first.
_RANKS = RANKS[::-1]


class Cell(NamedTuple):
    """A cell of a heat map."""

    text: str
    #: Where it is on a scale around 0, which the colour shows.
    scale: float
    #: A smaller second text.
    more: str = ""


def card_grid(cells: Mapping[str, Cell], caption: str, *, is_button: bool = False) -> Markup:
    """A heat map by suit and rank; a card without a cell is known.

    With ``is_button`` each cell is a button with the card as ``data-card``.
    """
    most = _most(cells)
    head = el("tr", el("td"), [el("th", rank, scope="col") for rank in _RANKS])
    lines = []
    for suit, (sign, name) in SUITS.items():
        row = [el("th", sign, scope="row", class_=f"suit {suit}", aria_label=name)]
        for rank in _RANKS:
            card = rank + suit
            label = f"{rank} of {name}"
            row.append(_cell(cells.get(card), most, card if is_button else "", label))
        lines.append(el("tr", row))
    return _map(caption, head, lines, "heat by-card")


def rank_grid(cells: Mapping[str, Cell], caption: str) -> Markup:
    """A heat map by two ranks: the higher one in the row."""
    most = _most(cells)
    head = el("tr", el("td"), [el("th", rank, scope="col") for rank in _RANKS])
    lines = [
        el(
            "tr",
            el("th", first, scope="row"),
            [_cell(cells.get(first + second), most) for second in _RANKS],
        )
        for first in _RANKS
    ]
    return _map(caption, head, lines, "heat by-rank")


def _most(cells: Mapping[str, Cell]) -> float:
    """The greatest distance from the middle of the scale."""
    return max((abs(cell.scale) for cell in cells.values()), default=0) or 1


def _map(caption: str, head: Markup, lines: Sequence[Markup], kind: str) -> Markup:
    return boxed(el("table", el("thead", head), el("tbody", lines), class_=kind), caption)


def _cell(cell: Cell | None, most: float, card: str = "", label: str = "") -> Markup:
    if cell is None:
        return el("td", class_="none")
    depth = round(DEPTHS * abs(cell.scale) / most)
    side = "up" if cell.scale > 0 else "down"
    shown: Child = [cell.text, el("small", cell.more) if cell.more else None]
    if card:
        named = ", ".join(filter(None, (label, cell.text, cell.more)))
        shown = el("button", shown, type="button", data_card=card, aria_label=named)
    return el("td", shown, class_=f"{side}{depth}" if depth else "even")
