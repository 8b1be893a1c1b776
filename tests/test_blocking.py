"""How many hands of a set share a card with each hand."""

from __future__ import annotations

import numpy as np
import pytest

from equity.errors import RangeError
from equity.ranges.blocking import blocked_combos
from equity.ranges.hands import hand_space


def naive_blocked(hand: list[int], others: list[list[int]], weights: list[int]) -> int:
    return sum(
        weight
        for other, weight in zip(others, weights, strict=True)
        if not set(hand).isdisjoint(other)
    )


@pytest.mark.parametrize(
    ("size", "some", "tries"), [(1, 9, 52), (2, 60, 1326), (4, 300, 200), (5, 200, 100)]
)
def test_blocked_combos(size: int, some: int, tries: int) -> None:
    space = hand_space(size)
    chance = np.random.default_rng(size)
    numbers = np.sort(chance.choice(space.size, size=some, replace=False))
    picks = chance.choice(space.size, size=tries, replace=False)
    picks = np.concatenate([picks, numbers[:20]])
    others = space.hands(numbers).tolist()
    for weights in (None, chance.integers(0, 1000, size=some)):
        found = blocked_combos(space, numbers, weights)
        plain = [1] * some if weights is None else weights.tolist()
        expected = [naive_blocked(hand, others, plain) for hand in space.hands(picks).tolist()]
        assert found[picks].tolist() == expected


def test_blocked_combos_of_six() -> None:
    space = hand_space(6)
    chance = np.random.default_rng(6)
    numbers = np.unique(chance.integers(space.size, size=2000))
    found = blocked_combos(space, numbers)
    picks = np.concatenate([chance.integers(space.size, size=100), numbers[:10]])
    others = space.hands(numbers).tolist()
    expected = [
        naive_blocked(hand, others, [1] * len(others)) for hand in space.hands(picks).tolist()
    ]
    assert found[picks].tolist() == expected


def test_blocked_combos_of_all_and_of_none() -> None:
    space = hand_space(4)
    every = np.arange(space.size)
    assert set(blocked_combos(space, every).tolist()) == {270_725 - 194_580}
    assert not blocked_combos(space, every[:0]).any()
    with pytest.raises(RangeError, match="too large"):
        blocked_combos(space, every[:4], np.full(4, 2**62))
