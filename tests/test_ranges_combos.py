"""Trees to hands: known counts, classes, and the naive matcher on random ranges."""

from __future__ import annotations

import json
import os
import random
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_ranges import RANKS, SUITS, matches
from range_texts import expressions

from equity.errors import OrderingError, RangeError
from equity.ranges import parse
from equity.ranges.combos import expand
from equity.ranges.hands import hand_space
from equity.rules.cards import parse_cards
from equity.rules.games import find_game

#: Combos of Omaha hands, as ProPokerTools counts them.
FIGURES = [
    # Ranks and rank variables.
    ("8", 76_145),
    ("22", 6_961),
    ("333", 193),
    ("89", 17_316),
    ("89T", 2_848),
    ("TTQ", 1_108),
    ("AR", 76_144),
    ("QO", 76_144),
    ("AAR", 6_960),
    ("AAAR", 192),
    ("AAKR", 1_056),
    ("AKQR", 2_560),
    ("QRRR", 192),
    ("ARR", 13_296),
    ("AKRR", 1_056),
    ("NWO", 270_712),
    ("2RO", 75_328),
    ("KOO", 13_296),
    # Suits and suit variables.
    ("c", 188_474),
    ("hd", 121_173),
    ("ss", 69_667),
    ("cx", 187_759),
    ("hhxx", 18_252),
    ("ddd", 11_869),
    ("hcs", 68_107),
    ("hsh", 36_166),
    ("yyh", 108_498),
    ("WWX", 239_304),
    ("WXNN", 67_093),
    ("*c*c*w", 68_952),
    ("*c*w*w*x", 79_092),
    ("*c*w*x*y", 28_561),
    ("*c*c*w*w", 18_252),
    # Ranks with suits.
    ("Td", 20_825),
    ("Thh", 11_686),
    ("Jcx", 20_605),
    ("A9c", 4_610),
    ("QJc", 4_610),
    ("cT", 45_659),
    ("AKw", 17_316),
    ("x5y6zs", 936),
    ("QwO", 76_144),
    ("RcR", 45_175),
    ("csTT", 937),
    ("NWOXPRY", 120_120),
    ("WNWOPW", 47_476),
    ("NWOXOWPX", 10_296),
    ("RO*c*w", 187_590),
    ("AwAxAyRz", 48),
    ("AwKxRyOy", 1_320),
    ("AwKcRdO", 770),
    ("AwQcRcOd", 220),
    ("QcQwOcO", 108),
    ("AcAdRcRd", 12),
    ("AcKcRd*d", 77),
    ("AwAx*w*w", 792),
    ("AwRxOxNx", 2_640),
    ("RwRxO*c", 21_294),
    ("AsKhJd2c", 1),
    # Spans.
    ("T-", 268_905),
    ("Q+", 179_335),
    ("T8+", 76_500),
    ("664-", 3_324),
    ("9876-", 1_280),
    ("TT-77", 27_628),
    ("A-Q", 179_335),
    ("Jc+", 76_145),
    ("[5c4-]", 13_438),
    ("[986-]", 14_240),
    ("[T-][Tc-]", 142_275),
    ("[Kx-Jx]x", 119_194),
    ("[KhQh-Kh5h]", 8_484),
    ("KQJT-T987", 1_024),
    ("AAJT-AA87", 384),
    ("TsJs-QsKs", 3_577),
    ("[A-J][2-5]33", 1_216),
    ("J[T-][T-][T-]", 28_560),
    # Spans beside variables.
    ("[Kx-][Tx-]RxOx", 2_856),
    ("RcRs[Tx9x-4x3x]", 182),
    # Lists.
    ("[5s,6h]", 40_425),
    ("[2,4,6,3h,5d]", 196_910),
    ("[2,3,4]", 179_335),
    ("[2,4,6,8,T][3,5,7,9]", 177_680),
    ("[As,Ah,K]K", 15_425),
    ("K[2s,Jc,T]", 24_890),
    # Macros.
    ("$0G", 2_560),
    ("$1G", 6_912),
    ("$2G", 6_144),
    # Both, without, any.
    ("(hc:sss)", 0),
    ("(cTc!cT)", 0),
    ("(TT:JT4)", 96),
    ("(JT,hh),(JT4,c44s4)", 82_528),
    ("(JT!JT4),(JT4!s4d44)", 17_316),
    ("(hh:sss)!(JT4:ssh)", 0),
    ("(h,JhTcs):(ccTT,Jc+)", 46_354),
    ("(sTsc:csJT),(sTsc:T-)", 5_850),
    ("(T:h:TT:ThTcJs)", 49),
    ("(JT!JhTcs!sTsc!Thh)", 12_875),
    ("(JTJ!ssh:JcsTT![T9-43][5+])", 5),
    ("(T:[T,Ts,9h])!(cTcTsJ:Jc+)", 76_122),
]

