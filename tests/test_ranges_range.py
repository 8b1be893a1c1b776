"""Range: a set of hands with weights."""

from __future__ import annotations

import pickle
from decimal import Decimal
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from range_texts import expressions, weighted

from equity.errors import (
    CardCountError,
    CardError,
    DuplicateCardError,
    GameError,
    OrderingError,
    RangeError,
    RangeGameError,
    RangeSyntaxError,
)
from equity.ranges import Range
from equity.ranges.recent import read_range
from equity.rules.cards import format_hand, parse_cards
from equity.rules.games import find_game

THREE = ["AsAhKsKh", "AsAhKsKd", "AcAdKcKd"]


def test_hands_of_a_range() -> None:
    aces = Range("AA:xxyy,KK", game="plo4")
    assert len(aces) == 7_819
    assert "AsAhKsKh" in aces
    assert parse_cards("KhAsKsAh") in aces
    assert np.array(parse_cards("KhAsKsAh")) in aces
    assert "AsAhKdQc" not in aces
    hands = list(aces)
    assert len(hands) == len(set(hands)) == len(aces)
    assert hands[:2] == ["AsAhKsKh", "AsAhKsKd"]
    assert [format_hand(cards) for cards in aces.combos.tolist()] == hands
    assert aces.combos.dtype == np.uint8
    assert aces.combos.shape == (7_819, 4)
    assert np.all(np.diff(aces.combos.astype(int), axis=1) < 0)
    assert aces.weights.tolist() == [100] * 7_819
    assert aces.scale == 1
    assert aces.text == str(aces) == "AA:xxyy,KK"
    assert aces.share == 7_819 / 270_725
    assert repr(aces) == "<Range 'AA:xxyy,KK' of plo4, 7,819 combos>"


