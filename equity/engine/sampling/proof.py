"""Feasibility check: whether any compatible deal exists."""

from __future__ import annotations

import numpy as np

from equity.engine.sampling.question import Weights
from equity.engine.sampling.table import Table
from equity.errors import DealError
from equity.rules.cards import DECK_SIZE, format_cards
from equity.rules.games import BOARD_SIZE
from equity.rules.ranks import RANK_COUNT

__all__ = ["none_found", "prove"]

#: Budget of a search, in hands that it looks at, and the cost of a step in these.
_PROOF_WORK = 80_000_000
_STEP_WORK = 10_000


def none_found() -> DealError:
    """The error for ranges of which a sample has found no compatible deal."""
    return DealError(
        "the ranges leave so few deals that none was found by chance",
        place="ranges",
        hint="narrow them, name more of the cards, or give --exact",
    )


def prove(table: Table) -> None:
    """Check that a compatible deal exists.

    Raises
    ------
    DealError
        It is proven that there is none.
    """
    need = len(table.seats) * table.game.hole + BOARD_SIZE
    have = DECK_SIZE - max(len(known.dead) for known in table.known)
    if need > have:
        raise DealError(f"{need} cards are needed and {have} are left", place="the deck")
    boards = np.array([known.taken for known in table.known]) & ~table.gone
    # A few hands of each list mostly suffice to find one.
    if _Search([boards, *(hands.few for hands in table.lists)]).finds():
        return
    masks = {player: hands.masks for player, hands in zip(table.listed, table.lists, strict=True)}
    _check_ranks(masks, table.gone)
    players = sorted(masks, key=lambda player: len(masks[player]))
    for group in [[a, b] for a in players for b in players if a < b] + [players]:
        searched = _Search([boards, *(masks[player] for player in group)])
        if not searched.finds() and not searched.gave_up:
            names = " and ".join(str(player + 1) for player in sorted(group))
            raise DealError(
                "every hand of one takes a card that the others need",
                place=f"ranges {names}",
                hint="no deal of them is possible",
            )


def _check_ranks(masks: dict[int, Weights], gone: int) -> None:
    """Compare the cards of each rank that all hands need with those left in the deck."""
    for rank in range(RANK_COUNT):
        suits = 15 << 4 * rank
        needs = {
            player: int(np.bitwise_count(hands & suits).min()) for player, hands in masks.items()
        }
        needy = [str(player + 1) for player, need in needs.items() if need]
        left = (suits & ~gone).bit_count()
        if sum(needs.values()) > left:
            cards = format_cards([c for c in range(DECK_SIZE) if suits & ~gone & 1 << c])
            raise DealError(
                f"{sum(needs.values())} cards of one rank are needed and {left} are left"
                f" ({cards or 'none'})",
                place=f"ranges {' and '.join(needy)}",
                hint="no deal of them is possible",
            )


class _Search:
    """A search for one card mask of each list, no two sharing a card."""

    def __init__(self, lists: list[Weights]) -> None:
        self.lists = lists
        self.work = 0

    @property
    def gave_up(self) -> bool:
        """Whether it ran out of its budget."""
        return self.work > _PROOF_WORK

    def finds(self) -> bool:
        """Whether there is one."""
        return self._finds(0, self.lists)

    def _finds(self, taken: int, lists: list[Weights]) -> bool:
        """Whether there is one that also avoids ``taken``."""
        self.work += _STEP_WORK + sum(map(len, lists))
        lists = [masks[masks & taken == 0] for masks in lists]
        if not lists:
            return True
        # The shortest list branches least.
        shortest = min(range(len(lists)), key=lambda at: len(lists[at]))
        rest = lists[:shortest] + lists[shortest + 1 :]
        for mask in lists[shortest]:
            if self.gave_up:
                return False
            if self._finds(int(mask), rest):
                return True
        return False