#: Counts that follow by combinatorics or stand in the description of the language.
COUNTS = [
    ("plo4", "*", comb(52, 4)),
    ("plo5", "*", comb(52, 5)),
    ("plo6", "*", comb(52, 6)),
    ("plo4", "AA", 6_961),
    ("plo5", "AA", 108_336),
    ("plo6", "AA", 1_237_792),
    ("bigo", "AA", 108_336),
    ("plo4", "AA**", 6_961),
    ("plo4", "AA!AAA", 6_768),
    ("plo5", "AA!AAA", 103_776),
    ("plo6", "AA!AAA", 1_167_480),
    ("plo4", "TT+", 34_445),
    ("plo4", "TT+!AA", 27_484),
    ("plo4", "AA,KK:xxyy", 7_819),
    ("plo4", "(AA,KK):xxyy", 1_722),
    ("plo4", "(AA,KK)$ds", 1_722),
    ("plo4", "hhxx", 18_252),
    ("plo4", "AJ+", 17_316),
    ("plo4", "[AJ+]", 17_316),
    ("plo4", "A-A", 76_145),
    ("plo4", "*$np", comb(13, 4) * 4**4),
    ("plo4", "*$op", 13 * 6 * comb(12, 2) * 16),
    ("plo4", "*$tp", comb(13, 2) * 36),
    ("plo4", "*!(*$nt)", 13 * 4 * 48 + 13),
    ("plo4", "*$rb", 13**4),
    ("plo4", "*$ms", 4 * comb(13, 4)),
    ("plo4", "*$dsp", 6 * comb(13, 2) ** 2),
    ("plo4", "*$ds", 6 * comb(13, 2) ** 2),
    ("plo4", "*$ts", 12 * comb(13, 3) * 13),
    ("plo4", "*$qs", 4 * comb(13, 4)),
    ("plo4", "*$ss", 12 * comb(13, 2) * 13**2),
    ("plo5", "*$rb", 4 * comb(13, 2) * 13**3),
    ("plo5", "*$dsp", 12 * comb(13, 2) ** 2 * 13),
    ("plo5", "*$ts", 12 * comb(13, 3) * comb(13, 2) + 12 * comb(13, 3) * 13**2),
    ("plo5", "*$qs", 12 * comb(13, 4) * 13),
    ("plo5", "*$ms", 4 * comb(13, 5)),
    ("plo6", "*$rb", 6 * comb(13, 2) ** 2 * 13**2),
    ("plo6", "*$dsp", 6 * comb(13, 2) ** 2 * 13**2),
    ("plo6", "*$ms", 4 * comb(13, 6)),
    ("plo6", "*$qs", 12 * comb(13, 4) * (comb(13, 2) + 13**2)),
    (
        "plo6",
        "*$ts",
        6 * comb(13, 3) ** 2 + 24 * comb(13, 3) * comb(13, 2) * 13 + 4 * comb(13, 3) * 13**3,
    ),
    ("plo6", "$B$B$M$M$Z$Z!*", 0),
    ("plo5", "wxyzc", 0),
    ("plo4", "wxyc", 13**4),
    ("plo4", "[A]R", 76_145),
    ("plo4", "AsAhKsKh", 1),
    ("plo6", "AsAhKsKh", comb(48, 2)),
    ("plo4", "AsAhKsKh,AsAhKsKh,AhAsKhKs", 1),
]

REFERENCE = os.environ.get("EQUITY_REFERENCE")


def reference_counts() -> list[tuple[str, int]]:
    """All expressions of the reference folder, none without it."""
    if not REFERENCE:
        return []
    lines = (Path(REFERENCE) / "oracles" / "range_counts.jsonl").read_text().splitlines()
    return [(row["range"], row["combos"]) for row in map(json.loads, lines)]


def count(text: str, game: str = "plo4") -> int:
    found = find_game(game)
    return len(expand(parse(text, found), found).numbers)


@pytest.mark.parametrize(("text", "combos"), FIGURES)
def test_figures(text: str, combos: int) -> None:
    assert count(text) == combos
    assert count(text.lower()) == combos
    assert count(str(parse(text))) == combos


@pytest.mark.parametrize(("game", "text", "combos"), COUNTS)
def test_counts(game: str, text: str, combos: int) -> None:
    assert count(text, game) == combos


if REFERENCE:

    def test_reference_counts() -> None:
        rows = reference_counts()
        assert len(rows) > 3_000
        assert [(text, n, count(text)) for text, n in rows if count(text) != n] == []
        assert [text for text, _ in rows if parse(str(parse(text))) != parse(text)] == []


@pytest.mark.parametrize(
    ("cards", "classes"), [(1, 13), (2, 169), (3, 1_755), (4, 16_432), (5, 134_459), (6, 962_988)]
)
def test_classes(cards: int, classes: int) -> None:
    space = hand_space(cards)
    assert space.size == comb(52, cards)
    assert space.types.count == classes
    every = np.arange(classes)
    assert int(space.types.size(every).sum()) == space.size
    firsts = space.types.first(every)
    assert np.all(np.diff(firsts) > 0)
    assert np.array_equal(space.types.of(firsts), every)


