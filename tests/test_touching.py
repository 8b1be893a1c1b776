"""Percent items that share the hands where they touch, and how a deck is cut without that."""

from __future__ import annotations

import pytest

from equity.ranges import Range, parse
from equity.ranges.touching import touching_percents
from equity.rules.games import find_game

GAME = find_game("plo4")


def notices(*ranges: str) -> tuple[str, ...]:
    return tuple(map(str, touching_percents([parse(text, GAME) for text in ranges])))


@pytest.mark.parametrize(
    ("ranges", "words"),
    [
        (["10%", "10%-20%"], ["ranges 1 and 2", "10% and 10%-20%", "at 10%", "11%-20% begins"]),
        (["10%-20%", "10%"], ["ranges 1 and 2", "10% and 10%-20%"]),
        (["10%@50,10%-20%"], ["range 1:", "11%-20%"]),
        (["AA", "(5%,KK)!QQ", "5%-7.5%"], ["ranges 2 and 3", "at 5%", "5.1%-7.5% begins"]),
        (["10%:xxyy", "10%-20%:AA"], ["ranges 1 and 2"]),
        (["10%6h", "10%-20%6h"], ["11%-20%6h begins after 10%6h"]),
    ],
)
def test_what_touches_is_named(ranges: list[str], words: list[str]) -> None:
    (notice,) = notices(*ranges)
    for word in words:
        assert word in notice


@pytest.mark.parametrize(
    "ranges",
    [
        ["10%", "11%-20%"],
        ["10%", "10%-20%!10%"],
        ["10%!10%-20%", "10%-20%"],
        # These overlap, which can be meant.
        ["10%", "5%-20%"],
        ["10%", "10%"],
        ["10%6h", "10%-20%"],
        ["*!10%", "10%-20%"],
        ["AA", "KK"],
    ],
)
def test_what_does_not_touch(ranges: list[str]) -> None:
    assert notices(*ranges) == ()


def test_each_is_said_once() -> None:
    assert len(notices("10%:AA,10%:KK", "10%-20%")) == 1
    assert len(notices("10%", "10%-20%", "20%-30%")) == 2


@pytest.mark.parametrize(("first", "second"), [("10%", "11%-20%"), ("10%", "10%-20%!10%")])
def test_the_cuts_of_the_page_share_no_hand(first: str, second: str) -> None:
    """And leave none out: both together are the best 20 percent."""
    one, other, both = (Range(text) for text in (first, second, "20%"))
    assert not len(one & other)
    assert (one | other) == both
    assert len(one & Range("10%-20%"))
    tenths = Range("7.5%"), Range("7.6%-20%")
    assert not len(tenths[0] & tenths[1])
    assert (tenths[0] | tenths[1]) == both
