"""A session: hands that go through one by one, and what is counted of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from equity.histories.hand import Hand, Unread
from equity.histories.luck import Luck
from equity.histories.reading import HistoryError
from equity.histories.report import Sums

__all__ = ["Session", "one_hand"]


class Session:
    """The hands of a session: their sums, and how many there were, while they go through."""

    def __init__(
        self,
        report: Callable[[Unread], None],
        sums: Sums,
        luck: Luck | None,
        player: str | None,
    ) -> None:
        self.report, self.sums, self.luck, self.player = report, sums, luck, player
        self.hands = self.aside = self.all_ins = 0
        self.skipped: Counter[str] = Counter()

    def go_through(self, stream: Iterator[Hand]) -> Iterator[Hand]:
        """Yield the hands of the Omaha family, and add up those whose chips do.

        Raises
        ------
        HistoryError
            At the end, if there was nothing to answer.
        """
        for hand in stream:
            if hand.game is None:
                self.skipped[hand.title] += 1
                continue
            self.hands += 1
            if hand.problem:
                self.aside += 1
                problem = f"hand {hand.id} is set aside: {hand.problem}"
                self.report(Unread(hand.file, hand.line, problem))
            else:
                self.all_ins += hand.all_in() is not None
                self.sums.add(hand)
                if self.luck is not None:
                    self.luck.add(hand)
            yield hand
        if not self.hands:
            raise HistoryError(f"no hand of the Omaha family, {self.text}", place="hands")
        if self.player is not None and not self.sums.by_player:
            raise HistoryError(f"no hand has a player {self.player!a}", place="--player")

    @property
    def text(self) -> str:
        """How many hands there were."""
        parts = [
            f"{self.hands:,} hand{'s' * (self.hands != 1)}",
            f"{self.all_ins:,} by equity",
            *([f"{self.aside:,} set aside"] if self.aside else []),
            *(f"{count:,} of {name} skipped" for name, count in self.skipped.most_common(8)),
        ]
        return ", ".join(parts)


def one_hand(stream: Iterator[Hand], number: str) -> Hand:
    """The hand of a number.

    Raises
    ------
    HistoryError
        There is none.
    """
    for hand in stream:
        if hand.id == number:
            return hand
    raise HistoryError(f"there is no hand {number!a}", place="--id")
