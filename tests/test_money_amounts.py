"""Amounts, rakes, and what each player has put in."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from money_tools import AMOUNTS

import equity
from equity.money import (
    MoneyError,
    Rake,
    Stakes,
    read_amount,
    read_rake,
    read_stakes,
)
from equity.money.amounts import places, plain, rounded, signed


@pytest.mark.parametrize(
    ("amount", "exact"),
    [
        ("100", 100),
        (" 12.50 ", Fraction(25, 2)),
        (".1", Fraction(1, 10)),
        ("7.", 7),
        ("0.000001", Fraction(1, 10**6)),
        ("999999999.999999", 10**9 - Fraction(1, 10**6)),
        (5, 5),
        (0.1, Fraction(1, 10)),
        (Decimal("2.75"), Fraction(11, 4)),
        (Fraction(1, 3), Fraction(1, 3)),
    ],
)
def test_amounts_are_what_is_written(amount: Any, exact: Fraction) -> None:
    assert read_amount(amount, "pot") == exact


@pytest.mark.parametrize(
    ("amount", "words"),
    [
        ("", ["pot", "no amount"]),
        ("ten", ["'ten'", "12.50"]),
        ("-5", ["not below 0"]),
        ("1e3", ["'1e3'"]),
        ("$5", ["alone, 5"]),
        ("20 BB", ["alone, 20"]),
        ("1,000", ["alone, 1000"]),
        ("\u0661", ["no amount"]),
        ("0.1234567", ["6 decimals"]),
        ("1000000000", ["too much", "below 1000000000"]),
        ("1" * 1000, ["too much"]),
        (True, ["no amount"]),
        (None, ["no amount"]),
        (-1, ["not below 0"]),
        (-0.5, ["not below 0"]),
        (float("nan"), ["no amount"]),
        (float("inf"), ["no amount"]),
        (Decimal("NaN"), ["no amount"]),
        (10**12, ["too much"]),
    ],
)
def test_what_is_no_amount(amount: Any, words: list[str]) -> None:
    with pytest.raises(MoneyError) as caught:
        read_amount(amount, "pot")
    assert isinstance(caught.value, equity.EquityError)
    assert caught.value.place == "pot"
    assert all(word in str(caught.value) for word in words)
    assert str(caught.value).isascii()


def test_zero_may_be_an_error() -> None:
    assert read_amount("0", "pot") == 0
    with pytest.raises(MoneyError, match="above 0"):
        read_amount("0.00", "pot", positive=True)


@pytest.mark.parametrize(
    ("rake", "cap", "text"),
    [("5%", None, "5%"), (" 2.5 % ", "3", "2.5%, at most 3"), ("0%", 0, "0%, at most 0")],
)
def test_rakes(rake: str, cap: Any, text: str) -> None:
    assert read_rake(rake, cap).text == text


@pytest.mark.parametrize(
    ("rake", "cap", "words"),
    [
        ("0.05", None, ["rake", "percent sign, 5%"]),
        ("5", None, ["percent sign, 5%"]),
        (0.05, None, ["percent sign, 5%"]),
        ("101%", None, ["100%"]),
        ("-1%", None, ["no rake"]),
        ("%", None, ["such as 5%"]),
        ("", None, ["such as 5%"]),
        ("5%", "x", ["cap", "'x'"]),
        (None, "3", ["cap", "no rake"]),
    ],
)
def test_what_is_no_rake(rake: Any, cap: Any, words: list[str]) -> None:
    with pytest.raises(MoneyError) as caught:
        read_rake(rake, cap)
    assert all(word in str(caught.value) for word in words)


@given(st.fractions(0, 10**9), st.integers(0, 6))
def test_amounts_round_and_never_hide(amount: Fraction, decimals: int) -> None:
    text = rounded(amount, decimals)
    if text.startswith("<"):
        assert 0 < amount < Fraction(1, 10**decimals)
    else:
        assert abs(Fraction(text) - amount) <= Fraction(1, 2 * 10**decimals)
        assert (Fraction(text) == 0) == (amount == 0)
    assert signed(amount, decimals)[:1] == ("+" if amount else "0")
    assert signed(-amount, decimals)[:1] == ("-" if amount else "0")
    assert Fraction(plain(Fraction(round(amount * 10**6), 10**6))) == round(amount, 6)


def test_small_stakes_have_more_decimals() -> None:
    assert [places(Fraction(n)) for n in (2, 20, 200, 20_000, 10**8, 10**10)] == [4, 3, 2, 2, 1, 0]


def test_layers_by_hand() -> None:
    stakes = Stakes(tuple(map(Fraction, (100, 60, 40, 40))), Fraction(10))
    assert [(pot.name, pot.amount, pot.members) for pot in stakes.layers] == [
        ("main pot", Fraction(170), (0, 1, 2, 3)),
        ("side pot 1", Fraction(40), (0, 1)),
    ]
    assert list(stakes.returned) == [40, 0, 0, 0]
    assert stakes.put_in == 250
    assert stakes.contested == 210


@given(
    st.lists(AMOUNTS | st.sampled_from([Fraction(10), Fraction(20)]), min_size=2, max_size=11),
    AMOUNTS | st.just(Fraction(0)),
    st.fractions(0, 1),
    st.none() | AMOUNTS,
)
def test_no_stake_is_lost(
    stacks: list[Fraction], pot: Fraction, rate: Fraction, cap: Fraction | None
) -> None:
    stakes = Stakes(tuple(stacks), pot, Rake(rate, cap))
    layers = stakes.layers
    assert sum(layer.amount for layer in layers) + sum(stakes.returned) == stakes.put_in
    assert len(layers[0].members) == len(stacks)
    for larger, smaller in pairwise(layers):
        assert set(smaller.members) < set(larger.members)
    assert sum(map(bool, stakes.returned)) <= 1
    rakes = [stakes.rake_of(layer) for layer in layers]
    assert sum(rakes) == stakes.taken <= rate * stakes.contested
    assert (
        len({Fraction(mine, layer.amount) for mine, layer in zip(rakes, layers, strict=True)}) == 1
    )
    if cap is not None:
        assert stakes.taken <= cap


@pytest.mark.parametrize(
    ("stacks", "words"),
    [
        ("100", ["1 for 2 players (100)"]),
        ("", ["0 for 2 players"]),
        ("1,2,3", ["3 for 2 players", "a point for decimals"]),
        ("100,0", ["stacks, number 2", "above 0"]),
        ("100,,40", ["stacks, number 2", "''"]),
        ("100,x", ["stacks, number 2", "'x'"]),
        (100, ["one amount where a list is wanted"]),
        ([100, None], ["stacks, number 2"]),
    ],
)
def test_what_are_no_stacks(stacks: Any, words: list[str]) -> None:
    with pytest.raises(MoneyError) as caught:
        read_stakes(stacks, 2)
    assert all(word in str(caught.value) for word in words)