@pytest.mark.parametrize("cards", [1, 2, 3, 4])
def test_hands_are_numbered_from_the_best(cards: int) -> None:
    space = hand_space(cards)
    numbers = np.arange(space.size)
    hands = space.hands(numbers)
    rows = [tuple(row) for row in hands.tolist()]
    assert sorted(rows) == sorted(hand[::-1] for hand in combinations(range(52), cards))
    order = [([card // 4 for card in row], [card % 4 for card in row]) for row in rows]
    assert order == sorted(order, reverse=True)
    assert np.array_equal(space.index(hands[:, ::-1]), numbers)
    shuffled = np.random.default_rng(1).permutation(numbers)
    assert np.array_equal(space.hands(shuffled), hands[shuffled])


@pytest.mark.parametrize("cards", [5, 6])
def test_numbers_of_many_cards(cards: int) -> None:
    space = hand_space(cards)
    numbers = np.random.default_rng(2).integers(space.size, size=20_000)
    hands = space.hands(numbers)
    assert np.array_equal(space.index(hands), numbers)
    assert np.all(np.diff(hands.astype(int), axis=1) < 0)
    renamed = hands // 4 * 4 + np.array([2, 0, 3, 1])[hands % 4]
    same = space.types.of(space.index(renamed))
    assert np.array_equal(same, space.types.of(numbers))


def test_weights_take_the_largest() -> None:
    game = find_game("plo4")
    combos = expand(parse("AA@2.5,AAK@7,AsAhKsKh@1,QQ"), game)
    by_weight = {w: int(np.count_nonzero(combos.weights == w)) for w in (10, 25, 70, 1000)}
    assert combos.scale == 10
    assert by_weight == {
        10: 0,
        25: count("AA!AAK!QQ"),
        70: count("AAK!QQ"),
        1000: count("QQ"),
    }


def test_percent_needs_an_ordering() -> None:
    with pytest.raises(OrderingError, match="needs an ordering"):
        count("AA,10%8h")


def test_too_many_mixed_lists() -> None:
    lists = "[2c,3d,4h,5s][3c,4d,5h,6s][4c,5d,6h,7s][5c,6d,7h,8s][6c,7d,8h,9s]"
    with pytest.raises(RangeError, match="1,024 ways"):
        count(lists, "plo5")


def agree(text: str, game: str, seed: int, tries: int) -> None:
    """Compare the hands of a range with the naive matcher, on random hands."""
    found = find_game(game)
    tree = parse(text, found)
    numbers = expand(tree, found).numbers
    space = hand_space(found.hole)
    chance = random.Random(seed)
    picks = [chance.randrange(space.size) for _ in range(tries)]
    if len(numbers):  # as many from the range, which may be small
        picks += [int(chance.choice(numbers)) for _ in range(tries)]
    inside = np.isin(picks, numbers)
    for hand, expected in zip(space.hands(np.array(picks)).tolist(), inside, strict=True):
        cards = [(RANKS[card // 4], SUITS[card % 4]) for card in hand]
        assert any(matches(part.node, cards) for part in tree.parts) == expected, (text, cards)


@settings(max_examples=150, deadline=None)
@given(text=expressions(4), seed=st.integers(0, 2**32))
def test_agrees_with_naive_plo4(text: str, seed: int) -> None:
    agree(text, "plo4", seed, 15)


@settings(max_examples=60, deadline=None)
@given(text=expressions(5), seed=st.integers(0, 2**32))
def test_agrees_with_naive_plo5(text: str, seed: int) -> None:
    agree(text, "plo5", seed, 8)


@settings(max_examples=15, deadline=None)
@given(text=expressions(6), seed=st.integers(0, 2**32))
def test_agrees_with_naive_plo6(text: str, seed: int) -> None:
    agree(text, "plo6", seed, 3)


def test_naive_finds_every_hand_of_some_ranges() -> None:
    """The two agree on all hands, not only on random ones."""
    game = find_game("plo4")
    space = hand_space(4)
    for text in ("AwKcRdO", "[T9-43]4[5+]!hh", "RcRs[Tx9x-4x3x]", "[As,Kx,c]x:JJ"):
        tree = parse(text)
        inside = np.zeros(space.size, dtype=bool)
        inside[expand(tree, game).numbers] = True
        picks = np.concatenate([np.flatnonzero(inside)[:1500], np.arange(0, space.size, 97)])
        for number, hand in zip(picks, space.hands(picks).tolist(), strict=True):
            cards = [(RANKS[card // 4], SUITS[card % 4]) for card in hand]
            assert matches(tree.parts[0].node, cards) == inside[number], (text, cards)


def test_exact_hands_read_like_cards() -> None:
    game = find_game("plo4")
    numbers = expand(parse("As-Ks-Qd-Jd"), game).numbers
    expected = sorted(parse_cards("AsKsQdJd"), reverse=True)
    assert hand_space(4).hands(numbers).tolist() == [expected]