@pytest.mark.parametrize(
    ("hand", "error"),
    [("AsAhKs", CardCountError), ("AsAhKsK1", CardError), ("AsAhKsKs", DuplicateCardError)],
)
def test_in_takes_hands_only(hand: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        assert hand in Range("AA")
    with pytest.raises(error):
        Range.from_hands([hand])


def test_a_range_never_changes() -> None:
    aces = Range("AA@5")
    with pytest.raises(AttributeError):
        aces.scale = 3
    for array in (aces.combos, aces.weights, aces.index):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_errors_name_the_place() -> None:
    with pytest.raises(RangeSyntaxError, match=r"^range 1, column 10: 'AQo\+'") as caught:
        Range("AsAhKsKh,AQo+", place="range 1")
    assert caught.value.column == 10
    with pytest.raises(GameError):
        Range("AA", "holdem")
    with pytest.raises(OrderingError):
        Range("10%3h")


def test_weights() -> None:
    mixed = Range("AA@10, KK:xxyy@2.5, (QQ,JJ)@2")
    assert mixed.scale == 10
    assert mixed.weight("AsAhKsKh") == 10
    assert mixed.weight("KsKh3s2h") == Decimal("2.5")
    assert mixed.weight("KsKhQsQh") == Decimal("2.5")
    assert mixed.weight("QsQhJsJh") == 2
    assert mixed.weight("2s2h2d2c") == 0
    assert not mixed.is_uniform
    assert Range("AA@10").is_uniform
    assert Range("AA@2.0") == Range("AA@2")
    assert Range("AA,(KK!KK)@2.5").scale == 1
    assert Range("AA@2") != Range("AA")


def test_from_hands() -> None:
    three = Range.from_hands(THREE)
    assert len(three) == 3
    assert three.text == "AsAhKsKh,AsAhKsKd,AdAcKdKc"
    assert Range(three.text) == three
    assert Range.from_hands([parse_cards(hand) for hand in THREE]) == three
    assert Range.from_hands(three.combos) == three
    assert Range.from_hands(np.array([parse_cards(hand) for hand in THREE])) == three
    assert Range.from_hands(iter(THREE * 2)) == three
    assert three.tree == Range(three.text).tree
    assert Range.from_hands([]).text == "*!*"
    assert len(Range("*!*")) == 0
    assert Range.from_hands(Range("*").combos).text == "*"


def test_from_hands_with_weights() -> None:
    given = Range.from_hands([*THREE, THREE[0]], weights=["2.5", 100, 7, 3.5])
    assert given.scale == 10
    assert given.text == "AsAhKsKh@3.5,AsAhKsKd,AdAcKdKc@7"
    assert Range(given.text) == given
    with pytest.raises(RangeError, match="3 hands and 2 weights"):
        Range.from_hands(THREE, weights=[1, 2])
    for weight in (0, 101, "x", float("nan"), -1, None, "1.12345678"):
        with pytest.raises(RangeError, match="weight"):
            Range.from_hands(THREE[:1], weights=[weight])  # type: ignore[list-item]


@pytest.mark.parametrize("hands", [[[0, 1, 2, 52]], [[0, 1, 2, 2]], [[0, 1, 2]], [[0.5, 1, 2, 3]]])
def test_from_bad_arrays(hands: list[list[float]]) -> None:
    with pytest.raises((CardError, DuplicateCardError, CardCountError)):
        Range.from_hands(np.array(hands))


def test_games_do_not_mix() -> None:
    aces = Range("AA", "plo4")
    aces.check_game("omaha")
    for name in ("o8", "plo5"):
        with pytest.raises(RangeGameError, match=f"a range of plo4 is used with {name}"):
            aces.check_game(name)
        with pytest.raises(RangeGameError):
            aces | Range("AA", name)
        assert aces != Range("AA", name)


def test_equality_and_hash() -> None:
    assert Range("AA,KK") == Range("KK,AA") == Range("(KK),AA**")
    assert len({Range("AA"), Range("AA**"), Range("AA", "o8"), Range("AA@2")}) == 3
    assert Range("AA") != "AA"
    assert pickle.loads(pickle.dumps(Range("AA@2"))) == Range("AA@2")


def test_set_operations() -> None:
    aces, kings = Range("AA@10"), Range("KK,QQ@2.5")
    either, both, only = aces | kings, aces & kings, aces - kings
    assert either.text == "AA@10,KK,QQ@2.5"
    assert both.text == "AA:KK@10,AA:QQ@2.5"
    assert only.text == "AA!(KK,QQ)@10"
    for made in (either, both, only):
        assert Range(made.text) == made
    assert either.weight("AsAhKsKh") == 100
    assert both.weight("AsAhKsKh") == 10
    assert both.weight("AsAhQsQh") == Decimal("2.5")
    assert len(either) == len(aces) + len(kings) - len(both)
    with pytest.raises(TypeError):
        aces | "KK"


def test_single_combos_taken_away() -> None:
    left = Range("AA") - Range.from_hands(THREE)
    assert len(left) == 6_958
    assert Range(left.text) == left
    left = Range("AA") - Range("AsAhKsKh")
    assert left.text == "AA!AsAhKsKh"
    assert len(Range(left.text)) == 6_960


def test_many_operations_stay_readable() -> None:
    made = Range("AA")
    for number in range(60):
        made = Range("KK") - made if number % 2 else Range("AA") - made
        assert len(made.text) < 100_000
    assert Range(made.text) == made


def _asks_for_more(text: str) -> bool:
    """Whether a range cannot be read without a board, or an ordering that may not be there."""
    return "%" in text or any(
        char == "@" and text[at + 1].isalpha() for at, char in enumerate(text)
    )


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_operations_and_texts(data: st.DataObject) -> None:
    texts = [data.draw(weighted(4).filter(lambda text: not _asks_for_more(text))) for _ in range(2)]
    a, b = (Range(text) & Range("AKQ") for text in texts)
    if data.draw(st.booleans()):
        b = Range.from_hands(
            b.combos[:50], weights=[Decimal(int(w)) / b.scale for w in b.weights[:50]]
        )
    weight_a = dict(zip(a, (Decimal(int(w)) / a.scale for w in a.weights), strict=True))
    weight_b = dict(zip(b, (Decimal(int(w)) / b.scale for w in b.weights), strict=True))
    expected = {
        "or": {h: max(weight_a.get(h, 0), weight_b.get(h, 0)) for h in {**weight_a, **weight_b}},
        "and": {h: min(w, weight_b[h]) for h, w in weight_a.items() if h in weight_b},
        "sub": {h: w for h, w in weight_a.items() if h not in weight_b},
    }
    for name, made in {"or": a | b, "and": a & b, "sub": a - b}.items():
        weights = (Decimal(int(w)) / made.scale for w in made.weights)
        assert dict(zip(made, weights, strict=True)) == expected[name]
        if len(made.text) < 200_000:
            assert Range(made.text) == made


def test_live_hands() -> None:
    given = Range.from_hands(["QcQd9h8h", "AcAdJh9c", "KcKd7h6h", "QhJhTh9d", "QsTc6d5c"])
    live, killed, by_card = given.live(board="Ts6c2d4d", dead="QsQh")
    assert list(live) == ["AdAcJh9c", "KdKc7h6h", "QdQc9h8h"]
    assert killed == 2
    assert by_card[parse_cards("Qh")[0]] == by_card[parse_cards("Qs")[0]] == 1
    assert by_card[parse_cards("Ts")[0]] == 0

    aces = Range("AA@10,KK")
    rest = aces.live("Ah7c2d")
    assert rest.range.text == "AA!(Ah,7c,2d)@10,KK!(Ah,7c,2d)"
    assert Range(rest.range.text) == rest.range
    held = set(parse_cards("Ah7c2d"))
    assert len(rest.range) == sum(not held & set(hand) for hand in aces.combos.tolist())
    assert rest.killed == len(aces) - len(rest.range)
    assert aces.live().range is aces
    nothing = Range("AhAdKhKd").live("Ah7c2d")
    assert (len(nothing.range), nothing.killed) == (0, 1)
    with pytest.raises(DuplicateCardError):
        aces.live("Ah7c2d", "2d")


@pytest.mark.parametrize("text", ["AA", "AsKs", "AA@10,KK:xxyy@2.5", "*$ms", "hhxx"])
def test_classes(text: str) -> None:
    given = Range(text)
    classes = list(given.classes())
    assert len(classes) == given.class_count
    assert sum(entry.combos for entry in classes) == len(given)
    assert sum(entry.weight for entry in classes) == int(given.weights.sum())
    assert all(1 <= entry.combos <= entry.size <= 24 for entry in classes)
    assert {entry.text for entry in classes if entry.combos == entry.size} <= set(given)


def test_classes_of_all_hands() -> None:
    assert Range("*").class_count == 16_432
    assert Range("*", "plo5").class_count == 134_459
    assert sum(entry.size for entry in Range("*").classes()) == 270_725
    aces = [entry.text for entry in Range("AAAA,AAA:KK").classes()]
    assert aces == ["AsAhAdAc"]
    assert [entry.text for entry in Range("AAKK").classes()] == [
        "AsAhKsKh",
        "AsAhKsKd",
        "AsAhKdKc",
    ]


@settings(max_examples=20, deadline=None)
@given(text=expressions(4))
def test_classes_by_renaming(text: str) -> None:
    """Hands are of one class exactly when renaming suits makes them equal."""
    given = Range(text)
    if not 0 < len(given) < 5_000:
        return
    orders = list(permutations(range(4)))
    keys = {
        tuple(max(sorted(c // 4 * 4 + order[c % 4] for c in hand) for order in orders))
        for hand in given.combos.tolist()
    }
    assert given.class_count == len(keys)


def test_large_games() -> None:
    every = Range("*", "plo6")
    assert len(every) == 20_358_520
    assert every.text == "*"
    doubled = Range("AAKK$ds", "plo6")
    assert "AsAhKsKh3d2c" in doubled
    assert Range(doubled.text, "plo6") == doubled
    rest = doubled.live("As")
    assert len(rest.range) + rest.killed == len(doubled)
    assert len(every - doubled) == len(every) - len(doubled)


def test_texts_read_a_short_time_ago_are_cached() -> None:
    game = find_game("plo4")
    first = read_range("AA:xxyy,KK@50", game, place="range 1")
    assert read_range("AA:xxyy,KK@50", game, place="range 2") is first
    assert first == Range("AA:xxyy,KK@50")
    assert read_range("AA:xxyy,KK@50", find_game("o8")).game.name == "o8"
    ten = read_range("10%", game)
    assert read_range("10%", game, ordering="ring").orderings == ten.orderings
    # A condition on the board has another answer on every board.
    sets = [read_range("AA:@SET", game, board=parse_cards(board)) for board in ("Ah8h4c", "Kh8h4c")]
    assert sets[0] != sets[1]
    with pytest.raises(RangeSyntaxError, match="range 3, column 3"):
        read_range("AA?", game, place="range 3", ordering="no such file")
    for number in range(2, 60):
        read_range(f"AA@{number}", game)
    assert read_range("AA:xxyy,KK@50", game) is not first


def test_text_after_card_removal_is_made_when_asked_for() -> None:
    live = Range("AA,KK@50").live("AsKh", "2c").range.live("Ks").range
    again = pickle.loads(pickle.dumps(live))
    assert again == live == Range(live.text)
    assert again.text == live.text
    assert not live.combos.flags.writeable
