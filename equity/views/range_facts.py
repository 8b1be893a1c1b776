"""What a range is: how many combos, which are live, where it ranks; and lists of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from equity import __version__
from equity.ranges import Range
from equity.ranges.range import Live
from equity.results.formats import Listing, Printable, Style
from equity.rules.cards import format_cards, format_hand
from equity.rules.games import Game

__all__ = ["RangeFacts", "range_classes", "range_combos", "range_facts"]

#: Combos that are shown as examples.
EXAMPLES = 8


def range_facts(
    whole: Range, board: tuple[int, ...], dead: tuple[int, ...], ordering: str | None
) -> RangeFacts:
    """The facts about a range on a board.

    Parameters
    ----------
    whole:
        The range.
    board, dead:
        Card ids; combos that hold one are killed.
    ordering:
        The hand ranking that says where it ranks; None is the default.
    """
    facts = _facts(whole, whole.live(board, dead), ordering)
    return RangeFacts(whole.game, facts | {"board": format_cards(board), "dead": format_hand(dead)})


def range_combos(live: Range) -> Listing:
    """Every combo of a range, with its weight."""
    return Listing(["hand", "weight"], lambda: _combos(live))


def range_classes(live: Range) -> Listing:
    """Every suit-isomorphic class of a range."""
    return Listing(["class", "combos", "size", "weight"], lambda: _classes(live))


@dataclass(frozen=True)
class RangeFacts(Printable):
    """The facts about a range, named as in JSON."""

    game: Game
    facts: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """The object for JSON."""
        return self.facts

    def records(self) -> list[dict[str, Any]]:
        """A single row, with lists as text."""
        facts = self.facts
        texts = {
            "killed_by": " ".join(f"{card}:{n}" for card, n in facts["killed_by"].items()),
            "orderings": "; ".join(facts["orderings"]),
            "warnings": "; ".join(facts["warnings"]),
            "examples": " ".join(facts["examples"]),
        }
        return [facts | texts]

    def lines(self, _: Style) -> Iterator[str]:
        """What the range is, its size, and some of its combos."""
        from equity.results.text import heading

        facts = self.facts
        share = f"{facts['share']:.4%}".replace("%", " %")
        killed = ", ".join(f"{card} {n:,}" for card, n in facts["killed_by"].items())
        yield heading(self.game, facts["board"], facts["dead"])
        yield f"range     {facts['range']}"
        yield f"combos    {facts['combos']:,}, {share} of all hands"
        if facts["orderings"]:
            yield f"percent   by the ordering {' and '.join(facts['orderings'])}"
        if killed:
            yield f"live      {facts['live']:,}, {facts['killed']:,} are killed ({killed})"
        yield f"classes   {facts['classes']:,} suit-isomorphic hand classes"
        if facts["ranked_by"]:
            best, worst, mean = (facts[f"{name}_percentile"] for name in ("best", "worst", "mean"))
            yield (
                f"ranked    {best:.2f} % to {worst:.2f} %, mean {mean:.2f} %, "
                f"by {facts['ranked_by']}"
            )
        if {facts["least_weight"], facts["most_weight"]} - {None, 100}:
            yield f"weights   {facts['least_weight']} to {facts['most_weight']}"
        for start in (0, 4):
            examples = facts["examples"][start : start + 4]
            if examples:
                yield f"{'' if start else 'such as':<10}{' '.join(examples)}"


def _facts(whole: Range, found: Live, ordering: str | None) -> dict[str, Any]:
    """Return the facts about a range and what is live of it, named as in JSON."""
    from equity.ranges.hands import hand_space
    from equity.ranges.ranking import rank_range

    game, live = whole.game, found.range
    ranked = rank_range(live, ordering)
    # The cards of all hands of six would take 120 MB.
    step = max(1, len(live) // EXAMPLES)
    examples = hand_space(game.hole).hands(live.index[::step][:EXAMPLES])
    extremes = (whole.weights.min(), whole.weights.max()) if len(whole) else ()
    weights = [_weight(int(weight), whole.scale) for weight in extremes]
    return {
        "version": __version__,
        "game": game.name,
        "range": whole.text,
        "orderings": list(whole.orderings),
        "combos": len(whole),
        "share": whole.share,
        "live": len(live),
        "killed": found.killed,
        "killed_by": {format_cards([card]): n for card, n in found.by_card.items()},
        "classes": live.class_count,
        "ranked_by": ranked.ordering if ranked else None,
        "best_percentile": ranked.best if ranked else None,
        "worst_percentile": ranked.worst if ranked else None,
        "mean_percentile": ranked.mean if ranked else None,
        "least_weight": weights[0] if weights else None,
        "most_weight": weights[-1] if weights else None,
        "warnings": [str(notice) for notice in whole.notices],
        "examples": [format_cards(hand) for hand in examples.tolist()],
    }


def _weight(scaled: int, scale: int) -> int | float:
    """A weight as a number for JSON: whole if it is."""
    weight = Decimal(scaled) / scale
    return int(weight) if weight == int(weight) else float(weight)


def _combos(hands: Range) -> Iterable[tuple[str, int | float]]:
    for hand, weight in zip(hands, hands.weights.tolist(), strict=True):
        yield hand, _weight(weight, hands.scale)


def _classes(hands: Range) -> Iterable[tuple[str, int, int, int | float]]:
    for entry in hands.classes():
        yield entry.text, entry.combos, entry.size, _weight(entry.weight, hands.scale)
