"""Known hands and ranges as HTML: what hands make on a board, where they rank, what a range is."""

from __future__ import annotations

from collections.abc import Iterable

from equity.html.cards import cards, hand_or_range
from equity.html.tables import facts, heading, notices, table
from equity.html.tags import Child, Markup, el, join
from equity.ranges.ranking import Rank
from equity.rules.games import find_game
from equity.views.range_facts import RangeFacts
from equity.views.ranks import score_text
from equity.views.showdown import Showdown, won_text

__all__ = ["range_facts", "ranks", "showdown"]


def showdown(found: Showdown) -> Markup:
    """What each hand makes, of which cards, and what it wins."""
    game = found.spot.game
    rows: list[list[Child]] = []
    for number, player in enumerate(found.players, 1):
        made = [
            [player[half]["text"], el("span", cards(player[half]["cards"]), class_="below")]
            for half in ("high", "low")
            if player[half] is not None
        ]
        won = [won_text(player, game)] if len(found.players) > 1 else []
        rows.append([str(number), cards(player["hand"]), *made, *won])
    titles = ["", "hand", "high", *(["low"] if game.low else [])]
    titles += ["wins"] if len(found.players) > 1 else []
    shown = table(titles, rows, texts=range(len(titles)), caption="What each hand makes")
    return join([heading(game, found.spot.board_text, ""), shown])


def ranks(found: Iterable[Rank]) -> Markup:
    """Where hands stand in each hand ranking."""
    return join(_rank(entry) for entry in found)


def _rank(entry: Rank) -> Markup:
    rows: list[list[Child]] = [
        [
            standing.ordering,
            score_text(standing),
            f"{standing.percentile:.2f}",
            f"{standing.place:,} of {standing.classes:,}",
        ]
        for standing in entry.standings
    ]
    told = f" class {entry.class_text}, {entry.combos:,} combos"
    return join(
        [
            heading(find_game(entry.game), "", "", el("span", cards(entry.hand), told)),
            table(["ordering", "score", "top %", "place"], rows, texts=range(2)),
        ]
    )


def range_facts(found: RangeFacts) -> Markup:
    """How many combos a range has, where it ranks, and some of them."""
    told = found.to_dict()
    live = "" if told["live"] == told["combos"] else f", {told['live']:,} live"
    pairs: list[tuple[str, Child]] = [
        ("range", hand_or_range(told["range"])),
        ("combos", f"{told['combos']:,}{live}, {100 * told['share']:.4f} % of all hands"),
        ("classes", f"{told['classes']:,}"),
    ]
    if told["ranked_by"]:
        best, worst = told["best_percentile"], told["worst_percentile"]
        pairs.append(("ranked", f"{best:.2f} % to {worst:.2f} %, by {told['ranked_by']}"))
    pairs.append(("such as", [[cards(text), " "] for text in told["examples"]]))
    return join([notices(told["warnings"]), facts(pairs)])
