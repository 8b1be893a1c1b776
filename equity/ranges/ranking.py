"""Where a hand or range stands in a hand ranking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from equity.common.arguments import shown
from equity.common.tables import Table, Tabular
from equity.errors import CardCountError, CardError
from equity.rules.cards import (
    Cards,
    check_distinct,
    format_cards,
    format_hand,
    parse_cards,
)
from equity.rules.games import Game, find_game

if TYPE_CHECKING:
    from pathlib import Path

    from equity.ranges import Ordering, Range

__all__ = ["RangeRank", "Rank", "Standing", "rank", "rank_range"]


@dataclass(frozen=True)
class Standing:
    """The place of a hand's class in an ordering."""

    #: Name and version of the ordering.
    ordering: str
    #: What the ordering ranks hands by.
    description: str
    #: The percentage of all combos in this class and better ones.
    percentile: float
    #: The place of the class, 1 for the best.
    place: int
    #: How many classes there are.
    classes: int
    #: What the ordering sorts by; None in an ordering from a file.
    score: float | None
    #: Standard error of the score, 0 if exact; None in an ordering from a file.
    std_error: float | None
    #: What the score is: chips won for each chip paid, say.
    score_name: str

    def to_dict(self) -> dict[str, Any]:
        """The numbers for JSON."""
        return dict(vars(self))


@dataclass(frozen=True)
class Rank(Tabular):
    """A hand, its class, and where that stands in each ordering."""

    #: Name of the game.
    game: str
    #: The hand, ranks down.
    hand: str
    #: The class, cards of one suit in brackets; a set of suit-isomorphic hands.
    class_text: str
    #: How many hands are in the class.
    combos: int
    #: Its place in each ordering.
    standings: tuple[Standing, ...]

    @property
    def _against_random(self) -> Standing | None:
        found = (entry for entry in self.standings if entry.score_name == "equity")
        return next(found, None)

    @property
    def equity(self) -> float | None:
        """Equity against one hand of any kind; None without an ordering by that."""
        return self._against_random.score if self._against_random else None

    @property
    def std_error(self) -> float | None:
        """The standard error of the equity, 0 if it is exact."""
        return self._against_random.std_error if self._against_random else None

    def to_dict(self) -> dict[str, Any]:
        """The numbers for JSON; names stay stable, more may come."""
        return {
            "game": self.game,
            "hand": self.hand,
            "class": self.class_text,
            "combos": self.combos,
            "equity": self.equity,
            "std_error": self.std_error,
            "standings": [entry.to_dict() for entry in self.standings],
        }

    def records(self) -> list[dict[str, Any]]:
        """A row for each hand ranking."""
        whole = self.to_dict()
        standings = whole.pop("standings")
        return [whole | standing for standing in standings or [{}]]

    def table(self) -> Table:
        """The same rows, under the names of the columns."""
        records = self.records()
        return list(records[0]), [list(record.values()) for record in records]


@dataclass(frozen=True)
class RangeRank:
    """Where the hands of a range stand in an ordering, as percentiles."""

    #: Name and version of the ordering.
    ordering: str
    best: float
    worst: float
    #: The mean over the combos, by their weights.
    mean: float


def rank_range(hands: Range, ordering: str | Path | Ordering | None = None) -> RangeRank | None:
    """The best, worst and mean percentile of a range; None if it has no hand.

    Parameters
    ----------
    hands:
        The range.
    ordering:
        The hand ranking, see :class:`equity.Range`; "ring" by default.

    Raises
    ------
    OrderingError, DataError
        There is no such ordering.
    """
    from equity.ranges import select_ordering
    from equity.ranges.orderings import DEFAULT

    classes, _, weights = hands.class_sums
    if not len(classes):
        return None
    chosen = select_ordering(ordering or DEFAULT, hands.game)
    percentiles = chosen.percentiles(classes)
    mean = float(percentiles @ weights) / float(weights.sum())
    return RangeRank(chosen.label, float(percentiles.min()), float(percentiles.max()), mean)


def rank(
    hand: Cards,
    game: str | Game = "plo4",
    *,
    ordering: str | Path | Ordering | None = None,
    place: str = "hand",
) -> Rank:
    """Where a hand stands: its class, and its place in every ordering.

    Parameters
    ----------
    hand:
        As many cards as the game deals, text or card ids.
    game:
        Name or alias of the game.
    ordering:
        One more ordering, that of a file say, or the name of the only one.
    place:
        What the hand is called in the message of an error.

    Raises
    ------
    CardError, CardCountError, DuplicateCardError
        It is no hand of the game.
    OrderingError, DataError
        There is no such ordering.

    Examples
    --------
    >>> rank("AsKsQhJh").class_text
    '(AK)(QJ)'
    """
    import numpy as np

    from equity.ranges import ordering_names, select_ordering
    from equity.ranges.class_notation import class_text
    from equity.ranges.hands import hand_space

    rules = find_game(game)
    try:
        cards = parse_cards(hand, place)
    except CardError as error:
        from equity.ranges import is_range

        if not isinstance(hand, str) or not is_range(hand, rules):
            raise
        raise CardError(
            f"{shown(hand)} is a range, and a rank is of exact cards",
            place=error.place,
            hint="'equity range' says how a range is ranked",
        ) from None
    if len(cards) != rules.hole:
        raise CardCountError(
            f"{format_cards(cards)} has {len(cards)} card{'' if len(cards) == 1 else 's'}",
            place=place,
            hint=f"a hand in {rules.name} has {rules.hole}",
        )
    check_distinct([(place, cards)])
    names: list[str | Path | Ordering] = list(ordering_names(rules.name))
    if ordering is not None:
        names = (
            [ordering] if isinstance(ordering, str) and ordering in names else [*names, ordering]
        )
    space = hand_space(rules.hole)
    number = int(space.types.of(space.index(np.array([cards], np.uint8)))[0])
    standings = [_standing(select_ordering(name, rules), number) for name in names]
    size = int(space.types.size(np.array([number]))[0])
    return Rank(rules.name, format_hand(cards), class_text(cards), size, tuple(standings))


def _standing(ordering: Ordering, number: int) -> Standing:
    facts, score = ordering.facts, None
    if facts is not None and ordering.scores is not None:
        score = int(ordering.scores[number]) / facts.units
    return Standing(
        ordering=ordering.label,
        description=facts.description if facts else "from a file",
        percentile=ordering.percentile(number),
        place=ordering.place(number),
        classes=len(ordering.order),
        score=score,
        std_error=facts.standard_error if facts else None,
        score_name=facts.score if facts else "",
    )
