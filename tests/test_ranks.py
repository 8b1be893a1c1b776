"""The rules and the tables made of them."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import naive
import numpy as np
import pytest

from equity.rules import ranks, tables

#: Five-card hands of each category, as every book on poker has them.
FREQUENCIES = {
    "high card": 1_302_540,
    "pair": 1_098_240,
    "two pair": 123_552,
    "three of a kind": 54_912,
    "straight": 10_200,
    "flush": 5_108,
    "full house": 3_744,
    "four of a kind": 624,
    "straight flush": 40,
}
CLASSES = [1277, 2860, 858, 858, 10, 1277, 156, 156, 10]

DIGESTS = {
    "pair": "17e5e8f9f3f3958fec937243c3e14c4b93026f551dcad2b24bc61c390d3d9547",
    "triple": "e0409dc91963ca02bb61264b09c5fffe1a4de05782cfe5c15a460ad0ee8f5fe5",
    "board": "ef9b1586520dabb264953d2607f4543c971dbd0d367ffe595117c74e95da666f",
    "high": "4cae23801750373ae72d760e3b0b49303ced7d06183322a21cd35200ca09c0c5",
    "low_set": "fe9ce5a5378408e1165e0fd4dd6cff2ce8182839f9d41ec59022f5b272cdc04b",
    "low": "593f635ea598a73154f3a94aa14b100997680d7b578ccfd9a99fa1bca792badd",
    "suited_mask": "e98efb7416b1589082804b1253c51b29b070901ccf02883aaa2cb1a7345a2912",
    "flush": "a1a34e7e9eea1c98253e32b7eaf80593569b8c0deab9e6e13204914b538d7bc2",
    "straight": "2a4a328ecee3bc72ef0aef6b574da0c27992747ad1f99cab714fb8a15561d791",
    "category": "1425ff02310993bc7113a49aae3c5c6d6761c11906eb0a1fc67b4cbeff65a638",
}


def test_classes() -> None:
    classes = ranks.high_classes()
    assert len(classes) == 7462
    counts = Counter(high.category for high in classes)
    assert [counts[category] for category in range(9)] == CLASSES
    assert classes[0].ranks == (5, 3, 2, 1, 0)
    assert classes[-1] == ranks.High(ranks.STRAIGHT_FLUSH, (12, 11, 10, 9, 8))
    lows = ranks.low_classes()
    assert len(lows) == 56
    assert (lows[0], lows[-1]) == ((8, 7, 6, 5, 4), (5, 4, 3, 2, 1))


def test_lows_compare_from_the_top() -> None:
    best_first = ["54321", "64321", "65432", "74321", "75432", "76321", "76543"]
    best_first += ["84321", "86541", "86542", "86543", "87321", "87654"]
    values = [ranks.low_value(tuple(map(int, low))) for low in best_first]
    assert values == sorted(values, reverse=True)


def test_all_five_card_hands() -> None:
    """Every five cards, as two and three: the tables against the rules.

    A value depends on the ranks and on whether all suits are equal; so the
    slow rules, and the order of the brute force, are asked for one hand of each
    such kind and hold for all.
    """
    deals = np.array(list(combinations(range(52), 5)), np.uint8)
    assert len(deals) == 2_598_960
    rank, suit = (deals >> 2).astype(np.int64), deals & 3
    pair = tables.array("pair")[rank[:, 0], rank[:, 1]]
    triple = tables.array("triple")[rank[:, 2], rank[:, 3], rank[:, 4]]
    high_of_three, low_of_three = tables.values_of_three()
    high = high_of_three[pair, triple]
    suited = (suit == suit[:, :1]).all(axis=1)
    mask = tables.array("suited_mask")[(1 << rank[suited, 2:]).sum(axis=1)]
    high[suited] = tables.array("flush")[pair[suited], mask]

    kinds = (rank * 13 ** np.arange(5)).sum(axis=1) * 2 + suited
    _, first, kind = np.unique(kinds, return_index=True, return_inverse=True)
    assert len(first) == 6175 + 1287
    cards = [tuple(map(int, deals[at])) for at in first]
    assert np.array_equal(high, np.array([ranks.high_value(ranks.high_of(c)) for c in cards])[kind])
    order = sorted(range(len(cards)), key=lambda at: naive.high_of(cards[at]))
    assert [int(high[first[at]]) for at in order] == list(range(1, 7463))
    lows = np.array([ranks.low_value(ranks.low_of(c)) for c in cards])
    assert np.array_equal(low_of_three[pair, triple], lows[kind])
    for five, low in zip(cards, lows, strict=True):
        known = naive.low_of(five)
        assert (known or 0) == (ranks.low_classes()[low - 1] if low else 0)

    starts = tables.array("category").astype(np.int64)
    category = np.searchsorted(starts, high, side="right") - 1
    assert np.bincount(category).tolist() == list(FREQUENCIES.values())
    assert tuple(FREQUENCIES) == ranks.CATEGORIES


def test_names_of_tables_and_digests() -> None:
    assert {name: tables.digest(name) for name in tables.TABLES} == DIGESTS


def test_tables_are_what_the_rules_make() -> None:
    for name, table in tables.build().items():
        assert np.array_equal(table, tables.array(name)), name
        assert (str(table.dtype), table.shape) == tables.TABLES[name]


def test_multisets_are_numbered_without_gaps() -> None:
    numbers = np.unique(tables.array("board"))
    assert numbers.tolist() == list(range(tables.MULTISETS))
    assert tables.MULTISETS - 13 == 6175


@pytest.mark.parametrize(("text", "category"), [("5h4h3h2hAh", 8), ("6h5h4h3h2s", 4)])
def test_the_steel_wheel(text: str, category: int) -> None:
    assert ranks.high_of(naive.cards(text)).category == category
