"""Pot odds and pot limit."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from money_tools import AA, AMOUNTS, RUN

import equity
from equity.money import (
    MoneyError,
    pot_limit,
    pot_odds,
)
from equity.results.formats import written


def test_pot_odds_by_hand() -> None:
    odds = pot_odds([AA, RUN], call=50, pot=150)
    assert odds.call.needed == Fraction(1, 4)
    assert odds.equity_exact == equity.odds([AA, RUN]).equities_exact[0]
    assert odds.gain_exact == 200 * odds.equity_exact - 50
    assert odds.std_error is None
    raked = pot_odds([AA, RUN], call="50", pot="150", rake="10%", cap="4")
    assert raked.call.taken == 4
    assert raked.call.needed == Fraction(50, 196)
    # With the equity that is needed nothing is won or lost.
    assert raked.call.needed * raked.call.prize == 50
    assert "needs 25.5102%" in repr(raked)


def test_pot_odds_of_a_sample_have_an_error() -> None:
    odds = pot_odds(["AA", "KK", "QQ"], call=1, pot=2, how=equity.How(trials=5_000))
    assert odds.std_error is not None
    assert odds.gain_error == pytest.approx(3 * odds.std_error)
    assert "+/-" in written(odds)
    assert odds.to_dict()["had_exact"] is None


@pytest.mark.parametrize(
    ("amounts", "words"),
    [
        ({"call": 0, "pot": 10}, ["call", "above 0"]),
        ({"call": 5, "pot": 0}, ["pot", "above 0"]),
        ({"call": 5, "pot": None}, ["needs the pot"]),
        ({"call": 5, "pot": 5, "rake": "100%"}, ["whole pot"]),
    ],
)
def test_what_is_no_call(amounts: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(MoneyError) as caught:
        pot_odds([AA, RUN], **amounts)
    assert all(word in str(caught.value) for word in words)


@pytest.mark.parametrize(
    ("arguments", "limits"),
    [
        ((50, "10,10", 0), (80, 90, 20)),
        ((50, "10", 0), (70, 80, 20)),
        # Blinds of 1 and 2: the largest first raise is to 7, the small blind's to 6.
        ((0, "1,2", 0), (5, 7, None)),
        ((1, "2", 0), (5, 7, 4)),
        ((0, "2", 1), (4, 6, None)),
        # The big blind has not raised yet.
        ((1, "2", 2), (5, 7, None)),
        ((0, "1,2,7", 0), (17, 24, 12)),
        ((60, "100,40", 20), (300, 400, None)),
        ((10, "0,10,30", 0), (80, 110, 50)),
        ((50, "", 0), (50, 50, None)),
        ((50, "0,0", 0), (50, 50, None)),
        (("2.50", "1.25", 0), (5, Fraction(25, 4), Fraction(5, 2))),
        # A raise all in that is short of a full one: it is not clear what it counts.
        ((50, "100,120", 0), (390, 510, None)),
    ],
)
def test_pot_limit_by_hand(arguments: tuple[Any, ...], limits: tuple[Any, ...]) -> None:
    """The largest raise, by and to, and the smallest one, to; None where it is not clear."""
    limit = pot_limit(*arguments)
    assert (limit.raise_by, limit.raise_to, limit.min_raise_to) == limits


@given(AMOUNTS, st.lists(AMOUNTS, min_size=1, max_size=6), st.fractions(0, 1))
def test_a_raise_is_by_the_pot_after_the_call(
    pot: Fraction, bets: list[Fraction], part: Fraction
) -> None:
    own = part * max(bets)
    limit = pot_limit(pot, bets, own)
    after = pot + sum(bets) + max(bets)
    assert limit.raise_by == after
    assert limit.own + limit.call + limit.raise_by == limit.raise_to == max(bets) + after
    assert limit.min_raise_to is None or max(bets) < limit.min_raise_to <= limit.raise_to


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("0", ""), ["pot", "is empty"]),
        (("50", "10", "20"), ["in", "20 is more"]),
        (("50", "", "5"), ["in", "5 is more"]),
        (("50", "10,x"), ["bets, number 2"]),
        (("x", ""), ["pot"]),
    ],
)
def test_what_is_no_pot_limit(arguments: tuple[str, ...], words: list[str]) -> None:
    with pytest.raises(MoneyError) as caught:
        pot_limit(*arguments)
    assert all(word in str(caught.value) for word in words)
