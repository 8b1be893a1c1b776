"""Money by the book: deal by deal, and chip by chip from the bottom of the stacks up.

The referee for side pots. It shares no code with the package, and has no pots at all: a chip
is contested by everybody whose stack reaches as high, and goes to whoever wins among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import naive


def settle_board(
    hands: Sequence[naive.Cards],
    stacks: Sequence[int],
    dead_money: int,
    full: naive.Cards,
    low: bool,
) -> tuple[list[Fraction], list[Fraction]]:
    """What each player wins on a full board before the rake, and what is returned to him."""
    highs = [naive.best_high(hand, full) for hand in hands]
    lows = [naive.best_low(hand, full) if low else None for hand in hands]
    won = [Fraction(0) for _ in hands]
    returned = [Fraction(0) for _ in hands]
    for chip in range(1, max(stacks) + 1):
        rivals = [at for at, stack in enumerate(stacks) if stack >= chip]
        if len(rivals) == 1:
            returned[rivals[0]] += 1
            continue
        amount = len(rivals) + (dead_money if chip == 1 else 0)
        results = naive.split([highs[at] for at in rivals], [lows[at] for at in rivals])
        for at, result in zip(rivals, results, strict=True):
            won[at] += amount * sum(naive.share(*result))
    return won, returned


def settle(
    ranges: Sequence[naive.Range],
    stacks: Sequence[int],
    dead_money: int,
    *,
    rake: tuple[Fraction, Fraction | None],
    board: naive.Cards,
    dead: naive.Cards,
    low: bool,
) -> tuple[list[Fraction], Fraction]:
    """The chips that each player has in the end, on average over all deals, and the rake."""
    chips = [Fraction(0) for _ in ranges]
    total = 0
    taken = Fraction(0)
    rate, cap = rake
    for entries in product(*ranges):
        hands = [hand for hand, _ in entries]
        gone = [*sum(hands, ()), *dead]
        if len({*board, *gone}) < len(board) + len(gone):
            continue
        weight = 1
        for _, times in entries:
            weight *= times
        for full in naive.runouts(board, gone):
            won, returned = settle_board(hands, stacks, dead_money, full, low)
            contested = sum(won)
            taken = rate * contested
            if cap is not None and cap < taken:
                taken = cap
            for at, (mine, back) in enumerate(zip(won, returned, strict=True)):
                chips[at] += weight * (mine * (1 - taken / contested) + back)
            total += weight
    return [amount / total for amount in chips], taken
